// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

namespace {

/// ".shared::cta" is the block's own shared memory, which lies in that of its cluster.
std::optional<Space> spaceOf(std::string_view modifier) {
    if (modifier == "shared::cta" || modifier == "shared::cluster") return Space::shared;
    if (modifier == "param::entry" || modifier == "param::func") return Space::param;
    return ptx::parseSpace(modifier);
}

Space spaceIn(const ptx::Instruction& i) {
    for (std::string_view m : i.modifiers)
        if (const auto s = spaceOf(m)) return *s;
    return Space::generic;
}

/// Bits of addressing for an instruction's memory semantics.
std::uint8_t orderingOf(const ptx::Instruction& i, bool atomic) {
    std::uint8_t bits = 0;
    const bool releases = i.has("release") || i.has("acq_rel");
    if (atomic || releases || i.has("volatile") || i.has("relaxed") || i.has("acquire") || i.has("mmio"))
        bits |= addressing::strong;
    if (releases) bits |= addressing::releases;
    if (i.has("cta")) bits |= addressing::blockScope;
    return bits;
}

std::uint8_t vectorOf(const ptx::Instruction& i) {
    return i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
}

} // namespace

bool FunctionDecoder::reachesFar(I i, Space space) const {
    return i.has("shared::cluster") || (space == Space::generic && m_context.mapsShared);
}

bool FunctionDecoder::decodeMemory(I i) {
    if (i.opcode == "ld" || i.opcode == "ldu") return decodeLoad(i), true;
    if (i.opcode == "st") return decodeStore(i), true;
    return false;
}

void FunctionDecoder::decodeLoad(I i) {
    operandCount(i, 2);
    const Type type = typeAt(i, 0);
    Inst inst;
    inst.vector = vectorOf(i);
    inst.source = sourceIndex(i);
    const Space space = address(inst, i.operands[1], spaceIn(i), i);
    const bool wide = (inst.bits & 1) || i.operands[1].reg < 0 ||
                      widthOf({OperandKind::reg, false, i.operands[1].reg, -1, 0, 0, {}, {}}) == 8;
    const ptx::Operand& d = i.operands[0];
    std::uint32_t width = 0;
    if (inst.vector > 1) {
        if (d.kind != OperandKind::vector || d.items.size() != inst.vector) unsupported(i, "destination form");
        std::vector<Opd> list;
        for (const ptx::Operand& o : d.items) {
            list.push_back(destination(o, i));
            width = std::max(width, widthOf(o));
        }
        inst.aux = std::uint32_t(m_context.code.operandLists.size());
        m_context.code.operandLists.push_back(std::move(list));
    } else {
        inst.d = destination(d, i);
        width = widthOf(d);
    }
    inst.bits |= orderingOf(i, false);
    if (i.has("nc")) inst.bits |= addressing::readOnly;
    inst.fn = m_context.lanes.load(space, type, width, wide, inst.vector);
    if (!inst.fn) unsupported(i);
    m_body.instructions.push_back(inst);
    if (reachesFar(i, space))
        allowFar(m_context.lanes.load(Space::shared, type, width, false, vectorOf(i)), space == Space::generic, wide);
}

void FunctionDecoder::decodeStore(I i) {
    operandCount(i, 2);
    if (i.has("async")) return decodeAsyncStore(i);
    const Type type = typeAt(i, 0);
    Inst inst;
    inst.vector = vectorOf(i);
    inst.source = sourceIndex(i);
    const Space space = address(inst, i.operands[0], spaceIn(i), i);
    if (space == Space::param) unsupported(i, "a store to a kernel's parameters");
    const bool wide = (inst.bits & 1) || i.operands[0].reg < 0 ||
                      widthOf({OperandKind::reg, false, i.operands[0].reg, -1, 0, 0, {}, {}}) == 8;
    const ptx::Operand& s = i.operands[1];
    // Values may stand in registers wider than the type; constants are as wide as the type.
    const auto value = [&](const ptx::Operand& o, std::uint32_t& width) {
        if (o.kind == OperandKind::reg) {
            width = widthOf(o);
            return registerOf(o, i);
        }
        width = std::max(2u, ptx::byteSize(type));
        return source(o, width == 2 ? Type::b16 : type, i);
    };
    std::uint32_t width = 0;
    if (inst.vector > 1) {
        if (s.kind != OperandKind::vector || s.items.size() != inst.vector) unsupported(i, "source form");
        std::vector<Opd> list;
        for (const ptx::Operand& o : s.items) {
            std::uint32_t each = 0;
            list.push_back(value(o, each));
            if (width && each != width) unsupported(i, "registers of different widths");
            width = each;
        }
        inst.aux = std::uint32_t(m_context.code.operandLists.size());
        m_context.code.operandLists.push_back(std::move(list));
    } else {
        inst.b = value(s, width);
    }
    inst.bits |= orderingOf(i, false);
    inst.fn = m_context.lanes.store(space, type, width, wide, inst.vector);
    if (!inst.fn) unsupported(i);
    m_body.instructions.push_back(inst);
    if (reachesFar(i, space))
        allowFar(m_context.lanes.store(Space::shared, type, width, false, vectorOf(i)), space == Space::generic, wide);
}

bool FunctionDecoder::decodeAtomic(I i) {
    const bool red = i.opcode == "red";
    if (i.opcode != "atom" && !red) return false;
    if (i.has("async")) return decodeAsyncStore(i), true;
    static const std::pair<std::string_view, AtomOp> names[] = {
        {"add", AtomOp::add}, {"min", AtomOp::min},   {"max", AtomOp::max}, {"inc", AtomOp::inc},
        {"dec", AtomOp::dec}, {"exch", AtomOp::exch}, {"cas", AtomOp::cas}, {"and", AtomOp::and_},
        {"or", AtomOp::or_},  {"xor", AtomOp::xor_}};
    const AtomOp* op = nullptr;
    for (const auto& [name, value] : names)
        if (i.has(name)) op = &value;
    if (!op || vectorOf(i) != 1) unsupported(i);
    const std::size_t first = red ? 0 : 1;
    operandCount(i, first + (*op == AtomOp::cas ? 3 : 2));
    const Type type = typeAt(i, 0);
    Inst inst;
    inst.source = sourceIndex(i);
    const Space space = address(inst, i.operands[first], spaceIn(i), i);
    const bool wide = (inst.bits & 1) || i.operands[first].reg < 0 ||
                      widthOf({OperandKind::reg, false, i.operands[first].reg, -1, 0, 0, {}, {}}) == 8;
    inst.b = source(i.operands[first + 1], type, i);
    if (*op == AtomOp::cas) inst.c = source(i.operands[first + 2], type, i);
    const bool wants = !red && i.operands[0].kind == OperandKind::reg;
    if (wants) inst.d = destination(i.operands[0], i);
    inst.bits |= orderingOf(i, true);
    inst.fn = m_context.lanes.atomic(space == Space::shared ? space : Space::generic, type, *op, wants, wide);
    if (!inst.fn) unsupported(i);
    m_body.instructions.push_back(inst);
    if (reachesFar(i, space))
        allowFar(m_context.lanes.atomic(Space::shared, type, *op, wants, false), space == Space::generic, wide);
    return true;
}

} // namespace kernelarium::emulator
