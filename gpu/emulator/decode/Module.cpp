// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/Module.h"

#include "gpu/emulator/decode/FunctionDecoder.h"
#include "gpu/emulator/decode/SharedLayout.h"
#include "gpu/ptx/Parser.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

class ModuleDecoder {
public:
    ModuleDecoder(const ptx::Module& module, Code& code)
        : m_context{module, code, laneTable(), {}, {}, {}, {}, {}, {}} {}

    void run(const std::vector<SymbolInfo>& variables) {
        Code& code = m_context.code;
        declareFunctions();
        code.symbols = variables;
        for (const SymbolInfo& variable : variables)
            code.symbolAddress[variable.name] = variable.address;
        declareSharedSlots();
        for (const ptx::Function& f : m_context.module.functions)
            m_context.mapsShared |= std::any_of(f.instructions.begin(), f.instructions.end(),
                                                [](const ptx::Instruction& i) { return i.opcode == "mapa"; });
        std::vector<FunctionDecoder> decoders;
        decoders.reserve(m_defined.size());
        for (const auto& [function, index] : m_defined)
            decoders.emplace_back(m_context, *function, index);
        for (FunctionDecoder& d : decoders)
            d.layOut();
        for (FunctionDecoder& d : decoders)
            d.decode();
        layOutShared(m_context, decoders, m_defined);
        describeFunctions();
        code.constantLanes.resize(code.constants.size() * 8 + 64);
        const auto constants = std::as_bytes(std::span(code.constants)); // perhaps none, and null
        std::copy(constants.begin(), constants.end(), code.constantLanes.data());
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

    DecodeContext m_context;
    std::vector<const ptx::Function*> m_declaration;
    std::vector<std::pair<const ptx::Function*, std::uint32_t>> m_defined;
};

bool lieAlike(const std::vector<SymbolInfo>& a, const std::vector<SymbolInfo>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const SymbolInfo& x, const SymbolInfo& y) { return x.address == y.address; });
}

} // namespace

Result<std::shared_ptr<Module>> Module::parse(std::string_view text) {
    Result<std::unique_ptr<ptx::Module>> parsed = ptx::parse(text);
    if (!parsed.ok()) return parsed.error();
    return std::shared_ptr<Module>(new Module(std::move(*parsed)));
}

Result<std::shared_ptr<const Code>> Module::codeFor(const std::vector<SymbolInfo>& variables) {
    const std::lock_guard lock(m_mutex);
    if (m_code && lieAlike(m_code->symbols, variables)) return m_code;
    auto code = std::make_shared<Code>();
    try {
        ModuleDecoder(*m_parsed, *code).run(variables);
    } catch (const DecodeFailure& failure) {
        if (failure.code == "unsupported")
            return Error{failure.code, fmt::format("The emulator does not support {}.", failure.message), "", ""};
        return Error{failure.code, failure.message, "", ""};
    }
    m_code = std::move(code);
    return m_code;
}

} // namespace kernelarium::emulator
