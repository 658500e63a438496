// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/device/driver/Driver.h"
#include "gpu/emulator/warp/RunOptions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::device {

/// A GPU as its driver describes it.
struct DeviceInfo {
    int ordinal = 0;
    std::string name;         ///< "NVIDIA H200"
    int major = 0, minor = 0; ///< compute capability
    std::uint32_t multiprocessors = 0;
    std::uint64_t memoryBytes = 0;
    std::uint32_t clockKHz = 0; ///< boost; 0 where the driver does not say, as for the next two
    std::uint32_t memoryClockKHz = 0;
    std::uint32_t memoryBusBits = 0;
    std::uint64_t l2Bytes = 0;
    bool errorCorrection = false; ///< ECC is on
    std::string driver;           ///< the newest CUDA version that it runs: "13.0"
    emulator::DeviceLimits limits;

    [[nodiscard]] std::string arch() const; ///< "sm_90"
};

/// The value of a CUdevice_attribute, which has the numbers of cudaDeviceAttr; empty where the driver refuses it.
[[nodiscard]] std::optional<int> deviceAttribute(const Driver& driver, DeviceOrdinal device, int attribute);

/// Errors: those of Driver::check; "bad_input" where there is no such device.
Result<DeviceInfo> describeDevice(const Driver& driver, int ordinal);
/// All devices, in the driver's order. There is at least one where the driver could be loaded.
Result<std::vector<DeviceInfo>> listDevices(const Driver& driver);

} // namespace kernelarium::device
