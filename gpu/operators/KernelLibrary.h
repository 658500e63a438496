// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/Toolkit.h"
#include "gpu/operators/Machine.h"

#include <compare>
#include <map>
#include <memory>

namespace kernelarium::compile {
class Nvrtc;
class NvJitLink;
} // namespace kernelarium::compile

namespace kernelarium::operators {

/// One instance of a function of resources/operators: file "pointwise", function "map<Relu, float, float,
/// float>", taking a struct "MapArguments".
struct Kernel {
    std::string file;
    std::string function;
    std::string arguments;
    bool exact = false; ///< multiplications and additions are never contracted: for bits that the host computes, too

    /// The function as an identifier.
    [[nodiscard]] std::string name() const;
    auto operator<=>(const Kernel&) const = default;
};

/// Compiles our own kernels when they are needed, each once for an architecture.
class KernelLibrary {
public:
    /// Errors: "missing_component" (no NVRTC, or too old).
    static Result<std::unique_ptr<KernelLibrary>> create(const compile::Toolkit& toolkit);
    ~KernelLibrary();

    /// Makes these kernels launchable on the machine: those that it lacks are compiled, all missing ones at
    /// once, and loaded. Errors: "internal" with the compiler's log, what the machine says.
    Result<void> prepare(Machine& machine, std::span<const Kernel> kernels);

    [[nodiscard]] double compileSeconds() const { return m_seconds; }       ///< spent in the compiler so far
    [[nodiscard]] std::size_t compiled() const { return m_modules.size(); } ///< kernels

private:
    KernelLibrary();
    using ModulePointer = std::shared_ptr<const KernelModule>;
    Result<ModulePointer> compile(const std::vector<Kernel>& kernels, const MachineFacts& facts, bool exact);
    Result<void> compileMissing(const std::vector<Kernel>& kernels, const MachineFacts& facts);

    std::unique_ptr<compile::Nvrtc> m_nvrtc;
    std::unique_ptr<compile::NvJitLink> m_linker; ///< null where the toolkit has none: cubins are refused then
    std::map<std::string, ModulePointer, std::less<>> m_modules; ///< by architecture and kernel
    double m_seconds = 0;
};

} // namespace kernelarium::operators
