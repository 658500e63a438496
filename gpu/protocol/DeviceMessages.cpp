// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/DeviceMessages.h"

#include "gpu/protocol/Messages.h"

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

json deviceToJson(const DeviceSummary& d) {
    return {{"backend", d.backend},
            {"name", d.name},
            {"arch", d.arch},
            {"multiprocessors", d.multiprocessors},
            {"memory_bytes", d.memoryBytes},
            {"clock_mhz", d.clockMHz},
            {"memory_clock_mhz", d.memoryClockMHz},
            {"memory_bus_bits", d.memoryBusBits},
            {"l2_bytes", d.l2Bytes},
            {"error_correction", d.errorCorrection},
            {"driver", d.driver}};
}

DeviceSummary deviceFromJson(const json& j) {
    DeviceSummary d;
    d.backend = j.at("backend").get<std::string>();
    d.name = j.at("name").get<std::string>();
    d.arch = j.at("arch").get<std::string>();
    d.multiprocessors = j.value("multiprocessors", 0u);
    d.memoryBytes = j.value("memory_bytes", std::uint64_t(0));
    d.clockMHz = j.value("clock_mhz", 0.0);
    d.memoryClockMHz = j.value("memory_clock_mhz", 0.0);
    d.memoryBusBits = j.value("memory_bus_bits", 0u);
    d.l2Bytes = j.value("l2_bytes", std::uint64_t(0));
    d.errorCorrection = j.value("error_correction", false);
    d.driver = j.value("driver", "");
    return d;
}

} // namespace

const DeviceSummary* DeviceList::gpu(int ordinal) const {
    for (const DeviceSummary& device : devices)
        if (device.backend == "cuda" && ordinal-- == 0) return &device;
    return nullptr;
}

json toJson(const DeviceList& list) {
    json j = {{"devices", json::array()}, {"missing", nullptr}};
    for (const DeviceSummary& device : list.devices)
        j["devices"].push_back(deviceToJson(device));
    if (list.missing) j["missing"] = toJson(*list.missing);
    return j;
}

Result<DeviceList> deviceListFromJson(const json& j) {
    try {
        DeviceList list;
        for (const json& device : j.at("devices"))
            list.devices.push_back(deviceFromJson(device));
        if (const json& missing = j.at("missing"); !missing.is_null())
            list.missing = Error{missing.at("code").get<std::string>(), missing.at("message").get<std::string>(),
                                 missing.value("action", ""), missing.value("detail", "")};
        return list;
    } catch (const json::exception& failure) {
        return Error{"protocol", std::string("Not a list of devices: ") + failure.what()};
    }
}

} // namespace kernelarium::protocol
