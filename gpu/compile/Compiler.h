// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensor/DType.h"
#include "core/text/CompilerSettings.h"
#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/Toolkit.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// How a source is compiled.
struct CompileOptions {
    std::string arch = "sm_90";   ///< "sm_90a" and the like are passed on as they are
    bool fastMath = false;        ///< --use_fast_math
    bool allDispatchTypes = true; ///< AT_DISPATCH_* instantiate every type they name, as PyTorch's build does
    std::vector<tensor::DType> dispatchTypes; ///< the only ones to instantiate when allDispatchTypes is false
    bool cubin = true;                        ///< go on to ptxas; without it a unit with PTX is `ok`
    text::CompilerSettings settings;          ///< what the kernel asks for
    /// Where set, this is called once with what the compiler's front end says, as soon as it is through. `ok`: no error
    /// so far; those of code generation and ptxas are still to come.
    std::function<void(const std::vector<Diagnostic>& diagnostics, bool ok)> diagnosed;
    /// Looked at between stages, NVRTC's own too: its front end, the longest, cannot be interrupted, which is why
    /// compiling belongs in a child process.
    std::stop_token stop;
};

/// Compiles a whole archived file, host code included, against the built-in PyTorch shim. Host functions end up in
/// the PTX as device functions whose calls to the outside are those of resources/shim/kernelarium/abi.h; a launch
/// `k<<<...>>>(...)` is a call of __cudaCDP2GetParameterBufferV2 and __cudaCDP2LaunchDeviceV2.
///
/// One compiler serves one thread at a time.
class Compiler {
public:
    /// Loads NVRTC and nvJitLink. Errors: "missing_component" (absent, or older than 12.8).
    static Result<std::unique_ptr<Compiler>> create(const Toolkit& toolkit);
    ~Compiler();
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;

    /// A source that does not compile is a value with ok == false, never an Error. Errors: "bad_input" (not a text: a
    /// null byte; larger than 64 MB; an unknown architecture; a folder
    /// of the settings that is none), "cancelled", "internal" (the toolkit itself failed).
    Result<CompiledUnit> compile(std::string_view source, const CompileOptions& options);

    /// Many texts with the same options follow, as in an audit: the first one makes what spares the others time.
    void expectMany();

    /// Between two texts: has done in the background what the next one would otherwise wait for. Only where a text may
    /// follow, which the second one that was compiled promises, or expectMany().
    void prepareNext();

    [[nodiscard]] std::string version() const; ///< "NVRTC 13.0"

private:
    Compiler();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace kernelarium::compile
