// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Control.h"
#include "core/sass/instruction/Registers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::sass {

/// Where an instruction is carried out, as far as it matters to when its result is there. All up to `branch` have a
/// fixed latency; those behind it do not, and say by a scoreboard when they are done.
enum class Unit {
    integer,      ///< 32-bit integer and logic, comparisons, selections
    floating,     ///< single-precision multiply and add
    multiply,     ///< integer multiply-add, which has the floating-point pipe's multiplier
    half,         ///< packed half precision
    doubled,      ///< double precision
    halfMatrix,   ///< half precision through the matrix unit (HFMA2.MMA)
    matrix,       ///< matrix products of one warp
    uniform,      ///< one value for the whole warp
    uniformMove,  ///< moves to uniform registers
    toUniform,    ///< from general to uniform registers
    branch,       ///< control flow
    queuedDouble, ///< double precision on compute capability 8.x
    doubleMatrix, ///< double-precision matrix products
    conversion,   ///< transcendental functions, conversions, bit searches
    memory,       ///< loads, stores, shuffles, barriers
    special,      ///< special registers to uniform ones
    unknown,
};

[[nodiscard]] std::string_view name(Unit unit);

/// Has this unit's work no fixed latency?
[[nodiscard]] bool isVariable(Unit unit);

/// One operand as it is written and as it counts: text and register sets come from the same place.
struct Operand {
    enum class Kind {
        general,          ///< `index`, and `count` registers from there
        uniform,          ///< likewise
        predicate,        ///< `index`
        uniformPredicate, ///< `index`
        immediate,        ///< `value`
        floatBits,        ///< `value`: bits of a float
        doubleBits,       ///< `value`: the upper half of a double
        halfBits,         ///< `value`: two halves
        constant,         ///< bank `bank` at byte `value`, plus uniform register `uniform` where there is one
        address,          ///< [general `index` + uniform `uniform` + `value`], described by `descriptor`
        target,           ///< `value`: byte offset of an instruction within the kernel
        special,          ///< `value`: a special register
        scoreboard,       ///< `value`
        convergence,      ///< `value`: a barrier at which a warp's threads meet again
        word,             ///< `named`
    };
    Kind kind = Kind::immediate;
    int index = 0;
    int count = 1;
    bool written = false;
    bool negated = false; ///< minus, or "not" of a predicate
    bool absolute = false;
    bool inverted = false; ///< bitwise
    bool hidden = false;   ///< counts, but is not part of the text: carries that are not used and the like
    char slot = 0;         ///< 'A', 'B', 'C': the port of the register file, which `reuse` names
    bool isAddend = false; ///< of a matrix product, which is read later than its factors
    std::int64_t value = 0;
    int bank = 0;
    int uniform = -1; ///< of constants and addresses; -1: none
    int uniformCount = 1;
    int descriptor = -1; ///< the first of two uniform registers; -1: none
    bool wide = false;   ///< an address of 64 bits in two registers
    std::string_view named = {};
};

/// What a memory instruction touches.
struct Access {
    enum class Space { global, shared, local, generic, globalToShared };
    enum class Order { weak, constant, strong }; ///< constant: the programmer's word that nothing writes there
    Space space = Space::global;
    Order order = Order::weak;
    bool reads = false;
    bool writes = false;
    bool isAsynchronous = false;
    bool isLocated = false; ///< base, offset and size say where: one thread's own bytes
    int base = 255;
    int uniformBase = 63;
    std::int64_t offset = 0;
    int bytes = 0;
};

/// Why an instruction keeps its place, and nothing is moved past it. None: it may move.
enum class Fence {
    none,
    controlFlow,
    barrier,      ///< of the block, of memory, of copies under way
    asynchronous, ///< wgmma, bulk copies, mbarriers, setmaxnreg
    atomic,
    strong,     ///< a volatile or otherwise ordered access
    clock,      ///< a special register that changes
    predicates, ///< all predicates at once
    neverRuns,  ///< its guard is never true: the assembler put it there for the hardware's sake
    padding,
    listed,  ///< its place is named in the cubin's tables or by a relocation
    unknown, ///< not in our table
};

[[nodiscard]] std::string_view name(Fence fence);

/// One decoded instruction. Its text, its registers and its scheduling all come from `word` alone; `place` and
/// `target` are byte offsets within the kernel's code.
struct Instruction {
    Word word;
    std::int64_t place = 0;
    int operation = 0;         ///< bits 0 to 11, and bit 91 as bit 12
    std::string_view mnemonic; ///< "IMAD"; empty where the operation is not in our table
    Unit unit = Unit::unknown;
    Fence fence = Fence::none;
    Control control;
    std::vector<Operand> operands; ///< in the order of the text
    bool hasUniformGuard = false;
    int guard = 7;
    bool guardNegated = false;
    bool isConvergent = false; ///< looks at other threads of the warp
    bool writesPartly = false; ///< keeps the rest of what its registers held
    std::optional<Access> access;
    std::optional<std::int64_t> target;

    RegisterSet reads; ///< guard included
    RegisterSet writes;
    RegisterSet guardReads;
    RegisterSet addends;

    [[nodiscard]] bool isKnown() const { return !mnemonic.empty(); }
    [[nodiscard]] bool isVariable() const { return sass::isVariable(unit); }
    [[nodiscard]] bool isGuarded() const { return guard != 7 || guardNegated; }
    /// Guarded by a predicate that is never true.
    [[nodiscard]] bool neverRuns() const { return guard == 7 && guardNegated; }
    /// The general register that is read through port 'A', 'B' or 'C'; 255 where there is none.
    [[nodiscard]] int slot(char letter) const;
};

} // namespace kernelarium::sass
