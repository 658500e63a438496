// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace kernelarium::sass {

namespace {

enum class Number { integer, single, doubled, halves };

/// `operands`: which of A, B, C there are. `extras`: d writes registers at 16; u, v write predicates at 81, 84,
/// capitals are shown even where they are constant; p reads a predicate at 87, c and C are carries at 87 and 77, x a
/// predicate at 68 that extends a comparison. `widths`: registers of d, A, B, C.
struct Arithmetic {
    int kind;
    const char* mnemonic;
    Unit unit;
    const char* operands;
    const char* extras;
    Number number = Number::integer;
    std::array<int, 4> widths = {1, 1, 1, 1};
};

constexpr Arithmetic arithmetic[] = {
    {0x002, "MOV", Unit::integer, "B", "d"},
    {0x007, "SEL", Unit::integer, "AB", "dp"},
    {0x008, "FSEL", Unit::integer, "AB", "dp", Number::single},
    {0x009, "FMNMX", Unit::integer, "AB", "dp", Number::single},
    {0x00a, "FSET", Unit::integer, "AB", "dp", Number::single},
    {0x00b, "FSETP", Unit::integer, "AB", "UVp", Number::single},
    {0x00c, "ISETP", Unit::integer, "AB", "UVpx"},
    {0x010, "IADD3", Unit::integer, "ABC", "duvcC"},
    {0x011, "LEA", Unit::integer, "ABC", "duc"},
    {0x012, "LOP3", Unit::integer, "ABC", "dup"},
    {0x013, "IABS", Unit::integer, "B", "d"},
    {0x014, "VABSDIFF", Unit::integer, "ABC", "d"},
    {0x016, "PRMT", Unit::integer, "ABC", "d"},
    {0x017, "IMNMX", Unit::integer, "AB", "dp"},
    {0x019, "SHF", Unit::integer, "ABC", "d"},
    {0x01a, "SGXT", Unit::integer, "AB", "d"},
    {0x01b, "BMSK", Unit::integer, "AB", "d"},
    {0x01f, "IADD.SAT", Unit::integer, "AB", "d"},
    {0x020, "FMUL", Unit::floating, "AB", "d", Number::single},
    {0x021, "FADD", Unit::floating, "AB", "d", Number::single},
    {0x023, "FFMA", Unit::floating, "ABC", "d", Number::single},
    {0x024, "IMAD", Unit::multiply, "ABC", "duc"},
    {0x025, "IMAD.WIDE", Unit::multiply, "ABC", "duc", Number::integer, {2, 1, 1, 2}},
    {0x026, "IDP", Unit::floating, "ABC", "d"},
    {0x027, "IMAD.HI", Unit::multiply, "ABC", "duc", Number::integer, {1, 1, 1, 2}},
    {0x028, "DMUL", Unit::doubled, "AB", "d", Number::doubled, {2, 2, 2, 2}},
    {0x029, "DADD", Unit::doubled, "AC", "d", Number::doubled, {2, 2, 2, 2}},
    {0x02a, "DSETP", Unit::doubled, "AB", "UVp", Number::doubled, {1, 2, 2, 2}},
    {0x02b, "DFMA", Unit::doubled, "ABC", "d", Number::doubled, {2, 2, 2, 2}},
    {0x030, "HADD2", Unit::half, "AB", "d", Number::halves},
    {0x031, "HFMA2", Unit::half, "ABC", "d", Number::halves},
    {0x032, "HMUL2", Unit::half, "AB", "d", Number::halves},
    {0x033, "HSET2", Unit::half, "AB", "dp", Number::halves},
    {0x034, "HSETP2", Unit::half, "AB", "UVp", Number::halves},
    {0x035, "HFMA2.MMA", Unit::halfMatrix, "ABC", "d", Number::halves},
    {0x036, "VIADD", Unit::floating, "AB", "d"},
    {0x03e, "F2FP", Unit::integer, "ABC", "d"},
    {0x040, "HMNMX2", Unit::half, "AB", "dp", Number::halves},
    {0x045, "I2FP", Unit::integer, "B", "d"},
    {0x046, "VIADDMNMX", Unit::integer, "ABC", "dp"},
    {0x048, "VIMNMX", Unit::integer, "AB", "dp"},
    {0x100, "FLO", Unit::conversion, "B", "du"},
    {0x101, "BREV", Unit::conversion, "B", "d"},
    {0x102, "FCHK", Unit::conversion, "AB", "U", Number::single},
    {0x104, "F2F", Unit::conversion, "B", "d", Number::single},
    {0x105, "F2I", Unit::conversion, "B", "d", Number::single},
    {0x106, "I2F", Unit::conversion, "B", "d"},
    {0x107, "FRND", Unit::conversion, "B", "d", Number::single},
    {0x108, "MUFU", Unit::conversion, "B", "d", Number::single},
    {0x109, "POPC", Unit::conversion, "B", "d"},
    {0x110, "F2F", Unit::conversion, "B", "d", Number::doubled},
    {0x111, "F2I", Unit::conversion, "B", "d", Number::doubled},
    {0x112, "I2F", Unit::conversion, "B", "d"},
    {0x113, "FRND", Unit::conversion, "B", "d", Number::doubled, {2, 2, 2, 2}},
};

/// Registers of a conversion between 32 and 64 bits, which its formats tell (3: 64 bits).
std::array<int, 4> conversionWidths(const Arithmetic& entry, const OperandReader& reader) {
    const auto registers = [](std::uint64_t format) { return format == 3 ? 2 : 1; };
    std::array<int, 4> widths = entry.widths;
    if (entry.kind == 0x110) widths = {registers(reader.bits(75, 3)), 1, registers(reader.bits(84, 3)), 1};
    if (entry.kind == 0x111) widths = {registers(reader.bits(75, 2)), 1, registers(reader.bits(84, 3)), 1};
    if (entry.kind == 0x112) widths = {registers(reader.bits(75, 3)), 1, registers(reader.bits(84, 2)), 1};
    return widths;
}

/// Minus and absolute value, where the number has them: bit of "minus", bit of "absolute" (0: none).
void sign(Operand& operand, const OperandReader& reader, const Arithmetic& entry, unsigned minus, unsigned absolute) {
    const bool isFloat = entry.number != Number::integer;
    const bool isSum = entry.kind == 0x010 || (entry.kind == 0x011 && minus == 72) ||
                       ((entry.kind == 0x024 || entry.kind == 0x025 || entry.kind == 0x027) && minus == 75);
    if (isFloat || isSum) operand.negated = reader.bit(minus);
    if (isFloat && absolute != 0 && entry.kind != 0x02b && entry.kind != 0x023) operand.absolute = reader.bit(absolute);
}

void immediateOf(OperandReader& reader, const Arithmetic& entry) {
    const auto value = std::uint32_t(reader.bits(32, 32));
    Operand& operand = reader.immediate(std::int64_t(std::int32_t(value)));
    if (entry.number == Number::single) operand.kind = Operand::Kind::floatBits;
    if (entry.number == Number::doubled) operand.kind = Operand::Kind::doubleBits;
    if (entry.number == Number::halves) operand.kind = Operand::Kind::halfBits;
    if (entry.number != Number::integer) operand.value = value;
}

/// What stands in bits 32 to 63: an immediate, a constant or a uniform register.
void wideOperand(OperandReader& reader, const Instruction& instruction, const Arithmetic& entry, int width) {
    const bool uniform = isUniformForm(instruction.operation);
    switch (formOf(instruction.operation)) {
    case 2:
    case 4: return immediateOf(reader, entry);
    case 3:
    case 5: return sign(reader.constant(uniform), reader, entry, 63, 62);
    default: sign(reader.uniform(32, width), reader, entry, 63, 62);
    }
}

void threeOperands(OperandReader& reader, const Instruction& instruction, const Arithmetic& entry,
                   const std::array<int, 4>& widths) {
    const auto has = [&](char letter) { return std::strchr(entry.operands, letter) != nullptr; };
    const int form = formOf(instruction.operation);
    if (has('A')) sign(reader.general(24, widths[1], 'A'), reader, entry, 72, 73);
    const bool both = has('B') && has('C');
    if (form == 1) {
        if (has('B')) sign(reader.general(32, widths[2], 'B'), reader, entry, 63, 62);
        if (has('C')) sign(reader.general(64, widths[3], 'C'), reader, entry, 75, 74);
        return;
    }
    const bool wideIsLast = form == 2 || form == 3 || form == 7;
    if (both && wideIsLast) sign(reader.general(64, widths[2], 'B'), reader, entry, 75, 74);
    wideOperand(reader, instruction, entry,
                both ? widths[wideIsLast ? 3 : 2] : *std::max_element(widths.begin(), widths.end()));
    if (both && !wideIsLast) sign(reader.general(64, widths[3], 'C'), reader, entry, 75, 74);
}

void afterwards(Instruction& instruction, OperandReader& reader, const Arithmetic& entry) {
    if (entry.kind == 0x011) { // LEA takes the upper half only with .HI
        if (!reader.bit(80))
            for (Operand& operand : instruction.operands)
                if (operand.slot == 'C') operand.hidden = operand.index == constantIndex(RegisterFile::general);
        reader.immediate(std::int64_t(reader.bits(75, 5)));
    }
    if (entry.kind == 0x012) reader.immediate(std::int64_t(reader.bits(72, 8)));
    if (entry.kind == 0x03e || entry.kind == 0x026)
        for (Operand& operand : instruction.operands)
            if (operand.slot == 'C')
                operand.hidden = operand.index == constantIndex(RegisterFile::general) && entry.kind == 0x03e;
    if (entry.unit == Unit::conversion)
        for (Operand& operand : instruction.operands)
            operand.slot = 0; // these have no operand cache
}

} // namespace

