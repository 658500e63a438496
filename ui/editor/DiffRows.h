// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/SequenceDiff.h"

#include <QByteArray>
#include <QString>
#include <stop_token>
#include <vector>

namespace kernelarium::ui {

/// Bytes of a shown text.
struct ByteSpan {
    int start = 0;
    int length = 0;
};

/// One side of two texts laid beside each other: blank rows stand where only the other side has a line.
struct DiffSide {
    QByteArray text;             ///< UTF-8, a row a line
    std::vector<int> numbers;    ///< by row: 1-based line of the text; 0: a blank row
    std::vector<char> changed;   ///< by row
    std::vector<ByteSpan> words; ///< what changed inside lines that have a counterpart
};

struct DiffRows {
    std::vector<diff::Change> changes;
    std::vector<int> firstRow; ///< by change
    std::vector<int> rowCount; ///< by change
    DiffSide original;
    DiffSide edited;
    int added = 0;   ///< lines
    int removed = 0; ///< lines
};

[[nodiscard]] DiffRows layOutDiff(const QString& original, const QString& edited, const std::stop_token& stop = {});

/// `edited` with one change taken back.
[[nodiscard]] QString reverted(const QString& original, const QString& edited, const diff::Change& change);

} // namespace kernelarium::ui
