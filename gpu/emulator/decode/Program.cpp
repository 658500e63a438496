// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/Program.h"

#include "gpu/emulator/decode/FunctionDecoder.h"
#include "gpu/emulator/decode/SharedLayout.h"
#include "gpu/ptx/Parser.h"

#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

class Loader {
public:
    Loader(const ptx::Module& module, Code& code, DeviceMemory& memory)
        : m_memory(memory)
        , m_context{module, code, laneTable(), {}, {}, {}, {}, {}} {
        code.memory = &memory;
    }

    Result<void> run() {
        declareFunctions();
        if (Result<void> r = placeVariables(); !r.ok()) return r;
        declareSharedSlots();
        std::vector<FunctionDecoder> decoders;
        decoders.reserve(m_defined.size());
        for (const auto& [function, index] : m_defined)
            decoders.emplace_back(m_context, *function, index);
        for (FunctionDecoder& d : decoders)
            d.layOut();
        for (FunctionDecoder& d : decoders)
            d.decode();
        layOutShared(m_context, decoders, m_defined);
        if (Result<void> r = initialiseVariables(); !r.ok()) return r;
        describeFunctions();
        Code& code = m_context.code;
        code.constantLanes.resize(code.constants.size() * 8 + 64);
        const auto constants = std::as_bytes(std::span(code.constants)); // perhaps none, and null
        std::copy(constants.begin(), constants.end(), code.constantLanes.data());
        return {};
    }

private:
    // A function may be declared before it is defined: one index for both.
    void declareFunctions() {
        Code& code = m_context.code;
        for (const ptx::Function& f : m_context.module.functions) {
            auto [found, fresh] = m_context.functionOf.try_emplace(f.name, std::uint32_t(code.functions.size()));
            if (fresh) {
                code.functions.emplace_back();
                code.functions.back().name = std::string(f.name);
                code.bodies.emplace_back();
                m_declaration.push_back(&f);
            }
            if (f.isDefined) {
                m_declaration[found->second] = &f;
                m_defined.emplace_back(&f, found->second);
            }
        }
        for (std::size_t k = 0; k < code.functions.size(); ++k) {
            code.functionIndex[code.functions[k].name] = std::uint32_t(k);
            const ptx::Function& f = *m_declaration[k];
            code.functions[k].isKernel = f.isKernel;
            if (f.isDefined) continue;
            ExternFunction e;
            e.name = std::string(f.name);
            for (const ptx::Variable& v : f.parameters) {
                e.parameterBytes.push_back(std::uint32_t(v.bytes));
                code.bodies[k].parameterOffsets.push_back(0);
            }
            for (const ptx::Variable& v : f.results) {
                e.resultBytes = std::uint32_t(v.bytes);
                code.bodies[k].resultOffsets.push_back(0);
            }
            code.bodies[k].externIndex = std::uint32_t(code.externs.size());
            code.externs.push_back(std::move(e));
        }
    }

    Result<void> placeVariables() {
        for (const ptx::Variable& v : m_context.module.variables)
            if (Result<void> r = placeVariable(v); !r.ok()) return r;
        for (const ptx::Function& f : m_context.module.functions)
            for (const ptx::Variable& v : f.variables)
                if (v.space == ptx::Space::global || v.space == ptx::Space::constant)
                    if (Result<void> r = placeVariable(v); !r.ok()) return r;
        return {};
    }

    Result<void> placeVariable(const ptx::Variable& v) {
        if (v.space != ptx::Space::global && v.space != ptx::Space::constant) return {};
        if (v.isExtern)
            return Error{"unsupported", fmt::format("The external variable {} is defined nowhere.", v.name), "", ""};
        const bool constant = v.space == ptx::Space::constant;
        DeviceMemory::Options options;
        options.owner = constant ? Owner::constant : Owner::module_;
        options.alignment = std::max(16u, v.alignment);
        options.poison = false;
        const Result<std::uint64_t> at = m_memory.allocate(v.bytes, fmt::format("variable {}", v.name), options);
        if (!at.ok()) return at.error();
        // CUDA zero-initialises variables of the module.
        if (Result<void> r = m_memory.fill(*at, v.bytes, 0); !r.ok()) return r;
        m_context.code.symbolAddress[std::string(v.name)] = *at;
        m_context.code.symbols.push_back({std::string(v.name), *at, v.bytes, constant});
        return {};
    }

