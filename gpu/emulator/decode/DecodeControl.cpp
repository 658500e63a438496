// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/AsyncChecks.h"
#include "gpu/emulator/async/ClusterBarrier.h"
#include "gpu/emulator/async/RegisterPool.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

#include <fmt/format.h>

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Type;

bool FunctionDecoder::isPredicateHandled(I i) const {
    return i.opcode == "bra" || i.opcode == "ret" || i.opcode == "exit" || i.opcode == "call" || i.opcode == "bar" ||
           i.opcode == "barrier" || i.opcode == "brx";
}

bool FunctionDecoder::decodeControl(I i) {
    if (i.opcode == "bra") return decodeBranch(i), true;
    // Other control under a predicate: branch around it.
    const auto around = [&] {
        if (i.predicate < 0) return;
        Inst& skip = emit(branchIf, i);
        skip.a = predicateOf(i.predicate);
        skip.bits = !i.predicateNegated;
        m_patches.push_back(
            {m_body.instructions.size() - 1, int(m_currentBlock) + 1, m_flow.blocks[m_currentBlock].postDominator});
    };
    if (i.opcode == "ret") {
        around();
        emit(returnFrom, i);
    } else if (i.opcode == "exit") {
        around();
        emit(exitThread, i);
    } else if (i.opcode == "trap" || i.opcode == "brkpt") {
        emit(trapInstruction, i);
    } else if (i.opcode == "call") {
        around();
        decodeCall(i);
    } else if (i.opcode == "bar" || i.opcode == "barrier") {
        around();
        if (!decodeBarrier(i)) return false;
    } else if (i.opcode == "brx") {
        if (i.predicate >= 0) unsupported(i, "under a predicate");
        operandCount(i, 2);
        const Opd index = source(i.operands[0], Type::b32, i);
        Inst& inst = emit(branchIndexed, i);
        inst.a = index;
        inst.aux = std::uint32_t(m_context.code.branchTables.size());
        m_context.code.branchTables.emplace_back();
        m_patches.push_back({m_body.instructions.size() - 1, Flow::none, m_flow.blocks[m_currentBlock].postDominator});
        std::vector<int> blocks;
        for (const ptx::BranchTable& t : m_function.branchTables)
            if (t.name == i.operands[1].name)
                for (std::string_view label : t.targets)
                    blocks.push_back(m_flow.blockAt(labelTarget(m_function, label, i.textLine)));
        if (blocks.empty()) unsupported(i, "its table of targets is missing");
        m_tables.emplace_back(inst.aux, std::move(blocks));
    } else {
        return false;
    }
    return true;
}

void FunctionDecoder::decodeBranch(I i) {
    operandCount(i, 1);
    const int target = m_flow.blockAt(labelTarget(m_function, i.operands[0].name, i.textLine));
    Inst& inst = emit(i.predicate < 0 ? branch : branchIf, i);
    if (i.predicate >= 0) {
        inst.a = predicateOf(i.predicate);
        inst.bits = i.predicateNegated;
    }
    m_patches.push_back({m_body.instructions.size() - 1, target, m_flow.blocks[m_currentBlock].postDominator});
}

void FunctionDecoder::decodeCall(I i) {
    // call [(results),] target [, (parameters)] [, prototype or targets]
    std::size_t k = 0;
    const ptx::Operand* results = nullptr;
    if (k < i.operands.size() && i.operands[k].kind == OperandKind::list) results = &i.operands[k++];
    if (k >= i.operands.size()) unsupported(i, "no target");
    const ptx::Operand& target = i.operands[k++];
    const ptx::Operand* parameters = nullptr;
    if (k < i.operands.size() && i.operands[k].kind == OperandKind::list) parameters = &i.operands[k++];

    CallSite site;
    const auto offsets = [&](const ptx::Operand* list, std::vector<CallSite::Move>& moves) {
        if (!list) return;
        for (const ptx::Operand& o : list->items) {
            if (o.kind != OperandKind::symbol || o.variable < 0)
                unsupported(i, "a parameter that is not a .param variable");
            const ptx::Variable& v = m_function.variables[std::size_t(o.variable)];
            moves.push_back({m_variableOffset[std::size_t(o.variable)], 0, std::uint32_t(v.bytes)});
        }
    };
    offsets(results, site.results);
    offsets(parameters, site.parameters);
    Inst inst;
    inst.fn = callFunction;
    inst.source = sourceIndex(i);
    if (target.kind == OperandKind::reg) {
        site.indirect = true;
        m_indirect = true;
        inst.a = registerOf(target, i);
    } else {
        const auto function = m_context.functionOf.find(target.name);
        if (function == m_context.functionOf.end()) unsupported(i, fmt::format("undeclared function {}", target.name));
        site.function = function->second;
        m_callees.insert(site.function);
        const FunctionCode& callee = m_context.code.bodies[site.function];
        const auto differ = [](const std::vector<CallSite::Move>& moves, const std::vector<std::uint32_t>& bytes) {
            bool same = moves.size() == bytes.size();
            for (std::size_t k = 0; same && k < moves.size(); ++k)
                same = moves[k].bytes == bytes[k];
            return !same;
        };
        const bool defined = !callee.parameterBytes.empty() || !callee.resultBytes.empty();
        if (callee.parameterOffsets.size() != site.parameters.size() ||
            callee.resultOffsets.size() != site.results.size() ||
            (defined && (differ(site.parameters, callee.parameterBytes) || differ(site.results, callee.resultBytes))))
            throw DecodeFailure{"bad_ptx",
                                fmt::format("PTX line {}: {} is called with other parameters than it declares.",
                                            i.textLine, target.name)};
    }
    inst.aux = std::uint32_t(m_context.code.callSites.size());
    m_context.code.callSites.push_back(std::move(site));
    m_body.instructions.push_back(inst);
}

