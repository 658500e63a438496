// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Backend.h"

#include <cstdint>

namespace kernelarium::host {

/// Blocks of a kernel that fit on one multiprocessor at a time, from the limits of CUDA's programming guide
/// ("Technical Specifications per Compute Capability"): threads, blocks, registers (allocated per warp in
/// units of 256) and shared memory (1 KiB of it per block is the system's). 0 where not even one fits.
[[nodiscard]] std::uint32_t activeBlocks(const emulator::DeviceLimits& limits, const KernelFacts& kernel,
                                         std::uint32_t threadsPerBlock, std::uint64_t dynamicSharedBytes);

/// The largest block size, in whole warps, that keeps the most threads active.
struct BlockChoice {
    std::uint32_t threads = 0;
    std::uint32_t minGrid = 0; ///< blocks that fill the device
};
[[nodiscard]] BlockChoice bestBlock(const emulator::DeviceLimits& limits, const KernelFacts& kernel,
                                    std::uint64_t dynamicSharedBytes, std::uint32_t blockLimit);

} // namespace kernelarium::host
