// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/CompileMessages.h"

#include "core/files/Base64.h"

namespace kernelarium::protocol {

namespace {

using compile::CompiledUnit;
using compile::Diagnostic;
using compile::KernelResources;
using compile::Severity;
using nlohmann::json;

json kernelToJson(const KernelResources& k) {
    return {{"name", k.name},
            {"mangled", k.mangled},
            {"registers", k.registers},
            {"spill_store_bytes", k.spillStoreBytes},
            {"spill_load_bytes", k.spillLoadBytes},
            {"stack_bytes", k.stackBytes},
            {"static_shared_bytes", k.staticSharedBytes},
            {"constant_bytes", k.constantBytes},
            {"barriers", k.barriers},
            {"max_threads", k.maxThreads},
            {"global_loads", k.globalLoads}};
}

KernelResources kernelFromJson(const json& j) {
    KernelResources k;
    k.name = j.at("name").get<std::string>();
    k.mangled = j.at("mangled").get<std::string>();
    k.registers = j.value("registers", 0);
    k.spillStoreBytes = j.value("spill_store_bytes", 0);
    k.spillLoadBytes = j.value("spill_load_bytes", 0);
    k.stackBytes = j.value("stack_bytes", 0);
    k.staticSharedBytes = j.value("static_shared_bytes", 0);
    k.constantBytes = j.value("constant_bytes", 0);
    k.barriers = j.value("barriers", 0);
    k.maxThreads = j.value("max_threads", 0);
    k.globalLoads = j.value("global_loads", 0);
    for (const int count : {k.registers, k.spillStoreBytes, k.spillLoadBytes, k.stackBytes, k.staticSharedBytes,
                            k.constantBytes, k.barriers, k.maxThreads, k.globalLoads})
        if (count < 0) throw std::invalid_argument("a kernel takes less than nothing");
    if (k.registers > 65536) throw std::invalid_argument("a kernel has more registers than any multiprocessor");
    return k;
}

json diagnosticToJson(const Diagnostic& d) {
    return {{"file", d.file}, {"line", d.line}, {"column", d.column}, {"severity", name(d.severity)}, {"text", d.text}};
}

Diagnostic diagnosticFromJson(const json& j) {
    Diagnostic d;
    d.file = j.at("file").get<std::string>();
    d.line = j.value("line", 0);
    d.column = j.value("column", 0);
    d.text = j.at("text").get<std::string>();
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (j.at("severity") == name(severity)) d.severity = severity;
    return d;
}

CompiledUnit readUnit(const json& j) {
    CompiledUnit unit;
    unit.ok = j.at("ok").get<bool>();
    unit.failedStage = j.value("failed_stage", "");
    unit.arch = j.value("arch", "");
    unit.compilerVersion = j.value("compiler", "");
    unit.assembler = j.value("assembler", "");
    unit.usesTensorExtension = j.value("tensor_extension", false);
    unit.isProgram = j.value("program", false);
    unit.fastMath = j.value("fast_math", false);
    auto settings = text::settingsFromWords(j.value("settings", std::vector<std::string>()));
    if (!settings) throw std::invalid_argument(settings.error().message);
    unit.settings = std::move(*settings);
    for (const json& kernel : j.value("kernels", json::array()))
        unit.kernels.push_back(kernelFromJson(kernel));
    for (const json& d : j.value("diagnostics", json::array()))
        unit.diagnostics.push_back(diagnosticFromJson(d));
    unit.diagnosticsLeftOut = j.value("diagnostics_left_out", std::size_t(0));
    const json seconds = j.value("seconds", json::object());
    unit.seconds = {seconds.value("rewrite", 0.0), seconds.value("nvrtc", 0.0), seconds.value("extract", 0.0),
                    seconds.value("link", 0.0), seconds.value("total", 0.0)};
    unit.kept = j.value("kept", false);
    unit.readsToolkit = j.value("reads_toolkit", false);
    unit.ptx = j.value("ptx", "");
    unit.kernelPtx = j.value("kernel_ptx", "");
    unit.log = j.value("log", "");
    auto cubin = files::fromBase64(j.value("cubin", ""));
    if (!cubin) throw std::invalid_argument("`cubin` is not base64");
    unit.cubin = std::move(*cubin);
    return unit;
}

} // namespace

std::string_view name(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
    }
    return "error";
}

