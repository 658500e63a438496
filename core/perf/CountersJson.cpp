// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Counters.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::perf {

namespace {

using nlohmann::json;

constexpr std::pair<const char*, Waste LineCounters::*> wastes[] = {
    {"load_waste", &LineCounters::loadWaste},
    {"store_waste", &LineCounters::storeWaste},
    {"shared_waste", &LineCounters::sharedWaste},
};

Waste readWaste(const json& j) {
    return {j.at("requests").get<double>(), j.at("cost").get<double>(), j.at("needed").get<double>(),
            j.at("stride_bytes").get<double>(), j.at("stride_lead").get<double>()};
}

json writeWaste(const Waste& w) {
    return {{"requests", w.requests},
            {"cost", w.cost},
            {"needed", w.needed},
            {"stride_bytes", w.stride},
            {"stride_lead", w.lead}};
}

LineCounters readLineCounters(const json& j) {
    LineCounters c;
    c.line = j.value("line", 0);
    for (const Metric& m : metrics())
        c.*m.field = j.value(m.key, 0.0);
    for (const auto& [key, field] : wastes)
        if (const auto found = j.find(key); found != j.end()) c.*field = readWaste(*found);
    return c;
}

/// What figures are divided by, and multiplied to.
void checkPlaces(const LaunchCounters& c) {
    std::uint64_t threads = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        if (c.grid[d] == 0 || c.block[d] == 0 || c.block[d] > 1024)
            throw std::invalid_argument("its grid or block is none");
        threads *= c.block[d];
    }
    if (threads > 1024 || c.registers > 65536 || std::max(c.staticSharedBytes, c.dynamicSharedBytes) > 1u << 30)
        throw std::invalid_argument("its block takes more than any multiprocessor has");
}

LaunchCounters readLaunchCounters(const json& j) {
    LaunchCounters c;
    c.kernel = j.at("kernel").get<std::string>();
    c.grid = j.at("grid").get<std::array<std::uint32_t, 3>>();
    c.block = j.at("block").get<std::array<std::uint32_t, 3>>();
    c.staticSharedBytes = j.at("static_shared_bytes").get<std::uint32_t>();
    c.dynamicSharedBytes = j.at("dynamic_shared_bytes").get<std::uint32_t>();
    c.registers = j.at("registers").get<std::uint32_t>();
    c.stream = j.value("stream", std::uint64_t(0));
    c.totals = readLineCounters(j.at("totals"));
    for (const json& line : j.at("lines"))
        c.lines.push_back(readLineCounters(line));
    c.uniqueReadBytes = j.at("unique_read_bytes").get<double>();
    c.uniqueWrittenBytes = j.at("unique_written_bytes").get<double>();
    c.uniqueBytes = j.at("unique_bytes").get<double>();
    const json& s = j.at("sampling");
    c.sampling = {s.at("blocks").get<double>(), s.at("executed").get<double>(), s.at("repeated").get<bool>()};
    c.longestWarp = j.at("longest_warp").get<double>();
    c.blockClocks = j.value("block_clocks", 0.0); // files of older versions have none
    c.blockWaits = j.value("block_waits", 0.0);
    c.codeSlots = j.value("code_slots", 0.0);
    c.spillBytes = j.value("spill_bytes", 0.0);
    c.bytesInFlight = j.value("bytes_in_flight", 0.0);
    c.stagesInFlight = j.value("stages_in_flight", 0.0);
    c.seconds = j.at("seconds").get<double>();
    checkPlaces(c);
    return c;
}

} // namespace

json toJson(const LineCounters& c) {
    json j = json::object();
    if (c.line) j["line"] = c.line;
    for (const Metric& m : metrics())
        if (c.*m.field != 0) j[m.key] = c.*m.field;
    for (const auto& [key, field] : wastes)
        if ((c.*field).requests > 0) j[key] = writeWaste(c.*field);
    return j;
}

json toJson(const LaunchCounters& c) {
    json j = {{"kernel", c.kernel},
              {"grid", c.grid},
              {"block", c.block},
              {"static_shared_bytes", c.staticSharedBytes},
              {"dynamic_shared_bytes", c.dynamicSharedBytes},
              {"registers", c.registers},
              {"stream", c.stream},
              {"totals", toJson(c.totals)},
              {"lines", json::array()},
              {"unique_read_bytes", c.uniqueReadBytes},
              {"unique_written_bytes", c.uniqueWrittenBytes},
              {"unique_bytes", c.uniqueBytes},
              {"sampling",
               {{"blocks", c.sampling.blocks},
                {"executed", c.sampling.executed},
                {"share", c.sampling.share()},
                {"repeated", c.sampling.repeated}}},
              {"longest_warp", c.longestWarp},
              {"block_clocks", c.blockClocks},
              {"block_waits", c.blockWaits},
              {"code_slots", c.codeSlots},
              {"spill_bytes", c.spillBytes},
              {"bytes_in_flight", c.bytesInFlight},
              {"stages_in_flight", c.stagesInFlight},
              {"seconds", c.seconds}};
    for (const LineCounters& line : c.lines)
        j["lines"].push_back(toJson(line));
    return j;
}

json toJson(std::span<const LaunchCounters> launches) {
    json j = json::array();
    for (const LaunchCounters& launch : launches)
        j.push_back(toJson(launch));
    return j;
}

Result<LaunchCounters> launchCountersFromJson(const json& j) {
    try {
        return readLaunchCounters(j);
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("Not a launch's counters: ") + failure.what()};
    }
}

Result<std::vector<LaunchCounters>> launchesFromJson(const json& j) {
    if (!j.is_array()) return Error{"bad_input", "Not a list of launches' counters."};
    std::vector<LaunchCounters> launches;
    for (const json& item : j) {
        Result<LaunchCounters> launch = launchCountersFromJson(item);
        if (!launch) return launch.error();
        launches.push_back(std::move(*launch));
    }
    return launches;
}

} // namespace kernelarium::perf
