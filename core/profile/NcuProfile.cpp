// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/NcuProfile.h"

#include "core/profile/PythonLiteral.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::profile {
namespace {

bool mentions(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::optional<double> finiteNumber(const Literal* value) {
    if (value == nullptr) return std::nullopt;
    const auto number = value->number();
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string textOr(const Literal* value) {
    if (value == nullptr || value->kind() != Literal::Kind::text) return {};
    return *value->text();
}

NcuMetric metricFrom(const std::string& name, const Literal& value) {
    NcuMetric metric;
    metric.name = name;
    metric.section = ncuSectionOf(name);
    if (value.kind() != Literal::Kind::dict) {
        metric.value = finiteNumber(&value);
        return metric;
    }
    metric.unit = textOr(value.find("unit"));
    metric.value = finiteNumber(value.find("avg_value"));
    if (!metric.value) metric.value = finiteNumber(value.find("value"));
    metric.variance = finiteNumber(value.find("variance"));
    if (const Literal* samples = value.find("n")) metric.samples = samples->whole();
    return metric;
}

template <class Take> bool eachEntry(const Literal& dict, Take&& take) {
    if (dict.kind() != Literal::Kind::dict) return false;
    for (std::size_t i = 0; i < dict.keys().size(); ++i) {
        const Literal& key = dict.keys()[i];
        if (key.kind() != Literal::Kind::text) return false;
        take(*key.text(), dict.items()[i]);
    }
    return true;
}

Error badNcu(std::string why) {
    return {"bad_profile", "The NCU profile cannot be read: " + std::move(why)};
}

} // namespace

/// The order matters: "Cluster Occupancy" is of the clusters.
NcuSection ncuSectionOf(std::string_view name) {
    if (mentions(name, {"Cluster"})) return NcuSection::clusters;
    if (mentions(name, {"Occupancy", "Block Limit", "Active Warps"})) return NcuSection::occupancy;
    if (mentions(name, {"Warp", "Active Threads", "Threads Per"})) return NcuSection::warps;
    if (mentions(name, {"Mem", "Bandwidth", "Hit Rate", "L1", "L2", "DRAM", "Bank Conflict", "Shared"}))
        return NcuSection::memory;
    if (mentions(name, {"Ipc", "IPC", "Issue", "SM Busy", "Inst"})) return NcuSection::instructions;
    return NcuSection::other;
}

const NcuMetric* NcuProfile::find(std::string_view name) const {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == name; });
    return found == metrics.end() ? nullptr : &*found;
}

std::optional<double> NcuProfile::value(std::string_view name) const {
    const NcuMetric* metric = find(name);
    return metric != nullptr ? metric->value : std::nullopt;
}

NcuRoofInputs roofInputs(const NcuProfile& profile) {
    const auto share = [&](std::string_view name) {
        const auto value = profile.value(name);
        return value ? std::optional(*value / 100) : std::nullopt;
    };
    NcuRoofInputs inputs;
    if (const NcuMetric* throughput = profile.find("Memory Throughput");
        throughput && (throughput->unit == "byte/second" || throughput->unit == "byte/s"))
        inputs.bytesPerSecond = throughput->value;
    inputs.memoryBusy = share("Mem Busy");
    inputs.bandwidthShare = share("Max Bandwidth");
    inputs.l1HitRate = share("L1/TEX Hit Rate");
    inputs.l2HitRate = share("L2 Hit Rate");
    inputs.instructionsPerCycle = profile.value("Executed Ipc Elapsed");
    inputs.smBusy = share("SM Busy");
    inputs.achievedOccupancy = share("Achieved Occupancy");
    return inputs;
}

Result<NcuProfile> parseNcuProfile(std::string_view cell) {
    auto literal = parseLiteral(cell);
    if (!literal) return badNcu(literal.error().message);
    NcuProfile profile;
    bool regular = true;
    const bool isDict = eachEntry(*literal, [&](const std::string& key, const Literal& value) {
        if (key == "metrics")
            regular &= eachEntry(value, [&](const std::string& name, const Literal& metric) {
                profile.metrics.push_back(metricFrom(name, metric));
            });
        else if (key == "rules")
            regular &= eachEntry(value, [&](const std::string& name, const Literal& rule) {
                profile.rules.push_back({name, textOr(rule.find("type")), textOr(rule.find("description"))});
            });
        else
            profile.unread.push_back(key);
    });
    if (!isDict || !regular) return badNcu("it should be a dict with the dicts 'metrics' and 'rules'.");
    std::stable_sort(profile.metrics.begin(), profile.metrics.end(),
                     [](const NcuMetric& a, const NcuMetric& b) { return a.section < b.section; });
    std::stable_sort(profile.rules.begin(), profile.rules.end(),
                     [](const NcuRule& a, const NcuRule& b) { return (a.type != "INF") > (b.type != "INF"); });
    return profile;
}

} // namespace kernelarium::profile
