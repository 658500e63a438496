// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

namespace kernelarium::sass {

namespace {

struct Tile {
    int a = 0, b = 0, c = 0; ///< registers of the operands; the result has as many as C
};

/// D = A B + C. Registers of the factors and of the sum.
void product(Instruction& instruction, OperandReader& reader, const char* mnemonic, Unit unit, const Tile& tile) {
    instruction.mnemonic = mnemonic;
    instruction.unit = unit;
    reader.generalWritten(16, tile.c);
    reader.general(24, tile.a, 'A');
    reader.general(32, tile.b, 'B');
    reader.general(64, tile.c, 'C').isAddend = true;
    // What else a product may read (the selector of a sparse one) is not modelled.
    if (reader.bits(40, 20) != 0) instruction.fence = Fence::unknown;
}

bool halves(Instruction& instruction, OperandReader& reader) {
    const int size = int(reader.bits(78, 1) << 1 | reader.bits(75, 1));
    const bool tf32 = reader.bits(82, 2) == 2;
    const int a = size == 1 || (size == 0 && tf32) ? 4 : 2;
    product(instruction, reader, "HMMA", Unit::matrix, {a, a / 2, reader.bit(76) ? 4 : 2});
    return true;
}

bool integers(Instruction& instruction, OperandReader& reader) {
    const bool sixteen = reader.bit(86), deep = reader.bit(75) || reader.bit(85);
    const int a = !sixteen ? 1 : deep ? 4 : 2;
    product(instruction, reader, "IMMA", Unit::matrix, {a, sixteen ? a / 2 : 1, sixteen ? 4 : 2});
    return true;
}

bool bits(Instruction& instruction, OperandReader& reader) {
    const int size = int(reader.bits(75, 2)); // 8x8x128, 16x8x128, 16x8x256
    product(instruction, reader, "BMMA", Unit::matrix, {1 << size, size == 2 ? 2 : 1, size == 0 ? 2 : 4});
    return true;
}

bool bytes(Instruction& instruction, OperandReader& reader) {
    product(instruction, reader, "QMMA", Unit::matrix, {4, 2, reader.bit(77) ? 4 : 2});
    return true;
}

bool doubles(Instruction& instruction, OperandReader& reader) {
    const int size = int(reader.bits(76, 2)); // 8x8x4, 16x8x4, 16x8x8, 16x8x16
    constexpr Tile tiles[] = {{2, 2, 4}, {4, 2, 8}, {8, 4, 8}, {16, 8, 8}};
    product(instruction, reader, "DMMA", Unit::doubleMatrix, tiles[size]);
    for (Operand& operand : instruction.operands)
        operand.slot = 0;
    return true;
}

/// wgmma: D in registers from 16 on; A in registers or described by uniform ones; B described. Its registers are
/// handed over by WARPGROUP.ARRIVE and WARPGROUP.DEPBAR, not by scoreboards.
bool warpgroup(Instruction& instruction, OperandReader& reader) {
    const char* mnemonic = nullptr;
    switch (kindOf(instruction.operation)) {
    case 0x1f0: mnemonic = "HGMMA"; break;
    case 0x1f1: mnemonic = "IGMMA"; break;
    case 0x1f2: mnemonic = "BGMMA"; break;
    case 0x1f3: mnemonic = "QGMMA"; break;
    default: return false;
    }
    const int form = formOf(instruction.operation);
    if (!isUniformForm(instruction.operation) || (form != 4 && form != 6)) return false;
    instruction.mnemonic = mnemonic;
    instruction.unit = Unit::matrix;
    instruction.fence = Fence::asynchronous;
    const int eights = int(reader.bits(53, 6)); // of columns
    const bool narrow = kindOf(instruction.operation) != 0x1f1 && !reader.bit(76);
    const int registers = eights * (narrow ? 2 : 4);
    reader.generalWritten(16, registers);
    if (form == 6)
        reader.general(24, 4);
    else
        reader.uniform(24, 4);
    if (form == 6) reader.uniform(32, 2);
    if (reader.bits(64, 8) != 255) reader.general(64, registers).isAddend = true;
    return true;
}

} // namespace

bool decodeMatrix(Instruction& instruction) {
    OperandReader reader(instruction);
    switch (instruction.operation) {
    case 0x23c: return halves(instruction, reader);
    case 0x237: return integers(instruction, reader);
    case 0x23d: return bits(instruction, reader);
    case 0x27a: return bytes(instruction, reader);
    case 0x23f: return doubles(instruction, reader);
    default: return warpgroup(instruction, reader);
    }
}

} // namespace kernelarium::sass
