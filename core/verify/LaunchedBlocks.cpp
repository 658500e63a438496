// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/LaunchedBlocks.h"

#include <algorithm>

namespace kernelarium::verify {

namespace {

LaunchedBlock blockOf(const KernelNeeds& kernel) {
    LaunchedBlock block;
    block.kernel = kernel.name;
    block.needs = {kernel.maxThreads, kernel.registers, kernel.staticSharedBytes, kernel.barriers};
    return block;
}

} // namespace

std::vector<LaunchedBlock> launchedBlocks(std::span<const KernelNeeds> kernels, std::span<const Launch> launches) {
    std::vector<LaunchedBlock> blocks;
    for (const Launch& launch : launches) {
        const auto kernel =
            std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == launch.kernel; });
        LaunchedBlock next = blockOf(kernel == kernels.end() ? KernelNeeds{launch.kernel} : *kernel);
        next.needs.threads = launch.block[0] * launch.block[1] * launch.block[2];
        next.needs.sharedBytes += launch.dynamicSharedBytes;
        next.grid = launch.grid;
        next.block = launch.block;
        next.launches = 1;
        const auto same = std::find_if(blocks.begin(), blocks.end(), [&](const LaunchedBlock& b) {
            return b.kernel == next.kernel && b.grid == next.grid && b.block == next.block &&
                   b.needs.sharedBytes == next.needs.sharedBytes;
        });
        if (same == blocks.end())
            blocks.push_back(std::move(next));
        else
            ++same->launches;
    }
    for (const KernelNeeds& kernel : kernels)
        if (std::none_of(blocks.begin(), blocks.end(), [&](const auto& b) { return b.kernel == kernel.name; }))
            blocks.push_back(blockOf(kernel));
    return blocks;
}

} // namespace kernelarium::verify
