// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/DeviceSpec.h"
#include "gpu/emulator/warp/RunOptions.h"

namespace kernelarium::host {

/// What CUDA enforces at launch on this device.
[[nodiscard]] emulator::DeviceLimits limitsOf(const perf::DeviceSpec& device);

} // namespace kernelarium::host
