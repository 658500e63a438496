// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/lesson/Lesson.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::lesson {

// Whether the modelled time rewards what hardware rewards: for each step with a condition on a time, how long its
// starter and its solution take, modelled and measured, and whether both put them in the same order.

/// The two texts of a step. Seconds, for one call; nothing where it is not known.
struct StarterAndSolution {
    std::optional<double> starter;
    std::optional<double> solution;
    /// The starter's time over the solution's.
    [[nodiscard]] std::optional<double> gain() const;
};

/// The times of a step.
struct StepTimes {
    std::string lesson; ///< id, as the next
    std::string step;
    std::string device;      ///< that the time is modelled for, an id of core/perf/DeviceSpec.h
    std::string size;        ///< "small", "full"
    std::string starterHash; ///< SHA-256 of the texts, as hexadecimal digits
    std::string solutionHash;
    StarterAndSolution modelled;
    StarterAndSolution measured;            ///< medians of cold calls
    std::optional<double> solutionIsFaster; ///< probability, from pairs taken in turn (core/perf/PairedTimes.h)
    std::string measuredOn;                 ///< "NVIDIA H200"; empty: not measured
    std::int64_t measuredAtMs = 0;          ///< since 1970, UTC
    bool recorded = false;                  ///< the measured times are those of an earlier run
    std::vector<std::string> problems;      ///< what could not be found out and why, a sentence each
};

/// Which of the two is faster. By less than 1 %, or with a probability under 0.95, it is undecided.
enum class Order { unknown, undecided, solutionFaster, starterFaster };
[[nodiscard]] Order modelledOrder(const StepTimes& times);
[[nodiscard]] Order measuredOrder(const StepTimes& times);

/// "agree" (also that neither is faster), "differ"; "undecided" where only one of the two orders is, "unknown" where
/// one is not known.
[[nodiscard]] std::string_view agreement(const StepTimes& times);

/// One for each device and size that a step has a time for, without times. Lessons are looked at in their order.
[[nodiscard]] std::vector<StepTimes> stepsWithTimes(std::span<const Lesson> lessons);

/// The built-in lessons' measured times as they were recorded: resources/lessons/times.json, if there is one.
[[nodiscard]] const std::vector<StepTimes>& recordedTimes();
/// Takes over what was measured of the same two texts at the same size, where `times` has nothing measured.
void takeRecorded(StepTimes& times, std::span<const StepTimes> recorded);

/// {"format", "steps": [...]}, numbers in full.
[[nodiscard]] nlohmann::json toJson(std::span<const StepTimes> times);
/// Error "bad_input".
Result<std::vector<StepTimes>> stepTimesFromJson(const nlohmann::json& json);

} // namespace kernelarium::lesson
