// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/FunctionDecoder.h"

#include <map>

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Type;

namespace {

Rounding roundingOf(std::string_view m) {
    static const std::map<std::string_view, Rounding> names = {
        {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},
        {"rp", Rounding::rp},   {"rna", Rounding::rna}, {"rni", Rounding::rni},
        {"rzi", Rounding::rzi}, {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi}};
    const auto found = names.find(m);
    return found == names.end() ? Rounding::none : found->second;
}

std::optional<Op> lookUp(const std::map<std::string_view, Op>& names, std::string_view opcode) {
    const auto found = names.find(opcode);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

bool isHalfType(Type t) {
    return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2;
}

Type widened(Type t) {
    switch (t) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    default: return Type::s64;
    }
}

} // namespace

Type FunctionDecoder::typeAt(I i, std::size_t fromEnd) const {
    for (auto m = i.modifiers.rbegin(); m != i.modifiers.rend(); ++m)
        if (const auto type = ptx::parseType(*m)) {
            if (fromEnd == 0) return *type;
            --fromEnd;
        }
    if (fromEnd == 0) unsupported(i, "no type");
    return Type::none;
}

Key FunctionDecoder::keyOf(I i, Op op) const {
    Key k;
    k.op = op;
    for (std::string_view m : i.modifiers) {
        if (const Rounding r = roundingOf(m); r != Rounding::none)
            k.rounding = r;
        else if (m == "ftz")
            k.ftz = true;
        else if (m == "sat" || m == "satfinite")
            k.saturate = true;
        else if (m == "relu")
            k.relu = true;
        else if (m == "approx" || m == "full")
            k.approximate = true;
        else if (m == "NaN")
            k.nan = true;
        else if (m == "clamp")
            k.clampMode = true;
        else if (m == "shiftamt")
            k.shiftAmount = true;
        else if (m == "xorsign" || m == "noftz" || m == "oob")
            unsupported(i);
    }
    k.type = typeAt(i, 0);
    return k;
}

