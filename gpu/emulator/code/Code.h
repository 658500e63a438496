// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/AccessRoles.h"
#include "gpu/emulator/code/BulkOp.h"
#include "gpu/emulator/code/CopyOp.h"
#include "gpu/emulator/code/FunctionInfo.h"
#include "gpu/emulator/code/InstructionFacts.h"
#include "gpu/emulator/code/MatrixOp.h"
#include "gpu/emulator/code/Operand.h"
#include "gpu/emulator/code/WarpgroupOp.h"
#include "gpu/emulator/memory/AddressWindows.h"
#include "gpu/emulator/memory/AlignedBytes.h"
#include "gpu/ptx/Module.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace kernelarium::emulator {

/// Inst::bits of memory instructions.
namespace addressing {
constexpr unsigned noBase = 1;    ///< the address is imm alone
constexpr unsigned frameBase = 2; ///< the address is the frame's local memory + imm
constexpr unsigned strong =
    4; ///< volatile, relaxed, acquire or release: its order among others of its kind is not a race
constexpr unsigned releases = 8;    ///< has the effect of a fence before it, ...
constexpr unsigned blockScope = 16; ///< ... of the block only
constexpr unsigned readOnly = 64;   ///< a load through the read-only data path
constexpr unsigned knownRow = 128;  ///< Warp::rows has what is known of the address register (decode/KnownRows.h)
constexpr unsigned wideBase = 32;   ///< the address register has 64 bits; of instructions that do not know it otherwise
} // namespace addressing

/// A decoded instruction. What the fields mean is up to the handler.
struct Inst {
    Handler fn = nullptr;
    Opd d, a, b, c, e;
    std::uint32_t aux = 0; ///< index into a side table, a count, or flags
    std::int64_t imm = 0;
    const Inst* target = nullptr;     ///< branch target (an Enter instruction)
    const Inst* reconverge = nullptr; ///< immediate post-dominator of a branch, null for none
    std::int32_t source = -1;         ///< index into Code::sources; each instruction has its own
    std::uint8_t bits = 0;            ///< small flags of the handler
    std::uint8_t vector = 1;          ///< elements of a vector access
    std::uint8_t row = 0;             ///< of an access: place in Warp::rows; 0: nobody reads it
};

/// Places in Warp::rows. The first one is nobody's.
constexpr std::uint32_t knownRowCount = 16;

/// One call site: how parameters move between the frames. Offsets are relative to each frame's local memory.
struct CallSite {
    std::uint32_t function = 0; ///< callee; ignored when indirect
    bool indirect = false;
    struct Move {
        std::uint32_t caller, callee, bytes;
    };
    std::vector<Move> parameters;
    std::vector<Move> results;
};

/// A function that the module declares only.
struct ExternFunction {
    std::string name;
    std::vector<std::uint32_t> parameterBytes;
    std::uint32_t resultBytes = 0;
};

/// A decoded function: where it begins, and how its frames, parameters and shared memory lie. Bytes.
struct FunctionCode {
    const Inst* entry = nullptr; ///< null for an extern function
    std::uint32_t externIndex = 0;
    std::uint32_t registerBytes = 0; ///< register window of a frame
    std::uint32_t localBytes = 0;    ///< local memory of a frame, parameters included
    std::uint32_t depotOffset = 0;   ///< locals proper start here; parameters and results stand before
    std::vector<std::uint32_t> parameterOffsets, resultOffsets, parameterBytes, resultBytes;
    std::uint32_t staticShared = 0;
    std::uint32_t dynamicSharedOffset = 0;  ///< where extern shared memory starts
    std::uint32_t deepestLocal = 0;         ///< of a kernel: local bytes of a thread with everything it calls
    std::vector<std::uint32_t> sharedSlots; ///< of a kernel: offset of each shared slot
    std::uint32_t maxThreads = 0;           ///< product of .maxntid; 0 where absent
    std::array<std::uint32_t, 3> cluster{}; ///< .reqnctapercluster; 0 where absent
    std::uint32_t startRegisters = 0;       ///< of a thread, for setmaxnreg; 0: ptxas leaves that out
    std::vector<Inst> instructions;
};

/// An access of shared memory in a cluster: the instruction as it is for addresses of the block's own (or any other
/// memory), and on offsets of 32 bits within one block's, which stand in special::farOffset.
struct FarAccess {
    Inst plain, far;
};

/// What a race record tells of the instruction that it is of.
struct AccessSite {
    int line = 0; ///< of the user's file; 0 when unknown
    AccessRole role = AccessRole::other;
};

/// A basic block, for counting.
struct BlockInfo {
    std::uint32_t function = 0;
    std::uint32_t instructions = 0;
};

/// Decoded instructions of a module whose variables lie at certain addresses. Nobody changes it any more.
struct Code {
    std::vector<FunctionInfo> functions;
    std::vector<SymbolInfo> symbols;
    std::vector<FunctionCode> bodies; ///< as functions
    std::vector<ExternFunction> externs;
    std::unordered_map<std::string, std::uint32_t> functionIndex;
    std::unordered_map<std::string, std::uint64_t> symbolAddress;
    std::vector<CallSite> callSites;
    std::vector<std::vector<Opd>> operandLists; ///< vectors, branch tables' operands
    std::vector<std::vector<const Inst*>> branchTables;
    std::vector<BlockInfo> blocks;
    std::vector<MatrixOp> matrixOps;
    std::vector<MatrixAccess> matrixAccesses;
    std::vector<CopyOp> copyOps;
    std::vector<BulkOp> bulkOps;
    std::vector<WarpgroupOp> warpgroupOps;
    std::vector<InstructionFacts> sources;
    std::vector<AccessSite> sites{{}}; ///< by InstructionFacts::site
    std::vector<FarAccess> farAccesses;
    bool readsCluster = false;            ///< some function reads %cluster_ctaid and the like
    bool mayLock = false;                 ///< some function has atomics of which locks are made
    std::vector<std::uint64_t> constants; ///< the constant segment: broadcast lanes (while decoding)
    AlignedBytes constantLanes;           ///< the same, as warps read it
    std::uint32_t specialBytes = 0;       ///< size of a warp's special segment
};

} // namespace kernelarium::emulator
