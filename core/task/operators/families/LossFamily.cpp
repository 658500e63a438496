// SPDX-License-Identifier: GPL-3.0-or-later
// Losses and distances, by their definitions in torch.nn.functional.
#include "core/task/operators/Nested.h"
#include "core/task/operators/Pointwise.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

enum Reduction : std::int64_t { reductionNone = 0, reductionMean = 1, reductionSum = 2 };

Tensor reduced(const Call& call, const Tensor& losses, std::int64_t reduction) {
    if (reduction == reductionNone) return losses;
    return apply(call, reduction == reductionMean ? "aten.mean.default" : "aten.sum.default", {losses});
}
/// f(self, target) over the broadcast, reduced as the call's argument `at` says.
template <class F> Results elementwise(const Call& call, std::size_t at, F f) {
    const Tensor x = call.tensor(0, "self"), y = call.tensor(1, "target");
    const DType type = floating(x).dtype();
    return {
        reduced(call, zip(call, x, y, promoteTypes(type, y.dtype()), f), call.integer(at, "reduction", reductionMean))};
}
Results mse(const Call& call) {
    return elementwise(call, 2, [](auto x, auto y) { return (x - y) * (x - y); });
}
Results l1(const Call& call) {
    return elementwise(call, 2, [](auto x, auto y) { return std::abs(x - y); });
}
Results smoothL1(const Call& call) {
    const double beta = call.number(3, "beta", 1.0);
    return elementwise(call, 2, [beta](auto x, auto y) {
        using T = decltype(x);
        const T d = std::abs(x - y);
        return d < T(beta) ? d * d * T(0.5) / T(beta) : d - T(0.5) * T(beta);
    });
}
Results huber(const Call& call) {
    const double delta = call.number(3, "delta", 1.0);
    return elementwise(call, 2, [delta](auto x, auto y) {
        using T = decltype(x);
        const T d = std::abs(x - y);
        return d <= T(delta) ? d * d * T(0.5) : T(delta) * (d - T(0.5) * T(delta));
    });
}
Results klDiv(const Call& call) {
    if (call.flag(3, "log_target", false))
        return elementwise(call, 2, [](auto x, auto y) { return decltype(x)(std::exp(y) * (y - x)); });
    return elementwise(call, 2, [](auto x, auto y) {
        using T = decltype(x);
        return y > T(0) ? T(y * (std::log(y) - x)) : y == T(0) ? T(0) : T(std::nan(""));
    });
}

Tensor weighted(const Call& call, const Tensor& losses, std::size_t at) {
    const auto weight = call.optionalTensor(at, "weight");
    return weight ? zip(call, losses, *weight, losses.dtype(), [](auto l, auto w) { return l * w; }) : losses;
}
Results bce(const Call& call) {
    const Tensor x = call.tensor(0, "self"), y = call.tensor(1, "target");
    require(x.shape() == y.shape(), "binary_cross_entropy: the target's size has to be that of the input.");
    const Tensor losses = zip(call, x, y, x.dtype(), [](auto p, auto t) {
        using T = decltype(p); // logarithms are cut at -100, as PyTorch does
        return (t - T(1)) * T(std::max(T(std::log1p(-p)), T(-100))) - t * T(std::max(T(std::log(p)), T(-100)));
    });
    return {reduced(call, weighted(call, losses, 2), call.integer(3, "reduction", reductionMean))};
}
Results bceWithLogits(const Call& call) {
    const Tensor x = call.tensor(0, "self"), y = call.tensor(1, "target");
    if (call.find(3, "pos_weight")) unsupported("binary_cross_entropy_with_logits with pos_weight is not supported.");
    const Tensor losses = zip(call, x, y, x.dtype(), [](auto v, auto t) {
        using T = decltype(v);
        return T((T(1) - t) * v + std::max(-v, T(0)) + std::log1p(std::exp(-std::abs(v))));
    });
    return {reduced(call, weighted(call, losses, 2), call.integer(4, "reduction", reductionMean))};
}

