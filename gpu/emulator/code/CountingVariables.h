// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <string>
#include <vector>

namespace kernelarium::emulator {

/// Names of the __device__ variables that kernels only ever change by what is in them already: counters, sums, tickets.
/// None that a kernel also sets anew, or whose address host code takes and may set it by.
[[nodiscard]] std::vector<std::string> countingVariables(const ptx::Module& module);

} // namespace kernelarium::emulator
