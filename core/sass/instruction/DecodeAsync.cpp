// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

/// `general`, `uniform`: positions of registers that are read, with their counts; 0 ends a list.
struct AsyncKind {
    int operation;
    const char* mnemonic;
    Unit unit;
    struct Field {
        unsigned at = 0;
        int count = 1;
    };
    Field general[3] = {};
    Field uniform[4] = {};
};

constexpr AsyncKind asyncKinds[] = {
    {0x9c5, "WARPGROUP", Unit::branch},
    {0x3c6, "FENCE.VIEW.ASYNC", Unit::memory},
    {0x19c7, "UCGABAR_ARV", Unit::memory},
    {0x1dc7, "UCGABAR_WAIT", Unit::memory},
    {0x9b7, "UTMACMDFLUSH", Unit::memory},
    {0x15b4, "UTMALDG", Unit::memory, {}, {{16, 4}, {24, 2}}},
    {0x13b4, "UTMALDG", Unit::memory, {}, {{16, 4}, {24, 2}, {32, 1}}},
    {0x13b5, "UTMASTG", Unit::memory, {}, {{16, 4}, {24, 2}}},
    {0x13b6, "UTMAREDG", Unit::memory, {}, {{16, 4}, {24, 2}}},
    {0x13ba, "UBLKCP", Unit::memory, {}, {{16, 4}, {24, 2}, {32, 1}}},
    {0x13bb, "UBLKRED", Unit::memory, {}, {{16, 4}, {24, 2}, {32, 1}}},
    {0x13bc, "UBLKPF", Unit::memory, {}, {{24, 2}, {32, 1}}},
    {0x15b8, "UTMAPF", Unit::memory, {}, {{16, 4}, {24, 2}}},
    {0x19b9, "UTMACCTL", Unit::memory, {}, {{24, 2}}},
    {0x9c8, "USETMAXREG", Unit::memory},
    {0x19c8, "USETMAXREG", Unit::memory},
    {0x1dbd, "STAS", Unit::memory, {{24, 1}, {32, 1}}, {{64, 1}}},
    {0x1dbe, "REDAS", Unit::memory, {{24, 1}, {32, 1}}, {{64, 1}}},
    {0x19b0, "ARRIVES", Unit::memory, {{24, 1}}, {{64, 1}}},
    {0x9b0, "ARRIVES", Unit::memory, {{24, 1}}},
    {0x82e, "ACQBULK", Unit::memory},
    {0x82d, "PREEXIT", Unit::memory},
};

/// SYNCS: mbarriers. Forms 2 (0x15a7, 0x15b2) wait, exchange; form 4 arrives and the like.
bool decodeMbarrier(Instruction& instruction, OperandReader& reader) {
    const int operation = instruction.operation;
    const int kind = kindOf(operation);
    if (kind != 0x1a7 && kind != 0x1b2 && kind != 0x1b1) return false;
    instruction.mnemonic = "SYNCS";
    instruction.unit = Unit::memory;
    instruction.fence = Fence::asynchronous;
    const bool uniformData = kind == 0x1b2; // initialises a barrier from uniform registers
    if (uniformData)
        reader.uniformWritten(16, 2);
    else if (kind == 0x1a7 && formOf(operation) == 2) // asks for a phase
        reader.predicateWritten(81, RegisterFile::predicate, Hide::never);
    else if (kind == 0x1a7) // arrives: the state before
        reader.generalWritten(16, 2).hidden = reader.bits(16, 8) == 255;
    if (uniformData)
        reader.uniform(24);
    else
        reader.address(24, false, isUniformForm(operation) ? 64 : 0, 1, false);
    if (uniformData)
        reader.uniform(32, 2);
    else if (kind == 0x1a7)
        reader.general(32);
    return true;
}

} // namespace

bool decodeAsync(Instruction& instruction) {
    OperandReader reader(instruction);
    if (decodeMbarrier(instruction, reader)) return true;
    if (instruction.operation == 0x82f) {
        instruction.mnemonic = "ELECT";
        instruction.unit = Unit::integer;
        instruction.isConvergent = true;
        reader.predicateWritten(81, RegisterFile::predicate, Hide::never);
        reader.uniformWritten(16).hidden = reader.bits(16, 6) == 63;
        return true;
    }
    const auto* found = std::find_if(std::begin(asyncKinds), std::end(asyncKinds),
                                     [&](const AsyncKind& one) { return one.operation == instruction.operation; });
    if (found == std::end(asyncKinds)) return false;
    instruction.mnemonic = found->mnemonic;
    instruction.unit = found->unit;
    instruction.fence = Fence::asynchronous;
    for (const AsyncKind::Field& field : found->general)
        if (field.at != 0) reader.general(field.at, field.count);
    for (const AsyncKind::Field& field : found->uniform)
        if (field.at != 0) reader.uniform(field.at, field.count);
    return true;
}

} // namespace kernelarium::sass
