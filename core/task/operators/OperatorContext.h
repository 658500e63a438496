// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

namespace kernelarium::task {

/// What an operator may use while it works, and how to stop it.
struct OperatorContext {
    std::stop_token stop;          ///< long loops end with Error "cancelled"
    unsigned threads = 1;          ///< for large operators and for BLAS
    std::uint64_t memoryLimit = 0; ///< bytes of results and scratch one operator may allocate; 0 is no limit
    std::uint64_t seed = 0; ///< of rand, randn, randint, dropout in training (not PyTorch's own stream of numbers)
    /// Only shapes and types: results (and tensor arguments, if need be) carry no elements
    /// (Tensor::shapeOnly). Operators whose result shape depends on values (a boolean index, say) are refused
    /// as "bad_argument".
    bool shapesOnly = false;
};

} // namespace kernelarium::task
