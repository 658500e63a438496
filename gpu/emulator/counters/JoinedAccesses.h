// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// What ptxas makes of an access of shared memory as written.
struct JoinedAccess {
    std::uint8_t bytes = 0;  ///< 0: as written; else of the one access that stands for this and its followers
    std::int8_t shift = 0;   ///< where that begins, from this one's own address
    bool isFollower = false; ///< an earlier access of the block does it as well
};

/// Accesses of shared memory that ptxas joins into one of up to 16 bytes, by instruction of the function: those of a
/// basic block that go through one register (or symbol), lie side by side and are known to be aligned, with nothing
/// between them that may touch the same memory. Seen in the machine code of ptxas 13.0 for sm_80 and sm_90: floats of a
/// row that a loop over a tile reads one by one become LDS.128, three of four as well; stores must fill what they are
/// joined to; what is aligned is told from the address arithmetic alone (shifts, products, masks), and a variable's own
/// alignment does not count, since ptxas places it.
[[nodiscard]] std::vector<JoinedAccess> joinedAccesses(const ptx::Function& function);

} // namespace kernelarium::emulator
