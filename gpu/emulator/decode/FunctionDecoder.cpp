// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/FunctionDecoder.h"

#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/RegisterLayout.h"
#include "gpu/emulator/decode/StartRegisters.h"

#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

constexpr std::uint32_t largestWindow = 1u << 29;

std::uint32_t alignUp(std::uint64_t value, std::uint32_t to) {
    const std::uint64_t rounded = (value + to - 1) / to * to;
    if (rounded > largestWindow) throw DecodeFailure{"unsupported", "a function needs more than 512 MiB of frame"};
    return std::uint32_t(rounded);
}

} // namespace

Opd DecodeContext::constant(std::uint64_t bits, std::uint32_t bytes) {
    const auto [found, fresh] = constantOf.try_emplace({bits, bytes}, std::uint32_t(code.constants.size() * 8));
    if (fresh) {
        // 32 lanes of the width, in 64-bit words, 64-byte aligned.
        std::uint64_t word = bits;
        if (bytes == 2)
            word = (bits & 0xffff) * 0x0001000100010001ull;
        else if (bytes == 4)
            word = (bits & 0xffffffff) * 0x0000000100000001ull;
        const std::size_t words = std::max<std::size_t>(8, bytes * laneCount / 8);
        code.constants.insert(code.constants.end(), words, word);
        if (bytes == 16)
            for (std::size_t k = 1; k < words; k += 2)
                code.constants[code.constants.size() - words + k] = 0;
    }
    return {Opd::constant, found->second};
}

std::uint16_t DecodeContext::siteOf(int line, AccessRole role) {
    if (line == 0 && role == AccessRole::other) return 0;
    const auto [found, fresh] = siteNumbers.try_emplace({line, role}, std::uint16_t(0));
    if (fresh && code.sites.size() < race::siteLimit) {
        found->second = std::uint16_t(code.sites.size());
        code.sites.push_back({line, role});
    }
    return found->second;
}

FunctionDecoder::FunctionDecoder(DecodeContext& context, const ptx::Function& function, std::uint32_t index)
    : m_context(context)
    , m_function(function)
    , m_index(index)
    , m_body(context.code.bodies[index]) {}

void FunctionDecoder::layOut() {
    RegisterLayout layout = layOutRegisters(m_function);
    m_registerOffset = std::move(layout.offsets);
    m_body.registerBytes = alignUp(layout.bytes, 64);

    // Local memory: parameters and results first (callers write there), then variables.
    std::uint64_t local = 0;
    const auto place = [&](const ptx::Variable& v) {
        const std::uint32_t at = alignUp(local, std::max(1u, std::min(v.alignment, 16u)));
        local = at + v.bytes;
        return at;
    };
    if (!m_function.isKernel) {
        for (const ptx::Variable& v : m_function.parameters)
            m_body.parameterOffsets.push_back(place(v));
        for (const ptx::Variable& v : m_function.results)
            m_body.resultOffsets.push_back(place(v));
    } else {
        std::uint64_t offset = 0;
        for (const ptx::Variable& v : m_function.parameters) {
            const std::uint32_t at = alignUp(offset, std::max(1u, v.alignment));
            m_body.parameterOffsets.push_back(at);
            offset = at + v.bytes;
        }
    }
    for (const ptx::Variable& v : m_function.parameters)
        m_body.parameterBytes.push_back(std::uint32_t(v.bytes));
    for (const ptx::Variable& v : m_function.results)
        m_body.resultBytes.push_back(std::uint32_t(v.bytes));
    m_body.depotOffset = alignUp(local, 16);
    local = m_body.depotOffset;
    std::uint64_t shared = 0;
    for (const ptx::Variable& v : m_function.variables) {
        if (v.space == ptx::Space::shared && m_function.isKernel && !v.isUnsized) {
            const std::uint32_t at = alignUp(shared, std::max(1u, v.alignment));
            m_variableOffset.push_back(at);
            shared = at + v.bytes;
        } else if (v.space == ptx::Space::shared) {
            m_variableOffset.push_back(0);
        } else {
            m_variableOffset.push_back(place(v));
        }
    }
    m_body.staticShared = alignUp(shared, 16);
    m_body.localBytes = alignUp(local, 16);
    std::copy_n(m_function.clusterShape, 3, m_body.cluster.begin());
    m_body.maxThreads =
        m_function.maxThreads[0] * std::max(1u, m_function.maxThreads[1]) * std::max(1u, m_function.maxThreads[2]);
    m_body.startRegisters = startRegisters(m_function);
}

void FunctionDecoder::decode() {
    m_flow = analyseFlow(m_function);
    m_roles = accessRoles(m_function);
    m_context.code.mayLock |= mayLock(m_function);
    const std::size_t n = m_function.instructions.size();
    m_body.instructions.reserve(n + n / 2 + m_flow.blocks.size() + 4);
    for (std::size_t b = 0; b < m_flow.blocks.size(); ++b) {
        m_currentBlock = b;
        enter(b);
        const Flow::Block& block = m_flow.blocks[b];
        for (std::uint32_t k = 0; k < block.count; ++k) {
            const ptx::Instruction& i = m_function.instructions[block.first + k];
            decodeOne(i);
        }
    }
    // Falling off the end returns.
    static const ptx::Instruction end{};
    emit(returnFrom, end);
    finishPointers();
}

