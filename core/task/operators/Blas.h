// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Call.h"

namespace kernelarium::task::operators {

/// A row-major matrix operand: `transposed` says that it is stored as columns x rows of the product's view.
template <class T> struct Matrix {
    const T* data;
    std::int64_t leading; ///< elements from one stored row to the next
    bool transposed = false;
};

/// c[m, n] = alpha * a[m, k] * b[k, n] + beta * c, row-major, through OpenBLAS, tile by tile: the bits do not depend on
/// the threads, and a stop is seen within a fraction of a second. beta 0 does not read c. `threads` 0 means the
/// context's; callers that are one of several threads themselves say 1.
void multiply(const Call& call, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, Matrix<float> a,
              Matrix<float> b, double beta, float* c, std::int64_t leadingC, unsigned threads = 0);
void multiply(const Call& call, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, Matrix<double> a,
              Matrix<double> b, double beta, double* c, std::int64_t leadingC, unsigned threads = 0);

/// Product of matrices with broadcast batch dimensions, as torch.matmul; two operands of one floating type.
[[nodiscard]] Tensor matmul(const Call& call, const Tensor& a, const Tensor& b);

} // namespace kernelarium::task::operators
