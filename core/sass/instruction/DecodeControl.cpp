// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoding.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

struct ControlKind {
    int operation;
    const char* mnemonic;
    Fence fence;
    Unit unit;
};
constexpr ControlKind controls[] = {
    {0x355, "BMOV.32", Fence::barrier, Unit::memory}, // saves a convergence barrier across calls
    {0x356, "BMOV.32", Fence::barrier, Unit::memory},
    {0x918, "NOP", Fence::padding, Unit::integer},
    {0x94d, "EXIT", Fence::controlFlow, Unit::branch},
    {0x947, "BRA", Fence::controlFlow, Unit::branch},
    {0x1947, "BRA", Fence::controlFlow, Unit::branch},
    {0x945, "BSSY", Fence::controlFlow, Unit::branch},
    {0x941, "BSYNC", Fence::controlFlow, Unit::branch},
    {0x942, "BREAK", Fence::controlFlow, Unit::branch},
    {0x944, "CALL.REL.NOINC", Fence::controlFlow, Unit::branch},
    {0x943, "CALL.ABS.NOINC", Fence::controlFlow, Unit::branch},
    {0x343, "CALL.ABS.NOINC", Fence::controlFlow, Unit::branch},
    {0x950, "RET.REL.NODEC", Fence::controlFlow, Unit::branch},
    {0x949, "BRX", Fence::controlFlow, Unit::branch},
    {0x946, "YIELD", Fence::controlFlow, Unit::branch},
    {0x348, "WARPSYNC", Fence::controlFlow, Unit::branch},
    {0x948, "WARPSYNC", Fence::controlFlow, Unit::branch},
    {0x91b, "ENDCOLLECTIVE", Fence::controlFlow, Unit::branch},
    {0x95c, "BPT", Fence::controlFlow, Unit::memory},
    {0x95d, "NANOSLEEP", Fence::barrier, Unit::memory},
    {0x35d, "NANOSLEEP", Fence::barrier, Unit::memory},
    {0x992, "MEMBAR", Fence::barrier, Unit::memory},
    {0x9ab, "ERRBAR", Fence::barrier, Unit::memory},
    {0x5ab, "CGAERRBAR", Fence::barrier, Unit::memory},
    {0x98f, "CCTL", Fence::barrier, Unit::memory},
    {0x198f, "CCTL", Fence::barrier, Unit::memory},
    {0x9af, "LDGDEPBAR", Fence::barrier, Unit::memory},
    {0x91a, "DEPBAR", Fence::barrier, Unit::integer},
    {0xb1d, "BAR", Fence::barrier, Unit::memory},
    {0x91d, "BAR", Fence::barrier, Unit::memory},
    {0x51d, "BAR", Fence::barrier, Unit::memory},
    {0x31d, "BAR", Fence::barrier, Unit::memory},
};

/// A branch's distance from the next instruction, in units of 4 bytes: 48 bits, to which compute capability 9.0 added 8
/// lower ones in another place.
std::int64_t branchDistance(const OperandReader& reader, int computeCapability) {
    if (computeCapability < 90) return (std::int64_t(reader.bits(34, 48) << 16) >> 16) * 4;
    const std::uint64_t raw = reader.bits(34, 48) << 8 | reader.bits(16, 8);
    return (std::int64_t(raw << 8) >> 8) * 4;
}

/// A convergence barrier, B0 to B15.
void convergenceBarrier(OperandReader& reader, unsigned at) {
    reader.immediate(std::int64_t(reader.bits(at, 4))).kind = Operand::Kind::convergence;
}

/// The barrier's place may name what is none (the active threads and the like), which is not in our table.
bool isBarrierMove(const OperandReader& reader) {
    return reader.bits(28, 4) == 0;
}

void barrierMoveOperands(Instruction& instruction, OperandReader& reader) {
    if (instruction.operation == 0x356) {
        convergenceBarrier(reader, 24);
        reader.general(32);
        return;
    }
    reader.generalWritten(16);
    convergenceBarrier(reader, 24);
}

