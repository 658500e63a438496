// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices and vectors.
#include "core/task/operators/Blas.h"
#include "core/task/operators/Pointwise.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

std::string shapes(const Tensor& a, const Tensor& b) {
    return tensor::toString(a.shape()) + " and " + tensor::toString(b.shape());
}
void sameTypes(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype())
        badArgument(fmt::format("expected m1 and m2 to have the same dtype, but got: {} != {}.",
                                tensor::name(a.dtype()), tensor::name(b.dtype())));
}

/// Batches of [m, k] x [k, n]; `b` may be one matrix for all batches.
Tensor batched(const Call& call, const Tensor& a, const Tensor& b, std::int64_t batch, bool sharedB, Shape shape) {
    const std::int64_t m = a.shape()[a.shape().size() - 2], k = a.shape().back(), n = b.shape().back();
    Tensor out = call.makeUnfilled(a.dtype(), std::move(shape));
    if (call.shapesOnly()) return out;
    withFloating(call, a.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t i = 0; i < batch; ++i)
            multiply(call, m, n, k, 1.0, Matrix<T>{a.data<T>() + i * m * k, std::max<std::int64_t>(k, 1)},
                     Matrix<T>{b.data<T>() + (sharedB ? 0 : i * k * n), std::max<std::int64_t>(n, 1)}, 0.0,
                     out.data<T>() + i * m * n, n);
    });
    return out;
}

} // namespace

Tensor matmul(const Call& call, const Tensor& left, const Tensor& right) {
    require(left.dim() > 0 && right.dim() > 0, "both arguments to matmul need to be at least 1D.");
    sameTypes(left, right);
    const Tensor a = left.dim() == 1 ? left.reshaped({1, left.count()}) : left;
    const Tensor b = right.dim() == 1 ? right.reshaped({right.count(), 1}) : right;
    if (a.shape().back() != b.shape()[b.shape().size() - 2])
        badArgument(fmt::format("matmul: shapes {} cannot be multiplied.", shapes(left, right)));
    const Shape batchA(a.shape().begin(), a.shape().end() - 2), batchB(b.shape().begin(), b.shape().end() - 2);
    const Shape batch = broadcastShape(std::array{batchA, batchB});
    const std::int64_t m = a.shape()[a.shape().size() - 2], k = a.shape().back(), n = b.shape().back();
    Shape result = batch;
    if (left.dim() > 1) result.push_back(m);
    if (right.dim() > 1) result.push_back(n);
    if (tensor::elementCount(batchB) == 1 && batch == batchA) // one product of tall matrices
        return batched(call, a.reshaped({tensor::elementCount(batch) * m, k}), b.reshaped({k, n}), 1, true, result);
    const auto spread = [&](const Tensor& x) {
        Shape shape = batch;
        shape.insert(shape.end(), x.shape().end() - 2, x.shape().end());
        return expanded(call, x, shape);
    };
    return batched(call, spread(a), spread(b), tensor::elementCount(batch), false, result);
}

