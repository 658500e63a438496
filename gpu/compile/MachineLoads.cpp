// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/MachineLoads.h"

#include <cstdint>
#include <cstring>

namespace kernelarium::compile {

int globalLoads(std::span<const std::byte> code, int computeCapability) {
    constexpr int firstWide = 70; // compute capability, times ten
    constexpr std::size_t instructionBytes = 16;
    constexpr std::uint64_t operationMask = 0x1ff, load = 0x181;
    if (computeCapability < firstWide) return 0;
    int loads = 0;
    for (std::size_t at = 0; at + instructionBytes <= code.size(); at += instructionBytes) {
        std::uint64_t low = 0;
        std::memcpy(&low, code.data() + at, sizeof low);
        loads += (low & operationMask) == load;
    }
    return loads;
}

} // namespace kernelarium::compile
