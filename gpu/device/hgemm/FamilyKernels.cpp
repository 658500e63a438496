// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/hgemm/FamilyKernels.h"

#include "core/hgemm/family/KernelText.h"
#include "core/hgemm/family/Templates.h"
#include "core/threads/FanOut.h"

#include <fmt/format.h>

namespace kernelarium::device {

Result<std::unique_ptr<FamilyKernels>> FamilyKernels::open(std::shared_ptr<DeviceContext> context,
                                                           const compile::Toolkit& toolkit) {
    if (Result<void> complete = toolkit.check(); !complete) return complete.error();
    Result<std::unique_ptr<compile::Nvrtc>> nvrtc = compile::Nvrtc::load(toolkit.nvrtc);
    if (!nvrtc) return nvrtc.error();
    Result<std::unique_ptr<compile::NvJitLink>> linker = compile::NvJitLink::load(toolkit.nvJitLink);
    if (!linker) return linker.error();
    std::unique_ptr<FamilyKernels> made(new FamilyKernels);
    made->m_context = std::move(context);
    made->m_nvrtc = std::move(*nvrtc);
    made->m_linker = std::move(*linker);
    return made;
}

Result<std::vector<std::byte>> FamilyKernels::compile(const std::string& text, bool hopper) const {
    const std::string capability =
        fmt::format("{}{}{}", m_context->info().major, m_context->info().minor, hopper ? "a" : "");
    const compile::Nvrtc::Output compiled = m_nvrtc->compile(text, {"-arch=compute_" + capability, "-std=c++17"});
    if (!compiled.ok)
        return Error{"internal", "A kernel of the HGEMM family did not compile.", "This is a defect; report it.",
                     compiled.failure + compiled.log};
    compile::NvJitLink::Output linked = m_linker->link(compiled.ptx, {"-arch=sm_" + capability});
    if (!linked.ok)
        return Error{"internal", "A kernel of the HGEMM family did not assemble.", "This is a defect; report it.",
                     linked.errors};
    return std::move(linked.cubin);
}

std::string FamilyKernels::whyNot(const hgemm::Configuration& c) const {
    if (std::string why = hgemm::refusal(c); !why.empty()) return why;
    const DeviceInfo& info = m_context->info();
    if (info.major < 8) return "The family needs compute capability 8.0.";
    if (info.major == 9) return {};
    if (c.engine == hgemm::Engine::wgmma) return "wgmma is compute capability 9.0's alone.";
    if (c.clusterSize() > 1) return "Clusters come with compute capability 9.0.";
    return {};
}

void FamilyKernels::prepare(const std::vector<hgemm::Configuration>& configurations, const std::stop_token& stop) {
    std::vector<hgemm::Configuration> missing;
    for (const hgemm::Configuration& c : configurations)
        if (!m_kernels.contains(c) && !m_compiled.contains(c) && whyNot(c).empty() &&
            std::find(missing.begin(), missing.end(), c) == missing.end())
            missing.push_back(c);
    std::vector<Result<std::vector<std::byte>>> compiled(missing.size(),
                                                         Error{"cancelled", "It was not compiled.", ""});
    threads::forEach(missing.size(), threads::cores(), [&](std::size_t i, std::size_t) {
        if (!stop.stop_requested())
            compiled[i] = compile(hgemm::kernelText(missing[i]), missing[i].engine == hgemm::Engine::wgmma);
    });
    for (std::size_t i = 0; i < missing.size(); ++i)
        if (compiled[i] || compiled[i].error().code != "cancelled")
            m_compiled.emplace(missing[i], std::move(compiled[i]));
}

Result<const FamilyKernels::Kernel*> FamilyKernels::kernel(const hgemm::Configuration& c) {
    const auto known = m_kernels.find(c);
    if (known != m_kernels.end()) {
        if (!known->second) return known->second.error();
        return &*known->second;
    }
    if (const std::string why = whyNot(c); !why.empty()) return Error{"unsupported", why};
    const auto load = [&]() -> Result<Kernel> {
        const auto prepared = m_compiled.find(c);
        const auto cubin = prepared != m_compiled.end()
                               ? std::move(prepared->second)
                               : compile(hgemm::kernelText(c), c.engine == hgemm::Engine::wgmma);
        if (prepared != m_compiled.end()) m_compiled.erase(prepared);
        if (!cubin) return cubin.error();
        Result<std::unique_ptr<DeviceModule>> module = DeviceModule::load(m_context, *cubin, {});
        if (!module) return module.error();
        Kernel kernel{std::move(*module), nullptr, 0};
        kernel.function = kernel.module->function("hgemm");
        if (!kernel.function) return Error{"internal", "The module of a family kernel has no `hgemm`."};
        kernel.registers = kernel.module->attribute(kernel.function, functionRegisters);
        const DriverStatus set =
            m_context->api().cuFuncSetAttribute(kernel.function, functionDynamicShared, c.sharedBytes());
        if (Result<void> done = m_context->check(set, "Asking for shared memory"); !done) return done.error();
        return kernel;
    };
    const auto made = m_kernels.emplace(c, load()).first;
    if (!made->second) return made->second.error();
    return &*made->second;
}

Result<const DeviceModule*> FamilyKernels::checks() {
    if (!m_checks) {
        const Result<std::vector<std::byte>> cubin = compile(std::string(hgemm::checkTemplate()), false);
        if (!cubin) return cubin.error();
        Result<std::unique_ptr<DeviceModule>> module = DeviceModule::load(m_context, *cubin, {});
        if (!module) return module.error();
        m_checks = std::move(*module);
    }
    return m_checks.get();
}

} // namespace kernelarium::device
