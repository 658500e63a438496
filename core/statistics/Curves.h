// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kernelarium::statistics {

using Rows = std::span<const std::uint32_t>; ///< of an archive::KernelTable

/// What a speed-up is over: PyTorch native, torch.compile.
enum class Baseline { native, compile };
/// The published speed-up of a row over it; NaN: none.
double speedupOver(const archive::KernelTable& table, std::uint32_t row, Baseline baseline);

/// KernelBench's fast_p (Ouyang et al., "KernelBench: Can LLMs Write Efficient GPU Kernels?", 2025): the
/// share that is correct and more than p times as fast as PyTorch. With many kernels of a task, of tasks
/// (their best kernel counts), and of kernels. What nobody calls correct or incorrect is no part of a share: tasks are
/// those with a kernel that is called so.
struct FastPoint {
    double p = 0;
    std::int64_t tasksNative = 0; ///< with a correct kernel of more than p over native
    std::int64_t tasksCompile = 0;
    std::int64_t kernelsNative = 0;
    std::int64_t kernelsCompile = 0;
};
struct FastCurve {
    std::int64_t tasks = 0; ///< the divisors: with a claim
    std::int64_t kernels = 0;
    std::int64_t tasksUnclaimed = 0; ///< left out, since the archive says nothing of them
    std::int64_t kernelsUnclaimed = 0;
    std::vector<FastPoint> points; ///< by p, from 0
};
FastCurve fastCurve(const archive::KernelTable& table, Rows rows);

/// Speed-ups of correct kernels by powers of ten: bin i counts those in [least * 10^(i/10), least *
/// 10^((i+1)/10)).
struct SpeedupBins {
    static constexpr double least = 1e-3;
    static constexpr int perDecade = 10;
    static constexpr int count = 60; ///< up to 1000
    std::array<std::int64_t, count> native{};
    std::array<std::int64_t, count> compile{};
    std::int64_t belowNative = 0, aboveNative = 0;
    std::int64_t belowCompile = 0, aboveCompile = 0;

    static double lowerEdge(int bin);
};
SpeedupBins speedupBins(const archive::KernelTable& table, Rows rows);

/// The correct kernels with a speed-up over the baseline of at least `least` and less than `limit`: those of a bin, or
/// with infinities those beside all bins.
std::vector<std::uint32_t> rowsBetween(const archive::KernelTable& table, Rows rows, Baseline baseline, double least,
                                       double limit);

/// Kernels by archive::ErrorKind; those of kind `none` that the archive does not call correct are `unknown` instead.
struct ErrorCounts {
    std::array<std::int64_t, archive::errorKindWords.size()> byKind{};
    std::int64_t unknown = 0; ///< neither an error nor a claim

    bool operator==(const ErrorCounts&) const = default;
};
ErrorCounts errorCounts(const archive::KernelTable& table, Rows rows);
/// Whether a row is one of ErrorCounts::unknown.
bool isUnknown(const archive::KernelTable& table, std::uint32_t row);

} // namespace kernelarium::statistics
