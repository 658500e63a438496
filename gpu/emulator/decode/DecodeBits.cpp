// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/FarAccess.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

#include <map>

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

bool FunctionDecoder::decodeBits(I i) {
    if (i.opcode == "lop3") return decodeLop3(i), true;
    if (i.opcode == "prmt") return decodePrmt(i), true;
    static const std::map<std::string_view, Op> two = {{"and", Op::and_}, {"or", Op::or_}, {"xor", Op::xor_}};
    static const std::map<std::string_view, Op> one = {{"not", Op::not_}, {"cnot", Op::cnot}, {"popc", Op::popc},
                                                       {"clz", Op::clz},  {"brev", Op::brev}, {"bfind", Op::bfind}};
    if (const auto f = two.find(i.opcode); f != two.end()) {
        const Key k = keyOf(i, f->second);
        if (k.type == Type::pred) {
            operandCount(i, 3);
            const Opd a = sourcePredicate(i.operands[1], i), b = sourcePredicate(i.operands[2], i);
            Inst& inst = emit(m_context.lanes.bits(k), i);
            inst.d = destination(i.operands[0], i);
            inst.a = a;
            inst.b = b;
            return true;
        }
        emitOperation(m_context.lanes.bits(k), i, k.type, {k.type, k.type});
        return true;
    }
    if (const auto f = one.find(i.opcode); f != one.end()) {
        const Key k = keyOf(i, f->second);
        if (k.type == Type::pred) {
            operandCount(i, 2);
            const Opd a = sourcePredicate(i.operands[1], i);
            Inst& inst = emit(m_context.lanes.bits(k), i);
            inst.d = destination(i.operands[0], i);
            inst.a = a;
            return true;
        }
        emitOperation(m_context.lanes.bits(k), i, k.type, {k.type});
        return true;
    }
    if (i.opcode == "shl" || i.opcode == "shr") {
        const Key k = keyOf(i, i.opcode == "shl" ? Op::shl : Op::shr);
        emitOperation(m_context.lanes.bits(k), i, k.type, {k.type, Type::b32});
        return true;
    }
    if (i.opcode == "shf") {
        const Key k = keyOf(i, i.has("l") ? Op::shfL : Op::shfR);
        emitOperation(m_context.lanes.bits(k), i, k.type, {Type::b32, Type::b32, Type::b32});
        return true;
    }
    if (i.opcode == "bfe") {
        const Key k = keyOf(i, Op::bfe);
        emitOperation(m_context.lanes.bits(k), i, k.type, {k.type, Type::b32, Type::b32});
        return true;
    }
    if (i.opcode == "bfi") {
        const Key k = keyOf(i, Op::bfi);
        emitOperation(m_context.lanes.bits(k), i, k.type, {k.type, k.type, Type::b32, Type::b32});
        return true;
    }
    if (i.opcode == "bmsk" || i.opcode == "szext") {
        const Key k = keyOf(i, i.opcode == "bmsk" ? Op::bmsk : Op::szext);
        emitOperation(m_context.lanes.bits(k), i, k.type, {Type::b32, Type::b32});
        return true;
    }
    return false;
}

void FunctionDecoder::decodeLop3(I i) {
    Key k;
    k.op = Op::lop3;
    operandCount(i, 5);
    if (i.operands[0].kind == OperandKind::pair) unsupported(i, "a predicate result");
    if (i.operands[4].kind != OperandKind::integer) unsupported(i, "its table must be a number");
    emitOperation(m_context.lanes.bits(k), i, Type::b32, {Type::b32, Type::b32, Type::b32});
    m_body.instructions.back().imm = std::int64_t(i.operands[4].bits & 0xff);
}

void FunctionDecoder::decodePrmt(I i) {
    Key k;
    k.op = Op::prmt;
    static const std::string_view modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    std::uint8_t mode = 0;
    for (std::uint8_t m = 0; m < 6; ++m)
        if (i.has(modes[m])) mode = std::uint8_t(m + 1);
    emitOperation(m_context.lanes.bits(k), i, Type::b32, {Type::b32, Type::b32, Type::b32});
    m_body.instructions.back().bits = mode;
}

