// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/ModelledTime.h"

#include <nlohmann/json.hpp>

namespace kernelarium::perf {

namespace {

using nlohmann::json;

OccupancyLimit limitNamed(const std::string& wanted) {
    for (const OccupancyLimit limit : {OccupancyLimit::warps, OccupancyLimit::blocks, OccupancyLimit::registers,
                                       OccupancyLimit::shared, OccupancyLimit::barriers})
        if (name(limit) == wanted) return limit;
    return OccupancyLimit::doesNotFit;
}

Occupancy readOccupancy(const json& j) {
    Occupancy o;
    o.blocks = j.at("blocks").get<std::uint32_t>();
    o.warps = j.at("warps").get<std::uint32_t>();
    o.share = j.at("share").get<double>();
    o.limit = limitNamed(j.at("limit").get<std::string>());
    const json& by = j.at("blocks_by");
    o.byWarps = by.at("warps").get<std::uint32_t>();
    o.byBlocks = by.at("blocks").get<std::uint32_t>();
    o.byRegisters = by.at("registers").get<std::uint32_t>();
    o.byShared = by.at("shared_memory").get<std::uint32_t>();
    o.byBarriers = by.value("barriers", std::uint32_t(0)); // of an earlier version: none
    o.oneMore = j.at("one_more").get<std::string>();
    return o;
}

LaunchTime readLaunchTime(const json& j) {
    LaunchTime t;
    t.kernel = j.at("kernel").get<std::string>();
    t.seconds = j.at("seconds").get<double>();
    for (const json& term : j.at("terms"))
        t.terms.push_back({term.at("name").get<std::string>(), term.at("seconds").get<double>()});
    t.limiter = j.at("limiter").get<std::string>();
    t.occupancy = readOccupancy(j.at("occupancy"));
    t.filled = j.at("filled").get<double>();
    t.waves = j.at("waves").get<double>();
    t.quantisation = j.at("quantisation").get<double>();
    t.deviceMemoryBytes = j.at("device_memory_bytes").get<double>();
    t.why = j.at("why").get<std::string>();
    return t;
}

} // namespace

json toJson(const LaunchTime& t) {
    json terms = json::array();
    for (const TimeTerm& term : t.terms)
        terms.push_back({{"name", term.name}, {"seconds", term.seconds}});
    return {{"kernel", t.kernel},
            {"seconds", t.seconds},
            {"terms", std::move(terms)},
            {"limiter", t.limiter},
            {"occupancy", toJson(t.occupancy)},
            {"filled", t.filled},
            {"waves", t.waves},
            {"quantisation", t.quantisation},
            {"device_memory_bytes", t.deviceMemoryBytes},
            {"why", t.why}};
}

json toJson(const ModelledTime& t) {
    json j = {{"device", t.device},
              {"seconds", t.seconds},
              {"kernel_seconds", t.kernelSeconds},
              {"library_seconds", t.librarySeconds},
              {"launches", json::array()},
              {"limiter", t.limiter},
              {"why", t.why}};
    for (const LaunchTime& launch : t.launches)
        j["launches"].push_back(toJson(launch));
    return j;
}

Result<ModelledTime> modelledTimeFromJson(const json& j) {
    try {
        ModelledTime t;
        t.device = j.at("device").get<std::string>();
        t.seconds = j.at("seconds").get<double>();
        t.kernelSeconds = j.at("kernel_seconds").get<double>();
        t.librarySeconds = j.at("library_seconds").get<double>();
        for (const json& launch : j.at("launches"))
            t.launches.push_back(readLaunchTime(launch));
        t.limiter = j.at("limiter").get<std::string>();
        t.why = j.at("why").get<std::string>();
        return t;
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("Not a modelled time: ") + failure.what()};
    }
}

} // namespace kernelarium::perf
