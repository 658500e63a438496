// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/Code.h"
#include "gpu/ptx/Types.h"

#include <cstdint>

namespace kernelarium::emulator {

/// Operations that lanes have handlers for.
enum class Op : std::uint8_t {
    // arithmetic
    add,
    sub,
    mulLo,
    mulHi,
    mulWide,
    madLo,
    madHi,
    madWide,
    sad,
    div,
    rem,
    abs,
    neg,
    min,
    max,
    fma,
    mul,
    copysign,
    mul24,
    mad24,
    dp4a,
    dp2a,
    addCarry,
    subCarry,
    madLoCarry,
    madHiCarry,
    // bits
    and_,
    or_,
    xor_,
    not_,
    cnot,
    lop3,
    shl,
    shr,
    shfL,
    shfR,
    bfe,
    bfi,
    popc,
    clz,
    bfind,
    brev,
    prmt,
    bmsk,
    szext,
    fns,
    // comparison and selection
    setp,
    set,
    selp,
    slct,
    testp,
    // math
    rcp,
    sqrt,
    rsqrt,
    sin,
    cos,
    lg2,
    ex2,
    tanh,
    // movement
    mov,
    cvt,
    pack,
    unpack,
};

/// Comparisons of setp and set, by their PTX names; those that end in u hold for NaN, too.
enum class Cmp : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
/// How setp joins its result with a predicate.
enum class Logic : std::uint8_t { none, and_, or_, xor_ };
/// Rounding modes, by their PTX names.
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
/// What testp asks.
enum class Test : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };

/// What the decoder asks a handler for.
struct Key {
    Op op{};
    ptx::Type type = ptx::Type::b32;
    ptx::Type from = ptx::Type::b32; ///< cvt: source; set: compared; slct: selector
    Cmp cmp = Cmp::eq;
    Logic logic = Logic::none;
    Rounding rounding = Rounding::none;
    Test test = Test::finite;
    bool ftz = false;
    bool saturate = false;
    bool relu = false;
    bool approximate = false;
    bool nan = false;                  ///< min/max that give NaN when an operand is
    bool clampMode = false;            ///< shf, bmsk: .clamp instead of .wrap
    bool shiftAmount = false;          ///< bfind.shiftamt
    bool upperHalf = false;            ///< dp2a.hi
    std::uint8_t destinationBytes = 0; ///< of the register, where it may be wider than the type
    std::uint8_t sourceBytes = 0;
};

/// What an atomic does.
enum class AtomOp : std::uint8_t { add, min, max, inc, dec, exch, cas, and_, or_, xor_ };

/// Instructions that move matrices between memory and registers.
enum class MatrixMemory : std::uint8_t { load, store, loadRows, storeRows };

/// Handlers compiled for one instruction set. A null handler means: not supported.
struct LaneTable {
    const char* name;
    Handler (*arithmetic)(const Key& key);
    Handler (*bits)(const Key& key);
    Handler (*compare)(const Key& key);
    Handler (*floating)(const Key& key);
    Handler (*half)(const Key& key);
    Handler (*convert)(const Key& key);
    Handler (*move)(const Key& key);
    Handler (*load)(ptx::Space space, ptx::Type type, std::uint32_t destinationBytes, bool wideAddress,
                    std::uint32_t vector);
    Handler (*store)(ptx::Space space, ptx::Type type, std::uint32_t sourceBytes, bool wideAddress,
                     std::uint32_t vector);
    Handler (*atomic)(ptx::Space space, ptx::Type type, AtomOp op, bool wantsResult, bool wideAddress);
    Handler (*warp)(std::string_view opcode, const ptx::Instruction& instruction);
    Handler (*matrix)(const MatrixOp& op);
    Handler (*warpgroup)(const WarpgroupOp& op);
    Handler (*matrixMemory)(MatrixMemory kind, ptx::Space space, std::uint32_t bytes);
    void (*performCopy)(Warp& w, const PendingCopy& copy);
};

/// The best table for this machine's processor (or the one named in KERNELARIUM_ISA: "baseline", "avx2", "avx512").
const LaneTable& laneTable();

namespace isa_baseline {
const LaneTable& table();
}
namespace isa_avx2 {
const LaneTable& table();
}
namespace isa_avx512 {
const LaneTable& table();
}

} // namespace kernelarium::emulator
