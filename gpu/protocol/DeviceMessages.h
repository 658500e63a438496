// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Something that kernels can run on. The run child's method "devices" takes no parameters and gives
///   {"devices": [...], "missing": {code, message, action} or null}
/// with the emulator first, and why there is no GPU where there is none. Figures are 0 where they are not known.
struct DeviceSummary {
    std::string backend; ///< "cuda", "emulator"
    std::string name;    ///< "NVIDIA H200"; of the emulator, the device whose limits it keeps
    std::string arch;    ///< "sm_90": what to compile for
    std::uint32_t multiprocessors = 0;
    std::uint64_t memoryBytes = 0;
    double clockMHz = 0; ///< the highest
    double memoryClockMHz = 0;
    std::uint32_t memoryBusBits = 0;
    std::uint64_t l2Bytes = 0;
    bool errorCorrection = false;
    std::string driver = {}; ///< the newest CUDA version that the driver runs; empty without one
};

/// Result of "devices".
struct DeviceList {
    std::vector<DeviceSummary> devices;
    std::optional<Error> missing; ///< why there is no GPU among them

    /// One of the GPUs; null where there are not so many.
    [[nodiscard]] const DeviceSummary* gpu(int ordinal = 0) const;
};

[[nodiscard]] nlohmann::json toJson(const DeviceList& list);
Result<DeviceList> deviceListFromJson(const nlohmann::json& json);

} // namespace kernelarium::protocol
