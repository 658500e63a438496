// SPDX-License-Identifier: GPL-3.0-or-later
// Sums, means, variances, norms, extremes, softmax, running sums.
#include "core/task/operators/ArgumentReading.h"
#include "gpu/operators/DeviceCall.h"
#include "gpu/operators/Folding.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::everyDim;
using task::operators::ReducedDims;
using task::operators::reducedDims;
using tensor::DType;
using tensor::Shape;
using tensor::wrapDim;

namespace {

/// A fold whose first result is the operator's, in its inferred type.
DeviceResults foldedWith(const DeviceCall& call, std::string function, const ReducedDims& where,
                         std::array<double, 4> parameters = {}) {
    Folding f{std::move(function), parameters, call.type()};
    return {foldDims(call.device, f, call.tensor(0, "self"), where.dims, where.keep).first};
}
DeviceResults foldedDims(const DeviceCall& call, std::string function) {
    return foldedWith(call, std::move(function), reducedDims(call.host, call.tensor(0, "self").dim(), 1, 2));
}
DeviceResults foldedAll(const DeviceCall& call, std::string function) {
    return foldedWith(call, std::move(function), everyDim(call.tensor(0, "self").dim()));
}
DeviceResults sumDims(const DeviceCall& call) {
    return foldedDims(call, "Sum");
}
DeviceResults sumAll(const DeviceCall& call) {
    return foldedAll(call, "Sum");
}
DeviceResults meanDims(const DeviceCall& call) {
    return foldedDims(call, "Mean");
}
DeviceResults meanAll(const DeviceCall& call) {
    return foldedAll(call, "Mean");
}
DeviceResults prodDims(const DeviceCall& call) {
    return foldedDims(call, "Product");
}
DeviceResults prodAll(const DeviceCall& call) {
    return foldedAll(call, "Product");
}
DeviceResults anyDims(const DeviceCall& call) {
    return foldedDims(call, "AnyTrue");
}
DeviceResults anyAll(const DeviceCall& call) {
    return foldedAll(call, "AnyTrue");
}
DeviceResults allTrueDims(const DeviceCall& call) {
    return foldedDims(call, "AllTrue");
}
DeviceResults allTrueAll(const DeviceCall& call) {
    return foldedAll(call, "AllTrue");
}

/// Variance (its root) in the second result, the mean in the first.
Folded momentsOf(const DeviceCall& call, bool root, DType mean, DType spread) {
    const DeviceTensor x = call.tensor(0, "self");
    const auto v = task::operators::varianceArguments(call.host, x.dim());
    const Folding f{"Moments", {0.0, v.correction, root ? 1.0 : 0.0}, mean, spread, true};
    return foldDims(call.device, f, x, v.where.dims, v.where.keep);
}
template <bool root> DeviceResults variance(const DeviceCall& call) {
    return {momentsOf(call, root, DType::Float64, call.type()).second};
}
template <bool root> DeviceResults varianceAndMean(const DeviceCall& call) {
    const Folded folded = momentsOf(call, root, call.type(1), call.type(0));
    return {folded.second, folded.first};
}

/// Orders that are not sums of powers.
void refuseOrder(const DeviceCall& call, double p) {
    if (p == 0.0 || std::isinf(p))
        throw Failure{{"unsupported", fmt::format("{} of order {} has no kernel of ours.", call.host.name(), p)}};
}
DeviceResults norm(const DeviceCall& call) {
    const auto n = task::operators::normArguments(call.host, call.tensor(0, "self").dim());
    refuseOrder(call, n.order);
    return foldedWith(call, "Norm", n.where, {n.order});
}
/// x / max(|x|, eps)
DeviceResults normalize(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "input");
    const auto a = task::operators::normalizeArguments(call.host, x.dim());
    refuseOrder(call, a.order);
    const DeviceTensor n = foldDims(call.device, {"Norm", {a.order}, DType::Float64}, x, {a.dim}, true).first;
    const DeviceTensor limited = compute(call.device, {"Maximum", DType::Float64}, DType::Float64, {n, a.eps});
    return {compute(call.device, {"Div", DType::Float64}, call.type(), {x, limited})};
}

/// Values and indices of the extremes.
Folded extremes(const DeviceCall& call, double sign, const ReducedDims& where) {
    const DeviceTensor x = call.tensor(0, "self");
    return foldDims(call.device, {"Extreme", {sign}, x.dtype, DType::Int64, true}, x, where.dims, where.keep);
}
template <int sign> DeviceResults extremeAlong(const DeviceCall& call) {
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim"), call.tensor(0, "self").dim());
    const Folded e = extremes(call, sign, {{dim}, call.host.flag(2, "keepdim", false)});
    return {e.first, e.second};
}
template <int sign> DeviceResults extremeOfAll(const DeviceCall& call) {
    return {extremes(call, sign, everyDim(call.tensor(0, "self").dim())).first};
}
template <int sign> DeviceResults extremeAlongDims(const DeviceCall& call) {
    return {extremes(call, sign, reducedDims(call.host, call.tensor(0, "self").dim(), 1, 2)).first};
}
/// Without a dimension the elements are counted through; keepdim then keeps them all.
template <int sign> DeviceResults extremePlace(const DeviceCall& call) {
    return {extremes(call, sign, reducedDims(call.host, call.tensor(0, "self").dim(), 1, 2)).second};
}

