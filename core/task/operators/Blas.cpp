// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Blas.h"

#include "core/threads/FanOut.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include <cblas.h>

namespace kernelarium::task::operators {

namespace {

/// Rows and columns of the result that one call of BLAS makes, in one thread: a division that depends on the product
/// alone, so that its bits are the same however many threads share the work.
constexpr std::int64_t tileColumns = 1024, mostTileRows = 256, leastTileRows = 32;
constexpr double flopsOfTile = 4e9;   ///< at most, where the rows allow it: a stop is seen in a few tenths of a second
constexpr double flopsInOneGo = 64e6; ///< of a product that is not divided

void useOneThread() {
    static std::once_flag once;
    std::call_once(once, [] { openblas_set_num_threads(1); });
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
    useOneThread();
    const double flopsOfRow = 2.0 * double(std::min(n, tileColumns)) * double(k);
    const bool isWhole = 2.0 * double(m) * double(n) * double(k) <= flopsInOneGo;
    const std::int64_t rows =
        isWhole ? m : std::clamp(std::int64_t(flopsOfTile / flopsOfRow), leastTileRows, mostTileRows);
    const std::int64_t columns = isWhole ? n : tileColumns;
    const std::int64_t across = (n + columns - 1) / columns, down = (m + rows - 1) / rows;
    threads::forEach(std::size_t(down * across), std::max(1u, threads ? threads : call.context().threads),
                     [&](std::size_t tile, std::size_t) {
                         call.checkStop();
                         const std::int64_t row = std::int64_t(tile) / across * rows;
                         const std::int64_t column = std::int64_t(tile) % across * columns;
                         gemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
                              b.transposed ? CblasTrans : CblasNoTrans, size(std::min(rows, m - row)),
                              size(std::min(columns, n - column)), size(k), T(alpha),
                              a.data + row * (a.transposed ? 1 : a.leading), size(a.leading),
                              b.data + column * (b.transposed ? b.leading : 1), size(b.leading), T(beta),
                              c + row * leadingC + column, size(leadingC));
                     });
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
