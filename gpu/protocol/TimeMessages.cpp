// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/TimeMessages.h"

#include "gpu/protocol/CompileMessages.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::protocol {

namespace {

using TimeJson = nlohmann::json;

TimeJson summaryJson(const perf::SampleSummary& s) {
    return {{"median", s.median},
            {"lower_quartile", s.lowerQuartile},
            {"upper_quartile", s.upperQuartile},
            {"smallest", s.smallest},
            {"largest", s.largest},
            {"mean", s.mean},
            {"relative_noise", s.relativeNoise},
            {"confident_from", s.confidentFrom},
            {"confident_to", s.confidentTo},
            {"confidence", s.confidence},
            {"count", s.count},
            {"dropped", s.dropped},
            {"clock_mhz", s.medianClockMHz}};
}

TimeJson stepJson(const TimedStep& s) {
    return {{"name", s.name}, {"kernel", s.isKernel}, {"grid", s.grid}, {"block", s.block}, {"seconds", s.seconds}};
}

TimedStep stepFromJson(const TimeJson& j) {
    TimedStep s;
    s.name = j.at("name").get<std::string>();
    s.isKernel = j.at("kernel").get<bool>();
    s.grid = j.at("grid").get<std::array<std::uint32_t, 3>>();
    s.block = j.at("block").get<std::array<std::uint32_t, 3>>();
    s.seconds = j.at("seconds").get<double>();
    return s;
}

TimeJson pairedJson(const PairedSummary& p) {
    TimeJson pairs = TimeJson::array();
    for (const perf::TimedPair& pair : p.pairs)
        pairs.push_back({pair.first, pair.second, pair.firstWentFirst});
    return {{"name", p.name},
            {"ratio", p.times.ratio},
            {"order_effect", p.times.orderEffect},
            {"faster", p.times.firstIsFaster},
            {"slower", p.times.secondIsFaster},
            {"wins", p.times.firstWins},
            {"losses", p.times.secondWins},
            {"ties", p.times.ties},
            {"pairs", std::move(pairs)}};
}

PairedSummary pairedFromJson(const TimeJson& j) {
    PairedSummary p;
    p.name = j.at("name").get<std::string>();
    for (const TimeJson& pair : j.at("pairs"))
        p.pairs.push_back({pair.at(0).get<double>(), pair.at(1).get<double>(), pair.at(2).get<bool>()});
    p.times = perf::comparePairs(p.pairs, eventResolution);
    return p;
}

TimeSummary readTimeSummary(const TimeJson& j) {
    TimeSummary s;
    s.end = j.at("end").get<std::string>();
    s.reason = j.value("reason", "");
    s.device = j.at("device").get<std::string>();
    s.arch = j.value("arch", "");
    s.driver = j.value("driver", "");
    s.mode = j.at("mode").get<std::string>();
    s.size = j.at("size").get<std::string>();
    s.seed = j.value("seed", std::uint64_t(0));
    s.dateMs = j.value("date_ms", std::int64_t(0));
    s.deviceOnly = j.value("device_only", true);
    const auto seconds = j.at("samples").get<std::vector<double>>(),
               clocks = j.at("clocks_mhz").get<std::vector<double>>();
    if (seconds.size() != clocks.size()) throw std::invalid_argument("samples and clocks differ in length");
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        if (seconds[i] < 0) throw std::invalid_argument("a sample takes less than no time");
        s.samples.push_back({seconds[i], clocks[i]});
    }
    s.highestClockMHz = j.value("highest_clock_mhz", 0.0);
    s.summary = perf::summarise(s.samples, s.highestClockMHz);
    s.serviceSeconds = j.value("service_seconds", std::vector<double>());
    for (const TimeJson& step : j.at("steps"))
        s.steps.push_back(stepFromJson(step));
    s.peakBytes = j.value("peak_bytes", std::uint64_t(0));
    if (j.contains("joules_per_call") && !j.at("joules_per_call").is_null())
        s.joulesPerCall = j.at("joules_per_call").get<double>();
    s.comparedElements = j.value("compared_elements", std::uint64_t(0));
    s.differingElements = j.value("differing_elements", std::uint64_t(0));
    s.remarks = j.value("remarks", std::vector<std::string>());
    if (j.contains("against") && !j.at("against").is_null()) s.against = pairedFromJson(j.at("against"));
    if (j.contains("baselines"))
        for (const TimeJson& baseline : j.at("baselines"))
            s.baselines.push_back(baselineFromJson(baseline));
    return s;
}

} // namespace

