// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/Sha256.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/RunMessages.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

json tensorToJson(const TensorSummary& t) {
    json first = json::array();
    for (const double value : t.first)
        first.push_back(verify::numberToJson(value));
    return {{"dtype", t.dtype},  {"shape", t.shape},         {"min", t.smallest},
            {"max", t.largest},  {"mean", t.mean},           {"rms", t.rms},
            {"nan", t.nans},     {"infinite", t.infinities}, {"first", std::move(first)},
            {"digest", t.digest}};
}

TensorSummary tensorFromJson(const json& j) {
    TensorSummary t;
    t.dtype = j.at("dtype").get<std::string>();
    t.shape = j.at("shape").get<tensor::Shape>();
    t.smallest = j.at("min").get<double>();
    t.largest = j.at("max").get<double>();
    t.mean = j.at("mean").get<double>();
    t.rms = j.at("rms").get<double>();
    t.nans = j.at("nan").get<std::int64_t>();
    t.infinities = j.at("infinite").get<std::int64_t>();
    for (const json& value : j.at("first"))
        t.first.push_back(verify::numberFromJson(value));
    t.digest = j.at("digest").get<std::string>();
    return t;
}

RunSummary readSummary(const json& j) {
    RunSummary s;
    s.end = j.at("end").get<std::string>();
    s.reason = j.value("reason", "");
    for (const json& output : j.at("outputs"))
        s.outputs.push_back(tensorFromJson(output));
    for (const json& index : j.at("first_unwritten"))
        s.firstUnwritten.push_back(index.is_null() ? std::nullopt : std::optional(index.get<std::int64_t>()));
    s.guardViolations = j.at("guard_violations").get<std::vector<std::string>>();
    for (const json& launch : j.at("launches"))
        s.launches.push_back(verify::launchFromJson(launch));
    s.unsaid = verify::leftUnsaidFromJson(j);
    for (const json& fault : j.at("faults"))
        s.faults.push_back(verify::faultFromJson(fault));
    if (j.contains("counters")) {
        Result<std::vector<perf::LaunchCounters>> counters = perf::launchesFromJson(j.at("counters"));
        if (!counters) throw std::invalid_argument(counters.error().message);
        s.counters = std::move(*counters);
    }
    s.libraryCalls = j.at("library_calls").get<std::vector<std::string>>();
    s.notes = j.value("notes", s.notes);
    if (j.contains("exit_code") && !j.at("exit_code").is_null()) s.exitCode = j.at("exit_code").get<int>();
    s.printed = j.value("printed", "");
    s.backend = j.value("backend", "");
    s.size = j.value("size", "");
    s.seed = j.value("seed", std::uint64_t(0));
    s.peakBytes = j.value("peak_bytes", std::uint64_t(0));
    s.seconds = j.value("seconds", 0.0);
    return s;
}

} // namespace

TensorSummary summarise(const tensor::Tensor& tensor) {
    TensorSummary s;
    s.dtype = std::string(tensor::name(tensor.dtype()));
    s.shape = tensor.shape();
    const auto bytes = tensor.bytes();
    s.digest = files::toHex(files::sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), 16);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double sum = 0;
    std::int64_t finite = 0;
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
        const double value = tensor.at(i);
        if (i < 8) s.first.push_back(value);
        s.nans += std::isnan(value);
        s.infinities += std::isinf(value);
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
        sum += value;
        ++finite;
    }
    if (finite == 0) return s;
    s.smallest = low;
    s.largest = high;
    s.mean = sum / double(finite);
    s.rms = verify::rootMeanSquare(tensor);
    return s;
}

json toJson(const RunSummary& s) {
    json j = {{"end", s.end},
              {"reason", s.reason},
              {"outputs", json::array()},
              {"first_unwritten", json::array()},
              {"guard_violations", s.guardViolations},
              {"launches", json::array()},
              {"faults", json::array()},
              {"library_calls", s.libraryCalls},
              {"notes", s.notes},
              {"exit_code", s.exitCode ? json(*s.exitCode) : json(nullptr)},
              {"printed", s.printed},
              {"backend", s.backend},
              {"size", s.size},
              {"seed", s.seed},
              {"peak_bytes", s.peakBytes},
              {"seconds", s.seconds}};
    for (const TensorSummary& output : s.outputs)
        j["outputs"].push_back(tensorToJson(output));
    for (const auto& index : s.firstUnwritten)
        j["first_unwritten"].push_back(index ? json(*index) : json(nullptr));
    for (const verify::Launch& launch : s.launches)
        j["launches"].push_back(verify::toJson(launch));
    verify::addLeftUnsaid(j, s.unsaid);
    for (const verify::Fault& fault : s.faults)
        j["faults"].push_back(verify::toJson(fault));
    if (!s.counters.empty()) j["counters"] = perf::toJson(s.counters);
    return j;
}

Result<RunSummary> runSummaryFromJson(const json& j) {
    try {
        return readSummary(j);
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a run's result: ") + failure.what()};
    }
}

} // namespace kernelarium::protocol