json toJson(const CompileParameters& p) {
    json j = {{"source", p.source}, {"arch", p.arch},   {"fast_math", p.fastMath},
              {"cubin", p.cubin},   {"early", p.early}, {"settings", wordsOf(p.settings)},
              {"emit", p.texts}};
    if (!p.toolkit.empty()) j["toolkit"] = p.toolkit;
    return j;
}

Result<CompileParameters> compileParametersFromJson(const json& j) {
    try {
        CompileParameters p;
        p.source = j.at("source").get<std::string>();
        p.arch = j.value("arch", p.arch);
        p.fastMath = j.value("fast_math", p.fastMath);
        p.cubin = j.value("cubin", p.cubin);
        p.early = j.value("early", p.early);
        auto settings = text::settingsFromWords(j.value("settings", std::vector<std::string>()));
        if (!settings) return settings.error();
        p.settings = std::move(*settings);
        p.texts = j.value("emit", p.texts);
        p.toolkit = j.value("toolkit", p.toolkit);
        return p;
    } catch (const json::exception& failure) {
        return Error{"bad_request", std::string("Not a compile request: ") + failure.what()};
    }
}

Result<std::vector<Diagnostic>> diagnosticsFromJson(const json& list) {
    try {
        std::vector<Diagnostic> diagnostics;
        for (const json& d : list)
            diagnostics.push_back(diagnosticFromJson(d));
        return diagnostics;
    } catch (const json::exception& failure) {
        return Error{"bad_input", std::string("The compiler's diagnostics cannot be read: ") + failure.what() + "."};
    }
}

json toJson(const std::vector<Diagnostic>& diagnostics) {
    json list = json::array();
    for (const Diagnostic& diagnostic : diagnostics)
        list.push_back(diagnosticToJson(diagnostic));
    return list;
}

json unitToJson(const CompiledUnit& unit, const std::set<std::string>& texts) {
    json j = {{"ok", unit.ok},
              {"failed_stage", unit.failedStage},
              {"arch", unit.arch},
              {"compiler", unit.compilerVersion},
              {"assembler", unit.assembler},
              {"tensor_extension", unit.usesTensorExtension},
              {"program", unit.isProgram},
              {"fast_math", unit.fastMath},
              {"settings", wordsOf(unit.settings)},
              {"kernels", json::array()},
              {"diagnostics", toJson(unit.diagnostics)},
              {"seconds",
               {{"rewrite", unit.seconds.rewrite},
                {"nvrtc", unit.seconds.nvrtc},
                {"extract", unit.seconds.extract},
                {"link", unit.seconds.link},
                {"total", unit.seconds.total}}}};
    if (unit.kept) j["kept"] = true;
    if (unit.readsToolkit) j["reads_toolkit"] = true;
    if (unit.diagnosticsLeftOut > 0) j["diagnostics_left_out"] = unit.diagnosticsLeftOut;
    for (const KernelResources& kernel : unit.kernels)
        j["kernels"].push_back(kernelToJson(kernel));
    if (texts.contains("ptx")) j["ptx"] = unit.ptx;
    if (texts.contains("kernel_ptx")) j["kernel_ptx"] = unit.kernelPtx;
    if (texts.contains("log")) j["log"] = unit.log;
    if (texts.contains("cubin")) j["cubin"] = files::toBase64(unit.cubin);
    return j;
}

Result<CompiledUnit> unitFromJson(const json& j) {
    try {
        return readUnit(j);
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a compiled unit: ") + failure.what()};
    }
}

} // namespace kernelarium::protocol