    void declareSharedSlots() {
        const auto add = [&](const ptx::Variable& v) {
            m_context.slotOf[&v] = m_context.sharedSlots.size();
            const auto offset =
                std::uint32_t(special::count * special::bytes + m_context.sharedSlots.size() * 8 * laneCount);
            m_context.sharedSlots.push_back({&v, Opd(Opd::special, offset)});
        };
        for (const ptx::Variable& v : m_context.module.variables)
            if (v.space == ptx::Space::shared) add(v);
        for (const ptx::Function& f : m_context.module.functions)
            for (const ptx::Variable& v : f.variables)
                if (v.space == ptx::Space::shared && (!f.isKernel || v.isUnsized)) add(v);
        m_context.code.specialBytes =
            std::uint32_t(special::count * special::bytes + m_context.sharedSlots.size() * 8 * laneCount);
    }

    Result<void> initialiseVariables() {
        for (const ptx::Variable& v : m_context.module.variables) {
            if (v.initial.empty() || v.space == ptx::Space::shared) continue;
            const std::uint64_t at = m_context.code.symbolAddress.at(std::string(v.name));
            std::vector<std::uint8_t> bytes = v.initial;
            for (const ptx::Variable::Relocation& r : v.relocations) {
                std::uint64_t value = 0;
                const auto function = m_context.functionOf.find(r.symbol);
                const auto symbol = m_context.code.symbolAddress.find(std::string(r.symbol));
                if (function != m_context.functionOf.end())
                    value = window::function + function->second * window::functionStep;
                else if (symbol != m_context.code.symbolAddress.end())
                    value = symbol->second;
                else
                    return Error{"bad_ptx",
                                 fmt::format("Variable {} refers to {}, which is defined nowhere.", v.name, r.symbol),
                                 "", ""};
                value += std::uint64_t(r.addend);
                if (r.bytes >= 0x100)
                    bytes[r.offset] = std::uint8_t(value >> (8 * (r.bytes - 0x100)));
                else
                    for (std::uint32_t k = 0; k < r.bytes && r.offset + k < bytes.size(); ++k)
                        bytes[r.offset + k] = std::uint8_t(value >> (8 * k));
            }
            if (Result<void> w = m_memory.write(at, std::as_bytes(std::span(bytes))); !w.ok()) return w;
        }
        return {};
    }

    void describeFunctions() {
        Code& code = m_context.code;
        for (std::size_t k = 0; k < code.functions.size(); ++k) {
            FunctionInfo& info = code.functions[k];
            const FunctionCode& body = code.bodies[k];
            const ptx::Function& f = *m_declaration[k];
            std::uint32_t end = 0;
            for (std::size_t p = 0; p < f.parameters.size(); ++p) {
                const std::uint32_t offset = p < body.parameterOffsets.size() ? body.parameterOffsets[p] : 0;
                info.parameters.push_back({offset, std::uint32_t(f.parameters[p].bytes)});
                end = std::max(end, offset + std::uint32_t(f.parameters[p].bytes));
            }
            info.parameterBytes = end;
            for (const ptx::Variable& v : f.results)
                info.returnBytes += std::uint32_t(v.bytes);
            info.staticSharedBytes = body.staticShared;
            info.localBytes = body.localBytes;
        }
    }

    DeviceMemory& m_memory;
    DecodeContext m_context;
    std::vector<const ptx::Function*> m_declaration;
    std::vector<std::pair<const ptx::Function*, std::uint32_t>> m_defined;
};

} // namespace

Program::Program()
    : m_code(std::make_unique<Code>()) {}
Program::~Program() = default;

Result<std::shared_ptr<Program>> Program::load(std::string_view text, DeviceMemory& memory) {
    Result<std::unique_ptr<ptx::Module>> module = ptx::parse(text);
    if (!module.ok()) return module.error();
    std::shared_ptr<Program> program(new Program);
    try {
        Result<void> loaded = Loader(**module, *program->m_code, memory).run();
        if (!loaded.ok()) return loaded.error();
    } catch (const DecodeFailure& failure) {
        if (failure.code == "unsupported")
            return Error{failure.code, fmt::format("The emulator does not support {}.", failure.message), "", ""};
        return Error{failure.code, failure.message, "", ""};
    }
    return program;
}

const std::vector<FunctionInfo>& Program::functions() const {
    return m_code->functions;
}
const std::vector<SymbolInfo>& Program::symbols() const {
    return m_code->symbols;
}
DeviceMemory& Program::memory() const {
    return *m_code->memory;
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
