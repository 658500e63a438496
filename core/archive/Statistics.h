// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/KernelTable.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace kernelarium::archive {

/// What the archive claims of a group of kernels. Speed-ups are the published ones, of kernels marked correct
/// that have one; a share's divisor is the count of those. A value that no kernel supports is NaN.
struct GroupStatistics {
    std::int64_t level = 0; ///< 0: all levels
    std::int64_t task = 0;  ///< 0: all tasks of the level
    std::int64_t rows = 0;
    std::int64_t correct = 0;
    std::int64_t incorrect = 0;
    std::int64_t unknown = 0; ///< neither marked correct nor incorrect
    std::int64_t withError = 0;
    std::int64_t tasks = 0;
    std::int64_t tasksWithCorrect = 0;
    std::int64_t tasksFasterThanNative = 0; ///< with a correct kernel over 1x native
    std::int64_t speedupsNative = 0;        ///< correct kernels with a speed-up over native
    std::int64_t speedupsCompile = 0;
    double shareFasterThanNative = std::numeric_limits<double>::quiet_NaN();
    double shareFasterThanCompile = std::numeric_limits<double>::quiet_NaN();
    double shareOverTwiceNative = std::numeric_limits<double>::quiet_NaN();
    double medianSpeedupNative = std::numeric_limits<double>::quiet_NaN();
    double medianSpeedupCompile = std::numeric_limits<double>::quiet_NaN();
    double bestSpeedupNative = std::numeric_limits<double>::quiet_NaN();
    double medianRuntime = std::numeric_limits<double>::quiet_NaN(); ///< milliseconds, of correct kernels
};

struct ArchiveStatistics {
    GroupStatistics all;
    std::vector<GroupStatistics> levels; ///< by level
    std::vector<GroupStatistics> tasks;  ///< by level, then task
};

ArchiveStatistics computeStatistics(const KernelTable& table);

} // namespace kernelarium::archive
