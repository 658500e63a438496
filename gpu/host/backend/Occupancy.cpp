// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Occupancy.h"

#include <algorithm>

namespace kernelarium::host {

namespace {

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t registerUnit = 256;  ///< registers are given to a warp in steps of this
constexpr std::uint64_t systemShared = 1024; ///< per block, compute capability 8.0 and newer

std::uint32_t roundUp(std::uint32_t value, std::uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

std::uint32_t activeBlocks(const emulator::DeviceLimits& limits, const KernelFacts& kernel, std::uint32_t threads,
                           std::uint64_t dynamicShared) {
    if (threads == 0 || threads > limits.maxThreadsPerBlock) return 0;
    const std::uint64_t shared = kernel.staticSharedBytes + dynamicShared;
    if (shared > limits.maxSharedBytesOptIn) return 0;
    const std::uint32_t warps = roundUp(threads, warp) / warp;
    std::uint64_t blocks =
        std::min<std::uint64_t>(limits.maxBlocksPerMultiprocessor, limits.maxThreadsPerMultiprocessor / warp / warps);
    if (kernel.registers > 0) {
        const std::uint32_t perWarp = roundUp(kernel.registers * warp, registerUnit);
        blocks = std::min<std::uint64_t>(blocks, limits.registersPerBlock / perWarp / warps);
    }
    return std::uint32_t(std::min(blocks, limits.sharedBytesPerMultiprocessor / (shared + systemShared)));
}

BlockChoice bestBlock(const emulator::DeviceLimits& limits, const KernelFacts& kernel, std::uint64_t dynamicShared,
                      std::uint32_t blockLimit) {
    const std::uint32_t largest =
        blockLimit ? std::min(blockLimit, limits.maxThreadsPerBlock) : limits.maxThreadsPerBlock;
    BlockChoice best;
    std::uint32_t most = 0;
    for (std::uint32_t threads = roundUp(largest, warp); threads >= warp; threads -= warp) {
        const std::uint32_t size = std::min(threads, largest);
        const std::uint32_t blocks = activeBlocks(limits, kernel, size, dynamicShared);
        if (blocks * size <= most) continue;
        most = blocks * size;
        best = {size, blocks * limits.multiprocessors};
    }
    return best;
}

} // namespace kernelarium::host
