// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/TensorStructure.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::verify {

namespace {

using Kind = Distribution::Kind;
using tensor::Tensor;

/// Calls f(row, column, index of the element, index of the transposed element) for every element of every matrix.
template <class F> void forMatrices(const Tensor& tensor, const F& f) {
    if (tensor.dim() < 2 || tensor.count() == 0) return;
    const std::int64_t rows = tensor.shape()[std::size_t(tensor.dim() - 2)];
    const std::int64_t columns = tensor.shape().back();
    for (std::int64_t start = 0; start < tensor.count(); start += rows * columns)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                f(i, j, start + i * columns + j, start + j * columns + i);
}

void normaliseRows(Tensor& tensor) {
    const std::int64_t width = tensor.dim() ? tensor.shape().back() : 1;
    std::vector<double> row(static_cast<std::size_t>(std::max<std::int64_t>(width, 0)));
    for (std::int64_t start = 0; width > 0 && start < tensor.count(); start += width) {
        double sum = 0;
        for (std::int64_t i = 0; i < width; ++i)
            sum += row[std::size_t(i)] = exponential(tensor.at(start + i));
        for (std::int64_t i = 0; i < width; ++i)
            tensor.set(start + i, row[std::size_t(i)] / sum);
    }
}

} // namespace

double exponential(double x) {
    const double halvings = std::floor(x * 1.4426950408889634 + 0.5);
    // The logarithm of 2 in two parts, the first short enough for an exact product.
    const double r = (x - halvings * 0.693147180369123816490) - halvings * 1.90821492927058770002e-10;
    double sum = 1;
    for (int n = 18; n >= 1; --n)
        sum = 1 + sum * r / n;
    return std::ldexp(sum, int(halvings));
}

void applyStructure(Tensor& t, Kind kind) {
    switch (kind) {
    case Kind::upperTriangular:
        forMatrices(t, [&](auto i, auto j, auto at, auto) {
            if (j < i) t.set(at, 0);
        });
        break;
    case Kind::lowerTriangular:
    case Kind::causalMask:
        forMatrices(t, [&](auto i, auto j, auto at, auto) {
            if (j > i) t.set(at, 0);
        });
        break;
    case Kind::symmetric:
        forMatrices(t, [&](auto i, auto j, auto at, auto mirrored) {
            if (j <= i) return;
            const double mean = (t.at(at) + t.at(mirrored)) / 2;
            t.set(at, mean);
            t.set(mirrored, mean);
        });
        break;
    case Kind::probabilities:
    case Kind::variedProbabilities: normaliseRows(t); break;
    default: break;
    }
}

} // namespace kernelarium::verify
