// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/Program.h"

#include "gpu/emulator/code/Code.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace kernelarium::emulator {

namespace {

Result<SymbolInfo> placeVariable(const ptx::Variable& v, DeviceMemory& memory) {
    if (v.isExtern)
        return Error{"unsupported", fmt::format("The external variable {} is defined nowhere.", v.name), "", ""};
    const bool constant = v.space == ptx::Space::constant;
    DeviceMemory::Options options;
    options.owner = constant ? Owner::constant : Owner::module_;
    options.alignment = std::max(16u, v.alignment);
    options.poison = false;
    const Result<std::uint64_t> at = memory.allocate(v.bytes, fmt::format("variable {}", v.name), options);
    if (!at.ok()) return at.error();
    // CUDA zero-initialises variables of the module.
    if (Result<void> r = memory.fill(*at, v.bytes, 0); !r.ok()) return r.error();
    return SymbolInfo{std::string(v.name), *at, v.bytes, constant};
}

Result<std::vector<SymbolInfo>> placeVariables(const ptx::Module& module, DeviceMemory& memory) {
    std::vector<SymbolInfo> placed;
    const auto place = [&](const std::vector<ptx::Variable>& variables) -> Result<void> {
        for (const ptx::Variable& v : variables) {
            if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
            Result<SymbolInfo> symbol = placeVariable(v, memory);
            if (!symbol.ok()) return symbol.error();
            placed.push_back(std::move(*symbol));
        }
        return {};
    };
    if (Result<void> r = place(module.variables); !r.ok()) return r.error();
    for (const ptx::Function& f : module.functions)
        if (Result<void> r = place(f.variables); !r.ok()) return r.error();
    return placed;
}

Result<void> initialiseVariables(const ptx::Module& module, const Code& code, DeviceMemory& memory) {
    for (const ptx::Variable& v : module.variables) {
        if (v.initial.empty() || v.space == ptx::Space::shared) continue;
        const std::uint64_t at = code.symbolAddress.at(std::string(v.name));
        std::vector<std::uint8_t> bytes = v.initial;
        for (const ptx::Variable::Relocation& r : v.relocations) {
            std::uint64_t value = 0;
            const auto function = code.functionIndex.find(std::string(r.symbol));
            const auto symbol = code.symbolAddress.find(std::string(r.symbol));
            if (function != code.functionIndex.end())
                value = window::function + function->second * window::functionStep;
            else if (symbol != code.symbolAddress.end())
                value = symbol->second;
            else
                return Error{"bad_ptx",
                             fmt::format("Variable {} refers to {}, which is defined nowhere.", v.name, r.symbol), "",
                             ""};
            value += std::uint64_t(r.addend);
            if (r.bytes >= 0x100)
                bytes[r.offset] = std::uint8_t(value >> (8 * (r.bytes - 0x100)));
            else
                for (std::uint32_t k = 0; k < r.bytes && r.offset + k < bytes.size(); ++k)
                    bytes[r.offset + k] = std::uint8_t(value >> (8 * k));
        }
        if (Result<void> w = memory.write(at, std::as_bytes(std::span(bytes))); !w.ok()) return w;
    }
    return {};
}

} // namespace

Program::Program(std::shared_ptr<Module> module, std::shared_ptr<const Code> code, DeviceMemory& memory)
    : m_module(std::move(module))
    , m_code(std::move(code))
    , m_memory(memory) {}
Program::~Program() = default;

Result<std::shared_ptr<Program>> Program::place(std::shared_ptr<Module> module, DeviceMemory& memory) {
    Result<std::vector<SymbolInfo>> variables = placeVariables(module->parsed(), memory);
    if (!variables.ok()) return variables.error();
    Result<std::shared_ptr<const Code>> code = module->codeFor(*variables);
    if (!code.ok()) return code.error();
    if (Result<void> r = initialiseVariables(module->parsed(), **code, memory); !r.ok()) return r.error();
    return std::shared_ptr<Program>(new Program(std::move(module), std::move(*code), memory));
}

Result<std::shared_ptr<Program>> Program::load(std::string_view text, DeviceMemory& memory) {
    Result<std::shared_ptr<Module>> module = Module::parse(text);
    if (!module.ok()) return module.error();
    return place(std::move(*module), memory);
}

const std::vector<FunctionInfo>& Program::functions() const {
    return m_code->functions;
}
const std::vector<SymbolInfo>& Program::symbols() const {
    return m_code->symbols;
}
DeviceMemory& Program::memory() const {
    return m_memory;
}
const Code& Program::code() const {
    return *m_code;
}

std::optional<std::uint32_t> Program::functionByName(std::string_view name) const {
    const auto found = m_code->functionIndex.find(std::string(name));
    return found == m_code->functionIndex.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> Program::functionByAddress(std::uint64_t address) const {
    const std::uint64_t index = (address - window::function) / window::functionStep;
    if (address < window::function || index >= m_code->functions.size()) return std::nullopt;
    return std::uint32_t(index);
}

std::uint64_t Program::addressOf(std::uint32_t function) const {
    return window::function + function * window::functionStep;
}

} // namespace kernelarium::emulator