bool FunctionDecoder::decodeArithmetic(I i) {
    if (i.opcode == "mad" || i.opcode == "fma") return decodeMad(i), true;
    if (i.has("cc") || i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc") return decodeCarry(i), true;
    static const std::map<std::string_view, Op> two = {{"add", Op::add},    {"sub", Op::sub}, {"div", Op::div},
                                                       {"rem", Op::rem},    {"min", Op::min}, {"max", Op::max},
                                                       {"mul24", Op::mul24}};
    const bool isMul = i.opcode == "mul";
    const auto op = isMul ? std::optional(i.has("wide") ? Op::mulWide
                                          : i.has("hi") ? Op::mulHi
                                                        : Op::mulLo)
                          : lookUp(two, i.opcode);
    if (op) {
        const Key k = keyOf(i, *op);
        if (ptx::isFloat(k.type) || isHalfType(k.type)) return false;
        if (i.opcode == "mul24" && i.has("hi")) unsupported(i);
        emitOperation(m_context.lanes.arithmetic(k), i, k.type, {k.type, k.type});
        return true;
    }
    if (i.opcode == "abs" || i.opcode == "neg") {
        const Key k = keyOf(i, i.opcode == "abs" ? Op::abs : Op::neg);
        if (ptx::isFloat(k.type) || isHalfType(k.type)) return false;
        emitOperation(m_context.lanes.arithmetic(k), i, k.type, {k.type});
        return true;
    }
    if (i.opcode == "sad" || i.opcode == "mad24") {
        if (i.has("hi")) unsupported(i);
        const Key k = keyOf(i, i.opcode == "sad" ? Op::sad : Op::mad24);
        emitOperation(m_context.lanes.arithmetic(k), i, k.type, {k.type, k.type, k.type});
        return true;
    }
    if (i.opcode == "dp4a" || i.opcode == "dp2a") {
        Key k = keyOf(i, i.opcode == "dp4a" ? Op::dp4a : Op::dp2a);
        k.upperHalf = i.has("hi");
        k.type = typeAt(i, 1);
        k.from = typeAt(i, 0);
        emitOperation(m_context.lanes.arithmetic(k), i, Type::b32, {Type::b32, Type::b32, Type::b32});
        return true;
    }
    return false;
}

void FunctionDecoder::decodeMad(I i) {
    Key k = keyOf(i, Op::fma);
    if (isHalfType(k.type)) {
        emitOperation(m_context.lanes.half(k), i, k.type, {k.type, k.type, k.type});
        m_body.instructions.back().bits = std::uint8_t(k.saturate | k.relu << 1 | k.ftz << 3);
        return;
    }
    if (ptx::isFloat(k.type)) {
        emitOperation(m_context.lanes.floating(k), i, k.type, {k.type, k.type, k.type});
        m_body.instructions.back().imm = roundingMode(k.rounding);
        m_body.instructions.back().bits = std::uint8_t(k.ftz | k.saturate << 1);
        return;
    }
    k.op = i.has("wide") ? Op::madWide : i.has("hi") ? Op::madHi : Op::madLo;
    if (k.saturate) unsupported(i);
    const Type sum = k.op == Op::madWide ? widened(k.type) : k.type;
    emitOperation(m_context.lanes.arithmetic(k), i, sum, {k.type, k.type, sum});
}

void FunctionDecoder::decodeCarry(I i) {
    const bool mad = i.opcode == "mad" || i.opcode == "madc";
    const bool reads = i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc";
    const Op op = mad ? (i.has("hi") ? Op::madHiCarry : Op::madLoCarry)
                      : (i.opcode == "add" || i.opcode == "addc" ? Op::addCarry : Op::subCarry);
    const Key k = keyOf(i, op);
    if (mad)
        emitOperation(m_context.lanes.arithmetic(k), i, k.type, {k.type, k.type, k.type});
    else
        emitOperation(m_context.lanes.arithmetic(k), i, k.type, {k.type, k.type});
    m_body.instructions.back().bits = std::uint8_t((reads ? 1 : 0) | (i.has("cc") ? 2 : 0));
}

bool FunctionDecoder::decodeFloat(I i) {
    static const std::map<std::string_view, Op> names = {
        {"add", Op::add},     {"sub", Op::sub},          {"mul", Op::mul}, {"div", Op::div}, {"min", Op::min},
        {"max", Op::max},     {"abs", Op::abs},          {"neg", Op::neg}, {"rcp", Op::rcp}, {"sqrt", Op::sqrt},
        {"rsqrt", Op::rsqrt}, {"sin", Op::sin},          {"cos", Op::cos}, {"lg2", Op::lg2}, {"ex2", Op::ex2},
        {"tanh", Op::tanh},   {"copysign", Op::copysign}};
    const auto op = lookUp(names, i.opcode);
    if (!op) return false;
    Key k = keyOf(i, *op);
    const std::size_t sources = i.operands.size() < 2 ? 0 : i.operands.size() - 1;
    if (sources < 1 || sources > 2) unsupported(i, "operand count");
    Handler h = isHalfType(k.type) ? m_context.lanes.half(k) : m_context.lanes.floating(k);
    if (sources == 1)
        emitOperation(h, i, k.type, {k.type});
    else
        emitOperation(h, i, k.type, {k.type, k.type});
    Inst& inst = m_body.instructions.back();
    if (isHalfType(k.type)) {
        if (sources == 1) inst.b = inst.a;
        inst.bits = std::uint8_t(k.saturate | k.relu << 1 | k.nan << 2 | k.ftz << 3);
    } else {
        if (sources == 1)
            inst.b = inst.c = inst.a;
        else
            inst.c = inst.a;
        inst.imm = roundingMode(k.rounding);
        inst.bits = std::uint8_t(k.ftz | k.saturate << 1);
    }
    return true;
}

bool FunctionDecoder::decodeConversion(I i) {
    if (i.opcode != "cvt") return false;
    operandCount(i, 2);
    Key k = keyOf(i, Op::cvt);
    k.type = typeAt(i, 1);
    k.from = typeAt(i, 0);
    k.destinationBytes = std::uint8_t(widthOf(i.operands[0]));
    if (i.operands.size() == 3) {
        emitOperation(m_context.lanes.convert(k), i, k.type, {k.from, k.from});
    } else {
        const ptx::Operand& s = i.operands[1];
        k.sourceBytes = std::uint8_t(s.kind == OperandKind::reg ? widthOf(s) : std::max(2u, ptx::byteSize(k.from)));
        // Sources may be wider than their type.
        const Opd a = s.kind == OperandKind::reg ? registerOf(s, i) : source(s, k.from, i);
        Inst& inst = emit(m_context.lanes.convert(k), i);
        inst.d = destination(i.operands[0], i);
        inst.a = a;
    }
    Inst& inst = m_body.instructions.back();
    inst.aux = std::uint32_t(k.type) | std::uint32_t(k.from) << 8 | std::uint32_t(k.destinationBytes) << 16 |
               std::uint32_t(k.sourceBytes) << 20 | std::uint32_t(k.rounding) << 24;
    inst.bits = std::uint8_t(k.ftz | k.saturate << 1 | k.relu << 2);
    return true;
}

} // namespace kernelarium::emulator