void barrierOperands(Instruction& instruction, OperandReader& reader) {
    const int operation = instruction.operation;
    if (operation == 0xb1d || operation == 0x51d)
        reader.immediate(std::int64_t(reader.bits(54, 4)));
    else
        reader.general(32);
    if (operation == 0x51d) reader.general(32);
    if (operation == 0x31d) reader.general(64);
    const auto mode = reader.bits(77, 3); // reductions over a predicate
    if (mode == 2 || mode == 3) reader.predicate(87, 90, RegisterFile::predicate, Hide::never);
}

void branchOperands(Instruction& instruction, OperandReader& reader, int computeCapability) {
    switch (instruction.operation) {
    case 0x1947: // over a uniform predicate; which one, and in what mode, is read widely
        reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue);
        for (int i = 0; i < constantIndex(RegisterFile::uniformPredicate); ++i)
            reader.readsQuietly(RegisterFile::uniformPredicate, i);
        reader.readsQuietly(RegisterFile::uniform, int(reader.bits(24, 6)));
        reader.target(branchDistance(reader, computeCapability));
        break;
    case 0x947:
        reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue);
        reader.target(branchDistance(reader, computeCapability));
        break;
    case 0x944: reader.target(branchDistance(reader, computeCapability)); break;
    case 0x945: // convergence barrier, then where the warp meets again
        convergenceBarrier(reader, 16);
        reader.target(std::int64_t(reader.bits(34, 30) << 34) >> 32);
        break;
    case 0x941:
    case 0x942:
        reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue);
        convergenceBarrier(reader, 16);
        break;
    case 0x94d: reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue); break;
    case 0x950:
        reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue);
        reader.general(24, 2);
        break;
    case 0x943: reader.immediate(std::int64_t(reader.bits(32, 48))); break;
    case 0x343: reader.general(24, 2); break;
    case 0x949: reader.general(24, 2); break;
    case 0x348:
    case 0x948:
        reader.predicate(87, 90, RegisterFile::predicate, Hide::whenTrue);
        if (instruction.operation == 0x948) {
            reader.immediate(std::int64_t(reader.bits(32, 32)));
        } else {
            reader.general(computeCapability < 90 ? 32 : 24);
            // 9.0 names where threads that stay away go on.
            if (computeCapability >= 90) reader.target(branchDistance(reader, computeCapability));
        }
        break;
    default: break;
    }
}

} // namespace

bool decodeControl(Instruction& instruction, int computeCapability) {
    const auto* found = std::find_if(std::begin(controls), std::end(controls),
                                     [&](const ControlKind& one) { return one.operation == instruction.operation; });
    if (found == std::end(controls)) return false;
    OperandReader reader(instruction);
    const int kind = kindOf(instruction.operation);
    const bool movesBarrier = kind == 0x155 || kind == 0x156;
    if (movesBarrier && !isBarrierMove(reader)) return false;
    instruction.mnemonic = found->mnemonic;
    instruction.unit = found->unit;
    instruction.fence = found->fence;
    if (movesBarrier)
        barrierMoveOperands(instruction, reader);
    else if (kind == 0x11d)
        barrierOperands(instruction, reader);
    else if (instruction.operation == 0x91a) { // DEPBAR.LE SB0, 0x1, {2,3}
        Operand& board = reader.immediate(std::int64_t(reader.bits(44, 3)));
        board.kind = Operand::Kind::scoreboard;
        reader.immediate(std::int64_t(reader.bits(38, 6)));
    } else if (kind == 0x15d) {
        if (instruction.operation == 0x35d)
            reader.general(32);
        else
            reader.immediate(std::int64_t(reader.bits(32, 32)));
    } else if (kind == 0x18f)
        reader.address(24, reader.bit(72), 0, 1, true);
    else if (found->unit == Unit::branch)
        branchOperands(instruction, reader, computeCapability);
    return true;
}

} // namespace kernelarium::sass
