// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::profile {

/// A metric under its two names: as Nsight Compute's details page has it, which is what the archive keeps, and as its
/// raw page has it. Source: Nsight Compute's section files (ComputeWorkloadAnalysis,
/// MemoryWorkloadAnalysis, WarpStateStats, Occupancy).
struct NcuName {
    std::string_view label;   ///< "L2 Hit Rate"
    std::string_view metric;  ///< "lts__t_sector_hit_rate.pct"
    std::string_view meaning; ///< in a few words
};
[[nodiscard]] std::span<const NcuName> ncuNames();
/// By either name; null for one that is not listed.
[[nodiscard]] const NcuName* findNcuName(std::string_view labelOrMetric);

} // namespace kernelarium::profile
