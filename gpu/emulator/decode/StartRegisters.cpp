// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/StartRegisters.h"

#include <algorithm>

namespace kernelarium::emulator {

std::uint32_t startRegisters(const ptx::Function& kernel) {
    constexpr std::uint32_t ofMultiprocessor = 64 << 10, ofWarpgroup = 128;
    std::uint32_t largest = 0;
    for (const ptx::Instruction& i : kernel.instructions)
        if (i.opcode == "setmaxnreg" && !i.operands.empty())
            largest = std::max(largest, std::uint32_t(i.operands[0].bits));
    if (kernel.mostRegisters) return std::min(largest, kernel.mostRegisters);
    const std::uint64_t threads =
        std::uint64_t(kernel.maxThreads[0]) * std::max(1u, kernel.maxThreads[1]) * std::max(1u, kernel.maxThreads[2]);
    if (threads == 0 || threads > 1024 || kernel.leastBlocks == 0) return 0;
    const auto rounded = std::uint32_t((threads + ofWarpgroup - 1) / ofWarpgroup * ofWarpgroup);
    return std::min(largest, ofMultiprocessor / (rounded * kernel.leastBlocks) / 8 * 8);
}

} // namespace kernelarium::emulator