bool FunctionDecoder::decodeComparison(I i) {
    if (i.opcode == "setp" || i.opcode == "set") return decodeSetp(i), true;
    if (i.opcode == "selp") {
        operandCount(i, 4);
        const Key k = keyOf(i, Op::selp);
        const Opd p = sourcePredicate(i.operands[3], i);
        emitOperation(m_context.lanes.compare(k), i, k.type, {k.type, k.type});
        m_body.instructions.back().c = p;
        m_body.instructions.back().bits = i.operands[3].negated;
        return true;
    }
    if (i.opcode == "slct") {
        Key k = keyOf(i, Op::slct);
        k.type = typeAt(i, 1);
        k.from = typeAt(i, 0);
        emitOperation(m_context.lanes.compare(k), i, k.type, {k.type, k.type, k.from});
        return true;
    }
    if (i.opcode == "testp") {
        operandCount(i, 2);
        static const std::map<std::string_view, Test> tests = {
            {"finite", Test::finite},         {"infinite", Test::infinite}, {"number", Test::number},
            {"notanumber", Test::notanumber}, {"normal", Test::normal},     {"subnormal", Test::subnormal}};
        const Key k = keyOf(i, Op::testp);
        emitOperation(m_context.lanes.compare(k), i, k.type, {k.type});
        for (std::string_view m : i.modifiers)
            if (const auto f = tests.find(m); f != tests.end())
                m_body.instructions.back().aux = std::uint32_t(f->second);
        return true;
    }
    return false;
}

void FunctionDecoder::decodeSetp(I i) {
    static const std::map<std::string_view, Cmp> conditions = {
        {"eq", Cmp::eq},   {"ne", Cmp::ne},   {"lt", Cmp::lt},   {"le", Cmp::le},   {"gt", Cmp::gt},
        {"ge", Cmp::ge},   {"lo", Cmp::lt},   {"ls", Cmp::le},   {"hi", Cmp::gt},   {"hs", Cmp::ge},
        {"equ", Cmp::equ}, {"neu", Cmp::neu}, {"ltu", Cmp::ltu}, {"leu", Cmp::leu}, {"gtu", Cmp::gtu},
        {"geu", Cmp::geu}, {"num", Cmp::num}, {"nan", Cmp::nan}};
    static const std::map<std::string_view, Logic> logics = {
        {"and", Logic::and_}, {"or", Logic::or_}, {"xor", Logic::xor_}};
    operandCount(i, 3);
    const bool isSet = i.opcode == "set";
    Key k = keyOf(i, isSet ? Op::set : Op::setp);
    const Type compared = typeAt(i, 0);
    const bool packed = compared == Type::f16x2 || compared == Type::bf16x2;
    bool found = false;
    for (std::string_view m : i.modifiers) {
        if (const auto c = conditions.find(m); c != conditions.end()) {
            k.cmp = c->second;
            found = true;
        }
        if (const auto l = logics.find(m); l != logics.end()) k.logic = l->second;
    }
    if (!found) unsupported(i);
    k.from = compared;
    if (isSet) {
        k.type = typeAt(i, 1);
        const bool half = k.type == Type::f16 || k.type == Type::bf16;
        if (half ? packed : ptx::byteSize(k.type) != 4) unsupported(i);
        if (packed && k.type == Type::f32) unsupported(i);
    }
    const Opd a = source(i.operands[1], compared, i), b = source(i.operands[2], compared, i);
    Inst inst;
    inst.fn = m_context.lanes.compare(k);
    if (!inst.fn) unsupported(i);
    inst.source = sourceIndex(i);
    inst.a = a;
    inst.b = b;
    inst.aux = std::uint32_t(k.logic);
    switch (k.type) { // what true is written as
    case Type::f32: inst.imm = 0x3f800000; break;
    case Type::f16:
    case Type::f16x2: inst.imm = 0x3c00; break;
    case Type::bf16:
    case Type::bf16x2: inst.imm = 0x3f80; break;
    default: inst.imm = 0xffffffff;
    }
    if (isSet && ptx::byteSize(k.type) == 2) inst.bits |= 4;
    if (k.logic != Logic::none) {
        operandCount(i, 4);
        inst.c = sourcePredicate(i.operands[3], i);
        if (i.operands[3].negated) inst.bits |= 2;
    }
    const ptx::Operand& d = i.operands[0];
    if (d.kind == OperandKind::pair) {
        inst.d = destination(d.items[0], i);
        if (d.items[0].kind == OperandKind::wildcard) unsupported(i, "destination form");
        if (d.items[1].kind != OperandKind::wildcard) {
            inst.e = destination(d.items[1], i);
            inst.bits |= 1;
        }
    } else {
        inst.d = destination(d, i);
    }
    m_body.instructions.push_back(inst);
}

