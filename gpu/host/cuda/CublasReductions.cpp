// SPDX-License-Identifier: GPL-3.0-or-later
//
// cuBLAS on vectors with one number as the result, and on matrices element by element: dot, nrm2, asum, amax,
// amin, copy, swap, ger, geam. Sums are taken in float64.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CublasCalls.h"

#include <cmath>
#include <span>

namespace kernelarium::host {

TensorView CublasCalls::strided(std::uint64_t address, DType dtype, Shape sizes, Shape strides) const {
    TensorView view = m_table.adopt(address, dtype, sizes, strides, false);
    view.storage->label = "operand";
    return view;
}

/// Where the pointer mode says that results lie.
void CublasCalls::answer(const Handle& handle, std::uint64_t address, const tensor::Tensor& value) {
    if (!handle.devicePointers)
        m_cuda.host.writeBytes(address, value.bytes());
    else if (auto done = m_cuda.device.write(address, value.bytes()); !done)
        raise("result: " + done.error().text());
}

int CublasCalls::guarded(const ApiArguments& a, const std::function<void()>& work) {
    try {
        work();
    } catch (const Raised& raised) {
        noteFault(a.api(), raised.text);
        return executionFailed;
    }
    m_aten.noteComputedHere(a.api(), "It has no kernel of ours.");
    m_aten.noteComputed(a.api());
    return success;
}

namespace {

tensor::Tensor one(DType dtype, double value) {
    tensor::Tensor t(dtype, {});
    t.set(0, value);
    return t;
}

void wantPositive(const ApiArguments& a, std::initializer_list<std::size_t> increments) {
    for (const std::size_t i : increments)
        if (a.integer(i) <= 0) refuse(a.api() + " with a negative increment");
}

} // namespace

/// (handle, n, x, incx, y, incy)
int CublasCalls::copyVector(Handle&, const ApiArguments& a, DType dtype) {
    const std::int64_t n = a.integer(1);
    if (n <= 0) return success;
    wantPositive(a, {3, 5});
    return guarded(a, [&] {
        const tensor::Tensor x = m_table.gather(strided(a.pointer(2), dtype, {n}, {a.integer(3)}), a.api());
        m_table.scatter(strided(a.pointer(4), dtype, {n}, {a.integer(5)}), x);
    });
}

int CublasCalls::swapVectors(Handle&, const ApiArguments& a, DType dtype) {
    const std::int64_t n = a.integer(1);
    if (n <= 0) return success;
    wantPositive(a, {3, 5});
    return guarded(a, [&] {
        const TensorView left = strided(a.pointer(2), dtype, {n}, {a.integer(3)});
        const TensorView right = strided(a.pointer(4), dtype, {n}, {a.integer(5)});
        const tensor::Tensor x = m_table.gather(left, a.api()), y = m_table.gather(right, a.api());
        m_table.scatter(left, y);
        m_table.scatter(right, x);
    });
}

/// (handle, n, x, incx, y, incy, result)
int CublasCalls::dot(Handle& handle, const ApiArguments& a, DType dtype) {
    const std::int64_t n = std::max<std::int64_t>(a.integer(1), 0);
    if (n > 0) wantPositive(a, {3, 5});
    return guarded(a, [&] {
        double sum = 0;
        if (n > 0) {
            const tensor::Tensor x = m_table.gather(strided(a.pointer(2), dtype, {n}, {a.integer(3)}), a.api());
            const tensor::Tensor y = m_table.gather(strided(a.pointer(4), dtype, {n}, {a.integer(5)}), a.api());
            for (std::int64_t i = 0; i < n; ++i)
                sum += x.at(i) * y.at(i);
        }
        answer(handle, a.pointer(6), one(dtype, sum));
    });
}

/// (handle, n, x, incx, result); zero where the increment is not positive, as in BLAS.
int CublasCalls::norm(Handle& handle, const ApiArguments& a, DType dtype) {
    const std::int64_t n = a.integer(3) > 0 ? std::max<std::int64_t>(a.integer(1), 0) : 0;
    return guarded(a, [&] {
        double sum = 0;
        if (n > 0) {
            const tensor::Tensor x = m_table.gather(strided(a.pointer(2), dtype, {n}, {a.integer(3)}), a.api());
            for (std::int64_t i = 0; i < n; ++i)
                sum = std::hypot(sum, x.at(i));
        }
        answer(handle, a.pointer(4), one(dtype, sum));
    });
}

int CublasCalls::absoluteSum(Handle& handle, const ApiArguments& a, DType dtype) {
    const std::int64_t n = a.integer(3) > 0 ? std::max<std::int64_t>(a.integer(1), 0) : 0;
    return guarded(a, [&] {
        double sum = 0;
        if (n > 0) {
            const tensor::Tensor x = m_table.gather(strided(a.pointer(2), dtype, {n}, {a.integer(3)}), a.api());
            for (std::int64_t i = 0; i < n; ++i)
                sum += std::abs(x.at(i));
        }
        answer(handle, a.pointer(4), one(dtype, sum));
    });
}

/// (handle, n, x, incx, result): the first index, from 1, of the element of the largest or smallest
/// magnitude.
int CublasCalls::extreme(Handle& handle, const ApiArguments& a, DType dtype) {
    const std::int64_t n = a.integer(3) > 0 ? std::max<std::int64_t>(a.integer(1), 0) : 0;
    const bool largest = a.api().find("amax") != std::string::npos;
    return guarded(a, [&] {
        std::int64_t best = 0;
        if (n > 0) {
            const tensor::Tensor x = m_table.gather(strided(a.pointer(2), dtype, {n}, {a.integer(3)}), a.api());
            for (std::int64_t i = 1; i < n; ++i) {
                const double now = std::abs(x.at(i)), before = std::abs(x.at(best));
                if (largest ? now > before : now < before) best = i;
            }
            ++best;
        }
        answer(handle, a.pointer(4), one(DType::Int32, double(best)));
    });
}

/// (handle, m, n, alpha, x, incx, y, incy, A, lda): A = alpha * x y^T + A
int CublasCalls::outerProduct(Handle& handle, const ApiArguments& a, DType dtype) {
    const std::int64_t m = a.integer(1), n = a.integer(2), leading = a.integer(9);
    if (m < 0 || n < 0 || leading < std::max<std::int64_t>(1, m)) return invalidValue;
    if (m == 0 || n == 0) return success;
    wantPositive(a, {5, 7});
    const double alpha = scalar(handle, a.pointer(3), dtype);
    return guarded(a, [&] {
        const TensorView matrix = strided(a.pointer(8), dtype, {n, m}, {leading, 1});
        const tensor::Tensor x = m_table.gather(strided(a.pointer(4), dtype, {m}, {a.integer(5)}), a.api());
        const tensor::Tensor y = m_table.gather(strided(a.pointer(6), dtype, {n}, {a.integer(7)}), a.api());
        tensor::Tensor sum = m_table.gather(matrix, a.api());
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t i = 0; i < m; ++i)
                sum.set(j * m + i, sum.at(j * m + i) + alpha * x.at(i) * y.at(j));
        m_table.scatter(matrix, sum);
    });
}

/// (handle, opA, opB, m, n, alpha, A, lda, beta, B, ldb, C, ldc): C = alpha * op(A) + beta * op(B); what has
/// a zero before it is not read.
int CublasCalls::addMatrices(Handle& handle, const ApiArguments& a, DType dtype) {
    const std::int64_t m = a.integer(3), n = a.integer(4), leading = a.integer(12);
    if (m < 0 || n < 0 || leading < std::max<std::int64_t>(1, m)) return invalidValue;
    if (m == 0 || n == 0) return success;
    const double alpha = scalar(handle, a.pointer(5), dtype), beta = scalar(handle, a.pointer(8), dtype);
    const auto operand = [&](std::size_t pointer, bool transposed) {
        const std::int64_t step = a.integer(pointer + 1);
        return m_table.gather(strided(a.pointer(pointer), dtype, {n, m}, transposed ? Shape{1, step} : Shape{step, 1}),
                              a.api());
    };
    return guarded(a, [&] {
        tensor::Tensor sum(dtype, {n, m});
        const tensor::Tensor x = alpha != 0 ? operand(6, a.integer(1) != 0) : sum;
        const tensor::Tensor y = beta != 0 ? operand(9, a.integer(2) != 0) : sum;
        for (std::int64_t i = 0; i < m * n; ++i)
            sum.set(i, (alpha != 0 ? alpha * x.at(i) : 0) + (beta != 0 ? beta * y.at(i) : 0));
        m_table.scatter(strided(a.pointer(11), dtype, {n, m}, {leading, 1}), sum);
    });
}

} // namespace kernelarium::host
