// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/CeilingKernels.h"

#include "gpu/compile/NvJitLink.h"
#include "gpu/compile/Nvrtc.h"
#include "resources/CeilingSources.h"

#include <fmt/format.h>

namespace kernelarium::device {

namespace {

std::string ceilingText(std::string_view name) {
    for (const resources::CeilingSource& source : resources::ceilingSources())
        if (source.name == name) {
            std::string text(source.text);
            constexpr std::string_view once = "#pragma once\n"; // of the file that C++ includes, too
            if (const std::size_t at = text.find(once); at != std::string::npos) text.erase(at, once.size());
            return text;
        }
    return {};
}

Result<CeilingModule> compileOne(const compile::Nvrtc& nvrtc, const compile::NvJitLink& linker, const std::string& file,
                                 const std::string& capability) {
    CeilingModule module{file, "sm_" + capability, {}, {}};
    std::string text = ceilingText("Arguments.h") + "using namespace kernelarium::ceilings;\n";
    if (file == "tensor" || file == "wgmma") text += ceilingText("operands.cuh");
    text += ceilingText(file + ".cuh");
    const compile::Nvrtc::Output compiled = nvrtc.compile(text, {"-arch=compute_" + capability, "-std=c++17"});
    if (!compiled.ok)
        return Error{"internal", "Our own kernels (" + file + ") did not compile.",
                     "This is a defect; report it with the log.", compiled.failure + compiled.log};
    module.ptx = compiled.ptx;
    compile::NvJitLink::Output linked = linker.link(module.ptx, {"-arch=" + module.arch});
    if (!linked.ok)
        return Error{"internal", "Our own kernels (" + file + ") did not assemble for " + module.arch + ".",
                     "This is a defect; report it with the log.", linked.errors};
    module.cubin = std::move(linked.cubin);
    return module;
}

} // namespace

Result<std::vector<CeilingModule>> compileCeilings(const compile::Toolkit& toolkit, int major, int minor) {
    if (Result<void> complete = toolkit.check(); !complete) return complete.error();
    const Result<std::unique_ptr<compile::Nvrtc>> nvrtc = compile::Nvrtc::load(toolkit.nvrtc);
    if (!nvrtc) return nvrtc.error();
    const Result<std::unique_ptr<compile::NvJitLink>> linker = compile::NvJitLink::load(toolkit.nvJitLink);
    if (!linker) return linker.error();
    const std::string plain = fmt::format("{}{}", major, minor);
    std::vector<std::pair<std::string, std::string>> wanted{{"memory", plain}, {"rates", plain}};
    if (major >= 8) wanted.emplace_back("tensor", plain);
    if (major == 9) wanted.emplace_back("wgmma", plain + "a");
    std::vector<CeilingModule> modules;
    for (const auto& [file, capability] : wanted) {
        Result<CeilingModule> module = compileOne(**nvrtc, **linker, file, capability);
        if (!module) return module.error();
        modules.push_back(std::move(*module));
    }
    return modules;
}

} // namespace kernelarium::device
