// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// Where a number leads: to the kernels behind it.
struct Drill {
    QString title; ///< "Level 1, over 2× native"
    /// What the Archive panel has to search for to show just these kernels; without: its language cannot say it.
    std::optional<QString> search;
    std::function<std::vector<std::uint32_t>()> rows; ///< of the archive's table
};
using DrillPointer = std::shared_ptr<const Drill>;

enum class Tone { plain, muted, ok, wrong };

struct FigureCell {
    QString text;
    QVariant sort; ///< a number or a text; invalid: there is no value, last in either direction
    QString toolTip;
    DrillPointer drill;
    Tone tone = Tone::plain;
    double bar = std::numeric_limits<double>::quiet_NaN(); ///< 0 to 1, a thin bar under the text; NaN: none
};

struct FigureColumn {
    QString title;
    QString toolTip;
    int width = 80;
    bool isNumber = true;
    bool isSpeedup = false; ///< a bar around 1x under the text; `sort` is the speed-up
};

struct FigureRow {
    std::vector<FigureCell> cells;
    qint64 kernel = 0; ///< the archive's number of the kernel that the row is about; 0: none
    qint64 key = 0;    ///< anything else that the row is about, as its maker says
    int level = 0;     ///< and its task; 0: none
    int task = 0;
    bool isSecond = false; ///< the row above, without the kernels that fail our checks: it stays below that one
};

/// A table of numbers as the window shows it: computed once, sorted and exported as it stands.
struct FigureTable {
    QString name; ///< what it shows: for screen readers and files
    std::vector<FigureColumn> columns;
    std::vector<FigureRow> rows;
};

/// A header, then a line for each row, cells separated by tabs. Numbers with a point and all their digits.
[[nodiscard]] QString tabSeparated(const FigureTable& table);

} // namespace kernelarium::ui
