// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Units.h"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::mugraph {

namespace {

using nlohmann::json;

constexpr std::array<std::pair<const char*, std::uint64_t Counts::*>, 8> countNames{{
    {"states", &Counts::states},
    {"extensions", &Counts::extensions},
    {"expression", &Counts::expression},
    {"reach", &Counts::reach},
    {"memory", &Counts::memory},
    {"bound", &Counts::bound},
    {"redundant", &Counts::redundant},
    {"unfinished", &Counts::unfinished},
}};

Error notOfASearch(const char* what) {
    return {"bad_input", fmt::format("A search's {} has a member that is missing or of another kind.", what)};
}

} // namespace

json toJson(const Limits& limits) {
    return {{"operators", limits.operators}, {"unit_depth", limits.unitDepth}, {"device", limits.device}};
}

Result<Limits> limitsFrom(const json& j) {
    try {
        return Limits{j.at("operators").get<int>(), j.at("unit_depth").get<int>(), j.at("device").get<std::string>()};
    } catch (const json::exception&) {
        return notOfASearch("limits");
    }
}

json toJson(const UnitResult& result) {
    json counts = json::object(), found = json::array();
    for (const auto& [name, member] : countNames)
        counts[name] = result.counts.*member;
    for (const Found& f : result.found)
        found.push_back({{"graph", json::parse(f.graph, nullptr, false)},
                         {"hash", f.hash},
                         {"state", f.state},
                         {"seconds", f.seconds}});
    return {{"unit", result.unit}, {"counts", std::move(counts)}, {"found", std::move(found)}};
}

Result<UnitResult> unitResultFrom(const json& j) {
    try {
        UnitResult result;
        result.unit = j.at("unit").get<std::string>();
        for (const auto& [name, member] : countNames) {
            const json& count = j.at("counts").at(name);
            if (!count.is_number_unsigned()) return notOfASearch("counts");
            result.counts.*member = count.get<std::uint64_t>();
        }
        std::uint64_t last = 0;
        for (const json& f : j.at("found")) {
            const json& graph = f.at("graph");
            const Found found{graph.dump(), f.at("hash").get<std::string>(), result.unit,
                              f.at("state").get<std::uint64_t>(), f.at("seconds").get<double>()};
            const bool isHash =
                found.hash.size() == 32 && found.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
            if (!graph.is_object() || !isHash || !f.at("state").is_number_unsigned() || found.state <= last ||
                found.state > result.counts.states || !std::isfinite(found.seconds) || found.seconds <= 0)
                return notOfASearch("candidate");
            last = found.state;
            result.found.push_back(found);
        }
        return result;
    } catch (const json::exception&) {
        return notOfASearch("result");
    }
}

} // namespace kernelarium::mugraph
