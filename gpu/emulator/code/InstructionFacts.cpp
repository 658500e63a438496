// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/InstructionFacts.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kernelarium::emulator {

namespace {

using ptx::Instruction;
using ptx::Space;
using ptx::Type;
using Kind = InstructionClass;

template <std::size_t N> bool isOneOf(std::string_view text, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), text) != names.end();
}

/// The last type among the modifiers: that of the operands, or the source of a conversion.
Type lastType(const Instruction& i) {
    for (std::size_t k = i.modifiers.size(); k-- > 0;)
        if (const auto type = ptx::parseType(i.modifiers[k])) return *type;
    return Type::none;
}

bool isHalf(Type t) {
    return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2;
}
bool isPair(Type t) {
    return t == Type::f16x2 || t == Type::bf16x2;
}

Kind kindOf(Type t) {
    if (t == Type::f32) return Kind::fp32;
    if (t == Type::f64) return Kind::fp64;
    return isHalf(t) ? Kind::fp16 : Kind::integer;
}

Precision precisionOf(Type t) {
    if (t == Type::f64) return Precision::fp64;
    return isHalf(t) ? Precision::fp16 : Precision::fp32;
}

/// m16n8k16 of a matrix instruction: multiply-adds of the warp; 0 where it names no shape.
unsigned multiplyAdds(const Instruction& i) {
    for (const std::string_view m : i.modifiers) {
        unsigned size[3] = {};
        const char* at = m.data();
        const char* const end = at + m.size();
        bool all = true;
        for (int k = 0; all && k < 3; ++k) {
            all = at != end && *at == "mnk"[k];
            if (!all) break;
            const auto read = std::from_chars(at + 1, end, size[k]);
            all = read.ec == std::errc();
            at = read.ptr;
        }
        if (all && at == end) return size[0] * size[1] * size[2];
    }
    return 0;
}

/// Division, roots and the like: how many machine instructions, in halves.
std::uint8_t specialSlots(const Instruction& i, Type t) {
    const bool approximate = i.has("approx") || i.has("full");
    if (!ptx::isFloat(t)) return ptx::byteSize(t) == 8 ? 140 : 40; // div, rem
    if (t == Type::f64) return i.opcode == "rsqrt" || i.has("ftz") ? 20 : 40;
    if (i.opcode == "div") return approximate ? 4 : 18;
    if (i.opcode == "sqrt" || i.opcode == "rcp") return approximate ? 2 : 16;
    // sin and cos scale their argument first; ex2 and lg2 look for subnormals unless they may flush them.
    if (i.opcode == "sin" || i.opcode == "cos") return 4;
    if (i.opcode == "ex2" || i.opcode == "lg2") return i.has("ftz") ? 2 : 8;
    return 2;
}

InstructionFacts arithmetic(const Instruction& i) {
    static constexpr std::array<std::string_view, 10> special{"div", "rem", "sqrt", "rsqrt", "rcp",
                                                              "sin", "cos", "ex2",  "lg2",   "tanh"};
    InstructionFacts f;
    Type type = lastType(i);
    if (i.opcode == "setp" || i.opcode == "testp") {
        f.kind = kindOf(type) == Kind::fp64 ? Kind::fp64 : Kind::integer;
        return f;
    }
    f.precision = precisionOf(type);
    const std::uint16_t elements = isPair(type) ? 2 : 1;
    if (isOneOf(i.opcode, special)) {
        f.kind = Kind::special;
        f.halfSlots = specialSlots(i, type);
        f.flops = ptx::isFloat(type) ? elements : std::uint16_t(0);
        return f;
    }
    f.kind = kindOf(type);
    if (ptx::isFloat(type)) {
        if (i.opcode == "fma" || i.opcode == "mad")
            f.flops = std::uint16_t(2 * elements);
        else if (i.opcode == "add" || i.opcode == "sub" || i.opcode == "mul")
            f.flops = elements;
    } else if (ptx::byteSize(type) == 8 && !i.has("wide")) {
        f.halfSlots = i.opcode == "mul" || i.opcode == "mad" ? 8 : 4;
    }
    return f;
}

InstructionFacts memory(const Instruction& i, Space space, bool wideAddress) {
    InstructionFacts f;
    f.space = space;
    f.wideAddress = wideAddress;
    f.kind = i.opcode == "st" ? Kind::store : i.opcode == "ld" || i.opcode == "ldu" ? Kind::load : Kind::atomic;
    const unsigned elements = i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
    f.bytes = std::uint8_t(std::min(128u, elements * ptx::byteSize(lastType(i))));
    if (space == Space::param || i.has("const")) {
        // The constant bank is an operand of the machine's instructions.
        f.kind = Kind::move;
        f.halfSlots = 0;
    }
    const Type type = lastType(i);
    if (f.kind == Kind::atomic && ptx::isFloat(type) && i.has("add")) {
        f.flops = isPair(type) ? 2 : 1;
        f.precision = precisionOf(type);
    }
    return f;
}

/// By the factors of a product of matrices.
Precision tensorPrecision(const Instruction& i) {
    if (i.has("f64")) return Precision::fp64;
    if (i.has("tf32")) return Precision::tensorTf32;
    if (i.has("e4m3") || i.has("e5m2")) return Precision::tensorFp8;
    return i.has("s32") ? Precision::tensorInt8 : Precision::tensor;
}

/// Operations of one of `lanes` lanes. Products of bits and of half a byte are counted by none.
std::uint16_t tensorOperations(const Instruction& i, unsigned lanes) {
    if (i.has("s32") && !i.has("s8") && !i.has("u8")) return 0;
    return std::uint16_t(multiplyAdds(i) * 2 / lanes);
}

