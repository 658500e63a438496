// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"
#include "gpu/protocol/CallOptions.h"
#include "gpu/protocol/KernelClient.h"

#include <string>
#include <vector>

namespace kernelarium::protocol {

class WorkerClient;

/// Parameters of the compile child's method "assemble": the PTX of a unit to a cubin, by the toolkit's ptxas with words
/// beside those that every unit is assembled with.
///   ptx       of the unit; host functions in it are left out
///   arch      the unit's
///   settings  how the unit was compiled, whose register cap stays unless a word has another
///   words     core/text/AssemblerWords.h
///   toolkit   folder of the CUDA toolkit; found by itself when missing
/// Its result has "cubin" (base64) and "kernels" as in a unit. Errors: "bad_request", "missing_component" (no ptxas;
/// what nvJitLink makes is relocatable code, and another), "unsupported" (kernels that launch kernels, or a ptxas that
/// does not know the PTX), "assembler" (it refuses: its own words), "cancelled".
struct AssembleParameters {
    std::string ptx;
    std::string arch = "sm_90";
    text::CompilerSettings settings;
    std::vector<std::string> words;
    std::string toolkit;
};
[[nodiscard]] nlohmann::json toJson(const AssembleParameters& parameters);
Result<AssembleParameters> assembleParametersFromJson(const nlohmann::json& json);

/// The unit with other native code: its cubin and its kernels' resources are those of that assembly. Errors: those
/// above and of WorkerClient::call.
Result<KernelClient::Unit> assembledOtherwise(WorkerClient& compiler, const compile::CompiledUnit& unit,
                                              const std::vector<std::string>& words, const std::string& toolkit,
                                              const CallOptions& call = {});

} // namespace kernelarium::protocol
