// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/RaceMessages.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::protocol {

nlohmann::json toJson(const RaceParameters& p) {
    nlohmann::json j = toJson(p.time);
    j["race"] = nullptr;
    if (p.race) j["race"] = {{"drop_above", p.race->dropAbove}, {"best", p.race->best}};
    j["pairs"] = p.pairs;
    j["bits"] = p.bits;
    j["apart"] = p.apart;
    return j;
}

Result<RaceParameters> raceParametersFromJson(const nlohmann::json& j) {
    Result<TimeParameters> time = timeParametersFromJson(j);
    if (!time) return time.error();
    constexpr std::size_t mostPairs = 100'000;
    try {
        RaceParameters p{
            std::move(*time), {}, j.value("pairs", std::size_t(200)), j.value("bits", true), j.value("apart", false)};
        if (!p.time.against) throw std::invalid_argument("there is nothing to race against");
        if (p.pairs == 0 || p.pairs > mostPairs) throw std::invalid_argument("the number of pairs makes no sense");
        if (!j.contains("race") || j.at("race").is_null()) return p;
        schedule::Race race;
        race.dropAbove = j.at("race").at("drop_above");
        race.best = j.at("race").at("best");
        p.race = race;
        return p;
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a request to race: ") + failure.what()};
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
