// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/ClusterClocks.h"
#include "gpu/emulator/warp/RunOptions.h"

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

struct Block;

/// Blocks that run together and see one another's shared memory (PTX ISA, "Cluster of Cooperative Thread Arrays"), by
/// their rank. One worker runs them all.
struct Cluster {
    std::vector<Block*> blocks;
    Dim3 shape{1, 1, 1}; ///< blocks
    Dim3 index{};        ///< of the cluster in the grid
    ClusterClocks clocks;

    // barrier.cluster
    std::uint64_t phase = 0;              ///< how often all have met
    std::uint32_t arrived = 0;            ///< threads, in this phase
    std::vector<std::uint64_t> arrivedAt; ///< by rank * threads + thread: 1 + the phase of its last arrival; 0: none
};

} // namespace kernelarium::emulator
