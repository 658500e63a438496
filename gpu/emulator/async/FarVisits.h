// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared memory ends with its block: whoever accesses another block's has to do so before that one's threads have ended
// (CUDA C++ Programming Guide, "Distributed Shared Memory"). Each access is remembered until then, and one of the
// ending threads must have seen it, or come after it by a barrier of the cluster: else it is a fault "out_of_bounds",
// even if here it came in time.
#pragma once

#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

/// The lane is about to access the other block's shared memory.
void noteVisit(const Warp& w, const Inst* ip, std::uint32_t lane, const Block& other, std::uint32_t offset);
/// Whether a warp of `visitor` has accessed the block's.
[[nodiscard]] bool isVisited(const Block& block, const Block& visitor);
/// A thread of the warp has ended, the last one of its block.
void checkVisits(const Warp& w);

} // namespace kernelarium::emulator
