// SPDX-License-Identifier: GPL-3.0-or-later
// Sums, means, variances, products, norms. Accumulated in double.
#include "core/task/operators/ArgumentReading.h"
#include "core/task/operators/Pointwise.h"
#include "core/task/operators/Reduce.h"

#include <cmath>
#include <limits>

namespace kernelarium::task::operators {

Folded fold(const Call& call, const Tensor& x, const Shape& dims, bool keepDims) {
    Folded f;
    f.x = x;
    Shape kept;
    for (std::int64_t d = 0; d < x.dim(); ++d) {
        const bool reduced = std::find(dims.begin(), dims.end(), d) != dims.end();
        if (reduced) f.length *= x.shape()[std::size_t(d)];
        if (!reduced) kept.push_back(d);
        if (!reduced || keepDims) f.result.push_back(reduced ? 1 : x.shape()[std::size_t(d)]);
    }
    const bool neighbours = dims.empty() || dims.back() - dims.front() + 1 == std::int64_t(dims.size());
    for (std::int64_t d : kept)
        (!neighbours || dims.empty() || d < dims.front() ? f.outer : f.inner) *= x.shape()[std::size_t(d)];
    if (!neighbours) {
        kept.insert(kept.end(), dims.begin(), dims.end());
        f.x = permuted(call, x, kept);
    }
    return f;
}

namespace {

template <class State, class Step, class Finish>
Tensor reduceFloating(const Call& call, const Tensor& x, const ReducedDims& where, State start, Step step,
                      Finish finish) {
    const Folded f = fold(call, x, where.dims, where.keep);
    Tensor out = call.make(x.dtype(), f.result);
    if (call.shapesOnly()) return out;
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        reduce<T>(call, f, out.data<T>(), start, step, [&](const State& s) { return T(finish(s, f.length)); });
    });
    return out;
}
Tensor reduceIntegers(const Call& call, const Tensor& input, const ReducedDims& where, std::int64_t start,
                      void (*step)(std::int64_t&, std::int64_t, std::int64_t)) {
    const Folded f = fold(call, input.to(DType::Int64), where.dims, where.keep);
    Tensor out = call.make(DType::Int64, f.result);
    if (!call.shapesOnly())
        reduce<std::int64_t>(call, f, out.data<std::int64_t>(), start, step, [](std::int64_t s) { return s; });
    return out;
}

