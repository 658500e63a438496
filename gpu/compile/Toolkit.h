// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <string>
#include <vector>

namespace kernelarium::compile {

/// Where the parts of the CUDA toolkit (12.8 or newer) are. An empty path is a part that was not found.
struct Toolkit {
    std::string nvrtc;         ///< libnvrtc.so.12 or .13: path, or the name the loader resolves
    std::string nvJitLink;     ///< libnvJitLink.so.12 or .13
    std::string deviceRuntime; ///< libcudadevrt.a: only kernels that launch kernels need it
    std::string include;       ///< folder with cuda_fp16.h and friends; only files that include them need it
    std::string ptxas;         ///< of the NVRTC's own toolkit; without it nvJitLink assembles, as relocatable code
    std::string nvdisasm;      ///< the disassembler; only SASS listings need it
    std::vector<std::string> searched; ///< every place looked at, in order

    /// Looks in `folder` alone when it is not empty (a setting), else in all places of toolkit::findToolkits, which
    /// says what is used of which.
    static Toolkit find(const std::string& folder = {});

    /// "missing_component" naming what is absent, where it was looked for and what to install; ok when NVRTC and
    /// nvJitLink are there.
    [[nodiscard]] Result<void> check() const;
};

} // namespace kernelarium::compile