/// -weight[target] * logProbability[target] per element, for classes in dimension 1 (0 for a single sample).
Tensor negativeLikelihood(const Call& call, const Tensor& logs, const Tensor& target,
                          const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignored,
                          double smoothing) {
    require(logs.dim() >= 1 && target.dim() == std::max<std::int64_t>(logs.dim() - 1, 0),
            "nll_loss: the target has one dimension less than the input.");
    const std::int64_t axis = logs.dim() == 1 ? 0 : 1, classes = logs.shape()[std::size_t(axis)];
    const std::int64_t batch = axis ? logs.shape()[0] : 1, run = classes && batch ? logs.count() / batch / classes : 0;
    if (target.count() != batch * run)
        badArgument(fmt::format("Expected target size for input {} but got {}.", tensor::toString(logs.shape()),
                                tensor::toString(target.shape())));
    Tensor losses = call.make(logs.dtype(), reduction == reductionNone ? target.shape() : Shape{});
    if (call.shapesOnly()) return losses;
    const Tensor index = target.to(DType::Int64), l = logs.to(DType::Float64);
    const Tensor w = weight ? weight->to(DType::Float64) : Tensor();
    double sum = 0, weights = 0;
    for (std::int64_t i = 0; i < index.count(); ++i) {
        const std::int64_t t = index.data<std::int64_t>()[i];
        if (t == ignored) continue;
        if (t < 0 || t >= classes) badArgument(fmt::format("Target {} is out of bounds.", t));
        const double* row = l.data<double>() + i / run * classes * run + i % run;
        const double wt = weight ? w.data<double>()[t] : 1.0;
        double loss = -(1.0 - smoothing) * wt * row[t * run];
        for (std::int64_t c = 0; smoothing != 0.0 && c < classes; ++c)
            loss -= smoothing / double(classes) * (weight ? w.data<double>()[c] : 1.0) * row[c * run];
        if (reduction == reductionNone) losses.set(i, loss);
        sum += loss;
        weights += wt;
    }
    if (reduction != reductionNone) losses.set(0, reduction == reductionMean ? sum / weights : sum);
    return losses;
}
Results nll(const Call& call) {
    return {negativeLikelihood(call, call.tensor(0, "self"), call.tensor(1, "target"), call.optionalTensor(2, "weight"),
                               call.integer(3, "reduction", reductionMean), call.integer(4, "ignore_index", -100),
                               0.0)};
}
Results crossEntropy(const Call& call) {
    const Tensor x = call.tensor(0, "self"), target = call.tensor(1, "target");
    const std::int64_t axis = x.dim() == 1 ? 0 : 1, reduction = call.integer(3, "reduction", reductionMean);
    const double smoothing = call.number(5, "label_smoothing", 0.0);
    const Tensor logs = apply(call, "aten.log_softmax.int", {x, axis});
    if (!isFloating(target.dtype()))
        return {negativeLikelihood(call, logs, target, call.optionalTensor(2, "weight"), reduction,
                                   call.integer(4, "ignore_index", -100), smoothing)};
    // Probabilities of the classes as target.
    if (call.find(2, "weight") || smoothing != 0.0)
        unsupported("cross_entropy_loss of class probabilities with weights or label smoothing is not supported.");
    const Tensor products = zip(call, logs, target, logs.dtype(), [](auto l, auto t) { return -l * t; });
    const Tensor losses = apply(call, "aten.sum.dim_IntList", {products, listOf({axis})});
    return {reduced(call, losses, reduction)};
}

Tensor distance(const Call& call, const Tensor& a, const Tensor& b, double p, double eps, bool keep) {
    const Tensor d =
        zip(call, a, b, promoteTypes(a.dtype(), b.dtype()), [eps](auto x, auto y) { return x - y + decltype(x)(eps); });
    return apply(call, "aten.linalg_vector_norm.default", {d, p, listOf({-1}), keep});
}
Results pairwiseDistance(const Call& call) {
    return {distance(call, call.tensor(0, "x1"), call.tensor(1, "x2"), call.number(2, "p", 2.0),
                     call.number(3, "eps", 1e-6), call.flag(4, "keepdim", false))};
}
Results tripletMargin(const Call& call) {
    const Tensor anchor = call.tensor(0, "anchor"), positive = call.tensor(1, "positive"),
                 negative = call.tensor(2, "negative");
    const double margin = call.number(3, "margin", 1.0), p = call.number(4, "p", 2.0),
                 eps = call.number(5, "eps", 1e-6);
    const Tensor near = distance(call, anchor, positive, p, eps, false);
    Tensor far = distance(call, anchor, negative, p, eps, false);
    if (call.flag(6, "swap", false))
        far = apply(call, "aten.minimum.default", {far, distance(call, positive, negative, p, eps, false)});
    const Tensor losses = zip(call, near, far, near.dtype(), [margin](auto n, auto f) {
        using T = decltype(n);
        return std::max(T(margin) + n - f, T(0));
    });
    return {reduced(call, losses, call.integer(7, "reduction", reductionMean))};
}
/// dot / (max(|a|, eps) * max(|b|, eps))
Results cosineSimilarity(const Call& call) {
    const Tensor a = floating(call.tensor(0, "x1")), b = floating(call.tensor(1, "x2"));
    const double eps = call.number(3, "eps", 1e-8);
    const Value dims = listOf({call.integer(2, "dim", 1)});
    const auto limited = [&](const Tensor& x) {
        return apply(call, "aten.clamp_min.default",
                     {apply(call, "aten.linalg_vector_norm.default", {x, 2.0, dims, false}), eps});
    };
    const Tensor dot = apply(call, "aten.sum.dim_IntList", {apply(call, "aten.mul.Tensor", {a, b}), dims});
    const Tensor norms = apply(call, "aten.mul.Tensor", {limited(a), limited(b)});
    return {apply(call, "aten.div.Tensor", {dot, norms})};
}
Results hingeEmbedding(const Call& call) {
    const double margin = call.number(2, "margin", 1.0);
    return elementwise(call, 3, [margin](auto x, auto y) {
        using T = decltype(x);
        return y == T(1) ? x : std::max(T(margin) - x, T(0));
    });
}

constexpr Entry lossEntries[] = {
    {"aten.mse_loss.default", mse},
    {"aten.l1_loss.default", l1},
    {"aten.smooth_l1_loss.default", smoothL1},
    {"aten.huber_loss.default", huber},
    {"aten.kl_div.default", klDiv},
    {"aten.binary_cross_entropy.default", bce},
    {"aten.binary_cross_entropy_with_logits.default", bceWithLogits},
    {"aten.nll_loss.default", nll},
    {"aten.cross_entropy_loss.default", crossEntropy},
    {"aten.pairwise_distance.default", pairwiseDistance},
    {"aten.triplet_margin_loss.default", tripletMargin},
    {"aten.cosine_similarity.default", cosineSimilarity},
    {"aten.hinge_embedding_loss.default", hingeEmbedding},
};

} // namespace

Family lossFamily() {
    return lossEntries;
}

} // namespace kernelarium::task::operators
