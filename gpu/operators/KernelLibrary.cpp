// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/KernelLibrary.h"

#include "gpu/compile/NvJitLink.h"
#include "gpu/compile/Nvrtc.h"
#include "resources/OperatorSources.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <set>

#include <fmt/format.h>

namespace kernelarium::operators {

namespace {

/// The text of a source, without what only the host's compiler may see twice.
std::string sourceText(std::string_view name) {
    for (const resources::OperatorSource& source : resources::operatorSources())
        if (source.name == name) {
            std::string text(source.text);
            constexpr std::string_view once = "#pragma once\n";
            if (const std::size_t at = text.find(once); at != std::string::npos) text.erase(at, once.size());
            return text;
        }
    return {};
}

std::string programFor(const std::vector<Kernel>& kernels) {
    std::set<std::string> files;
    for (const Kernel& k : kernels)
        files.insert(k.file);
    std::string text = sourceText("Arguments.h") + sourceText("types.cuh");
    if (files.contains("convolution")) { // it builds on the products' tiles
        text += sourceText("product.cuh");
        files.erase("product");
    }
    for (const std::string& file : files)
        text += sourceText(file + ".cuh");
    text += "using namespace kernelarium::operators;\n";
    for (const Kernel& k : kernels)
        text += fmt::format("extern \"C\" __global__ void __launch_bounds__(256) {}(const __grid_constant__ {} a) "
                            "{{ {}(a); }}\n",
                            k.name(), k.arguments, k.function);
    return text;
}

std::string keyOf(const MachineFacts& facts, const std::string& kernel) {
    return facts.arch + (facts.takesCubin ? " cubin " : " ptx ") + kernel;
}

} // namespace

std::string Kernel::name() const {
    std::string out;
    for (const char c : function) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            out += c;
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    while (!out.empty() && out.back() == '_')
        out.pop_back();
    return "kl_" + out;
}

KernelLibrary::KernelLibrary() = default;
KernelLibrary::~KernelLibrary() = default;

Result<std::unique_ptr<KernelLibrary>> KernelLibrary::create(const compile::Toolkit& toolkit) {
    if (Result<void> complete = toolkit.check(); !complete) return complete.error();
    Result<std::unique_ptr<compile::Nvrtc>> nvrtc = compile::Nvrtc::load(toolkit.nvrtc);
    if (!nvrtc) return nvrtc.error();
    Result<std::unique_ptr<compile::NvJitLink>> linker = compile::NvJitLink::load(toolkit.nvJitLink);
    if (!linker) return linker.error();
    std::unique_ptr<KernelLibrary> library(new KernelLibrary);
    library->m_nvrtc = std::move(*nvrtc);
    library->m_linker = std::move(*linker);
    return library;
}

Result<KernelLibrary::ModulePointer> KernelLibrary::compile(const std::vector<Kernel>& kernels,
                                                            const MachineFacts& facts, bool exact) {
    auto module = std::make_shared<KernelModule>();
    module->arch = facts.arch;
    for (const Kernel& k : kernels)
        module->kernels.push_back(k.name());
    const compile::Nvrtc::Output out =
        m_nvrtc->compile(programFor(kernels),
                         {"-arch=compute_" + facts.arch.substr(3), "-std=c++17", exact ? "-fmad=false" : "-fmad=true"});
    if (!out.ok)
        return Error{"internal", "Our own kernels did not compile.", "This is a defect; report it with the log.",
                     out.failure + out.log};
    module->ptx = out.ptx;
    if (!facts.takesCubin) return ModulePointer(module);
    const compile::NvJitLink::Output linked = m_linker->link(out.ptx, {"-arch=" + facts.arch});
    if (!linked.ok)
        return Error{"internal", "Our own kernels did not assemble for " + facts.arch + ".",
                     "This is a defect; report it with the log.", linked.errors};
    module->cubin = linked.cubin;
    return ModulePointer(module);
}

Result<void> KernelLibrary::compileMissing(const std::vector<Kernel>& kernels, const MachineFacts& facts) {
    for (const bool exact : {false, true}) {
        std::vector<Kernel> missing;
        for (const Kernel& k : kernels)
            if (k.exact == exact && !m_modules.contains(keyOf(facts, k.name()))) missing.push_back(k);
        if (missing.empty()) continue;
        const auto start = std::chrono::steady_clock::now();
        Result<ModulePointer> module = compile(missing, facts, exact);
        if (!module) return module.error();
        m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        for (const Kernel& k : missing)
            m_modules[keyOf(facts, k.name())] = *module;
    }
    return {};
}

Result<void> KernelLibrary::prepare(Machine& machine, std::span<const Kernel> kernels) {
    std::vector<Kernel> wanted;
    for (const Kernel& k : kernels)
        if (!machine.has(k.name())) wanted.push_back(k);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (Result<void> done = compileMissing(wanted, machine.facts()); !done) return done;
    for (const Kernel& k : wanted) {
        if (machine.has(k.name())) continue; // came with another one's module
        const ModulePointer& module = m_modules.at(keyOf(machine.facts(), k.name()));
        if (Result<void> loaded = machine.load(*module); !loaded) return loaded;
    }
    return {};
}

} // namespace kernelarium::operators
