// SPDX-License-Identifier: GPL-3.0-or-later
//
// Addresses of shared memory across a cluster (PTX ISA, "Shared State Space": .shared::cta lies within
// .shared::cluster). An offset of 24 bits; above it 0 for the executing block, or 1 + the rank of another one.
#pragma once

#include "gpu/emulator/warp/Cluster.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

constexpr unsigned rankShift = 24;
constexpr std::uint32_t sharedOffsetMask = (1u << rankShift) - 1;

[[nodiscard]] inline std::uint32_t sharedOffset(std::uint64_t address) {
    return std::uint32_t(address) & sharedOffsetMask;
}

/// The block whose shared memory holds the address, as seen from `block`; null where its cluster has none of that rank,
/// or that one has ended.
[[nodiscard]] Block* blockAt(Block& block, std::uint64_t address);
/// Rank of that block, of one that there may not be.
[[nodiscard]] std::uint32_t rankAt(const Block& block, std::uint64_t address);
/// Its cluster; a block that was launched without one is the only one of its own.
[[nodiscard]] Cluster& clusterOf(Block& block);

} // namespace kernelarium::emulator
