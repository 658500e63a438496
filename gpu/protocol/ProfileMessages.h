// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Findings.h"
#include "core/perf/ModelledTime.h"
#include "core/verify/LaunchedBlocks.h"
#include "gpu/protocol/RunMessages.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Parameters of the run child's method "profile": those of "run" (of which the size is normally "full"; reference,
/// checks and counters do not matter) and
///   device              whose time is modelled, an id of core/perf/DeviceSpec.h
///   waves               as many blocks of each launch as fill the device so often are executed, at most
///   instruction_budget  warp instructions of one launch, about; 6 blocks are executed whatever they cost
struct ProfileParameters {
    RunParameters run;
    std::string device = "h200";
    double waves = 2;
    std::uint64_t instructionBudget = 6'000'000;
};

[[nodiscard]] nlohmann::json toJson(const ProfileParameters& parameters);
Result<ProfileParameters> profileParametersFromJson(const nlohmann::json& json);

/// Result of "profile": counters scaled to the whole grids, and the time that follows from them.
struct ProfileSummary {
    std::string end; ///< "finished", or verify::RunEnd's name: then there may be fewer launches than in a whole run
    std::string reason;
    std::string size;
    /// What tensors hold: "pattern" (2 MiB of drawn values over and over; large copies on the device and results of
    /// library operators stay zero).
    std::string inputs = "pattern";
    std::vector<perf::LaunchCounters> counters;
    std::vector<perf::LibraryCall> libraryCalls; ///< not executed; costed by their operands and operations
    perf::ModelledTime time;
    std::vector<perf::Finding> findings; ///< what costs time, most first
    std::vector<std::string> notes;      ///< what a reader should know of these figures, a sentence each
    std::uint64_t peakBytes = 0;
    double seconds = 0; ///< that the profile took
};

[[nodiscard]] nlohmann::json toJson(const ProfileSummary& summary);
Result<ProfileSummary> profileSummaryFromJson(const nlohmann::json& json);

/// The two that verify::launchedBlocks() brings together: what the compiler gave each kernel, and what was launched.
[[nodiscard]] std::vector<verify::KernelNeeds> kernelNeedsOf(const compile::CompiledUnit& unit);
[[nodiscard]] std::vector<verify::Launch> launchesOf(const ProfileSummary& summary);

} // namespace kernelarium::protocol
