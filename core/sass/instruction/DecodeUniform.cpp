// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::sass {

namespace {

/// As the table of DecodeArithmetic.cpp, over uniform registers and uniform predicates.
struct UniformArithmetic {
    int kind;
    const char* mnemonic;
    Unit unit;
    const char* operands;
    const char* extras;
    int width = 1;      ///< registers of d and C
    int wideInputs = 1; ///< of A and B
};

constexpr UniformArithmetic uniformArithmetic[] = {
    {0x082, "UMOV", Unit::uniformMove, "B", "d"},
    {0x087, "USEL", Unit::uniform, "AB", "dp"},
    {0x08c, "UISETP", Unit::uniform, "AB", "UVpx"},
    {0x090, "UIADD3", Unit::uniform, "ABC", "duvcC"},
    {0x091, "ULEA", Unit::uniform, "ABC", "duc"},
    {0x092, "ULOP3", Unit::uniform, "ABC", "dup"},
    {0x096, "UPRMT", Unit::uniform, "ABC", "d"},
    {0x097, "UIADD3.64", Unit::uniform, "ABC", "duvcC", 2, 2},
    {0x099, "USHF", Unit::uniform, "ABC", "d"},
    {0x09a, "USGXT", Unit::uniform, "AB", "d"},
    {0x09b, "UBMSK", Unit::uniform, "AB", "d"},
    {0x0a4, "UIMAD", Unit::uniform, "ABC", "duc"},
    {0x0a5, "UIMAD.WIDE", Unit::uniform, "ABC", "duc", 2},
    {0x0bd, "UFLO", Unit::uniform, "B", "du"},
    {0x0be, "UBREV", Unit::uniform, "B", "d"},
    {0x0bf, "UPOPC", Unit::uniform, "B", "d"},
};

void uniformOperands(OperandReader& reader, const Instruction& instruction, const UniformArithmetic& entry) {
    const auto has = [&](char letter) { return std::strchr(entry.operands, letter) != nullptr; };
    const bool isSum = entry.kind == 0x090 || entry.kind == 0x097;
    if (has('A')) reader.uniform(24, entry.wideInputs).negated = isSum && reader.bit(72);
    const auto c = [&] {
        if (has('C')) reader.uniform(64, entry.width).negated = (isSum || entry.kind == 0x0a4) && reader.bit(75);
    };
    switch (formOf(instruction.operation)) {
    case 2: // the immediate comes last
        if (has('B')) reader.uniform(64, entry.wideInputs);
        reader.immediate(std::int64_t(std::int32_t(reader.bits(32, 32))));
        break;
    case 4:
        if (has('B')) reader.immediate(std::int64_t(std::int32_t(reader.bits(32, 32))));
        c();
        break;
    default:
        if (has('B')) reader.uniform(32, entry.wideInputs).negated = isSum && reader.bit(63);
        c();
    }
}

bool uniformTable(Instruction& instruction) {
    const int kind = kindOf(instruction.operation), form = formOf(instruction.operation);
    const auto* entry = std::find_if(std::begin(uniformArithmetic), std::end(uniformArithmetic),
                                     [&](const UniformArithmetic& one) { return one.kind == kind; });
    if (entry == std::end(uniformArithmetic)) return false;
    const bool isForm =
        isUniformForm(instruction.operation) ? form == 1 || form == 2 || form == 4 || form == 6 : form == 4;
    if (!isForm) return false;
    OperandReader reader(instruction);
    instruction.mnemonic = entry->mnemonic;
    instruction.unit = entry->unit;
    instruction.hasUniformGuard = true;
    const auto extra = [&](char letter) { return std::strchr(entry->extras, letter) != nullptr; };
    constexpr RegisterFile file = RegisterFile::uniformPredicate;
    if (extra('d')) reader.uniformWritten(16, entry->width);
    if (extra('u') || extra('U')) reader.predicateWritten(81, file, extra('U') ? Hide::never : Hide::whenTrue);
    if (extra('v') || extra('V')) reader.predicateWritten(84, file, extra('V') ? Hide::never : Hide::whenTrue);
    uniformOperands(reader, instruction, *entry);
    if (entry->kind == 0x091) reader.immediate(std::int64_t(reader.bits(75, 5)));
    if (entry->kind == 0x092) reader.immediate(std::int64_t(reader.bits(72, 8)));
    if (extra('p')) reader.predicate(87, 90, file, Hide::never);
    if (extra('c')) reader.predicate(87, 90, file, Hide::whenFalse);
    if (extra('C')) reader.predicate(77, 80, file, Hide::whenFalse);
    if (extra('x')) reader.predicate(68, 71, file, Hide::never).hidden = !reader.bit(72);
    return true;
}

} // namespace

bool decodeUniform(Instruction& instruction) {
    OperandReader reader(instruction);
    constexpr RegisterFile up = RegisterFile::uniformPredicate;
    switch (instruction.operation) {
    case 0xab9: // c[bank][offset]
    case 0x1ab9:
    case 0x1abb: // c[bank][uniform + offset]
        instruction.mnemonic = "ULDC";
        instruction.unit = Unit::uniformMove;
        instruction.hasUniformGuard = true;
        reader.uniformWritten(16, sizeRegisters(unsigned(reader.bits(73, 3))));
        if (instruction.operation == 0x1ab9) {
            Operand& operand = reader.constant(false); // the bank is described by uniform registers
            operand.bank = -1;
            operand.uniform = int(reader.bits(24, 6));
            operand.uniformCount = 2;
        } else if (instruction.operation == 0x1abb)
            reader.constant(false).uniform = int(reader.bits(24, 6));
        else
            reader.constant(false);
        return true;
    case 0x1883:
        instruction.mnemonic = "UP2UR";
        instruction.unit = Unit::uniform;
        instruction.hasUniformGuard = true;
        reader.uniformWritten(16);
        reader.word("UPR");
        reader.uniform(24);
        reader.immediate(std::int64_t(reader.bits(32, 32)));
        for (int i = 0; i < constantIndex(up); ++i)
            if (reader.bit(32 + unsigned(i))) reader.readsQuietly(up, i);
        return true;
    case 0x89c:
        instruction.mnemonic = "UPLOP3";
        instruction.unit = Unit::uniform;
        instruction.hasUniformGuard = true;
        reader.predicateWritten(81, up, Hide::never);
        reader.predicateWritten(84, up, Hide::never);
        for (const unsigned at : {87u, 77u, 68u})
            reader.predicate(at, at + 3, up, Hide::never);
        reader.immediate(std::int64_t(reader.bits(72, 5) << 3 | reader.bits(64, 3)));
        reader.immediate(std::int64_t(reader.bits(16, 8)));
        return true;
    default: return uniformTable(instruction);
    }
}

} // namespace kernelarium::sass
