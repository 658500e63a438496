// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/ProfileMessages.h"

#include <stdexcept>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

template <class T> T checkedValue(Result<T> result) {
    if (!result) throw std::invalid_argument(result.error().message);
    return std::move(*result);
}

ProfileSummary readProfile(const json& j) {
    ProfileSummary s;
    s.end = j.at("end").get<std::string>();
    s.reason = j.at("reason").get<std::string>();
    s.size = j.at("size").get<std::string>();
    s.inputs = j.at("inputs").get<std::string>();
    s.counters = checkedValue(perf::launchesFromJson(j.at("counters")));
    for (const json& call : j.at("library_calls"))
        s.libraryCalls.push_back(checkedValue(perf::libraryCallFromJson(call)));
    s.time = checkedValue(perf::modelledTimeFromJson(j.at("modelled_time")));
    s.findings = checkedValue(perf::findingsFromJson(j.at("findings")));
    s.notes = j.at("notes").get<std::vector<std::string>>();
    s.peakBytes = j.at("peak_bytes").get<std::uint64_t>();
    s.seconds = j.at("seconds").get<double>();
    if (s.time.launches.size() != s.counters.size())
        throw std::invalid_argument("its launches have counters and times that differ in number");
    return s;
}

} // namespace

json toJson(const ProfileParameters& p) {
    json j = toJson(p.run);
    j["device"] = p.device;
    j["waves"] = p.waves;
    j["instruction_budget"] = p.instructionBudget;
    return j;
}

Result<ProfileParameters> profileParametersFromJson(const json& j) {
    Result<RunParameters> run = runParametersFromJson(j);
    if (!run) return run.error();
    ProfileParameters p;
    p.run = std::move(*run);
    try {
        p.device = j.value("device", p.device);
        p.waves = j.value("waves", p.waves);
        p.instructionBudget = j.value("instruction_budget", p.instructionBudget);
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a profile request: ") + failure.what()};
    }
    return p;
}

json toJson(const ProfileSummary& s) {
    json calls = json::array();
    for (const perf::LibraryCall& call : s.libraryCalls)
        calls.push_back(perf::toJson(call));
    return {{"end", s.end},
            {"reason", s.reason},
            {"size", s.size},
            {"inputs", s.inputs},
            {"counters", perf::toJson(s.counters)},
            {"library_calls", std::move(calls)},
            {"modelled_time", perf::toJson(s.time)},
            {"findings", perf::toJson(s.findings)},
            {"notes", s.notes},
            {"peak_bytes", s.peakBytes},
            {"seconds", s.seconds}};
}

Result<ProfileSummary> profileSummaryFromJson(const json& j) {
    try {
        return readProfile(j);
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a profile: ") + failure.what()};
    }
}

std::vector<verify::KernelNeeds> kernelNeedsOf(const compile::CompiledUnit& unit) {
    std::vector<verify::KernelNeeds> kernels;
    for (const compile::KernelResources& k : unit.kernels)
        kernels.push_back({k.name, std::uint32_t(k.registers), std::uint32_t(k.staticSharedBytes),
                           std::uint32_t(k.barriers), std::uint32_t(k.maxThreads)});
    return kernels;
}

std::vector<verify::Launch> launchesOf(const ProfileSummary& profile) {
    std::vector<verify::Launch> launches;
    for (const perf::LaunchCounters& c : profile.counters) {
        verify::Launch launch;
        launch.kernel = c.kernel;
        launch.grid = c.grid;
        launch.block = c.block;
        launch.dynamicSharedBytes = c.dynamicSharedBytes;
        launches.push_back(std::move(launch));
    }
    return launches;
}

} // namespace kernelarium::protocol
