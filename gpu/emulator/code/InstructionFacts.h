// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <cstdint>

namespace kernelarium::emulator {

/// What an instruction is, for the counters.
enum class InstructionClass : std::uint8_t {
    none, ///< not counted: a guard, or the second part of an instruction that was decoded into two
    integer,
    fp32,
    fp64,
    fp16,
    tensor,
    special,
    convert,
    move,
    shuffle,
    load,
    store,
    atomic,
    control,
    barrier,
};

/// What floating-point operations are counted as.
enum class Precision : std::uint8_t { fp32, fp64, fp16, tensor, tensorTf32, tensorFp8, tensorInt8 };

/// What counters, faults and recordings say of a decoded instruction.
struct InstructionFacts {
    int userLine = 0;              ///< of the user's file; 0 when unknown
    int textLine = 0;              ///< of the PTX
    std::int32_t instruction = -1; ///< index into ptx::Function::instructions; -1: none that is written there
    InstructionClass kind = InstructionClass::none;
    ptx::Space space = ptx::Space::generic; ///< of a memory access
    Precision precision = Precision::fp32;  ///< of `flops`
    bool wideAddress = false;               ///< the address register holds 64 bits
    std::uint8_t bytes = 0;                 ///< of one lane's access, all elements of a vector together
    /// Machine instructions that ptxas is expected to make of it, in halves.
    std::uint8_t halfSlots = 2;
    std::uint16_t flops = 0;   ///< of one lane
    std::uint32_t lanes = ~0u; ///< whose addresses count
    bool isFragment = false;   ///< wmma.load, wmma.store: the elements of Code::matrixAccesses[Inst::aux]
    bool isBulk = false;       ///< cp.async.bulk between global and shared memory: Code::bulkOps[Inst::aux]
    std::uint16_t site = 0;    ///< index into Code::sites, for race records; 0: unknown
};

/// Facts of an instruction as written. `space` is where a memory access really goes (a variable's own space).
/// Sources: PTX ISA for what an instruction does; the number of machine instructions of a division, a root or a
/// 64-bit integer operation is that of typical code of ptxas for sm_80 to sm_90, rounded.
InstructionFacts factsOf(const ptx::Instruction& instruction, ptx::Space space, bool wideAddress);

} // namespace kernelarium::emulator
