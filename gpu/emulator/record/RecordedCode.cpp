// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/RecordedCode.h"

#include "gpu/emulator/decode/RegisterLayout.h"
#include "gpu/emulator/decode/RegisterTypes.h"

#include <algorithm>

namespace kernelarium::emulator {

namespace {

bool waitsForOthers(const ptx::Instruction& i) {
    if (i.opcode == "bar" || i.opcode == "barrier" || i.opcode == "mbarrier") return true;
    return (i.opcode == "cp" || i.opcode == "wgmma") && (i.has("wait_group") || i.has("wait_all"));
}

} // namespace

RecordedCode::Function& RecordedCode::functionAt(std::uint32_t index) {
    const auto [at, fresh] = m_functions.try_emplace(index);
    Function& f = at->second;
    if (!fresh) return f;
    for (const ptx::Function& text : m_text.functions)
        if (text.isDefined && text.name == m_code.functions[index].name) f.text = &text;
    if (!f.text) return f;
    f.offsets = layOutRegisters(*f.text).offsets;
    f.types = registerTypes(*f.text);
    f.known.assign(f.text->registers.size(), -1);
    return f;
}

const RecordedCode::Entry* RecordedCode::entryOf(std::uint32_t function, std::int32_t instruction) {
    Function& f = functionAt(function);
    if (!f.text || instruction < 0 || std::size_t(instruction) >= f.text->instructions.size()) return nullptr;
    const auto [at, fresh] = f.entries.try_emplace(instruction);
    Entry& entry = at->second;
    if (!fresh) return &entry;
    const ptx::Instruction& i = f.text->instructions[std::size_t(instruction)];
    entry.index = std::uint32_t(m_instructions.size());
    m_instructions.push_back({textOf(i), m_text.userLine(i.location), i.textLine, function, waitsForOthers(i)});
    for (const ptx::Operand* o : writtenOperands(i))
        addDestination(f, function, *o, entry);
    return &entry;
}

void RecordedCode::addDestination(Function& f, std::uint32_t function, const ptx::Operand& o, Entry& entry) {
    const auto r = std::size_t(o.reg);
    const ptx::Register& declared = f.text->registers[r];
    const bool isPredicate = declared.type == ptx::Type::pred;
    if (f.known[r] < 0) {
        f.known[r] = int(m_registers.size());
        const std::uint32_t words = ptx::byteSize(declared.type) > 8 ? 2 : 1;
        m_registers.push_back(
            {std::string(o.name), f.types[r], function, words}); // a declaration names its first part only
    }
    const auto reg = std::uint32_t(f.known[r]);
    const bool twice = std::any_of(entry.destinations.begin(), entry.destinations.end(),
                                   [&](const Destination& d) { return d.reg == reg; });
    if (!twice) entry.destinations.push_back({reg, f.offsets[r], isPredicate ? 0 : laneBytes(declared.type)});
}

std::string RecordedCode::textOf(const ptx::Instruction& i) const {
    // The views of an instruction point into the module's text.
    const std::string& all = m_text.text;
    auto start = std::size_t(i.opcode.data() - all.data());
    const std::size_t end = all.find(';', start);
    if (i.predicate >= 0) start = all.rfind('@', start);
    std::string text = all.substr(start, end - start + 1);
    const auto breaks = [](char c) { return c == '\n' || c == '\t' || c == '\r'; };
    std::replace_if(text.begin(), text.end(), breaks, ' ');
    text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
    return text;
}

void RecordedCode::take(recording::Recording& r) {
    for (const FunctionInfo& f : m_code.functions)
        r.functions.push_back(f.name);
    r.registers = std::move(m_registers);
    r.instructions = std::move(m_instructions);
}

} // namespace kernelarium::emulator
