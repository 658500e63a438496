// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"
#include "core/tensor/Value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kernelarium::verify {

struct RunResult;
struct Comparison;

/// How much of the output a run could show that left blocks out.
struct ComparedShare {
    double blocks = 0;         ///< of the launches that left any out
    double executed = 0;       ///< of these
    std::int64_t elements = 0; ///< of all outputs
    std::int64_t known = 0;    ///< of these, what the whole grids would give
};

/// "3470 of 16384 blocks of the long launches were executed; 888320 of 4194304 output elements follow from them alone
/// and were compared."
[[nodiscard]] std::string describe(const ComparedShare& share);

/// RunRequest::sampleAbove for launches that are expected to cost this: empty where all of them together stay below
/// what a verification's two runs execute in about a minute (0.8e9 warp instructions each, with every check, on two
/// cores of 2024). Else a run of all launches together stays at about a third of that, and the longest launches lose
/// most.
[[nodiscard]] std::optional<std::uint64_t> instructionsToSampleAbove(std::span<const perf::LaunchCounters> launches);

/// Puts the reference's values where the run's outputs are not known, so that whatever compares outputs passes over
/// them. Needs RunResult::leftOut. Outputs whose shape is not the reference's stay as they are.
ComparedShare takeUnknownElements(RunResult& run, const tensor::Value& expected);

/// A comparison after takeUnknownElements: its counts and means are those of the known elements.
[[nodiscard]] Comparison ofShare(Comparison comparison, const ComparedShare& share);

} // namespace kernelarium::verify
