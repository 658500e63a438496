// SPDX-License-Identifier: GPL-3.0-or-later
//
// What asynchronous work may find in the way, and leave. Faults, each of which names both parties:
//   async_read       bytes are read that a copy still brings
//   async_overwrite  bytes are stored to that a copy or a product may still read, or two copies bring
//   proxy_fence      the asynchronous proxy reads what threads stored with no fence.proxy.async since (PTX ISA,
//   "Proxies")
#pragma once

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/checks/Region.h"

namespace kernelarium::emulator {

[[nodiscard]] Region globalMemoryOf(const Warp& w);
[[nodiscard]] Region sharedMemoryOf(const Warp& w, Block& block);

/// The lane is about to begin a store of asynchronous kind, or a reduction, into the range of the block's shared
/// memory.
void checkAsyncStore(Warp& w, const Inst* ip, std::uint32_t lane, Block& block, const SharedRange& range,
                     BulkOp::Reduction reduction);
/// The lane is about to begin a read of asynchronous kind of these bytes of its own block.
void checkAsyncRead(Warp& w, const Inst* ip, std::uint32_t lane, const SharedRange& range);
/// The lane is about to begin a read of asynchronous kind of bytes of global memory, from this offset.
void checkAsyncReadOfGlobal(Warp& w, const Inst* ip, std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes);
/// The kinds of memory that a fence.proxy.async is for.
namespace fences {
constexpr std::uint8_t shared = 1, global = 2;
}
/// fence.proxy.async: what the warp stored there, or has seen stored, may be read asynchronously.
const Inst* proxyFence(Warp& w, const Inst* ip);

} // namespace kernelarium::emulator
