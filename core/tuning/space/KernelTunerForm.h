// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/space/FileSpace.h"

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::tuning {

/// Whether a document is of the form T1, Kernel Tuner's input files (kernel_tuner/schema/T1/1.0.0): it has a
/// ConfigurationSpace.
[[nodiscard]] bool isKernelTunerForm(const nlohmann::json& document);

/// Reads ConfigurationSpace.TuningParameters (Name; Type: int, uint, float, bool or string; Values, a list as Python
/// has it, see PythonList.h; Default) and ConfigurationSpace.Conditions (Expression, by Python's rules; which
/// Parameters it has, it says itself). Of the KernelSpecification: Language, which has to be CUDA, and of the
/// CompilerOptions macros, register cap and fast math. All else is a remark that names it: grid, block and arguments
/// are the kernel's forward()'s.
///
/// Error "bad_input", which names the parameter or condition and what is wrong with it; "unsupported": another
/// language.
Result<FileSpace> readKernelTunerForm(const nlohmann::json& document);

} // namespace kernelarium::tuning