InstructionFacts matrix(const Instruction& i) {
    InstructionFacts f;
    f.kind = Kind::tensor;
    f.precision = tensorPrecision(i);
    const unsigned products = multiplyAdds(i);
    f.flops = tensorOperations(i, 32);
    constexpr unsigned ofOne = 16 * 8 * 16; // HMMA.16816 is the largest that the machine has
    f.halfSlots = std::uint8_t(2 * std::clamp(products / ofOne, 1u, 100u));
    return f;
}

/// ldmatrix, stmatrix: rows of 16 bytes, which the first lanes name.
InstructionFacts matrixRows(const Instruction& i, bool wideAddress) {
    InstructionFacts f;
    f.kind = i.opcode == "stmatrix" ? Kind::store : Kind::load;
    f.space = Space::shared;
    f.wideAddress = wideAddress;
    f.bytes = 16;
    f.lanes = i.has("x4") ? ~0u : i.has("x2") ? 0xffffu : 0xffu;
    return f;
}

/// wmma.load and wmma.store: as many accesses as the fragment has registers, or elements.
InstructionFacts matrixElements(const Instruction& i, Space space, bool wideAddress) {
    InstructionFacts f;
    f.kind = i.has("store") ? Kind::store : Kind::load;
    f.space = space;
    f.wideAddress = wideAddress;
    f.isFragment = true;
    return f;
}

/// Its global side is a load or a store; that shared memory is the other one is not counted.
InstructionFacts bulkCopy(const Instruction& i) {
    InstructionFacts f;
    f.kind = Kind::barrier; // commit_group, wait_group, and what stays within shared memory
    f.space = Space::global;
    const bool global = i.has("global");
    if (!global || i.has("commit_group") || i.has("wait_group") || i.has("prefetch")) return f;
    const bool stores = i.has("bulk_group");
    f.kind = !stores ? Kind::load : i.has("reduce") ? Kind::atomic : Kind::store;
    f.isBulk = true;
    f.bytes = 16; // what it moves is counted in steps of this size
    return f;
}

/// A warp's share of a warpgroup's product, which it issues as one instruction.
InstructionFacts warpgroup(const Instruction& i) {
    InstructionFacts f;
    f.kind = i.has("mma_async") ? Kind::tensor : Kind::barrier;
    f.precision = tensorPrecision(i);
    f.flops = tensorOperations(i, 128);
    return f;
}

/// Its source is a load of global memory; that it also stores to shared memory is not counted.
InstructionFacts asyncCopy(const Instruction& i) {
    InstructionFacts f;
    const bool copies = i.has("shared") || i.has("shared::cta");
    f.kind = copies && !i.has("mbarrier") ? Kind::load : Kind::barrier;
    f.space = Space::global;
    f.wideAddress = true;
    if (copies && i.operands.size() > 2) f.bytes = std::uint8_t(i.operands[2].bits);
    return f;
}

} // namespace

InstructionFacts factsOf(const Instruction& i, Space space, bool wideAddress) {
    static constexpr std::array<std::string_view, 7> control{"bra", "brx", "call", "ret", "exit", "trap", "brkpt"};
    static constexpr std::array<std::string_view, 5> barriers{"bar", "barrier", "membar", "fence", "mbarrier"};
    static constexpr std::array<std::string_view, 6> shuffles{"shfl", "vote", "match", "redux", "activemask", "elect"};
    static constexpr std::array<std::string_view, 4> moves{"mov", "cvta", "isspacep", "nop"};
    static constexpr std::array<std::string_view, 5> accesses{"ld", "ldu", "st", "atom", "red"};
    static constexpr std::array<std::string_view, 5> housekeeping{"setmaxnreg", "griddepcontrol", "createpolicy",
                                                                  "mapa", "getctarank"};
    InstructionFacts f;
    if ((i.opcode == "st" || i.opcode == "red") && i.has("async"))
        f.kind = Kind::barrier; // a word on its way to another block
    else if (isOneOf(i.opcode, accesses))
        f = memory(i, space, wideAddress);
    else if (isOneOf(i.opcode, control))
        f.kind = Kind::control;
    else if (isOneOf(i.opcode, barriers))
        f.kind = Kind::barrier;
    else if (isOneOf(i.opcode, shuffles))
        f.kind = Kind::shuffle;
    else if (i.opcode == "ldmatrix" || i.opcode == "stmatrix")
        f = matrixRows(i, wideAddress);
    else if (i.opcode == "wmma" && !i.has("mma"))
        f = matrixElements(i, space, wideAddress);
    else if (i.opcode == "cp")
        f = i.has("bulk") ? bulkCopy(i) : asyncCopy(i);
    else if (i.opcode == "wgmma")
        f = warpgroup(i);
    else if (isOneOf(i.opcode, housekeeping))
        f.kind = Kind::control;
    else if (i.opcode == "mma" || (i.opcode == "wmma" && i.has("mma")))
        f = matrix(i);
    else if (i.opcode == "cvt")
        f.kind = Kind::convert;
    else if (isOneOf(i.opcode, moves))
        f.kind = Kind::move;
    else if (i.opcode == "selp" || i.opcode == "slct")
        f.kind = Kind::move;
    else
        f = arithmetic(i);
    // Registers are renamed away; conversions between integer widths mostly vanish, others run at a quarter rate.
    if (isOneOf(i.opcode, moves)) f.halfSlots = 0;
    f.textLine = i.textLine;
    return f;
}

} // namespace kernelarium::emulator
