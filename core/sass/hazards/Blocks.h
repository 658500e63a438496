// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

#include <vector>

namespace kernelarium::sass {

/// A run of instructions that is entered at its first and left after its last; all numbers count instructions, blocks.
struct Block {
    int first = 0;
    int last = 0;
    std::vector<int> successors;
};

/// The basic blocks of a kernel in the order of its code. A return goes to behind every call of its
/// subroutine; a branch over a register, to every block.
[[nodiscard]] std::vector<Block> blocksOf(const std::vector<Instruction>& code);

/// A loop whose blocks stand together, entered at `header` and closed by a branch back from `latch`.
struct Loop {
    int header = 0;
    int latch = 0;
    int depth = 1; ///< 1: not within another
};

/// Loops by their branches back in the order of the code, outer ones first.
[[nodiscard]] std::vector<Loop> loopsOf(const std::vector<Block>& blocks);

} // namespace kernelarium::sass
