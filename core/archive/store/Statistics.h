// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/archive/store/OperatorClass.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace kernelarium::archive {

/// What the archive claims of a group of kernels. Speed-ups are the published ones, of kernels marked correct
/// that have one; a share's divisor is the count of those. A value that no kernel supports is NaN.
struct GroupStatistics {
    std::int64_t level = 0;                     ///< 0: all levels
    std::int64_t task = 0;                      ///< 0: all tasks of the level
    std::optional<OperatorClass> operatorClass; ///< set for a group of one class
    std::int64_t rows = 0;
    std::int64_t correct = 0;
    std::int64_t incorrect = 0;
    std::int64_t unknown = 0; ///< neither marked correct nor incorrect
    std::int64_t withError = 0;
    std::int64_t tasks = 0;
    std::int64_t tasksClaimed = 0; ///< with a kernel marked correct or incorrect: of others nobody knows
    std::int64_t tasksWithCorrect = 0;
    std::int64_t tasksFasterThanNative = 0; ///< with a correct kernel over 1x native
    std::int64_t speedupsNative = 0;        ///< correct kernels with a speed-up over native
    std::int64_t speedupsCompile = 0;
    double shareFasterThanNative = std::numeric_limits<double>::quiet_NaN();
    double shareFasterThanCompile = std::numeric_limits<double>::quiet_NaN();
    double shareOverTwiceNative = std::numeric_limits<double>::quiet_NaN();
    double shareOverTwiceCompile = std::numeric_limits<double>::quiet_NaN();
    double medianSpeedupNative = std::numeric_limits<double>::quiet_NaN();
    double medianSpeedupCompile = std::numeric_limits<double>::quiet_NaN();
    double bestSpeedupNative = std::numeric_limits<double>::quiet_NaN();
    double medianRuntime = std::numeric_limits<double>::quiet_NaN(); ///< milliseconds, of correct kernels
};

struct ArchiveStatistics {
    GroupStatistics all;
    std::vector<GroupStatistics> levels;  ///< by level
    std::vector<GroupStatistics> tasks;   ///< by level, then task
    std::vector<GroupStatistics> classes; ///< by operator class
};

/// Of these rows of the table.
ArchiveStatistics computeStatistics(const KernelTable& table, std::span<const std::uint32_t> rows);
/// Of all of them.
ArchiveStatistics computeStatistics(const KernelTable& table);

/// A number of GroupStatistics and the kernels behind it.
enum class Figure {
    rows,
    correct,
    incorrect,
    unknown,
    withError,
    fasterThanNative,
    fasterThanCompile,
    overTwiceNative,
    overTwiceCompile
};

/// The rows that a number counts, of those that belong to the group (level, task and class as it says).
std::vector<std::uint32_t> rowsBehind(const KernelTable& table, std::span<const std::uint32_t> rows,
                                      const GroupStatistics& group, Figure figure);

/// 0, 1, ... for every row of the table.
std::vector<std::uint32_t> everyRow(const KernelTable& table);

} // namespace kernelarium::archive
