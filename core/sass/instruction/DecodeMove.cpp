// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

namespace kernelarium::sass {

namespace {

constexpr RegisterFile plainPredicate = RegisterFile::predicate, uniformPredicate = RegisterFile::uniformPredicate;

/// Those that the mask in bits 32 to 38 names.
void maskedPredicates(OperandReader& reader, bool written) {
    for (int i = 0; i < constantIndex(plainPredicate); ++i) {
        if (!reader.bit(unsigned(32 + i))) continue;
        written ? reader.writesQuietly(plainPredicate, i) : reader.readsQuietly(plainPredicate, i);
    }
}

/// Special registers that stay the same for as long as the thread lives: indices and sizes, not clocks and masks.
bool staysTheSame(std::uint64_t special) {
    return special == 0 || (special >= 0x20 && special <= 0x2f) || special == 0x88 || special == 0xff;
}

void logicOfPredicates(Instruction& instruction, OperandReader& reader) {
    instruction.mnemonic = "PLOP3";
    instruction.unit = Unit::integer;
    reader.predicateWritten(81, plainPredicate, Hide::never);
    reader.predicateWritten(84, plainPredicate, Hide::never);
    reader.predicate(87, 90, plainPredicate, Hide::never);
    reader.predicate(77, 80, plainPredicate, Hide::never);
    // Bit 67: the last one is a uniform predicate.
    reader.predicate(68, 71, reader.bit(67) ? uniformPredicate : plainPredicate, Hide::never);
    reader.immediate(std::int64_t(reader.bits(72, 5) << 3 | reader.bits(64, 3)));
    reader.immediate(std::int64_t(reader.bits(16, 8)));
}

bool decodeSpecial(Instruction& instruction, OperandReader& reader) {
    const auto take = [&](const char* mnemonic, Unit unit) {
        instruction.mnemonic = mnemonic;
        instruction.unit = unit;
        return true;
    };
    const std::uint64_t special = reader.bits(72, 8);
    switch (instruction.operation) {
    case 0x805:
        take("CS2R", Unit::integer);
        reader.generalWritten(16, reader.bit(80) ? 2 : 1);
        reader.special(int(special));
        if (!staysTheSame(special)) instruction.fence = Fence::clock;
        return true;
    case 0x919:
        take("S2R", Unit::memory);
        reader.generalWritten(16);
        reader.special(int(special));
        if (!staysTheSame(special)) instruction.fence = Fence::clock;
        return true;
    case 0x9c3:
        take("S2UR", Unit::special);
        reader.uniformWritten(16);
        reader.special(int(special));
        if (!staysTheSame(special)) instruction.fence = Fence::clock;
        return true;
    default: return false;
    }
}

} // namespace

bool decodeMove(Instruction& instruction) {
    OperandReader reader(instruction);
    if (decodeSpecial(instruction, reader)) return true;
    const auto take = [&](const char* mnemonic, Unit unit) {
        instruction.mnemonic = mnemonic;
        instruction.unit = unit;
    };
    switch (instruction.operation) {
    case 0x803:
        take("P2R", Unit::integer);
        reader.generalWritten(16);
        reader.word("PR");
        reader.general(24);
        reader.immediate(std::int64_t(reader.bits(32, 32)));
        maskedPredicates(reader, false);
        return true;
    case 0x804:
        take("R2P", Unit::integer);
        reader.word("PR");
        reader.general(24);
        reader.immediate(std::int64_t(reader.bits(32, 32)));
        maskedPredicates(reader, true);
        instruction.writesPartly = true;
        instruction.fence = Fence::predicates;
        return true;
    case 0x806:
        take("VOTE", Unit::integer);
        reader.generalWritten(16).hidden = reader.bits(16, 8) == 255;
        reader.predicateWritten(81, plainPredicate, Hide::whenTrue);
        reader.predicate(87, 90, plainPredicate, Hide::never);
        instruction.isConvergent = true;
        return true;
    case 0x886:
        take("VOTEU", Unit::uniformMove);
        reader.uniformWritten(16).hidden = reader.bits(16, 6) == 63;
        reader.predicateWritten(81, uniformPredicate, Hide::whenTrue);
        reader.predicate(87, 90, plainPredicate, Hide::never);
        instruction.isConvergent = true;
        return true;
    case 0x21c:
    case 0x81c: logicOfPredicates(instruction, reader); return true;
    case 0x2ca:
    case 0x3c2:
        take("R2UR", Unit::toUniform);
        reader.predicateWritten(81, plainPredicate, Hide::whenTrue);
        reader.uniformWritten(16);
        reader.general(24);
        instruction.isConvergent = true;
        return true;
    case 0x3c4:
        take("REDUX", Unit::special);
        reader.uniformWritten(16);
        reader.general(24);
        instruction.isConvergent = true;
        return true;
    case 0x3a1:
        take("MATCH", Unit::memory);
        reader.predicateWritten(81, plainPredicate, Hide::whenTrue);
        reader.generalWritten(16);
        reader.general(24, reader.bit(73) ? 2 : 1);
        instruction.isConvergent = true;
        return true;
    case 0x3aa:
        take("QSPC", Unit::memory);
        reader.predicateWritten(81, plainPredicate, Hide::never);
        reader.generalWritten(16);
        reader.address(24, reader.bit(72), 0, 1, true);
        return true;
    case 0x34e:
        take("LEPC", Unit::integer);
        reader.generalWritten(16, 2);
        instruction.fence = Fence::clock;
        return true;
    default: return false;
    }
}

} // namespace kernelarium::sass
