// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/OccupancyCurves.h"
#include "ui/statistics/ChartData.h"

namespace kernelarium::ui {

/// A block that is looked at: as the kernel has it, and with the numbers that are tried in its place.
struct TriedBlock {
    perf::BlockNeeds own; ///< threads 0: there is no kernel, or how it is launched is not known
    perf::BlockNeeds tried;
    perf::MultiprocessorLimits limits;
};

/// Warps that are resident over one need, the others as they are tried; the kernel's value and the tried one are dots.
[[nodiscard]] ChartData occupancyChart(perf::BlockNeed need, const TriedBlock& block);
/// The value that a mark of that chart stands for: of a step the largest.
[[nodiscard]] std::uint32_t valueOfPoint(perf::BlockNeed need, const ChartPoint& point);

/// "Registers a thread"
[[nodiscard]] QString titleOf(perf::BlockNeed need);
/// "registers", "shared memory": what limits, within a sentence.
[[nodiscard]] QString nameOf(perf::OccupancyLimit limit);
/// "40 instead of 42: 6 blocks instead of 5"
[[nodiscard]] QString stepText(const perf::OccupancyStep& step);

/// "128 × 1 × 1"
[[nodiscard]] QString gridText(const std::array<std::uint32_t, 3>& grid);

/// One resource of a multiprocessor, for a row of the table.
struct ResourceRow {
    perf::OccupancyLimit limit;
    QString name;
    QString taken; ///< by a block
    QString there; ///< on a multiprocessor
    QString blocks;
    QString next; ///< the nearest value that gains; empty without one
    QString room; ///< up to where nothing is lost
    bool limits = false;
};
[[nodiscard]] std::vector<ResourceRow> resourceRows(const perf::BlockNeeds& needs,
                                                    const perf::MultiprocessorLimits& limits);

} // namespace kernelarium::ui
