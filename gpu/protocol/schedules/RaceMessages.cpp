// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/RaceMessages.h"

#include "core/files/Base64.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::protocol {

namespace {

nlohmann::json toJson(const std::optional<schedule::Race>& race) {
    if (!race) return nullptr;
    return {{"drop_above", race->dropAbove}, {"best", race->best}};
}

/// Throws what is wrong with it.
std::optional<schedule::Race> raceIn(const nlohmann::json& j) {
    if (!j.contains("race") || j.at("race").is_null()) return {};
    schedule::Race race;
    race.dropAbove = j.at("race").at("drop_above");
    race.best = j.at("race").at("best");
    return race;
}

std::size_t pairsIn(const nlohmann::json& j) {
    constexpr std::size_t mostPairs = 100'000;
    const auto pairs = j.value("pairs", std::size_t(200));
    if (pairs == 0 || pairs > mostPairs) throw std::invalid_argument("the number of pairs makes no sense");
    return pairs;
}

} // namespace

nlohmann::json toJson(const RaceParameters& p) {
    nlohmann::json j = toJson(p.time);
    j["race"] = toJson(p.race);
    j["pairs"] = p.pairs;
    j["bits"] = p.bits;
    j["apart"] = p.apart;
    j["bench"] = p.bench;
    return j;
}

Result<RaceParameters> raceParametersFromJson(const nlohmann::json& j) {
    Result<TimeParameters> time = timeParametersFromJson(j);
    if (!time) return time.error();
    try {
        RaceParameters p{std::move(*time),
                         raceIn(j),
                         pairsIn(j),
                         j.value("bits", true),
                         j.value("apart", false),
                         j.value("bench", std::string())};
        if (!p.time.against) throw std::invalid_argument("there is nothing to race against");
        return p;
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a request to race: ") + failure.what()};
    }
}

nlohmann::json toJson(const NextRace& next) {
    return {{"bench", next.bench}, {"cubin", files::toBase64(next.cubin)},
            {"mode", next.mode},   {"race", toJson(next.race)},
            {"pairs", next.pairs}, {"time_limit_ms", next.timeLimit.count()}};
}

Result<NextRace> nextRaceFromJson(const nlohmann::json& j) {
    try {
        NextRace next;
        next.bench = j.at("bench");
        std::optional<std::vector<std::byte>> cubin = files::fromBase64(j.at("cubin").get<std::string>());
        if (!cubin || cubin->empty()) throw std::invalid_argument("there is no candidate");
        next.cubin = std::move(*cubin);
        next.mode = j.at("mode");
        if (next.mode != "cold" && next.mode != "hot") throw std::invalid_argument("there is no mode " + next.mode);
        next.race = raceIn(j);
        next.pairs = pairsIn(j);
        next.timeLimit = std::chrono::milliseconds(j.at("time_limit_ms").get<std::int64_t>());
        if (next.timeLimit.count() <= 0) throw std::invalid_argument("the time limit makes no sense");
        return next;
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a request to race again: ") + failure.what()};
    }
}

nlohmann::json toJson(const RaceSummary& s) {
    nlohmann::json pairs = nlohmann::json::array();
    for (const perf::TimedPair& pair : s.pairs)
        pairs.push_back({pair.first, pair.second, pair.firstWentFirst});
    return {{"end", s.end},
            {"reason", s.reason},
            {"in_original", s.endedInOriginal},
            {"difference", s.difference},
            {"pairs", std::move(pairs)},
            {"device", s.device},
            {"driver", s.driver}};
}

Result<RaceSummary> raceSummaryFromJson(const nlohmann::json& j) {
    try {
        RaceSummary s;
        s.end = j.at("end");
        s.reason = j.at("reason");
        s.endedInOriginal = j.at("in_original");
        s.difference = j.at("difference");
        s.device = j.at("device");
        s.driver = j.at("driver");
        for (const nlohmann::json& pair : j.at("pairs")) {
            const perf::TimedPair one{pair.at(0), pair.at(1), pair.at(2)};
            if (!(one.first >= 0) || !(one.second >= 0)) throw std::invalid_argument("a call takes less than no time");
            s.pairs.push_back(one);
        }
        return s;
    } catch (const std::exception& failure) {
        return Error{"protocol", std::string("Not the summary of a race: ") + failure.what()};
    }
}

} // namespace kernelarium::protocol