Tensor sumOf(const Call& call, const Tensor& x, const ReducedDims& where) {
    if (!isFloating(x.dtype()))
        return reduceIntegers(call, x, where, 0, [](std::int64_t& s, std::int64_t v, std::int64_t) { s += v; });
    return reduceFloating(
        call, x, where, 0.0, [](double& s, double v, std::int64_t) { s += v; },
        [](double s, std::int64_t) { return s; });
}
Tensor meanOf(const Call& call, const Tensor& x, const ReducedDims& where) {
    require(isFloating(x.dtype()),
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype.");
    return reduceFloating(
        call, x, where, 0.0, [](double& s, double v, std::int64_t) { s += v; },
        [](double s, std::int64_t n) { return s / double(n); });
}
Tensor typed(const Call& call, std::size_t index) {
    const Tensor x = call.tensor(0, "self");
    return x.to(call.dtype(index, "dtype").value_or(x.dtype()));
}
Results sumDims(const Call& call) {
    const Tensor x = typed(call, 3);
    return {sumOf(call, x, reducedDims(call, x.dim(), 1, 2))};
}
Results sumAll(const Call& call) {
    const Tensor x = typed(call, 1);
    return {sumOf(call, x, everyDim(x.dim()))};
}
Results meanDims(const Call& call) {
    const Tensor x = typed(call, 3);
    return {meanOf(call, x, reducedDims(call, x.dim(), 1, 2))};
}
Results meanAll(const Call& call) {
    const Tensor x = typed(call, 1);
    return {meanOf(call, x, everyDim(x.dim()))};
}

Tensor prodOf(const Call& call, const Tensor& x, const ReducedDims& where) {
    if (!isFloating(x.dtype()))
        return reduceIntegers(call, x, where, 1, [](std::int64_t& s, std::int64_t v, std::int64_t) { s *= v; });
    return reduceFloating(
        call, x, where, 1.0, [](double& s, double v, std::int64_t) { s *= v; },
        [](double s, std::int64_t) { return s; });
}
Results prodDim(const Call& call) {
    const Tensor x = typed(call, 3);
    return {prodOf(call, x, {{wrapDim(call.integer(1, "dim"), x.dim())}, call.flag(2, "keepdim", false)})};
}
Results prodAll(const Call& call) {
    const Tensor x = typed(call, 1);
    return {prodOf(call, x, everyDim(x.dim()))};
}

/// Variance with `correction` degrees of freedom taken off; its root where `root`.
Tensor varianceOf(const Call& call, const Tensor& x, const ReducedDims& where, double correction, bool root) {
    require(isFloating(x.dtype()), "std and var only support floating point dtypes.");
    return reduceFloating(
        call, x, where, Moments{}, [](Moments& m, double v, std::int64_t) { m.add(v); },
        [=](const Moments& m, std::int64_t n) {
            const double v = m.squares / std::max(0.0, double(n) - correction);
            return root ? std::sqrt(v) : v;
        });
}
template <bool root> Results variance(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const VarianceArguments v = varianceArguments(call, x.dim());
    return {varianceOf(call, x, v.where, v.correction, root)};
}
template <bool root> Results varianceAndMean(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const VarianceArguments v = varianceArguments(call, x.dim());
    return {varianceOf(call, x, v.where, v.correction, root), meanOf(call, x, v.where)};
}

Tensor normOf(const Call& call, const Tensor& input, const ReducedDims& where, double p) {
    const Tensor x = floating(input);
    const double infinity = std::numeric_limits<double>::infinity();
    const auto same = [](double s, std::int64_t) { return s; };
    if (p == infinity)
        return reduceFloating(
            call, x, where, 0.0,
            [](double& s, double v, std::int64_t) { s = std::isnan(v) || std::abs(v) > s ? std::abs(v) : s; }, same);
    if (p == -infinity)
        return reduceFloating(
            call, x, where, infinity,
            [](double& s, double v, std::int64_t) { s = std::isnan(v) || std::abs(v) < s ? std::abs(v) : s; }, same);
    if (p == 0.0)
        return reduceFloating(
            call, x, where, 0.0, [](double& s, double v, std::int64_t) { s += v != 0.0; }, same);
    if (p == 1.0)
        return reduceFloating(
            call, x, where, 0.0, [](double& s, double v, std::int64_t) { s += std::abs(v); }, same);
    if (p == 2.0)
        return reduceFloating(
            call, x, where, 0.0, [](double& s, double v, std::int64_t) { s += v * v; },
            [](double s, std::int64_t) { return std::sqrt(s); });
    return reduceFloating(
        call, x, where, 0.0, [p](double& s, double v, std::int64_t) { s += std::pow(std::abs(v), p); },
        [p](double s, std::int64_t) { return std::pow(s, 1.0 / p); });
}
Results norm(const Call& call) {
    const Tensor x = typed(call, 4);
    const NormArguments n = normArguments(call, x.dim());
    return {normOf(call, x, n.where, n.order)};
}

/// torch.nn.functional.normalize: x / max(|x|, eps).
Results normalize(const Call& call) {
    const Tensor x = floating(call.tensor(0, "input"));
    const NormalizeArguments a = normalizeArguments(call, x.dim());
    const Tensor n = normOf(call, x, {{a.dim}, true}, a.order);
    const double eps = a.eps;
    return {zip(call, x, n, x.dtype(), [eps](auto v, auto d) { return v / std::max(d, decltype(d)(eps)); })};
}

Results any(const Call& call) {
    const Tensor x = call.tensor(0, "self").to(DType::Bool);
    const ReducedDims where = call.name().ends_with(".default") ? everyDim(x.dim()) : reducedDims(call, x.dim(), 1, 2);
    return {reduceIntegers(call, x, where, 0, [](std::int64_t& s, std::int64_t v, std::int64_t) {
                s |= v;
            }).to(DType::Bool)};
}
Results all(const Call& call) {
    const Tensor x = call.tensor(0, "self").to(DType::Bool);
    const ReducedDims where = call.name().ends_with(".default") ? everyDim(x.dim()) : reducedDims(call, x.dim(), 1, 2);
    return {reduceIntegers(call, x, where, 1, [](std::int64_t& s, std::int64_t v, std::int64_t) {
                s &= v;
            }).to(DType::Bool)};
}

constexpr Entry reductionEntries[] = {
    {"aten.sum.dim_IntList", sumDims},
    {"aten.sum.default", sumAll},
    {"aten.mean.dim", meanDims},
    {"aten.mean.default", meanAll},
    {"aten.prod.dim_int", prodDim},
    {"aten.prod.default", prodAll},
    {"aten.var.dim", variance<false>},
    {"aten.var.correction", variance<false>},
    {"aten.var.default", variance<false>},
    {"aten.std.dim", variance<true>},
    {"aten.std.correction", variance<true>},
    {"aten.std.default", variance<true>},
    {"aten.var_mean.dim", varianceAndMean<false>},
    {"aten.var_mean.correction", varianceAndMean<false>},
    {"aten.var_mean.default", varianceAndMean<false>},
    {"aten.std_mean.dim", varianceAndMean<true>},
    {"aten.std_mean.correction", varianceAndMean<true>},
    {"aten.linalg_vector_norm.default", norm},
    {"aten.norm.ScalarOpt_dim", norm},
    {"aten.norm.Scalar", norm},
    {"aten.normalize.default", normalize},
    {"aten.any.default", any},
    {"aten.any.dim", any},
    {"aten.all.default", all},
    {"aten.all.dim", all},
};

} // namespace

Family reductionFamily() {
    return reductionEntries;
}

} // namespace kernelarium::task::operators
