// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DriverApi.h"

#include <array>
#include <cstdint>

namespace kernelarium::device {

/// How a kernel is started, but for its arguments.
struct KernelStart {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    bool cooperative = false;
    std::array<std::uint32_t, 3> cluster{0, 0, 0}; ///< blocks; 0: as the kernel says, or none
};

/// Queues it, by cuLaunchKernelEx where clusters are asked for.
[[nodiscard]] DriverStatus startKernel(const DriverApi& api, FunctionHandle function, const KernelStart& how,
                                       StreamHandle stream, void** parameters);

} // namespace kernelarium::device