void FunctionDecoder::decodeOne(I i) {
    if (i.predicate >= 0 && !isPredicateHandled(i)) {
        Inst& guard = emit(predicated, i);
        guard.a = predicateOf(i.predicate);
        guard.bits = i.predicateNegated;
    }
    const std::size_t first = m_body.instructions.size();
    const bool known = decodeMemory(i) || decodeArithmetic(i) || decodeFloat(i) || decodeControl(i) || decodeMove(i) ||
                       decodeComparison(i) || decodeBits(i) || decodeConversion(i) || decodeBarrier(i) ||
                       decodeWarp(i) || decodeAtomic(i) || decodeMatrix(i) || decodeAsync(i);
    if (!known) unsupported(i);
    noteFacts(i, first);
    m_rows.note(i, looksForRows(i) ? &m_body.instructions[first] : nullptr);
}

bool FunctionDecoder::looksForRows(I i) const {
    if ((i.opcode != "ld" && i.opcode != "st") || i.has("async") || reachesFar(i, m_accessSpace)) return false;
    return m_accessSpace != ptx::Space::local && m_accessSpace != ptx::Space::param;
}

/// An instruction that became several counts once, as the first of them; its guard does not count.
void FunctionDecoder::noteFacts(I i, std::size_t firstInst) {
    if (firstInst >= m_body.instructions.size() || m_body.instructions[firstInst].source < 0) return;
    InstructionFacts& facts = m_context.code.sources[std::size_t(m_body.instructions[firstInst].source)];
    const int userLine = facts.userLine;
    const std::uint16_t site = facts.site;
    const std::int32_t instruction = facts.instruction;
    facts = factsOf(i, m_accessSpace, m_accessIsWide);
    facts.userLine = userLine;
    facts.site = site;
    facts.instruction = instruction;
}

void FunctionDecoder::enter(std::size_t b) {
    m_rows.startBlock();
    const Flow::Block& block = m_flow.blocks[b];
    m_blockStart.push_back(m_body.instructions.size());
    Inst inst;
    inst.fn = enterBlock;
    inst.aux = std::uint32_t(m_context.code.blocks.size());
    inst.imm = block.count;
    inst.bits = block.isReconvergence;
    m_context.code.blocks.push_back({m_index, block.count});
    m_body.instructions.push_back(inst);
}

int FunctionDecoder::sourceIndex(I i) {
    InstructionFacts facts;
    if (i.location != m_lastLocation) m_lastLine = m_context.module.userLine(i.location);
    m_lastLocation = i.location;
    facts.userLine = m_lastLine;
    facts.textLine = i.textLine;
    const std::vector<ptx::Instruction>& all = m_function.instructions;
    if (!all.empty() && &i >= all.data() && &i <= &all.back()) facts.instruction = std::int32_t(&i - all.data());
    const bool known = facts.instruction >= 0 && std::size_t(facts.instruction) < m_roles.size();
    facts.site = m_context.siteOf(m_lastLine, known ? m_roles[std::size_t(facts.instruction)] : AccessRole::other);
    m_context.code.sources.push_back(facts);
    return int(m_context.code.sources.size()) - 1;
}

Inst& FunctionDecoder::emit(Handler handler, I i) {
    if (!handler) unsupported(i);
    Inst inst;
    inst.fn = handler;
    inst.source = sourceIndex(i);
    m_body.instructions.push_back(inst);
    return m_body.instructions.back();
}

void FunctionDecoder::emitOperation(Handler handler, I i, ptx::Type type, std::initializer_list<ptx::Type> sources) {
    operandCount(i, sources.size() + 1);
    Opd s[4];
    std::size_t k = 0;
    for (ptx::Type t : sources) {
        s[k] = source(i.operands[k + 1], t, i);
        ++k;
    }
    (void)type;
    Inst& inst = emit(handler, i);
    inst.d = destination(i.operands[0], i);
    inst.a = s[0];
    inst.b = s[1];
    inst.c = s[2];
    inst.e = s[3];
}

void FunctionDecoder::finishPointers() {
    std::vector<Inst>& all = m_body.instructions;
    const auto at = [&](int block) -> const Inst* {
        return block == Flow::none ? nullptr : &all[m_blockStart[std::size_t(block)]];
    };
    for (const Patch& p : m_patches) {
        all[p.inst].target = at(p.target);
        all[p.inst].reconverge = at(p.reconverge);
    }
    for (const auto& [table, blocks] : m_tables)
        for (int b : blocks)
            m_context.code.branchTables[table].push_back(at(b));
    m_body.entry = all.data();
}

void FunctionDecoder::unsupported(I i, const std::string& why) const {
    std::string name(i.opcode);
    for (std::string_view m : i.modifiers)
        name += fmt::format(".{}", m);
    throw DecodeFailure{"unsupported", fmt::format("{}{} (PTX line {}, function {})", name,
                                                   why.empty() ? "" : ": " + why, i.textLine, m_function.name)};
}

void FunctionDecoder::operandCount(I i, std::size_t least) const {
    if (i.operands.size() < least)
        throw DecodeFailure{"bad_ptx", fmt::format("PTX line {}: {} needs {} operands.", i.textLine, i.opcode, least)};
}

} // namespace kernelarium::emulator
