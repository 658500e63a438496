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

/// What calls a subroutine, and what returns from one.
[[nodiscard]] bool isCall(const Instruction& one);
[[nodiscard]] bool isReturn(const Instruction& one);

/// The basic blocks of a kernel in the order of its code. A return goes to behind every call of its
/// subroutine; a branch over a register, to every block.
[[nodiscard]] std::vector<Block> blocksOf(const std::vector<Instruction>& code);

} // namespace kernelarium::sass
