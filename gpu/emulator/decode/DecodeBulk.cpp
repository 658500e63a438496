// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/BulkCopies.h"
#include "gpu/emulator/async/BulkReduction.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

namespace {

std::uint32_t dimensionsOf(const ptx::Instruction& i) {
    for (const std::string_view m : i.modifiers)
        if (m.size() == 2 && m[1] == 'd' && m[0] >= '1' && m[0] <= '5') return std::uint32_t(m[0] - '0');
    return 0;
}

BulkOp::Reduction reductionOf(const ptx::Instruction& i) {
    using enum BulkOp::Reduction;
    static constexpr std::pair<std::string_view, BulkOp::Reduction> names[] = {
        {"add", add}, {"min", min},  {"max", max}, {"inc", inc},
        {"dec", dec}, {"and", and_}, {"or", or_},  {"xor", xor_}};
    for (const auto& [name, value] : names)
        if (i.has(name)) return value;
    return none;
}

/// The state spaces in their order: destination, source.
std::vector<std::string_view> spacesOf(const ptx::Instruction& i) {
    std::vector<std::string_view> found;
    for (const std::string_view m : i.modifiers)
        if (m == "global" || m == "shared::cta" || m == "shared::cluster") found.push_back(m);
    return found;
}

} // namespace

AddressOperand FunctionDecoder::addressOperand(const ptx::Operand& o, I i) {
    ptx::Operand plain = o;
    plain.items.clear();
    Inst inst;
    const Space space = address(inst, plain, Space::generic, i);
    if (space == Space::local) unsupported(i, "an address in local memory");
    AddressOperand a;
    a.base = inst.a;
    a.hasBase = !(inst.bits & addressing::noBase);
    a.isWide = m_accessIsWide;
    a.offset = inst.imm + (space == Space::param ? std::int64_t(window::parameter) : 0);
    return a;
}

void FunctionDecoder::decodeBulk(I i) {
    if (i.has("commit_group")) return void(emit(commitBulk, i));
    if (i.has("wait_group")) {
        operandCount(i, 1);
        const auto groups = std::int64_t(immediate(i.operands[0], Type::b32, i));
        Inst& inst = emit(waitBulk, i);
        inst.imm = groups;
        inst.bits = i.has("read");
        return;
    }
    BulkOp op;
    op.isTensor = i.has("tensor");
    op.dimensions = dimensionsOf(i);
    if (i.has("prefetch")) return void(emit(nothing, i));
    for (const std::string_view m : i.modifiers)
        if (m.starts_with("im2col") || m.starts_with("tile::") || m == "cp_mask" || m.starts_with("cta_group"))
            unsupported(i, std::string(m));
    op.reduction = i.has("reduce") ? reductionOf(i) : BulkOp::Reduction::none;
    if (i.has("reduce") && op.reduction == BulkOp::Reduction::none) unsupported(i, "this reduction");
    const std::vector<std::string_view> spaces = spacesOf(i);
    if (spaces.size() != 2) unsupported(i, "state spaces other than global and shared memory");
    op.kind = spaces[0] == "global"   ? BulkOp::Kind::toGlobal
              : spaces[1] == "global" ? BulkOp::Kind::toShared
                                      : BulkOp::Kind::sharedToFar;
    op.tells = i.has("mbarrier::complete_tx::bytes");
    if (op.tells == (op.kind == BulkOp::Kind::toGlobal)) unsupported(i, "this completion mechanism");
    op.multicast = i.has("multicast::cluster");
    if (op.reduction != BulkOp::Reduction::none && op.kind == BulkOp::Kind::toShared) unsupported(i);
    operandCount(i, op.isTensor ? 2 : 3);
    const ptx::Operand& to = i.operands[0];
    const ptx::Operand& from = i.operands[1];
    op.to = addressOperand(to, i);
    op.from = addressOperand(from, i);
    std::size_t next = 2;
    if (op.isTensor) {
        const ptx::Operand& map = op.kind == BulkOp::Kind::toGlobal ? to : from;
        if (op.kind == BulkOp::Kind::sharedToFar || map.items.size() != 1 || map.items[0].kind != OperandKind::vector ||
            map.items[0].items.size() != op.dimensions || !op.dimensions)
            unsupported(i, "these coordinates");
        for (std::uint32_t d = 0; d < op.dimensions; ++d)
            op.coordinates[d] = source(map.items[0].items[d], Type::b32, i);
    } else {
        op.size = source(i.operands[next++], Type::b32, i);
        if (op.reduction != BulkOp::Reduction::none) {
            op.type = i.has("bf16") ? Type::bf16 : typeAt(i, 0);
            if (!canReduce(op.reduction, op.type)) unsupported(i, "this reduction of this type");
        }
    }
    if (op.tells) {
        operandCount(i, next + 1);
        op.barrier = addressOperand(i.operands[next++], i);
    }
    if (op.multicast) {
        operandCount(i, next + 1);
        op.mask = source(i.operands[next++], Type::b16, i);
    }
    Inst inst;
    inst.fn = bulkCopy;
    inst.source = sourceIndex(i);
    inst.aux = std::uint32_t(m_context.code.bulkOps.size());
    m_context.code.bulkOps.push_back(op);
    m_body.instructions.push_back(inst);
}

void FunctionDecoder::decodeAsyncStore(I i) {
    if (!i.has("shared::cluster") || !i.has("mbarrier::complete_tx::bytes"))
        unsupported(i, "an asynchronous store that tells no mbarrier of the cluster");
    operandCount(i, 3);
    BulkOp op;
    op.kind = BulkOp::Kind::sharedToFar;
    op.tells = true;
    op.type = typeAt(i, 0);
    if (i.opcode == "red") {
        op.reduction = reductionOf(i);
        if (op.reduction == BulkOp::Reduction::none || !canReduce(op.reduction, op.type))
            unsupported(i, "this reduction");
    }
    op.to = addressOperand(i.operands[0], i);
    op.barrier = addressOperand(i.operands[2], i);
    op.valueBytes = ptx::byteSize(op.type);
    if (op.valueBytes < 4) unsupported(i, "values of fewer than 32 bits");
    const ptx::Operand& v = i.operands[1];
    const std::vector<ptx::Operand> single{v};
    for (const ptx::Operand& o : v.kind == OperandKind::vector ? v.items : single)
        op.values.push_back(source(o, op.valueBytes == 8 ? Type::b64 : Type::b32, i));
    Inst inst;
    inst.fn = bulkCopy;
    inst.source = sourceIndex(i);
    inst.aux = std::uint32_t(m_context.code.bulkOps.size());
    m_context.code.bulkOps.push_back(std::move(op));
    m_body.instructions.push_back(inst);
}

} // namespace kernelarium::emulator
