// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/Toolkit.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kernelarium::device {

/// Compiled kernels of resources/ceilings.
struct CeilingModule {
    std::string file; ///< "memory", "rates", "tensor", "wgmma"
    std::string arch; ///< "sm_90a"
    std::string ptx;
    std::vector<std::byte> cubin;
};

/// What a device of this compute capability runs: "memory" and "rates" everywhere, "tensor" from 8.0 on, "wgmma" on 9.0
/// alone, the only one that has these instructions. Errors: "missing_component" (no NVRTC or nvJitLink), "internal"
/// with the log.
Result<std::vector<CeilingModule>> compileCeilings(const compile::Toolkit& toolkit, int major, int minor);

} // namespace kernelarium::device
