// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::profile {

/// What a metric is about.
enum class NcuSection { instructions, memory, warps, occupancy, clusters, other };
inline constexpr std::array<std::string_view, 6> ncuSectionNames = {"Instructions", "Memory",   "Warps",
                                                                    "Occupancy",    "Clusters", "Other"};

/// By words of the label.
[[nodiscard]] NcuSection ncuSectionOf(std::string_view label);

/// A figure of Nsight Compute.
struct NcuMetric {
    NcuSection section = NcuSection::other;
    std::string name;
    std::string unit;            ///< as Nsight Compute writes it: "inst/cycle", "%", "byte/second"; empty: none
    std::optional<double> value; ///< the mean of the samples
    std::optional<double> variance;
    std::optional<std::int64_t> samples;
};

/// Advice of one of Nsight Compute's rules.
struct NcuRule {
    std::string name;
    std::string type; ///< "INF", "WRN", "OPT", ...
    std::string message;
};

/// What Nsight Compute said of a kernel, as the archive keeps it.
struct NcuProfile {
    std::vector<NcuMetric> metrics;  ///< by section, then as they stood
    std::vector<NcuRule> rules;      ///< warnings first
    std::vector<std::string> unread; ///< keys that are neither

    /// Null when there is none of that name.
    [[nodiscard]] const NcuMetric* find(std::string_view name) const;
    [[nodiscard]] std::optional<double> value(std::string_view name) const;
};

/// What a profile says towards a point on a roofline; shares are 0 to 1. Times are not in a profile: bytes
/// are this throughput times the archived time.
struct NcuRoofInputs {
    std::optional<double> bytesPerSecond; ///< "Memory Throughput"
    std::optional<double> memoryBusy;     ///< "Mem Busy"
    std::optional<double> bandwidthShare; ///< "Max Bandwidth"
    std::optional<double> l1HitRate;
    std::optional<double> l2HitRate;
    std::optional<double> instructionsPerCycle; ///< "Executed Ipc Elapsed", of one SM
    std::optional<double> smBusy;
    std::optional<double> achievedOccupancy;
};
NcuRoofInputs roofInputs(const NcuProfile& profile);

/// A cell of column NCU_Profile. Error "bad_profile" for what is not a literal, or one of another form.
Result<NcuProfile> parseNcuProfile(std::string_view cell);

} // namespace kernelarium::profile
