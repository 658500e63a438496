// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/SequenceDiff.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace kernelarium::ui {

/// As diff::splitLines() of the text in UTF-8.
[[nodiscard]] QStringList splitLines(const QString& text);

/// Words, runs of blanks and single signs of two lines; places and counts in UTF-16 units.
[[nodiscard]] std::vector<diff::Change> wordDiff(const QString& a, const QString& b);

} // namespace kernelarium::ui
