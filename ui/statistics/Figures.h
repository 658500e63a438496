// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/Findings.h"
#include "core/statistics/ProfileStatistics.h"
#include "ui/statistics/FigureTable.h"
#include "ui/words/Quantities.h"

#include <QHash>

namespace kernelarium::ui {

/// What the tables and charts of the page are made of.
struct FigureSource {
    std::shared_ptr<const archive::KernelTable> table;
    std::shared_ptr<const statistics::Findings> findings;
    std::shared_ptr<const statistics::ProfilePair> profiles; ///< null until they are read
    bool wholeArchive = true;         ///< false: of what the Archive panel shows, which a search would change
    QHash<QString, QString> verdicts; ///< ours, by label
};

/// All, levels and operator classes; below each group that has kernels that fail, the same without them.
[[nodiscard]] FigureTable groupFigures(const FigureSource& source);
[[nodiscard]] FigureTable taskFigures(const FigureSource& source); ///< the same for every task
[[nodiscard]] FigureTable rankFigures(const FigureSource& source, int level, int task);
[[nodiscard]] FigureTable errorFigures(const FigureSource& source);
[[nodiscard]] FigureTable wordFigures(const FigureSource& source);
[[nodiscard]] FigureTable contradictionFigures(const FigureSource& source);
[[nodiscard]] FigureTable kernelFigures(const FigureSource& source, const QString& name,
                                        const std::vector<std::uint32_t>& rows);

// Of the profiles.
[[nodiscard]] FigureTable metricFigures(const FigureSource& source); ///< fast against slow kernels of a task
[[nodiscard]] FigureTable checkFigures(const FigureSource& source);  ///< of clang-tidy
[[nodiscard]] FigureTable ruleFigures(const FigureSource& source);   ///< of Nsight Compute

// Cells.
[[nodiscard]] FigureCell textCell(const QString& text);
[[nodiscard]] FigureCell countCell(std::int64_t count, DrillPointer drill = {});
[[nodiscard]] FigureCell speedupCell(double ratio, DrillPointer drill = {});
/// `search` is dropped where it would not show just these rows: of a part of the archive.
[[nodiscard]] DrillPointer drillTo(const FigureSource& source, const QString& title, std::optional<QString> search,
                                   std::function<std::vector<std::uint32_t>()> rows);

} // namespace kernelarium::ui
