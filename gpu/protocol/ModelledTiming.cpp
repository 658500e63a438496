// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/ModelledTiming.h"

#include "core/perf/DeviceSpec.h"

#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

session::Timing modelledTiming(const ProfileSummary& profile, const std::string& device) {
    session::Timing timing;
    timing.origin = session::Timing::Origin::modelled;
    timing.milliseconds = profile.time.seconds * 1e3;
    const perf::DeviceSpec* spec = perf::findDeviceSpec(device);
    timing.device = spec ? spec->name : device;
    timing.size = profile.size;
    timing.flops = perf::totalFlops(perf::mergedTotals(profile.counters));
    for (const auto& launch : profile.time.launches)
        timing.bytes += launch.deviceMemoryBytes;
    for (const auto& call : profile.libraryCalls) {
        timing.flops += call.flops;
        timing.bytes += call.bytes;
    }
    timing.byteSource = "emulator sectors";
    timing.detailJson = perf::toJson(profile.time).dump();
    return timing;
}

std::string countersText(const ProfileSummary& profile) {
    nlohmann::json launches = nlohmann::json::array();
    for (const auto& launch : profile.counters)
        launches.push_back(perf::toJson(launch));
    return nlohmann::json{{"size", profile.size}, {"launches", std::move(launches)}, {"notes", profile.notes}}.dump();
}

} // namespace kernelarium::protocol
