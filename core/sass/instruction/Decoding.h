// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/OperandReader.h"

namespace kernelarium::sass {

using Hide = OperandReader::Hide;

// The families of operations, each with its own table. Each function takes the operation if it knows it: sets
// mnemonic, unit, fence and the like, reads the operands, and says so. The low 9 bits of an operation are its kind,
// bits 9 to 11 the form of its operands, bit 12 (bit 91 of the word) whether a uniform register is among them.

[[nodiscard]] bool decodeArithmetic(Instruction& instruction);
[[nodiscard]] bool decodeUniform(Instruction& instruction);
[[nodiscard]] bool decodeMemory(Instruction& instruction);
[[nodiscard]] bool decodeControl(Instruction& instruction, int computeCapability);
[[nodiscard]] bool decodeMove(Instruction& instruction);   ///< between register files, votes, shuffles
[[nodiscard]] bool decodeMatrix(Instruction& instruction); ///< matrix products of a warp and of a warpgroup
[[nodiscard]] bool decodeAsync(Instruction& instruction);  ///< what came with compute capability 9.0

[[nodiscard]] inline int kindOf(int operation) {
    return operation & 0x1ff;
}
[[nodiscard]] inline int formOf(int operation) {
    return operation >> 9 & 7;
}
[[nodiscard]] inline bool isUniformForm(int operation) {
    return (operation >> 12 & 1) != 0;
}

/// Registers of a memory operand of a size field: 0 to 3 (bytes and halves), 4 to 6 (32 to 128 bits), 7.
[[nodiscard]] inline int sizeRegisters(unsigned field) {
    return field == 5 ? 2 : field >= 6 ? 4 : 1;
}

} // namespace kernelarium::sass