bool FunctionDecoder::decodeBarrier(I i) {
    if (i.opcode == "membar" || i.opcode == "fence") {
        // Barrier initialisation orders nothing that is not in order here already, nor do proxies but for the checks.
        const bool asynchronous =
            i.has("proxy") && (i.has("async") || i.has("async::generic") || i.has("async.shared::cta"));
        if (!asynchronous) {
            const bool made = i.has("mbarrier_init"); // which orders nothing else
            emit(made ? fenceMade : i.has("proxy") ? nothing : fence, i).bits = !i.has("cta");
            return true;
        }
        // One that names a kind of memory is for no other.
        const bool shared = i.has("shared::cta") || i.has("shared::cluster") || i.has("async.shared::cta") ||
                            i.has("sync_restrict::shared::cta") || i.has("sync_restrict::shared::cluster");
        emit(proxyFence, i).bits = std::uint8_t((i.has("global") ? 0 : fences::shared) | (shared ? 0 : fences::global));
        return true;
    }
    if (i.opcode == "setmaxnreg") {
        operandCount(i, 1);
        const std::uint64_t count = immediate(i.operands[0], Type::b32, i);
        if (count < 24 || count > 256 || count % 8) unsupported(i, "another count than a multiple of 8 from 24 to 256");
        Inst& inst = emit(setRegisters, i);
        inst.imm = std::int64_t(count);
        inst.bits = i.has("inc");
        return true;
    }
    if (i.opcode == "prefetch" || i.opcode == "prefetchu" || i.opcode == "griddepcontrol" || i.opcode == "discard" ||
        i.opcode == "applypriority" || i.opcode == "pmevent") {
        emit(nothing, i);
        return true;
    }
    if (i.opcode == "nanosleep") {
        emit(sleep, i);
        return true;
    }
    if (i.opcode != "bar" && i.opcode != "barrier") return false;
    if (i.has("cluster")) {
        emit(i.has("wait") ? clusterWait : clusterArrive, i).bits = i.has("relaxed");
        return true;
    }
    if (i.has("warp")) {
        operandCount(i, 1);
        const Opd members = source(i.operands[0], Type::b32, i);
        emit(warpBarrier, i).a = members;
        return true;
    }
    const bool reduces = i.has("red");
    const std::size_t first = reduces ? 1 : 0;
    operandCount(i, first + 1);
    Inst inst;
    inst.fn = barrier;
    inst.source = sourceIndex(i);
    inst.a = source(i.operands[first], Type::b32, i);
    std::size_t next = first + 1;
    const std::size_t last = i.operands.size() - (reduces ? 1 : 0);
    if (next < last) {
        inst.b = source(i.operands[next], Type::b32, i);
        inst.bits |= 1;
    }
    if (i.has("arrive")) inst.bits |= 2;
    if (reduces) {
        inst.bits |= 4;
        inst.imm = i.has("popc") ? 0 : i.has("and") ? 1 : 2;
        inst.d = destination(i.operands[0], i);
        inst.e = sourcePredicate(i.operands.back(), i);
        if (i.operands.back().negated) inst.bits |= 8;
    }
    m_body.instructions.push_back(inst);
    return true;
}

bool FunctionDecoder::decodeWarp(I i) {
    if (i.opcode == "activemask") {
        operandCount(i, 1);
        Inst& inst = emit(m_context.lanes.warp(i.opcode, i), i);
        inst.d = destination(i.operands[0], i);
        return true;
    }
    if (i.opcode != "shfl" && i.opcode != "vote" && i.opcode != "match" && i.opcode != "redux") return false;
    operandCount(i, 2);
    Inst inst;
    inst.fn = m_context.lanes.warp(i.opcode, i);
    if (!inst.fn) unsupported(i);
    inst.source = sourceIndex(i);
    const ptx::Operand& d = i.operands[0];
    if (d.kind == OperandKind::pair) {
        inst.d = destination(d.items[0], i);
        if (d.items[1].kind != OperandKind::wildcard) {
            inst.e = destination(d.items[1], i);
            inst.bits |= 1;
        }
    } else {
        inst.d = destination(d, i);
    }
    if (i.opcode == "vote") {
        inst.a = sourcePredicate(i.operands[1], i);
        if (i.operands[1].negated) inst.bits |= 2;
    } else {
        inst.a = source(i.operands[1], i.opcode == "match" ? typeAt(i, 0) : Type::b32, i);
        if (i.opcode == "shfl") {
            operandCount(i, 4);
            inst.b = source(i.operands[2], Type::b32, i);
            inst.c = source(i.operands[3], Type::b32, i);
        }
    }
    // The members' mask: votes look at it only where lanes may name different ones.
    const ptx::Operand& members = i.operands.back();
    inst.imm = i.has("sync") ? std::int64_t(source(members, Type::b32, i).value) : noMembers;
    if (i.opcode != "shfl" && i.operands.size() > 2 && members.kind == OperandKind::reg) {
        inst.b = source(members, Type::b32, i);
        inst.aux = 1;
    }
    m_body.instructions.push_back(inst);
    return true;
}

} // namespace kernelarium::emulator
