// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/DeviceLimitsOf.h"

namespace kernelarium::host {

emulator::DeviceLimits limitsOf(const perf::DeviceSpec& device) {
    emulator::DeviceLimits limits;
    limits.name = device.name + " (" + device.arch + ")";
    limits.multiprocessors = device.multiprocessors;
    limits.multiprocessor = device.limits;
    limits.l1Bytes = std::uint64_t(device.l1Bytes);
    limits.l2Bytes = std::uint64_t(device.l2Bytes);
    return limits;
}

} // namespace kernelarium::host
