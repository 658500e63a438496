// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::host {

/// One kind of product in a kernel: element types of the factors and of what they are added up in.
struct MatrixProducts {
    std::string kernel; ///< mangled; empty: of a function that kernels call
    std::string factors, sums;
};
/// Those of a PTX text, each once.
[[nodiscard]] std::vector<MatrixProducts> matrixProducts(std::string_view ptx);
/// The factors' types, each once, in their order: "f16", "bf16", "tf32", "f64", "s8", ...
[[nodiscard]] std::vector<std::string> tensorCoreTypes(const std::vector<MatrixProducts>& products);
/// "Its kernels multiply on tensor cores: f16 factors, f32 sums." of the kernels that were launched; empty where none
/// of them does.
[[nodiscard]] std::string productsText(const std::vector<MatrixProducts>& products,
                                       const std::vector<verify::Launch>& launches);

/// Which atomic instructions a PTX text has: on global (or generic) and on shared memory.
struct AtomicUse {
    bool global = false;
    bool shared = false;
};
[[nodiscard]] AtomicUse atomicUse(std::string_view ptx);

} // namespace kernelarium::host