bool FunctionDecoder::decodeMove(I i) {
    if (i.opcode == "mov" && decodeCluster(i)) return true; // what a special register says of clusters
    if (i.opcode == "mov") return decodeMov(i), true;
    if (i.opcode == "cvta") {
        operandCount(i, 2);
        const bool to = i.has("to");
        const Space space = i.has("shared")  ? Space::shared
                            : i.has("local") ? Space::local
                            : i.has("param") ? Space::param
                                             : Space::global;
        // A kernel's parameters have generic addresses from the start: what mov makes of their names.
        const std::uint64_t start = space == Space::shared ? window::shared : space == Space::local ? window::local : 0;
        const std::uint64_t offset = space == Space::param && !m_function.isKernel ? window::local : start;
        if (i.operands[1].kind == OperandKind::symbol && space == Space::local && !to) {
            decodeMov(i);
            m_body.instructions.back().bits |= 1;
            return true;
        }
        if (typeAt(i, 0) != Type::u64) unsupported(i, "32-bit addresses");
        Opd a;
        if (i.operands[1].kind == OperandKind::symbol && sharedVariable(i.operands[1])) {
            const std::size_t slot = m_context.slotOf.at(sharedVariable(i.operands[1]));
            m_slots.insert(slot);
            a = m_context.sharedSlots[slot].lanes;
        } else if (i.operands[1].kind == OperandKind::symbol && i.operands[1].variable >= 0) {
            a = m_context.constant(m_variableOffset[std::size_t(i.operands[1].variable)], 8);
        } else {
            a = source(i.operands[1], Type::b64, i);
        }
        Key k;
        k.op = to ? Op::sub : Op::add;
        k.type = Type::u64;
        Inst& inst = emit(m_context.lanes.arithmetic(k), i);
        inst.d = destination(i.operands[0], i);
        inst.a = a;
        inst.b = m_context.constant(offset, 8);
        return true;
    }
    if (i.opcode == "isspacep") {
        operandCount(i, 2);
        const bool shared = i.has("shared") || i.has("shared::cta") || i.has("shared::cluster");
        const std::uint64_t start = shared           ? window::shared
                                    : i.has("local") ? window::local
                                    : i.has("param") ? window::parameter
                                                     : DeviceMemory::base;
        const Opd a = source(i.operands[1], Type::b64, i);
        Inst& inst = emit(shared && !i.has("shared::cluster") ? isOwnShared : testSpace, i);
        inst.d = destination(i.operands[0], i);
        inst.a = a;
        inst.imm = std::int64_t(start >> window::shift);
        return true;
    }
    return false;
}

