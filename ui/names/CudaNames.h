// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace kernelarium::ui {

/// What the editor knows of the language by name. Lists are words separated by single spaces.
struct CudaNames {
    static const char* keywords();    ///< C++20, its alternative tokens left out
    static const char* types();       ///< fundamental, fixed-width, vector and half types
    static const char* qualifiers();  ///< __global__, __shared__, __launch_bounds__, ...
    static const char* builtins();    ///< threadIdx, __syncthreads, atomicAdd, ...
    static const char* mathematics(); ///< expf, rsqrtf, __fdividef, ...
    static const char* runtime();     ///< cudaMalloc, cudaSuccess, cublasSgemm, ...
    static const char* torchNames();  ///< names that stand alone: torch, at, Tensor, kFloat32, TORCH_CHECK, ...
    /// Methods and functions of tensors that the shim provides. Too ordinary to be coloured; completed after
    /// `.`, `->` and `torch::`, `at::`.
    static const char* torchMembers();
};

struct CallTip {
    std::string_view name;
    std::string_view signature;
    std::string_view meaning; ///< one line
};

/// The tip of an intrinsic; nullptr when there is none.
[[nodiscard]] const CallTip* callTipOf(std::string_view name);
[[nodiscard]] const std::vector<CallTip>& callTips();

} // namespace kernelarium::ui
