// SPDX-License-Identifier: GPL-3.0-or-later
// Losses and distances.
#include "gpu/operators/DeviceCall.h"
#include "gpu/operators/Folding.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::computeType;
using tensor::DType;
using tensor::Shape;
using tensor::Value;

namespace {

enum LossReduction : std::int64_t { lossNone = 0, lossMean = 1, lossSum = 2 };

/// Element losses are kept in float64 until they are summed.
DeviceResults reducedLosses(const DeviceCall& call, const DeviceTensor& losses, std::int64_t reduction) {
    if (reduction == lossNone) return {converted(call.device, losses, call.type())};
    Shape dims;
    for (std::int64_t d = 0; d < losses.dim(); ++d)
        dims.push_back(d);
    return {
        foldDims(call.device, {reduction == lossMean ? "Mean" : "Sum", {}, call.type()}, losses, dims, false).first};
}
DeviceResults elementLosses(const DeviceCall& call, std::size_t reductionAt, std::string function,
                            double parameter = 0) {
    const DeviceTensor x = call.tensor(0, "self"), y = call.tensor(1, "target");
    const DeviceTensor losses =
        compute(call.device, {std::move(function), DType::Float64, {parameter}}, DType::Float64, {x, y});
    return reducedLosses(call, losses, call.host.integer(reductionAt, "reduction", lossMean));
}
DeviceResults mse(const DeviceCall& call) {
    return elementLosses(call, 2, "SquaredDifference");
}
DeviceResults l1(const DeviceCall& call) {
    return elementLosses(call, 2, "AbsoluteDifference");
}
DeviceResults smoothL1(const DeviceCall& call) {
    return elementLosses(call, 2, "SmoothL1", call.host.number(3, "beta", 1.0));
}
DeviceResults huber(const DeviceCall& call) {
    return elementLosses(call, 2, "Huber", call.host.number(3, "delta", 1.0));
}
DeviceResults hinge(const DeviceCall& call) {
    return elementLosses(call, 3, "Hinge", call.host.number(2, "margin", 1.0));
}
/// With a weight for each element.
DeviceResults weightedLosses(const DeviceCall& call, std::string function, std::size_t reductionAt) {
    const DeviceTensor x = call.tensor(0, "self"), y = call.tensor(1, "target");
    DeviceTensor losses = compute(call.device, {std::move(function), DType::Float64}, DType::Float64, {x, y});
    if (const auto weight = call.optionalTensor(2, "weight"))
        losses = compute(call.device, {"Mul", DType::Float64}, DType::Float64, {losses, *weight});
    return reducedLosses(call, losses, call.host.integer(reductionAt, "reduction", lossMean));
}
DeviceResults binaryCrossEntropy(const DeviceCall& call) {
    return weightedLosses(call, "CrossEntropy", 3);
}
DeviceResults logitCrossEntropy(const DeviceCall& call) {
    return weightedLosses(call, "LogitCrossEntropy", 4);
}
DeviceResults klDiv(const DeviceCall& call) {
    return elementLosses(call, 2, call.host.flag(3, "log_target", false) ? "LogDivergence" : "Divergence");
}

/// For classes in dimension 1 (0 for a single sample), a target class each, no weights.
DeviceResults likelihood(const DeviceCall& call, const DeviceTensor& logsIn, std::int64_t reduction) {
    if (call.find(2, "weight") || call.host.number(5, "label_smoothing", 0.0) != 0.0)
        throw Failure{{"unsupported", fmt::format("{} with class weights or label smoothing has no kernel of ours.",
                                                  call.host.name())}};
    Device& device = call.device;
    const DeviceTensor logs = dense(device, logsIn);
    const DeviceTensor target = dense(device, converted(device, call.tensor(1, "target"), DType::Int64));
    const std::int64_t axis = logs.dim() == 1 ? 0 : 1, classes = logs.shape[std::size_t(axis)];
    const DeviceTensor losses = device.make(DType::Float64, target.shape),
                       weights = device.make(DType::Float64, target.shape);
    const DeviceTensor status = device.make(DType::Int32, {1});
    fill(device, status, 0.0);
    const PickArguments a{logs.address(),
                          target.address(),
                          losses.address(),
                          weights.address(),
                          status.address(),
                          target.count(),
                          classes,
                          axis ? target.count() / std::max<std::int64_t>(logs.shape[0], 1) : 1,
                          call.host.integer(4, "ignore_index", -100)};
    device.launchOver({"elements", fmt::format("pick<{}>", cudaName(logs.dtype)), "PickArguments"}, a.count, a);
    if (device.download(status).at(0) != 0.0)
        throw Failure{{"bad_argument", fmt::format("{}: a target is out of bounds.", call.host.name())}};
    if (reduction != lossMean) return reducedLosses(call, losses, reduction);
    const DeviceTensor sum = call.apply("aten.sum.default", {losses}),
                       weight = call.apply("aten.sum.default", {weights});
    return {compute(device, {"Div", DType::Float64}, call.type(), {sum, weight})};
}
DeviceResults nll(const DeviceCall& call) {
    return likelihood(call, call.tensor(0, "self"), call.host.integer(3, "reduction", lossMean));
}
DeviceResults crossEntropy(const DeviceCall& call) {
    const DeviceTensor x = converted(call.device, call.tensor(0, "self"), DType::Float64),
                       target = call.tensor(1, "target");
    const std::int64_t axis = x.dim() == 1 ? 0 : 1, reduction = call.host.integer(3, "reduction", lossMean);
    const DeviceTensor logs = call.apply("aten.log_softmax.int", {x, Value(axis)});
    if (!isFloating(target.dtype)) return likelihood(call, logs, reduction);
    if (call.find(2, "weight") || call.host.number(5, "label_smoothing", 0.0) != 0.0)
        throw Failure{{"unsupported", "cross_entropy_loss with weights or label smoothing has no kernel of ours."}};
    const DeviceTensor products =
        compute(call.device, {"NegatedProduct", DType::Float64}, DType::Float64, {logs, target});
    const DeviceTensor losses = foldDims(call.device, {"Sum", {}, DType::Float64}, products, {axis}, false).first;
    return reducedLosses(call, losses, reduction);
}

/// |a - b + eps| of order p along the last dimension, in float64.
DeviceTensor distanceOf(const DeviceCall& call, const DeviceTensor& a, const DeviceTensor& b, double p, double eps) {
    const DeviceTensor d = compute(call.device, {"ShiftedDifference", DType::Float64, {eps}}, DType::Float64, {a, b});
    return foldDims(call.device, {"Norm", {p}, DType::Float64}, d, {d.dim() - 1}, false).first;
}
DeviceResults pairwiseDistance(const DeviceCall& call) {
    const DeviceTensor d = distanceOf(call, call.tensor(0, "x1"), call.tensor(1, "x2"), call.host.number(2, "p", 2.0),
                                      call.host.number(3, "eps", 1e-6));
    return {reshaped(call.device, converted(call.device, d, call.type()), call.shape())};
}
DeviceResults tripletMargin(const DeviceCall& call) {
    const DeviceTensor anchor = call.tensor(0, "anchor"), positive = call.tensor(1, "positive"),
                       negative = call.tensor(2, "negative");
    const double margin = call.host.number(3, "margin", 1.0), p = call.host.number(4, "p", 2.0),
                 eps = call.host.number(5, "eps", 1e-6);
    const DeviceTensor near = distanceOf(call, anchor, positive, p, eps);
    DeviceTensor far = distanceOf(call, anchor, negative, p, eps);
    if (call.host.flag(6, "swap", false))
        far = compute(call.device, {"Minimum", DType::Float64}, DType::Float64,
                      {far, distanceOf(call, positive, negative, p, eps)});
    const DeviceTensor losses =
        compute(call.device, {"MarginLoss", DType::Float64, {margin}}, DType::Float64, {near, far});
    return reducedLosses(call, losses, call.host.integer(7, "reduction", lossMean));
}
/// dot / (max(|a|, eps) * max(|b|, eps))
DeviceResults cosineSimilarity(const DeviceCall& call) {
    Device& device = call.device;
    const DeviceTensor a = call.tensor(0, "x1"), b = call.tensor(1, "x2");
    const double eps = call.host.number(3, "eps", 1e-8);
    const DeviceTensor products = compute(device, {"Mul", DType::Float64}, DType::Float64, {a, b});
    const Shape dims{tensor::wrapDim(call.host.integer(2, "dim", 1), products.dim())};
    const auto limited = [&](const DeviceTensor& x) {
        const DeviceTensor spread = expanded(x, products.shape);
        const DeviceTensor n = foldDims(device, {"Norm", {2.0}, DType::Float64}, spread, dims, false).first;
        return compute(device, {"Maximum", DType::Float64}, DType::Float64, {n, eps});
    };
    const DeviceTensor dot = foldDims(device, {"Sum", {}, DType::Float64}, products, dims, false).first;
    const DeviceTensor norms = compute(device, {"Mul", DType::Float64}, DType::Float64, {limited(a), limited(b)});
    return {compute(device, {"Div", DType::Float64}, call.type(), {dot, norms})};
}

constexpr DeviceEntry lossEntries[] = {
    {"aten.mse_loss.default", mse},
    {"aten.l1_loss.default", l1},
    {"aten.smooth_l1_loss.default", smoothL1},
    {"aten.huber_loss.default", huber},
    {"aten.hinge_embedding_loss.default", hinge},
    {"aten.kl_div.default", klDiv},
    {"aten.binary_cross_entropy.default", binaryCrossEntropy},
    {"aten.binary_cross_entropy_with_logits.default", logitCrossEntropy},
    {"aten.pairwise_distance.default", pairwiseDistance},
    {"aten.nll_loss.default", nll},
    {"aten.cross_entropy_loss.default", crossEntropy},
    {"aten.triplet_margin_loss.default", tripletMargin},
    {"aten.cosine_similarity.default", cosineSimilarity},
};

} // namespace

DeviceFamily deviceLosses() {
    return lossEntries;
}

} // namespace kernelarium::operators
