// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/NcuNames.h"

#include <span>
#include <string_view>

namespace kernelarium::profile {

/// A figure by which two variants of a kernel's native code are held against each other.
struct VariantCounter {
    enum class Group { time, memory, l2, stalls };
    Group group = Group::time;
    NcuName name;
};
/// Time, memory, L2 and, warp cycles for each instruction issued, what warps wait for. Source: Nsight Compute's section
/// files (SpeedOfLight, MemoryWorkloadAnalysis, WarpStateStats).
[[nodiscard]] std::span<const VariantCounter> variantCounters();
[[nodiscard]] std::string_view name(VariantCounter::Group group); ///< "time", "memory", "L2", "stalls"

} // namespace kernelarium::profile