template <bool logarithm> DeviceResults softmax(const DeviceCall& call) {
    const DeviceTensor x = converted(call.device, call.tensor(0, "self"), call.type());
    const Shape dims = x.dim() ? Shape{wrapDim(call.host.integer(1, "dim"), x.dim())} : Shape{};
    const DType work = x.dtype == DType::Float64 ? DType::Float64 : DType::Float32; // of exponentials, as PyTorch's
    Folding f{"ShiftedSum", {}, work, work, true};
    f.single = true;
    const Folded s = foldDims(call.device, f, x, dims, true);
    return {
        compute(call.device, {logarithm ? "LogSoftmaxOf" : "SoftmaxOf", work}, call.type(), {x, s.first, s.second})};
}
DeviceResults logsumexp(const DeviceCall& call) {
    return foldedWith(call, "ShiftedSum", reducedDims(call.host, call.tensor(0, "self").dim(), 1, 2), {1.0});
}

DeviceResults scanWith(const DeviceCall& call, std::string_view running) {
    const DeviceTensor x = dense(call.device, converted(call.device, call.tensor(0, "self"), call.type()));
    DeviceTensor out = call.make();
    ScanArguments a{x.address(), out.address(), 1, 1, 1};
    const std::int64_t dim = x.dim() ? wrapDim(call.host.integer(1, "dim"), x.dim()) : 0;
    for (std::int64_t d = 0; d < x.dim(); ++d)
        (d < dim ? a.outer : d == dim ? a.length : a.inner) *= x.shape[std::size_t(d)];
    if (x.count() == 0) return {out};
    constexpr Long shortRow = 32;
    const bool rows = a.inner == 1 && a.length > shortRow;
    const std::string function = fmt::format("{}<{}, {}, {}>", rows ? "scanRows" : "scan", running,
                                             isFloating(x.dtype) ? "double" : "Long", cudaName(x.dtype));
    const Kernel kernel{"elements", function, "ScanArguments"};
    const auto blocks = std::uint32_t(std::min<Long>(a.outer, 1 << 20));
    if (rows)
        call.device.launch(kernel, {blocks, 1, 1}, Device::threadsPerBlock, a);
    else
        call.device.launchOver(kernel, a.outer * a.inner, a);
    return {out};
}
DeviceResults cumsum(const DeviceCall& call) {
    return scanWith(call, "RunningSum");
}
DeviceResults cumprod(const DeviceCall& call) {
    return scanWith(call, "RunningProduct");
}

constexpr DeviceEntry reductionEntries[] = {
    {"aten.sum.dim_IntList", sumDims},
    {"aten.sum.default", sumAll},
    {"aten.mean.dim", meanDims},
    {"aten.mean.default", meanAll},
    {"aten.prod.dim_int", prodDims},
    {"aten.prod.default", prodAll},
    {"aten.any.dim", anyDims},
    {"aten.any.default", anyAll},
    {"aten.all.dim", allTrueDims},
    {"aten.all.default", allTrueAll},
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
    {"aten.norm.Scalar", norm},
    {"aten.normalize.default", normalize},
    {"aten.special_softmax.default", softmax<false>},
    {"aten.linalg_vector_norm.default", norm},
    {"aten.norm.ScalarOpt_dim", norm},
    {"aten.max.dim", extremeAlong<1>},
    {"aten.min.dim", extremeAlong<-1>},
    {"aten.max.default", extremeOfAll<1>},
    {"aten.min.default", extremeOfAll<-1>},
    {"aten.amax.default", extremeAlongDims<1>},
    {"aten.amin.default", extremeAlongDims<-1>},
    {"aten.argmax.default", extremePlace<1>},
    {"aten.argmin.default", extremePlace<-1>},
    {"aten.softmax.int", softmax<false>},
    {"aten._softmax.default", softmax<false>},
    {"aten.log_softmax.int", softmax<true>},
    {"aten._log_softmax.default", softmax<true>},
    {"aten.logsumexp.default", logsumexp},
    {"aten.cumsum.default", cumsum},
    {"aten.cumprod.default", cumprod},
};

} // namespace

DeviceFamily deviceReductions() {
    return reductionEntries;
}

} // namespace kernelarium::operators
