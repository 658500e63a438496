// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/CompileCommand.h"

#include "app/cli/Workers.h"
#include "app/cli/kernel/CompilePair.h"
#include "app/cli/kernel/CompilerOptions.h"
#include "app/cli/kernel/KernelSource.h"
#include "core/quantities/Quantities.h"
#include "gpu/tools/Disassembly.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace kernelarium::cli {

namespace {

using nlohmann::json;

void printDiagnostics(const compile::CompiledUnit& unit) {
    for (const compile::Diagnostic& d : unit.diagnostics)
        fmt::print(stderr, "{}:{}:{}: {}: {}\n", d.file, d.line, d.column, protocol::name(d.severity), d.text);
}

void printResources(const compile::CompiledUnit& unit) {
    fmt::print("{} {} {}, {}, {}{}\n", unit.ok ? "compiled" : "does not compile", "for", unit.arch,
               quantities::counted(double(unit.kernels.size()), "kernel"), quantities::seconds(unit.seconds.total),
               unit.kept ? " when it was compiled first" : "");
    if (unit.kernels.empty()) return;
    fmt::print("{:>9} {:>12} {:>7} {:>8} {:>9} {:>8}  kernel\n", "registers", "spill st/ld", "stack", "shared",
               "constant", "threads");
    for (const compile::KernelResources& k : unit.kernels)
        fmt::print("{:>9} {:>12} {:>7} {:>8} {:>9} {:>8}  {}\n", k.registers,
                   fmt::format("{}/{}", k.spillStoreBytes, k.spillLoadBytes), k.stackBytes, k.staticSharedBytes,
                   k.constantBytes, k.maxThreads ? std::to_string(k.maxThreads) : "-", k.name);
}

std::string hex(const std::string& bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const char c : bytes)
        out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return out;
}

struct Request {
    std::string file;
    std::string emit;
    protocol::CompileParameters parameters;
    std::vector<std::string> compilerWords;
    SecondCompilation second;
};

Result<Emit> parseEmit(const std::string& text) {
    if (text.empty()) return Emit::summary;
    if (text == "ptx") return Emit::ptx;
    if (text == "cubin") return Emit::cubin;
    if (text == "sass") return Emit::sass;
    return Error{"bad_input", "\"" + text + "\" cannot be emitted.", "Ask for ptx, cubin or sass."};
}

int runCompile(Context& context, const Request& request) {
    const Result<Emit> emit = parseEmit(request.emit);
    if (!emit) return report(context, emit.error());
    const compile::Toolkit toolkit = compile::Toolkit::find(request.parameters.toolkit);
    if (*emit == Emit::sass && toolkit.nvdisasm.empty())
        return report(context, tools::disassemble(toolkit, {}, tools::SassForm::plain).error());
    Result<KernelSource> source = readKernelFile(request.file);
    if (!source) return report(context, source.error());
    protocol::CompileParameters parameters = request.parameters;
    Result<text::CompilerSettings> settings = compilerSettings(request.compilerWords);
    if (!settings) return report(context, settings.error());
    parameters.settings = std::move(*settings);
    addOwnFolder(*source, parameters.settings);
    parameters.source = source->text;
    parameters.texts = {"ptx", "cubin", "log"};
    protocol::KernelClient compiler = makeCompiler();
    const Result<protocol::KernelClient::Unit> unit = compiler.compile(parameters, shown());
    if (!unit) return report(context, unit.error());
    if (!request.second.isWanted() || !(*unit)->ok) return printCompiled(context, **unit, *emit, toolkit);
    if (*emit == Emit::cubin)
        return report(context, {"bad_usage", "Bytes of a cubin are not shown side by side.", "Ask for ptx or sass."});
    Result<protocol::CompileParameters> secondParameters = parametersOfSecond(request.second, std::move(parameters));
    if (!secondParameters) return report(context, secondParameters.error());
    addOwnFolder(*source, secondParameters->settings);
    const Result<protocol::KernelClient::Unit> second = compiler.compile(*secondParameters, shown());
    if (!second) return report(context, second.error());
    if (!(*second)->ok) return printCompiled(context, **second, *emit, toolkit);
    return printPair(context, **unit, **second, *emit, toolkit);
}

} // namespace

int printCompiled(Context& context, const compile::CompiledUnit& unit, Emit emit, const compile::Toolkit& toolkit) {
    const Result<std::string> text = unit.ok ? emitted(unit, emit, toolkit) : Result<std::string>(std::string());
    if (!text) return report(context, text.error());
    if (context.json) {
        json out = protocol::unitToJson(unit, {});
        out["cubin_bytes"] = unit.cubin.size();
        if (emit == Emit::ptx) out["ptx"] = *text;
        if (emit == Emit::cubin) out["cubin_hex"] = hex(*text);
        if (emit == Emit::sass) out["sass"] = *text;
        fmt::print("{}\n", out.dump(2, ' ', false, json::error_handler_t::replace));
    } else {
        printDiagnostics(unit);
        if (emit == Emit::summary)
            printResources(unit);
        else
            std::fwrite(text->data(), 1, text->size(), stdout);
    }
    return unit.ok ? exitSuccess : exitCheckFailed;
}

void addCompileCommand(CLI::App& app, Context& context) {
    auto request = std::make_shared<Request>();
    CLI::App* command =
        app.add_subcommand("compile", "Compile a kernel file: diagnostics, resources, PTX, cubin or SASS");
    command->add_option("file", request->file, "A kernel in the archive's form")->required()->option_text("FILE.cu");
    command->add_option("--arch", request->parameters.arch, "Architecture, sm_90 by default")->option_text("SM");
    command->add_option("--emit", request->emit, "What to print in place of the summary")
        ->option_text("ptx|cubin|sass");
    command->add_flag("--fast-math", request->parameters.fastMath, "Compile with --use_fast_math, as the archive was");
    addCompilerOptions(*command, request->compilerWords);
    addSecondCompilation(*command, request->second);
    command->add_option("--toolkit", request->parameters.toolkit, "Folder of the CUDA toolkit")->option_text("FOLDER");
    command->add_flag("--json", context.json, "One JSON document on standard output");
    command->callback([request, &context] { context.exitCode = runCompile(context, *request); });
}

} // namespace kernelarium::cli
