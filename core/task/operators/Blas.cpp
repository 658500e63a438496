// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Blas.h"

#include "core/threads/SharedCores.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include <cblas.h>

namespace kernelarium::task::operators {

namespace {

constexpr double flopsBetweenStops = 4e9; ///< a few tenths of a second

/// BLAS keeps one number of threads for the process; it is set when another one is wanted.
void useThreads(unsigned threads) {
    static std::atomic<unsigned> current{0};
    const unsigned wanted = std::max(1u, threads);
    if (current.exchange(wanted) != wanted) openblas_set_num_threads(int(wanted));
}

blasint size(std::int64_t n) {
    if (n > std::numeric_limits<blasint>::max())
        unsupported("A matrix of more than 2^31 rows or columns is not supported.");
    return blasint(n);
}

template <class T, class Gemm>
void multiplyTyped(const Call& call, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, Matrix<T> a,
                   Matrix<T> b, double beta, T* c, std::int64_t leadingC, unsigned threads, Gemm gemm) {
    call.checkStop();
    if (m == 0 || n == 0) return;
    if (k == 0 || alpha == 0.0) {
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                c[i * leadingC + j] = beta == 0.0 ? T(0) : T(beta) * c[i * leadingC + j];
        return;
    }
    const threads::Helpers helpers(std::max(1u, threads ? threads : call.context().threads) - 1);
    useThreads(unsigned(1 + helpers.count()));
    const std::int64_t block =
        std::max<std::int64_t>(256, std::int64_t(flopsBetweenStops / (2.0 * double(n) * double(k))));
    for (std::int64_t row = 0; row < m; row += block) {
        if (row > 0) call.checkStop();
        gemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans,
             size(std::min(block, m - row)), size(n), size(k), T(alpha), a.data + row * (a.transposed ? 1 : a.leading),
             size(a.leading), b.data, size(b.leading), T(beta), c + row * leadingC, size(leadingC));
    }
}

} // namespace

void multiply(const Call& call, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, Matrix<float> a,
              Matrix<float> b, double beta, float* c, std::int64_t leadingC, unsigned threads) {
    multiplyTyped(call, m, n, k, alpha, a, b, beta, c, leadingC, threads, cblas_sgemm);
}
void multiply(const Call& call, std::int64_t m, std::int64_t n, std::int64_t k, double alpha, Matrix<double> a,
              Matrix<double> b, double beta, double* c, std::int64_t leadingC, unsigned threads) {
    multiplyTyped(call, m, n, k, alpha, a, b, beta, c, leadingC, threads, cblas_dgemm);
}

} // namespace kernelarium::task::operators
