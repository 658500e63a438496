// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/DeviceSpec.h"

#include "core/perf/BuiltInDevices.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::perf {

namespace {

using nlohmann::json;

template <class T> void read(const json& j, const char* key, T& value) {
    value = j.at(key).get<T>();
}

TensorRates readTensor(const json& j) {
    TensorRates t;
    read(j, "fp16", t.fp16);
    read(j, "tf32", t.tf32);
    read(j, "fp64", t.fp64);
    read(j, "fp8", t.fp8);
    read(j, "int8", t.int8);
    read(j, "bf16", t.bf16);
    return t;
}

ClockRates readRates(const json& j) {
    ClockRates r;
    read(j, "issue", r.issue);
    read(j, "fp32", r.fp32);
    read(j, "fp64", r.fp64);
    read(j, "fp16", r.fp16);
    read(j, "int32", r.int32);
    read(j, "special", r.special);
    read(j, "load_store", r.loadStore);
    read(j, "shared_bytes", r.sharedBytes);
    read(j, "l1_bytes", r.l1Bytes);
    return r;
}

MultiprocessorLimits knownLimits(const std::string& arch) {
    const MultiprocessorLimits* limits = limitsOf(arch);
    if (!limits) throw std::runtime_error("nothing is known of the architecture \"" + arch + "\"");
    return *limits;
}

DeviceSpec readSpec(const json& j) {
    DeviceSpec d;
    read(j, "id", d.id);
    read(j, "name", d.name);
    read(j, "arch", d.arch);
    read(j, "multiprocessors", d.multiprocessors);
    read(j, "clock_mhz", d.clockMHz);
    read(j, "memory_bytes", d.memoryBytes);
    read(j, "memory_bandwidth", d.memoryBandwidth);
    read(j, "l2_bytes", d.l2Bytes);
    read(j, "l2_bandwidth", d.l2Bandwidth);
    read(j, "l1_bytes", d.l1Bytes);
    read(j, "fp32", d.fp32);
    read(j, "fp64", d.fp64);
    read(j, "fp16", d.fp16);
    d.tensor = readTensor(j.at("tensor"));
    d.perClock = readRates(j.at("per_clock"));
    d.limits = knownLimits(d.arch);
    read(j, "launch_seconds", d.launchSeconds);
    read(j, "memory_latency", d.memoryLatency);
    read(j, "l2_latency", d.l2Latency);
    read(j, "sources", d.sources);
    return d;
}

std::string lowered(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c))) out += char(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::vector<DeviceSpec> readAll() {
    std::vector<DeviceSpec> all;
    for (const std::string_view text : builtInDevices()) {
        Result<DeviceSpec> spec = parseDeviceSpec(text);
        // A file of ours that does not parse is found by the tests; a program built from it goes on without.
        if (spec)
            all.push_back(std::move(*spec));
        else
            std::fprintf(stderr, "A built-in device is left out: %s\n", spec.error().message.c_str());
    }
    std::stable_sort(all.begin(), all.end(), [](const DeviceSpec& a, const DeviceSpec& b) {
        return a.arch != b.arch ? a.arch < b.arch : a.memoryBandwidth < b.memoryBandwidth;
    });
    return all;
}

} // namespace

Result<DeviceSpec> parseDeviceSpec(std::string_view text) {
    try {
        return readSpec(json::parse(text));
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("Not a device specification: ") + failure.what()};
    }
}

const std::vector<DeviceSpec>& deviceSpecs() {
    static const std::vector<DeviceSpec> all = readAll();
    return all;
}

const DeviceSpec* findDeviceSpec(std::string_view name) {
    const std::string wanted = lowered(name);
    if (wanted.empty()) return nullptr;
    const DeviceSpec* partial = nullptr;
    std::size_t partials = 0;
    for (const DeviceSpec& d : deviceSpecs()) {
        const std::string id = lowered(d.id);
        const std::string full = lowered(d.name);
        if (id == wanted || full == wanted) return &d;
        if (id.find(wanted) == std::string::npos && full.find(wanted) == std::string::npos) continue;
        partial = &d;
        ++partials;
    }
    return partials == 1 ? partial : nullptr;
}

} // namespace kernelarium::perf
