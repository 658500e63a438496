// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/SharedBarrier.h"
#include "gpu/emulator/control/AsyncCopy.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

bool FunctionDecoder::decodeAsync(I i) {
    if (i.opcode == "mbarrier") return decodeSharedBarrier(i), true;
    if (i.opcode == "wgmma") return decodeWarpgroup(i), true;
    if (decodeCluster(i)) return true;
    if (i.opcode != "cp" || !i.has("async")) return false;
    if (i.has("bulk")) return decodeBulk(i), true;
    if (i.has("commit_group")) return emit(commitCopies, i), true;
    if (i.has("wait_all")) return emit(waitCopies, i).imm = -1, true;
    if (i.has("wait_group")) {
        operandCount(i, 1);
        emit(waitCopies, i).imm = std::int64_t(immediate(i.operands[0], Type::b32, i));
        return true;
    }
    if (i.has("mbarrier")) {
        emitSharedBarrier(i, i.operands.at(0),
                          i.has("noinc") ? SharedBarrier::copiesArrive : SharedBarrier::copiesArriveCounted);
        return true;
    }
    decodeCopy(i);
    return true;
}

void FunctionDecoder::decodeCopy(I i) {
    operandCount(i, 3);
    CopyOp op;
    Inst to, from;
    const Space space = address(to, i.operands[0], Space::shared, i);
    if (space != Space::shared) unsupported(i, "a destination outside shared memory");
    op.toIsWide = m_accessIsWide;
    op.toHasBase = !(to.bits & addressing::noBase);
    op.to = to.a;
    op.toOffset = to.imm;
    address(from, i.operands[1], Space::generic, i);
    if ((from.bits & addressing::noBase) || !m_accessIsWide) unsupported(i, "this form of source address");
    op.from = from.a;
    op.fromOffset = from.imm;
    op.bytes = std::uint32_t(immediate(i.operands[2], Type::b32, i));
    if (op.bytes != 4 && op.bytes != 8 && op.bytes != 16) unsupported(i, "a size other than 4, 8 or 16");
    // A source size or a predicate may follow, then a cache policy, which changes nothing here.
    const std::size_t rest = i.operands.size() - (i.has("L2::cache_hint") ? 1 : 0);
    if (rest > 3) {
        const ptx::Operand& o = i.operands[3];
        const bool isPredicate =
            o.kind == OperandKind::reg && m_function.registers[std::size_t(o.reg)].type == Type::pred;
        op.hasIgnore = isPredicate;
        op.hasSize = !isPredicate;
        op.ignoreNegated = o.negated;
        op.size = isPredicate ? sourcePredicate(o, i) : source(o, Type::b32, i);
    }
    Inst inst;
    inst.fn = copyAsync;
    inst.source = sourceIndex(i);
    // The source is what the counters look at.
    inst.a = op.from;
    inst.imm = op.fromOffset;
    inst.aux = std::uint32_t(m_context.code.copyOps.size());
    m_context.code.copyOps.push_back(op);
    m_body.instructions.push_back(inst);
}

void FunctionDecoder::decodeSharedBarrier(I i) {
    if (i.has("pending_count")) {
        operandCount(i, 2);
        const Opd state = source(i.operands[1], Type::b64, i);
        Inst& inst = emit(pendingCount, i);
        inst.d = destination(i.operands[0], i);
        inst.a = state;
        return;
    }
    if (i.has("init")) return emitSharedBarrier(i, i.operands.at(0), SharedBarrier::init);
    if (i.has("inval")) return emitSharedBarrier(i, i.operands.at(0), SharedBarrier::invalidate);
    const bool arrives = i.has("arrive"), drops = i.has("arrive_drop"), expects = i.has("expect_tx");
    if (expects && !arrives && !drops) return emitSharedBarrier(i, i.operands.at(0), SharedBarrier::expectBytes);
    if (i.has("complete_tx")) return emitSharedBarrier(i, i.operands.at(0), SharedBarrier::completeBytes);
    operandCount(i, 2);
    if (i.has("test_wait") || i.has("try_wait"))
        return emitSharedBarrier(i, i.operands[1], i.has("parity") ? SharedBarrier::waitParity : SharedBarrier::wait);
    if (!arrives && !drops) unsupported(i);
    if (expects)
        return emitSharedBarrier(i, i.operands[1],
                                 drops ? SharedBarrier::dropExpecting : SharedBarrier::arriveExpecting);
    emitSharedBarrier(i, i.operands[1], drops ? SharedBarrier::drop : SharedBarrier::arrive);
    if (i.has("noComplete")) m_body.instructions.back().vector = SharedBarrier::noComplete;
}

void FunctionDecoder::emitSharedBarrier(I i, const ptx::Operand& where, SharedBarrier::Kind kind) {
    Inst inst;
    inst.source = sourceIndex(i);
    address(inst, where, Space::shared, i);
    if (m_accessIsWide) inst.bits |= addressing::wideBase;
    inst.fn = sharedBarrier;
    inst.aux = kind;
    const bool waits = kind == SharedBarrier::wait || kind == SharedBarrier::waitParity;
    const bool first = kind == SharedBarrier::arrive || kind == SharedBarrier::drop ||
                       kind == SharedBarrier::arriveExpecting || kind == SharedBarrier::dropExpecting;
    inst.d.value = ~0u;
    if ((waits || first) && i.operands[0].kind == OperandKind::reg) inst.d = destination(i.operands[0], i);
    const std::size_t argument = waits || first ? 2 : 1;
    inst.b.value = ~0u;
    if (i.operands.size() > argument)
        inst.b = source(i.operands[argument], kind == SharedBarrier::wait ? Type::b64 : Type::b32, i);
    else if (waits || kind == SharedBarrier::init)
        operandCount(i, argument + 1);
    m_body.instructions.push_back(inst);
}

} // namespace kernelarium::emulator
