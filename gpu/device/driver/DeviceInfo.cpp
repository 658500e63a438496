// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/DeviceInfo.h"

#include "core/perf/DeviceSpec.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

// CUdevice_attribute
constexpr int maxThreadsPerBlock = 1, maxBlockX = 2, maxGridX = 5, sharedPerBlock = 8, registersPerBlock = 12;
constexpr int clockRate = 13, multiprocessorCount = 16, eccEnabled = 32, memoryClockRate = 36, memoryBusWidth = 37;
constexpr int l2CacheSize = 38, threadsPerMultiprocessor = 39, capabilityMajor = 75, capabilityMinor = 76;
constexpr int sharedPerMultiprocessor = 81, sharedPerBlockOptIn = 97, blocksPerMultiprocessor = 106;
constexpr int registersPerMultiprocessor = 82, reservedSharedPerBlock = 111;

/// Reads attributes one after another; what the driver does not say stays as it is.
class AttributeReader {
public:
    AttributeReader(const Driver& driver, DeviceOrdinal device)
        : m_driver(driver)
        , m_device(device) {}
    template <class T> void operator()(int attribute, T& value) const {
        if (const auto known = deviceAttribute(m_driver, m_device, attribute)) value = T(*known);
    }

private:
    const Driver& m_driver;
    DeviceOrdinal m_device;
};

emulator::DeviceLimits readLimits(const AttributeReader& read, const DeviceInfo& info) {
    emulator::DeviceLimits limits;
    const std::string maker = "NVIDIA ";
    limits.name =
        (info.name.starts_with(maker) ? info.name.substr(maker.size()) : info.name) + " (" + info.arch() + ")";
    limits.multiprocessors = info.multiprocessors;
    // No attribute has the L1 and the steps in which registers and shared memory are given out; our own tables do.
    if (const perf::MultiprocessorLimits* known = perf::limitsOf(info.arch())) limits.multiprocessor = *known;
    for (const perf::DeviceSpec& spec : perf::deviceSpecs())
        if (spec.arch == info.arch()) {
            limits.l1Bytes = std::uint64_t(spec.l1Bytes);
            limits.l2Bytes = std::uint64_t(spec.l2Bytes);
        }
    read(maxThreadsPerBlock, limits.multiprocessor.threadsPerBlock);
    for (int d = 0; d < 3; ++d) {
        read(maxBlockX + d, limits.maxBlock[std::size_t(d)]);
        read(maxGridX + d, limits.maxGrid[std::size_t(d)]);
    }
    read(sharedPerBlock, limits.maxStaticSharedBytes);
    read(sharedPerBlockOptIn, limits.multiprocessor.sharedBytesPerBlock);
    read(sharedPerMultiprocessor, limits.multiprocessor.sharedBytes);
    read(threadsPerMultiprocessor, limits.multiprocessor.threads);
    read(blocksPerMultiprocessor, limits.multiprocessor.blocks);
    read(registersPerBlock, limits.multiprocessor.registersPerBlock);
    read(registersPerMultiprocessor, limits.multiprocessor.registers);
    read(reservedSharedPerBlock, limits.multiprocessor.reservedSharedBytes);
    limits.multiprocessor.warps = limits.multiprocessor.threads / 32;
    return limits;
}

} // namespace

std::string DeviceInfo::arch() const {
    return fmt::format("sm_{}{}", major, minor);
}

std::optional<int> deviceAttribute(const Driver& driver, DeviceOrdinal device, int attribute) {
    int value = 0;
    if (driver.api().cuDeviceGetAttribute(&value, attribute, device) != driverSuccess) return std::nullopt;
    return value;
}

Result<DeviceInfo> describeDevice(const Driver& driver, int ordinal) {
    const DriverApi& api = driver.api();
    DeviceOrdinal device = 0;
    if (api.cuDeviceGet(&device, ordinal) != driverSuccess)
        return Error{"bad_input", fmt::format("There is no GPU number {}.", ordinal),
                     "`device list` shows which exist."};
    DeviceInfo info;
    info.ordinal = ordinal;
    info.driver = driver.versionText();
    std::array<char, 256> name{};
    if (auto named =
            driver.check(api.cuDeviceGetName(name.data(), int(name.size()), device), "Asking for the GPU's name");
        !named)
        return named.error();
    info.name = name.data();
    std::size_t bytes = 0;
    if (auto sized = driver.check(api.cuDeviceTotalMem(&bytes, device), "Asking for the GPU's memory"); !sized)
        return sized.error();
    info.memoryBytes = bytes;
    const AttributeReader read(driver, device);
    read(capabilityMajor, info.major);
    read(capabilityMinor, info.minor);
    read(multiprocessorCount, info.multiprocessors);
    read(clockRate, info.clockKHz);
    read(memoryClockRate, info.memoryClockKHz);
    read(memoryBusWidth, info.memoryBusBits);
    read(l2CacheSize, info.l2Bytes);
    read(eccEnabled, info.errorCorrection);
    info.limits = readLimits(read, info);
    return info;
}

Result<std::vector<DeviceInfo>> listDevices(const Driver& driver) {
    int count = 0;
    if (auto counted = driver.check(driver.api().cuDeviceGetCount(&count), "Counting the GPUs"); !counted)
        return counted.error();
    std::vector<DeviceInfo> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        Result<DeviceInfo> info = describeDevice(driver, ordinal);
        if (!info) return info.error();
        devices.push_back(std::move(*info));
    }
    return devices;
}

} // namespace kernelarium::device
