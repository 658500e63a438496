// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/Curves.h"

#include <optional>
#include <string>

namespace kernelarium::statistics {

/// The correct kernels of one task with a speed-up over native, the fastest first, equal ones by ascending
/// row.
std::vector<std::uint32_t> ranking(const archive::KernelTable& table, Rows rows, std::int64_t level, std::int64_t task);

/// The first of each task's ranking, by level and task; tasks without one are left out.
std::vector<std::uint32_t> bestPerTask(const archive::KernelTable& table, Rows rows,
                                       Baseline baseline = Baseline::native);

/// A word of kernel names (parts between '_', in lower case, no numbers) and how its kernels do. A kernel's
/// relative speed-up is its speed-up over native divided by the median of the correct kernels of its task, so
/// that easy tasks do not speak for words.
struct NameWord {
    std::string word;
    std::int64_t kernels = 0; ///< correct, with a speed-up
    std::int64_t tasks = 0;
    double medianRelative = 0;
    double medianSpeedup = 0;
};
/// Words of at least `fewest` kernels, the greatest median first, then by word.
std::vector<NameWord> nameWords(const archive::KernelTable& table, Rows rows, std::int64_t fewest = 3);

/// A kernel in the history of its task.
struct LineageStep {
    std::uint32_t row = 0;
    std::string stem;        ///< the name without "_base" and "_edit_N": an idea and what was made of it share it
    std::optional<int> edit; ///< N of "_edit_N"
    bool isBase = false;     ///< the name ends in "_base", edits aside
    double bestSoFar = 0;    ///< greatest speed-up over native of a correct kernel up to here; NaN: none yet
    bool isBest = false;     ///< this one raised it
};
/// The kernels of a task in the order in which they were made: by the published index, where there is none by
/// row, behind the others.
std::vector<LineageStep> lineage(const archive::KernelTable& table, Rows rows, std::int64_t level, std::int64_t task);

} // namespace kernelarium::statistics
