// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/CompileService.h"

#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/kept/KeptUnits.h"
#include "gpu/service/Assembly.h"
#include "gpu/tools/Disassembly.h"

namespace kernelarium::service {

Result<nlohmann::json> CompileService::handle(const protocol::Request& request, const Progress& progress,
                                              std::stop_token stop) {
    if (request.method == "assemble") {
        const Result<protocol::AssembleParameters> p = protocol::assembleParametersFromJson(request.params);
        if (!p) return p.error();
        progress("assemble");
        const Result<compile::CompiledUnit> unit = assemble(compile::Toolkit::find(p->toolkit), *p, stop);
        if (!unit) return unit.error();
        return protocol::unitToJson(*unit, {"cubin"});
    }
    if (request.method != "compile")
        return Error{"bad_request", "The compile worker has no method " + request.method + "."};
    Result<protocol::CompileParameters> parameters = protocol::compileParametersFromJson(request.params);
    if (!parameters) return parameters.error();
    if (Result<void> ready = ensureCompiler(parameters->toolkit); !ready) return ready.error();
    progress("compile");
    compile::CompileOptions options;
    options.arch = parameters->arch;
    options.fastMath = parameters->fastMath;
    options.cubin = parameters->cubin;
    options.settings = parameters->settings;
    options.stop = stop;
    if (parameters->early)
        options.diagnosed = [&](const std::vector<compile::Diagnostic>& diagnostics, bool ok) {
            progress.sendPartial({{"diagnostics", protocol::toJson(diagnostics)}, {"ok_so_far", ok}});
        };
    Result<compile::CompiledUnit> unit = m_compiler->compile(parameters->source, options);
    if (!unit) return unit.error();
    nlohmann::json answer = protocol::unitToJson(*unit, parameters->texts);
    answer["made_by"] = m_madeBy;
    if (parameters->texts.contains("sass") && unit->ok) {
        Result<std::string> sass = tools::disassemble(m_toolkit, unit->cubin, tools::SassForm::annotated, stop);
        if (!sass) return sass.error();
        answer["sass"] = std::move(*sass);
    }
    return answer;
}

void CompileService::answered() {
    if (m_compiler) m_compiler->prepareNext();
}

Result<void> CompileService::ensureCompiler(const std::string& toolkitFolder) {
    if (m_compiler && m_folder == toolkitFolder) return {};
    m_toolkit = compile::Toolkit::find(toolkitFolder);
    m_madeBy = protocol::KeptUnits::makersOf(toolkit::findToolkits(toolkitFolder).used, "/proc/self/exe");
    Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::create(m_toolkit);
    if (!compiler) return compiler.error();
    m_compiler = std::move(*compiler);
    if (m_many) m_compiler->expectMany();
    m_folder = toolkitFolder;
    return {};
}

} // namespace kernelarium::service
