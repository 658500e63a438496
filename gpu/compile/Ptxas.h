// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/NvJitLink.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// PTX to cubin by the toolkit's ptxas, a program of its own, as one whole program. nvJitLink knows relocatable code
/// only, which nvcc does not make unless asked to: addresses of shared variables are unknown there until the link, and
/// the registers and the speed of a kernel are others than in the extension that PyTorch builds.
///
/// Empty where the PTX needs what another object gives (kernels that launch kernels), or where this ptxas does not know
/// the PTX's version or architecture: nvJitLink is then to be asked.
std::optional<NvJitLink::Output> assembleWholeProgram(const std::string& ptxas, const std::string& ptx,
                                                      const std::vector<std::string>& options, std::stop_token stop);

} // namespace kernelarium::compile