void FunctionDecoder::decodeMov(I i) {
    operandCount(i, 2);
    const ptx::Operand& d = i.operands[0];
    const ptx::Operand& s = i.operands[1];
    if (s.kind == OperandKind::vector) return decodeVectorMov(i, true);
    if (d.kind == OperandKind::vector) return decodeVectorMov(i, false);
    if (s.kind == OperandKind::special && (s.name == "%clock" || s.name == "%clock64" || s.name == "%globaltimer")) {
        Inst& inst = emit(readClock, i);
        inst.d = destination(d, i);
        inst.bits = std::uint8_t(widthOf(d));
        inst.imm = s.name == "%globaltimer";
        return;
    }
    if (s.kind == OperandKind::symbol) {
        std::int64_t frame = -1;
        if (s.variable >= 0 && m_function.variables[std::size_t(s.variable)].space != Space::shared)
            frame = m_variableOffset[std::size_t(s.variable)];
        for (std::size_t k = 0; k < m_function.parameters.size(); ++k)
            if (m_function.parameters[k].name == s.name && !m_function.isKernel) frame = m_body.parameterOffsets[k];
        for (std::size_t k = 0; k < m_function.results.size(); ++k)
            if (m_function.results[k].name == s.name) frame = m_body.resultOffsets[k];
        if (frame >= 0) {
            Inst& inst = emit(frameAddress, i);
            inst.d = destination(d, i);
            inst.imm = frame + s.offset;
            return;
        }
    }
    Key k = keyOf(i, Op::mov);
    k.destinationBytes = std::uint8_t(widthOf(d));
    Opd a;
    if (k.type == Type::pred) {
        a = sourcePredicate(s, i);
    } else if (s.kind == OperandKind::symbol && sharedVariable(s)) {
        const std::size_t slot = m_context.slotOf.at(sharedVariable(s));
        m_slots.insert(slot);
        a = m_context.sharedSlots[slot].lanes;
        if (s.offset) unsupported(i, "address form");
        if (k.destinationBytes == 4) {
            // The slot has 64-bit lanes; shared addresses fit in 32.
            Key narrow;
            narrow.op = Op::cvt;
            narrow.type = Type::u32;
            narrow.from = Type::u64;
            narrow.destinationBytes = 4;
            narrow.sourceBytes = 8;
            Inst& inst = emit(m_context.lanes.convert(narrow), i);
            inst.d = destination(d, i);
            inst.a = a;
            return;
        }
    } else if (s.kind == OperandKind::symbol && s.variable >= 0) {
        a = m_context.constant(m_variableOffset[std::size_t(s.variable)] + std::uint64_t(s.offset), k.destinationBytes);
    } else if (s.kind == OperandKind::symbol && m_function.isKernel) {
        for (std::size_t p = 0; p < m_function.parameters.size(); ++p)
            if (m_function.parameters[p].name == s.name)
                a = m_context.constant(window::parameter + m_body.parameterOffsets[p] + std::uint64_t(s.offset), 8);
        if (a.value == 0) a = source(s, k.type, i);
    } else {
        a = source(s, k.type, i);
    }
    Inst& inst = emit(m_context.lanes.move(k), i);
    inst.d = destination(d, i);
    inst.a = a;
}

void FunctionDecoder::decodeVectorMov(I i, bool packing) {
    const ptx::Operand& whole = i.operands[packing ? 0 : 1];
    const ptx::Operand& parts = i.operands[packing ? 1 : 0];
    Key k = keyOf(i, packing ? Op::pack : Op::unpack);
    const std::uint32_t bytes = ptx::byteSize(k.type);
    if (parts.items.empty() || bytes % parts.items.size()) unsupported(i, "vector form");
    const std::uint32_t each = bytes / std::uint32_t(parts.items.size());
    const Type partType = each == 2 ? Type::b16 : each == 4 ? Type::b32 : Type::b64;
    k.destinationBytes = std::uint8_t(bytes);
    k.sourceBytes = std::uint8_t(each);
    std::vector<Opd> list;
    for (const ptx::Operand& o : parts.items)
        list.push_back(packing ? source(o, partType, i) : destination(o, i));
    const Opd other = packing ? destination(whole, i) : source(whole, k.type, i);
    Inst& inst = emit(m_context.lanes.move(k), i);
    (packing ? inst.d : inst.a) = other;
    inst.aux = std::uint32_t(m_context.code.operandLists.size());
    m_context.code.operandLists.push_back(std::move(list));
}

} // namespace kernelarium::emulator
