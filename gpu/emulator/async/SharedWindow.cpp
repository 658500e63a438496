// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/SharedWindow.h"

namespace kernelarium::emulator {

std::uint32_t rankAt(const Block& block, std::uint64_t address) {
    const auto above = std::uint32_t(address >> rankShift) & 0xff;
    return above ? above - 1 : block.rank;
}

Block* blockAt(Block& block, std::uint64_t address) {
    const std::uint32_t rank = rankAt(block, address);
    if (rank == block.rank) return &block;
    if (!block.cluster || rank >= block.cluster->blocks.size()) return nullptr;
    Block* other = block.cluster->blocks[rank];
    return other->finishedThreads < other->threads ? other : nullptr;
}

Cluster& clusterOf(Block& block) {
    if (!block.cluster) {
        block.cluster = std::make_shared<Cluster>();
        block.cluster->blocks = {&block};
        block.cluster->index = block.index;
        block.cluster->arrivedAt.assign(block.threads, 0);
        if (block.clocks.isOn()) {
            block.cluster->clocks.first = block.clocks.number();
            block.cluster->clocks.count = 1;
            block.clocks.join(block.cluster->clocks, 0);
        }
    }
    return *block.cluster;
}

} // namespace kernelarium::emulator
