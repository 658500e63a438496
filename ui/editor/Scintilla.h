// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QScintilla's headers need Qt's short keywords, which the window is built without.
#include <QObject>
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscicommandset.h>
#include <Qsci/qscidocument.h>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexercustom.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots
