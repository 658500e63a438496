// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Race.h"
#include "gpu/protocol/TimeMessages.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Parameters of the run child's method "race": two units, one process, pairs of calls in turn, and nothing else. Those
/// of "time" (`run.unit` is the candidate, `against` the original; mode "cold" or "hot"), and
///   race    {drop_above, best}: core/schedule/Race.h says when it is over, or null
///   pairs   without a race: how many
///   bits    whether every bit of the outputs has to agree, after the first call and after the last
///   bench   a name for what stays on the GPU, for "race_again"; empty: none
///   apart   whether both are run from the beginning, each in memory of its own; else the original of the last race is
///           kept, as long as nothing but the candidate and the rule is another's
struct RaceParameters {
    TimeParameters time;
    std::optional<schedule::Race> race;
    std::size_t pairs = 200;
    bool bits = true;
    bool apart = false;
    std::string bench;
};
[[nodiscard]] nlohmann::json toJson(const RaceParameters& parameters);
Result<RaceParameters> raceParametersFromJson(const nlohmann::json& json);

/// Parameters of "race_again": another candidate for the bench that the last "race" of this child has named, without
/// what is known of it already. Result: a RaceSummary. Error "unknown_bench": there is none of that name (any more),
/// the whole race has to be sent.
///   bench, cubin (base64), mode ("cold" or "hot"), race, pairs, time_limit_ms
struct NextRace {
    std::string bench;
    std::vector<std::byte> cubin;
    std::string mode = "cold";
    std::optional<schedule::Race> race;
    std::size_t pairs = 200;
    std::chrono::milliseconds timeLimit{60000};
};
[[nodiscard]] nlohmann::json toJson(const NextRace& next);
Result<NextRace> nextRaceFromJson(const nlohmann::json& json);

/// Result of "race" and "race_again".
struct RaceSummary {
    std::string end = "finished"; ///< or verify::RunEnd's name: there are no pairs then
    std::string reason;
    bool endedInOriginal = false;       ///< whose end that was
    std::string difference;             ///< which outputs differ, and when they were looked at; empty: they agree
    std::vector<perf::TimedPair> pairs; ///< the candidate is the first
    std::string device, driver;
};
[[nodiscard]] nlohmann::json toJson(const RaceSummary& summary);
Result<RaceSummary> raceSummaryFromJson(const nlohmann::json& json);

} // namespace kernelarium::protocol
