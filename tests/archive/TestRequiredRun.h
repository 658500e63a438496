// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Characters that every match of a regular expression has side by side.
class TestRequiredRun : public QObject {
    Q_OBJECT
private slots:
    void findsTheMostTellingRun_data();
    void findsTheMostTellingRun();
    void knowsNoneOf_data();
    void knowsNoneOf();
    void looksForIt_data();
    void looksForIt();
    void noMatchIsRuledOut();
};
