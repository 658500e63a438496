// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/Products.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

#include <charconv>

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Type;

namespace {

/// m64nNkK
bool readWarpgroupShape(const ptx::Instruction& i, WarpgroupOp& op) {
    for (const std::string_view m : i.modifiers) {
        if (!m.starts_with("m64n")) continue;
        const char* end = m.data() + m.size();
        const auto n = std::from_chars(m.data() + 4, end, op.n);
        if (n.ec != std::errc() || n.ptr == end || *n.ptr != 'k') return false;
        const auto k = std::from_chars(n.ptr + 1, end, op.k);
        return k.ec == std::errc() && k.ptr == end;
    }
    return false;
}

std::vector<Element> warpgroupTypes(const ptx::Instruction& i) {
    static constexpr std::pair<std::string_view, Element> names[] = {
        {"f16", Element::f16},   {"bf16", Element::bf16}, {"tf32", Element::tf32},
        {"f32", Element::f32},   {"s32", Element::s32},   {"e4m3", Element::e4m3},
        {"e5m2", Element::e5m2}, {"s8", Element::s8},     {"u8", Element::u8}};
    std::vector<Element> found;
    for (const std::string_view m : i.modifiers)
        for (const auto& [name, element] : names)
            if (m == name) found.push_back(element);
    return found;
}

bool isEightBitFloat(Element e) {
    return e == Element::e4m3 || e == Element::e5m2;
}

/// PTX ISA, "Register fragments and shared memory matrix layouts" of wgmma: which types go together.
bool isLegal(const WarpgroupOp& op) {
    if (op.n < 8 || op.n > 256 || op.n % 8 || op.k * bitsOf(op.a) != productRowBytes * 8) return false;
    const bool half = op.d == Element::f16, single = op.d == Element::f32;
    if (op.a == Element::f16) return op.b == op.a && (half || single);
    if (op.a == Element::bf16 || op.a == Element::tf32) return op.b == op.a && single;
    if (isEightBitFloat(op.a)) return isEightBitFloat(op.b) && (half || single);
    // Of integers not all multiples of 8 exist.
    const bool sizes = op.n <= 32 || op.n % 16 == 0;
    return op.d == Element::s32 && isIntegral(op.b) && bitsOf(op.b) == 8 && sizes;
}

} // namespace

void FunctionDecoder::decodeWarpgroup(I i) {
    if (i.has("fence")) return void(emit(nothing, i)); // registers are in order here
    if (i.has("commit_group")) return void(emit(commitProducts, i));
    if (i.has("wait_group")) {
        operandCount(i, 1);
        const auto groups = std::int64_t(immediate(i.operands[0], Type::b32, i));
        emit(waitProducts, i).imm = groups;
        return;
    }
    if (!i.has("mma_async") || i.has("sp")) unsupported(i, i.has("sp") ? "sparse matrices" : "");
    WarpgroupOp op;
    const std::vector<Element> types = warpgroupTypes(i);
    if (!readWarpgroupShape(i, op) || types.size() != 3) unsupported(i, "this shape or these types");
    op.d = types[0];
    op.a = types[1];
    op.b = types[2];
    if (!isLegal(op)) unsupported(i, "this shape or these types");
    op.saturate = i.has("satfinite");
    op.rule = warpgroupSumRule(op.a);
    operandCount(i, 4);
    const ptx::Operand& d = i.operands[0];
    const std::size_t registers = op.d == Element::f16 ? op.n / 4 : op.n / 2;
    if (d.kind != OperandKind::vector || d.items.size() != registers)
        unsupported(i, "another number of registers than its shape has");
    for (const ptx::Operand& o : d.items)
        op.result.push_back(destination(o, i));
    const ptx::Operand& a = i.operands[1];
    if (a.kind == OperandKind::vector) {
        if (a.items.size() != 4) unsupported(i, "another number of registers of A than four");
        for (const ptx::Operand& o : a.items)
            op.aRegisters.push_back(source(o, Type::b32, i));
    } else {
        op.aDescriptor = source(a, Type::b64, i);
    }
    op.bDescriptor = source(i.operands[2], Type::b64, i);
    op.scale = sourcePredicate(i.operands[3], i);
    op.scaleNegated = i.operands[3].negated;
    // scale-a, scale-b, and of 16-bit types trans-a (with A in memory) and trans-b.
    std::vector<std::int64_t> flags;
    for (std::size_t k = 4; k < i.operands.size(); ++k)
        flags.push_back(std::int32_t(immediate(i.operands[k], Type::b32, i)));
    const bool isFloat = !isIntegral(op.a);
    const std::size_t transposes = bitsOf(op.a) == 16 ? (op.aRegisters.empty() ? 2 : 1) : 0;
    if (flags.size() != (isFloat ? 2 + transposes : 0)) unsupported(i, "these immediate operands");
    if (isFloat) {
        op.negateA = flags[0] == -1;
        op.negateB = flags[1] == -1;
    }
    if (transposes == 2) op.transposeA = flags[2] == 1;
    if (transposes) op.transposeB = flags.back() == 1;
    Inst inst;
    inst.fn = m_context.lanes.warpgroup(op);
    inst.source = sourceIndex(i);
    inst.aux = std::uint32_t(m_context.code.warpgroupOps.size());
    m_context.code.warpgroupOps.push_back(std::move(op));
    m_body.instructions.push_back(inst);
}

} // namespace kernelarium::emulator
