// SPDX-License-Identifier: GPL-3.0-or-later
//
// cuBLAS on vectors: gemv, axpy, scal.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CublasCalls.h"

namespace kernelarium::host {

/// (handle, op, m, n, alpha, A, lda, x, incx, beta, y, incy)
int CublasCalls::gemv(Handle& handle, const ApiArguments& a, DType dtype) {
    const bool transposed = a.integer(1) != 0;
    const std::int64_t rows = a.integer(2), columns = a.integer(3);
    if (a.integer(8) <= 0 || a.integer(11) <= 0) refuse(a.api() + " with a negative increment");
    // y^T = x^T op(A)^T: one row of a product, its elements as far apart as the increments say.
    Product p;
    p.transposeA = false;
    p.transposeB = !transposed;
    p.m = 1;
    p.n = transposed ? columns : rows;
    p.k = transposed ? rows : columns;
    p.alpha = scalar(handle, a.pointer(4), dtype);
    p.beta = scalar(handle, a.pointer(9), dtype);
    p.a = {a.pointer(7), dtype, a.integer(8)};
    p.b = {a.pointer(5), dtype, a.integer(6)};
    p.c = {a.pointer(10), dtype, a.integer(11)};
    return multiply(handle, p, a.api());
}

/// (handle, n, alpha, x, incx): x = alpha * x
int CublasCalls::scale(Handle& handle, const ApiArguments& a, DType dtype) {
    return combine(handle, a, dtype, a.pointer(3), a.integer(4), 0, 0);
}

/// (handle, n, alpha, x, incx, y, incy): y = alpha * x + y
int CublasCalls::axpy(Handle& handle, const ApiArguments& a, DType dtype) {
    return combine(handle, a, dtype, a.pointer(3), a.integer(4), a.pointer(5), a.integer(6));
}

/// Writes alpha * x + y over y, or alpha * x over x where there is no y.
int CublasCalls::combine(Handle& handle, const ApiArguments& a, DType dtype, std::uint64_t x, std::int64_t strideX,
                         std::uint64_t y, std::int64_t strideY) {
    const std::int64_t count = a.integer(1);
    if (count <= 0) return success;
    if (strideX <= 0 || (y && strideY <= 0)) refuse(a.api() + " with a negative increment");
    const double alpha = scalar(handle, a.pointer(2), dtype);
    try {
        TensorView source = m_table.adopt(x, dtype, {count}, {strideX}, false);
        TensorView target = y ? m_table.adopt(y, dtype, {count}, {strideY}, false) : source;
        source.storage->label = target.storage->label = "operand";
        const tensor::Tensor values = m_table.gather(source, a.api());
        tensor::Tensor result = y ? m_table.gather(target, a.api()) : tensor::Tensor(dtype, {count});
        for (std::int64_t i = 0; i < count; ++i)
            result.set(i, alpha * values.at(i) + (y ? result.at(i) : 0));
        m_table.scatter(target, result);
    } catch (const Raised& raised) {
        noteFault(a.api(), raised.text);
        return executionFailed;
    }
    m_aten.noteComputedHere(a.api(), "It has no kernel of ours.");
    m_aten.noteComputed(a.api());
    return success;
}

} // namespace kernelarium::host
