// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/hazards/Blocks.h"

#include <vector>

namespace kernelarium::sass {

/// A natural loop: every way into it is through its header. What the assembler has put elsewhere (a rare case behind
/// the kernel's end, a subroutine) is not among its blocks.
struct Loop {
    int header = 0;          ///< block
    int latch = 0;           ///< the last block that goes back to the header; at or behind it
    int depth = 1;           ///< 1: not within another
    std::vector<int> blocks; ///< those from header to latch that lead back to the header, in the order of the code
    [[nodiscard]] bool contains(int block) const;
};

/// Loops by their headers in the order of the code. A call counts as going on behind itself, a return leads nowhere: a
/// subroutine that is called twice closes no loop.
[[nodiscard]] std::vector<Loop> loopsOf(const std::vector<Instruction>& code, const std::vector<Block>& blocks);

} // namespace kernelarium::sass
