// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/family/Configuration.h"
#include "gpu/compile/NvJitLink.h"
#include "gpu/compile/Nvrtc.h"
#include "gpu/compile/Toolkit.h"
#include "gpu/device/driver/DeviceModule.h"

#include <map>
#include <stop_token>

namespace kernelarium::device {

/// Kernels of the HGEMM family, compiled and loaded as they are asked for, and kept.
class FamilyKernels {
public:
    /// Errors: "missing_component" (no compiler).
    static Result<std::unique_ptr<FamilyKernels>> open(std::shared_ptr<DeviceContext> context,
                                                       const compile::Toolkit& toolkit);

    struct Kernel {
        std::unique_ptr<DeviceModule> module;
        FunctionHandle function = nullptr;
        int registers = 0;
    };
    /// Compiles those that are not there yet, in as many threads as there are processors. What does not compile is
    /// found out when it is asked for.
    void prepare(const std::vector<hgemm::Configuration>& configurations, const std::stop_token& stop);
    /// Errors: "unsupported" (refused, or not for this device), "internal" with the compiler's log, those of the
    /// driver.
    Result<const Kernel*> kernel(const hgemm::Configuration& configuration);
    /// The kernels of resources/hgemm/check.cuh.
    Result<const DeviceModule*> checks();

private:
    FamilyKernels() = default;
    Result<std::vector<std::byte>> compile(const std::string& text, bool hopper) const;
    [[nodiscard]] std::string whyNot(const hgemm::Configuration& configuration) const;

    std::shared_ptr<DeviceContext> m_context;
    std::unique_ptr<compile::Nvrtc> m_nvrtc;
    std::unique_ptr<compile::NvJitLink> m_linker;
    std::map<hgemm::Configuration, Result<std::vector<std::byte>>> m_compiled; ///< until it is loaded
    std::map<hgemm::Configuration, Result<Kernel>> m_kernels;
    std::unique_ptr<DeviceModule> m_checks;
};

} // namespace kernelarium::device