TimeJson toJson(const TimeParameters& p) {
    TimeJson j = toJson(p.run);
    j.update({{"mode", p.mode},
              {"rate", p.rate},
              {"requests", p.requests},
              {"sample_seconds", p.sampleSeconds},
              {"energy", p.energy},
              {"baselines", p.baselines},
              {"python", p.python},
              {"against", nullptr},
              {"against_name", p.againstName}});
    if (p.against) j["against"] = unitToJson(*p.against, {"ptx", "cubin"});
    return j;
}

Result<TimeParameters> timeParametersFromJson(const TimeJson& j) {
    Result<RunParameters> run = runParametersFromJson(j);
    if (!run) return run.error();
    try {
        TimeParameters p;
        p.run = std::move(*run);
        p.mode = j.value("mode", p.mode);
        if (p.mode != "cold" && p.mode != "hot" && p.mode != "server")
            throw std::invalid_argument("no mode is called " + p.mode);
        p.rate = j.value("rate", p.rate);
        if (!(p.rate > 0)) throw std::invalid_argument("the rate is not positive");
        p.requests = j.value("requests", p.requests);
        p.sampleSeconds = j.value("sample_seconds", p.sampleSeconds);
        if (p.requests > 10'000'000) throw std::invalid_argument("there are more requests than can be served");
        if (p.sampleSeconds < 0 || p.sampleSeconds > 86400) throw std::invalid_argument("the sampling has no end");
        p.energy = j.value("energy", p.energy);
        p.baselines = j.value("baselines", p.baselines);
        if (p.baselines != "none" && p.baselines != "libraries" && p.baselines != "torch" && p.baselines != "all")
            throw std::invalid_argument("no baselines are called " + p.baselines);
        p.python = j.value("python", "");
        p.againstName = j.value("against_name", "");
        if (!j.contains("against") || j.at("against").is_null()) return p;
        Result<compile::CompiledUnit> unit = unitFromJson(j.at("against"));
        if (!unit) return unit.error();
        p.against = std::make_shared<const compile::CompiledUnit>(std::move(*unit));
        return p;
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a request to time: ") + failure.what()};
    }
}

TimeJson toJson(const TimeSummary& s) {
    TimeJson j = {{"end", s.end},
                  {"reason", s.reason},
                  {"device", s.device},
                  {"arch", s.arch},
                  {"driver", s.driver},
                  {"mode", s.mode},
                  {"size", s.size},
                  {"seed", s.seed},
                  {"date_ms", s.dateMs},
                  {"device_only", s.deviceOnly},
                  {"summary", summaryJson(s.summary)},
                  {"samples", TimeJson::array()},
                  {"clocks_mhz", TimeJson::array()},
                  {"highest_clock_mhz", s.highestClockMHz},
                  {"service_seconds", s.serviceSeconds},
                  {"steps", TimeJson::array()},
                  {"peak_bytes", s.peakBytes},
                  {"joules_per_call", nullptr},
                  {"compared_elements", s.comparedElements},
                  {"differing_elements", s.differingElements},
                  {"remarks", s.remarks},
                  {"against", nullptr}};
    for (const perf::Sample& sample : s.samples) {
        j["samples"].push_back(sample.seconds);
        j["clocks_mhz"].push_back(sample.clockMHz);
    }
    for (const TimedStep& step : s.steps)
        j["steps"].push_back(stepJson(step));
    if (s.joulesPerCall) j["joules_per_call"] = *s.joulesPerCall;
    if (s.against) j["against"] = pairedJson(*s.against);
    j["baselines"] = TimeJson::array();
    for (const BaselineSummary& baseline : s.baselines)
        j["baselines"].push_back(toJson(baseline));
    return j;
}

Result<TimeSummary> timeSummaryFromJson(const TimeJson& j) {
    try {
        return readTimeSummary(j);
    } catch (const std::exception& failure) {
        return Error{"protocol", std::string("Not a timing: ") + failure.what()};
    }
}

} // namespace kernelarium::protocol
