// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// How grave a diagnostic is.
enum class Severity { error, warning, note };

/// One message about the source. `file` is "kernel.cu" for the user's own text (line and column are those of the
/// text as given, 1-based; 0 where the tool gives none) or the name of an included header.
struct Diagnostic {
    std::string file;
    int line = 0;
    int column = 0;
    Severity severity = Severity::error;
    std::string text;
};

/// What ptxas says about a kernel. Byte counts are per thread, except for shared memory (per block) and constants
/// (per kernel: parameters and constants of its own).
struct KernelResources {
    std::string name;    ///< demangled, with template arguments, without the parameter list
    std::string mangled; ///< as in the PTX
    int registers = 0;
    int spillStoreBytes = 0;
    int spillLoadBytes = 0;
    int stackBytes = 0; ///< local memory frame
    int staticSharedBytes = 0;
    int constantBytes = 0;
    int barriers = 0;
    int maxThreads = 0;  ///< from __launch_bounds__; 0 when not given
    int globalLoads = 0; ///< instructions of the machine code (MachineLoads.h); 0 where it is not known
};

/// How long the stages of a compilation took.
struct StageSeconds {
    double rewrite = 0; ///< token-level rewrite of exceptions
    double nvrtc = 0;
    double extract = 0; ///< taking the kernels out of the PTX
    double link = 0;    ///< ptxas, or nvJitLink with the one inside it
    double total = 0;
};

/// What became of a source text. When `ok` is false `failedStage` says where it ended ("nvrtc" or "ptxas", or
/// "unsupported": MissingNames.h) and the diagnostics say why; `ptx` is there when NVRTC passed.
struct CompiledUnit {
    bool ok = false;
    std::string failedStage;
    std::string arch;      ///< "sm_90"
    std::string ptx;       ///< of the whole file, host functions included: what the emulator loads
    std::string kernelPtx; ///< kernels and what they reach only: what a GPU's driver loads, what the cubin is made of
    std::vector<std::byte> cubin;
    std::vector<KernelResources> kernels;
    std::vector<Diagnostic> diagnostics; ///< a thousand at most, errors before others (Diagnostics.h)
    std::size_t diagnosticsLeftOut = 0;  ///< beyond these; the last one of `diagnostics` says so, too
    std::string log;                     ///< of NVRTC and the assembler, as they gave it
    /// What made the cubin: "ptxas" (a whole program, as PyTorch's builds are) or "nvJitLink" (relocatable code,
    /// linked: registers and speed may differ); empty where there was nothing to assemble.
    std::string assembler;
    StageSeconds seconds;
    bool kept = false;                ///< compiled by an earlier process; `seconds` are what it took then
    bool readsToolkit = false;        ///< headers of the toolkit were within its reach, and may change in place
    std::string compilerVersion;      ///< "NVRTC 13.0"
    bool usesTensorExtension = false; ///< PYBIND11_MODULE or TORCH_LIBRARY seen: `forward` can be called
    bool isProgram = false;           ///< a `main` and no module: `main` is what runs
    bool fastMath = false;
    text::CompilerSettings settings; ///< that it was compiled with
};

/// Name of a host function in CompiledUnit::ptx that registers the module's definitions (calls kl_module and
/// kl_define); takes and returns nothing. Present when usesTensorExtension.
inline constexpr const char* moduleEntry = "kl_module_entry";

/// Name of a host function in CompiledUnit::ptx that calls the program's main with (count, values) of its arguments,
/// and ends in a call of exit. Present when isProgram.
inline constexpr const char* programEntry = "kl_program_entry";

} // namespace kernelarium::compile
