// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/Pipeline.h"

#include "gpu/emulator/counters/RegisterUse.h"
#include "gpu/emulator/decode/Flow.h"

#include <algorithm>
#include <string_view>

namespace kernelarium::emulator {

namespace {

/// Whether `.pragma "nounroll"` stands between the instruction and what comes before it in the text.
bool isRolledHead(const ptx::Module& module, const ptx::Instruction& head) {
    const std::string_view text = module.text;
    const auto at = std::size_t(head.opcode.data() - text.data());
    if (at >= text.size()) return false;
    const std::size_t label = text.rfind(':', at);
    return label != std::string_view::npos &&
           text.substr(label, at - label).find("\"nounroll\"") != std::string_view::npos;
}

/// The instruction that a branch back goes to; none for other instructions.
const ptx::Instruction* headOfLoop(const ptx::Function& f, std::size_t index) {
    const ptx::Instruction& i = f.instructions[index];
    if (i.opcode != "bra" || i.operands.empty()) return nullptr;
    const std::uint32_t target = labelTarget(f, i.operands[0].name, i.textLine);
    return target <= index ? &f.instructions[target] : nullptr;
}

CopyRole copyRoleOf(const ptx::Instruction& i) {
    if (i.opcode != "cp" || !i.has("async") || i.has("bulk") || i.has("mbarrier")) return CopyRole::none;
    if (i.has("commit_group")) return CopyRole::commit;
    if (i.has("wait_group")) return CopyRole::waitForGroups;
    return i.has("wait_all") ? CopyRole::waitForAll : CopyRole::copy;
}

bool loadsGlobal(const ptx::Instruction& i) {
    return i.opcode == "ld" && i.has("global");
}

} // namespace

Pipeline::Pipeline(const Code& code, const ptx::Module& module)
    : m_facts(code.sources.size())
    , m_globalLoads(code.bodies.size()) {
    for (const ptx::Function& function : module.functions) {
        const auto index = code.functionIndex.find(std::string(function.name));
        if (!function.isDefined || index == code.functionIndex.end()) continue;
        add(code.bodies[index->second], function, code.sources);
        m_globalLoads[index->second] =
            std::uint32_t(std::count_if(function.instructions.begin(), function.instructions.end(), loadsGlobal));
        markLoops(code.bodies[index->second], function, module, code.sources);
        m_registerCount += function.registers.size();
    }
}

void Pipeline::markLoops(const FunctionCode& body, const ptx::Function& function, const ptx::Module& module,
                         const std::vector<InstructionFacts>& sources) {
    struct Head {
        bool rolled = false, loading = false;
    };
    std::vector<Head> heads(function.instructions.size());
    for (const Inst& inst : body.instructions) {
        if (inst.source < 0) continue;
        const std::int32_t written = sources[std::size_t(inst.source)].instruction;
        if (written < 0) continue;
        const ptx::Instruction* first = headOfLoop(function, std::size_t(written));
        if (!first) continue;
        PipelineFacts& facts = m_facts[std::size_t(inst.source)];
        facts.endsTurn = true;
        facts.endsRolledTurn = isRolledHead(module, *first);
        facts.endsLoadingTurn = std::any_of(first, &function.instructions[std::size_t(written)], loadsGlobal);
        Head& head = heads[std::size_t(first - function.instructions.data())];
        head.rolled |= facts.endsRolledTurn;
        head.loading |= facts.endsLoadingTurn;
    }
    Head passed; // of loops whose first instruction counts nothing
    for (const Inst& inst : body.instructions) {
        if (inst.source < 0) continue;
        const InstructionFacts& known = sources[std::size_t(inst.source)];
        if (known.instruction < 0) continue;
        const Head& head = heads[std::size_t(known.instruction)];
        passed = {passed.rolled || head.rolled, passed.loading || head.loading};
        if (known.kind == InstructionClass::none) continue;
        PipelineFacts& facts = m_facts[std::size_t(inst.source)];
        facts.headsRolledLoop |= passed.rolled;
        facts.headsLoadingLoop |= passed.loading;
        passed = {};
    }
}

void Pipeline::add(const FunctionCode& body, const ptx::Function& function,
                   const std::vector<InstructionFacts>& sources) {
    const std::vector<JoinedAccess> joined = joinedAccesses(function);
    for (const Inst& inst : body.instructions) {
        if (inst.source < 0) continue;
        const InstructionFacts& known = sources[std::size_t(inst.source)];
        if (known.instruction < 0 || known.kind == InstructionClass::none) continue;
        const ptx::Instruction& i = function.instructions[std::size_t(known.instruction)];
        PipelineFacts& facts = m_facts[std::size_t(inst.source)];
        facts.joined = joined[std::size_t(known.instruction)];
        facts.movesFreely = i.has("nc") || i.has("const");
        facts.copyRole = copyRoleOf(i);
        if (facts.copyRole == CopyRole::waitForGroups && !i.operands.empty())
            facts.copyGroupsLeft = std::uint8_t(std::min<std::uint64_t>(i.operands[0].bits, 255));
        facts.firstRegister = std::uint32_t(m_registers.size());
        const auto note = [&](int reg) { m_registers.push_back(std::uint32_t(m_registerCount + std::size_t(reg))); };
        eachWrittenRegister(i, note);
        facts.written = std::uint8_t(m_registers.size() - facts.firstRegister);
        eachReadRegister(i, note);
        facts.read = std::uint8_t(m_registers.size() - facts.firstRegister - facts.written);
    }
}

} // namespace kernelarium::emulator