namespace {

Results matmulOf(const Call& call) {
    return {matmul(call, call.tensor(0, "self"), call.tensor(1, "other"))};
}
Results mm(const Call& call) {
    const Tensor a = call.tensor(0, "self"), b = call.tensor(1, "mat2");
    require(a.dim() == 2 && b.dim() == 2, "mm expects two matrices.");
    return {matmul(call, a, b)};
}
Results bmm(const Call& call) {
    const Tensor a = call.tensor(0, "self"), b = call.tensor(1, "mat2");
    require(a.dim() == 3 && b.dim() == 3, "bmm expects two tensors of three dimensions.");
    if (a.shape()[0] != b.shape()[0]) badArgument(fmt::format("bmm: batches of {} differ.", shapes(a, b)));
    return {matmul(call, a, b)};
}
Results mv(const Call& call) {
    const Tensor a = call.tensor(0, "self"), b = call.tensor(1, "vec");
    require(a.dim() == 2 && b.dim() == 1, "mv expects a matrix and a vector.");
    return {matmul(call, a, b)};
}
Results dot(const Call& call) {
    const Tensor a = call.tensor(0, "self"), b = call.tensor(1, "tensor");
    require(a.dim() == 1 && b.dim() == 1, "dot expects two vectors.");
    return {matmul(call, a, b)};
}
Results outer(const Call& call) {
    const Tensor a = call.tensor(0, "self"), b = call.tensor(1, "vec2");
    require(a.dim() == 1 && b.dim() == 1, "outer expects two vectors.");
    return {matmul(call, a.reshaped({a.count(), 1}), b.reshaped({1, b.count()}))};
}

/// beta * self + alpha * product, self broadcast; beta 0 ignores self's values, NaN included.
Tensor addProduct(const Call& call, const Tensor& self, const Tensor& product) {
    const double beta = call.number(3, "beta", 1.0), alpha = call.number(4, "alpha", 1.0);
    sameTypes(self, product);
    const Tensor base = expanded(call, self, product.shape());
    return zip(call, base, product, product.dtype(), [=](auto s, auto p) {
        using T = decltype(s);
        const T scaled = alpha == 1.0 ? p : T(alpha) * p;
        return beta == 0.0 ? scaled : beta == 1.0 ? s + scaled : T(beta) * s + scaled;
    });
}
void requireExpandable(const Call& call, const Tensor& self, const Tensor& product) {
    if (broadcastShape(std::array{self.shape(), product.shape()}) != product.shape())
        badArgument(fmt::format("{}: the input of shape {} does not expand to {}.", call.name(),
                                tensor::toString(self.shape()), tensor::toString(product.shape())));
}
template <std::int64_t rank, std::int64_t rightRank> Results addOf(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    const Tensor a = call.tensor(1, rank == 3 ? "batch1" : rightRank == 1 ? "mat" : "mat1");
    const Tensor b = call.tensor(2, rank == 3 ? "batch2" : rightRank == 1 ? "vec" : "mat2");
    if (a.dim() != rank || b.dim() != rightRank)
        badArgument(fmt::format("{}: shapes {} cannot be multiplied.", call.name(), shapes(a, b)));
    if (rank == 3) require(a.shape()[0] == b.shape()[0], "baddbmm: the batches differ.");
    const Tensor product = matmul(call, a, b);
    requireExpandable(call, self, product);
    return {addProduct(call, self, product)};
}

Results linear(const Call& call) {
    const Tensor x = call.tensor(0, "input"), w = call.tensor(1, "weight");
    const std::optional<Tensor> bias = call.optionalTensor(2, "bias");
    require(x.dim() > 0 && (w.dim() == 1 || w.dim() == 2),
            "linear expects an input and a weight of one or two dimensions.");
    sameTypes(x, w);
    const std::int64_t k = w.shape().back(), n = w.dim() == 2 ? w.shape()[0] : 1;
    if (x.shape().back() != k)
        badArgument(fmt::format("mat1 and mat2 shapes cannot be multiplied ({} and the transpose of {}).",
                                tensor::toString(x.shape()), tensor::toString(w.shape())));
    Shape shape(x.shape().begin(), x.shape().end() - 1);
    const std::int64_t m = tensor::elementCount(shape);
    if (w.dim() == 2) shape.push_back(n);
    if (bias && bias->count() != n && bias->count() != 1)
        badArgument(
            fmt::format("linear: a bias of shape {} does not fit {} outputs.", tensor::toString(bias->shape()), n));
    Tensor out = call.makeUnfilled(x.dtype(), shape);
    if (call.shapesOnly()) return {out};
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const Tensor b = bias ? expanded(call, bias->to(x.dtype()).reshaped({bias->count()}), {n}) : Tensor();
        for (std::int64_t i = 0; bias && i < m; ++i)
            std::copy_n(b.data<T>(), n, out.data<T>() + i * n);
        multiply(call, m, n, k, 1.0, Matrix<T>{x.data<T>(), std::max<std::int64_t>(k, 1)},
                 Matrix<T>{w.data<T>(), std::max<std::int64_t>(k, 1), true}, bias ? 1.0 : 0.0, out.data<T>(), n);
    });
    return {out};
}

constexpr Entry matrixEntries[] = {
    {"aten.matmul.default", matmulOf},
    {"aten.mm.default", mm},
    {"aten.bmm.default", bmm},
    {"aten.mv.default", mv},
    {"aten.dot.default", dot},
    {"aten.outer.default", outer},
    {"aten.addmm.default", addOf<2, 2>},
    {"aten.addmv.default", addOf<2, 1>},
    {"aten.baddbmm.default", addOf<3, 3>},
    {"aten.linear.default", linear},
};

} // namespace

Family matrixFamily() {
    return matrixEntries;
}

} // namespace kernelarium::task::operators