bool decodeArithmetic(Instruction& instruction) {
    const int kind = kindOf(instruction.operation);
    const auto* entry = std::find_if(std::begin(arithmetic), std::end(arithmetic),
                                     [&](const Arithmetic& one) { return one.kind == kind; });
    if (entry == std::end(arithmetic) || formOf(instruction.operation) == 0) return false;
    OperandReader reader(instruction);
    instruction.mnemonic = entry->mnemonic;
    instruction.unit = entry->unit;
    const auto extra = [&](char letter) { return std::strchr(entry->extras, letter) != nullptr; };
    const std::array<int, 4> widths = conversionWidths(*entry, reader);
    constexpr RegisterFile file = RegisterFile::predicate;
    if (extra('d')) reader.generalWritten(16, widths[0]);
    if (extra('u') || extra('U')) reader.predicateWritten(81, file, extra('U') ? Hide::never : Hide::whenTrue);
    if (extra('v') || extra('V')) reader.predicateWritten(84, file, extra('V') ? Hide::never : Hide::whenTrue);
    threeOperands(reader, instruction, *entry, widths);
    afterwards(instruction, reader, *entry);
    if (extra('p')) reader.predicate(87, 90, file, Hide::never);
    if (extra('c')) reader.predicate(87, 90, file, Hide::whenFalse);
    if (extra('C')) reader.predicate(77, 80, file, Hide::whenFalse);
    if (extra('x')) reader.predicate(68, 71, file, Hide::never).hidden = !reader.bit(72);
    return true;
}

} // namespace kernelarium::sass
