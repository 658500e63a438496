// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/KernelStart.h"

namespace kernelarium::device {

DriverStatus startKernel(const DriverApi& api, FunctionHandle function, const KernelStart& how, StreamHandle stream,
                         void** parameters) {
    const auto& [gridX, gridY, gridZ] = how.grid;
    const auto& [blockX, blockY, blockZ] = how.block;
    if (how.cluster[0]) {
        DriverLaunchAttribute attributes[2];
        attributes[0].id = launchClusterDimension;
        attributes[0].value.three = {how.cluster[0], how.cluster[1], how.cluster[2]};
        attributes[1].id = launchCooperative;
        attributes[1].value.three = {1, 0, 0};
        const DriverLaunchConfig config{gridX,
                                        gridY,
                                        gridZ,
                                        blockX,
                                        blockY,
                                        blockZ,
                                        how.dynamicSharedBytes,
                                        stream,
                                        attributes,
                                        how.cooperative ? 2u : 1u};
        return api.cuLaunchKernelEx(&config, function, parameters, nullptr);
    }
    if (how.cooperative)
        return api.cuLaunchCooperativeKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                             how.dynamicSharedBytes, stream, parameters);
    return api.cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ, how.dynamicSharedBytes, stream,
                              parameters, nullptr);
}

} // namespace kernelarium::device
