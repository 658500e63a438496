// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/CompiledUnit.h"

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Parameters of the compile child's method "compile":
///   source      the whole file
///   arch        "sm_90" when missing
///   fast_math   false when missing
///   cubin       go on to ptxas; true when missing
///   early       send the diagnostics while code is generated; true when missing
///   settings    ["-IFOLDER", "-DNAME=VALUE", "-UNAME", "--max-registers=64", ...]
///   emit        which texts to send back: any of "ptx", "kernel_ptx", "cubin", "sass", "log"; ["ptx"] when missing
///   toolkit     folder of the CUDA toolkit; found by itself when missing
/// Its result is the unit as unitToJson gives it, and "sass" (annotated, see gpu/tools/Disassembly.h) when asked for.
/// With `early`, as soon as the compiler's front end is through, one partial result comes before it: {"diagnostics":
/// [as in the unit], "ok_so_far": true when none is an error}.
struct CompileParameters {
    std::string source;
    std::string arch = "sm_90";
    bool fastMath = false;
    bool cubin = true;
    bool early = true;
    text::CompilerSettings settings;
    std::set<std::string> texts = {"ptx"}; ///< `emit` above: Qt has a macro of that name
    std::string toolkit;
};

[[nodiscard]] nlohmann::json toJson(const CompileParameters& parameters);
Result<CompileParameters> compileParametersFromJson(const nlohmann::json& json);

/// {"ok", "failed_stage", "arch", "compiler", "tensor_extension", "program", "fast_math", "settings", "kernels":
/// [{"name", "mangled", "registers", "spill_store_bytes", "spill_load_bytes", "stack_bytes", "static_shared_bytes",
/// "constant_bytes", "barriers", "max_threads"}], "diagnostics": [{"file", "line", "column", "severity", "text"}],
/// "diagnostics_left_out" (where there were too many), "kept" (where an earlier process compiled it), "reads_toolkit"
/// (where headers of the toolkit were within its reach), "made_by" (KeptUnits::makersOf, for the parent), "seconds":
/// {stage: s}} and those of "ptx", "kernel_ptx", "log"
/// (texts) and "cubin" (base64) that `texts` names.
[[nodiscard]] nlohmann::json unitToJson(const compile::CompiledUnit& unit, const std::set<std::string>& texts);
[[nodiscard]] nlohmann::json toJson(const std::vector<compile::Diagnostic>& diagnostics);
/// Error "bad_input".
Result<std::vector<compile::Diagnostic>> diagnosticsFromJson(const nlohmann::json& json);
Result<compile::CompiledUnit> unitFromJson(const nlohmann::json& json);

[[nodiscard]] std::string_view name(compile::Severity severity);

} // namespace kernelarium::protocol
