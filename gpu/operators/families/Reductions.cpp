// SPDX-License-Identifier: GPL-3.0-or-later
// Sums, means, variances, norms, extremes, softmax, running sums.
#include "gpu/operators/DeviceCall.h"
#include "gpu/operators/Folding.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::wrapDim;
using task::operators::wrapDims;
using tensor::DType;
using tensor::Shape;

namespace {

/// Dimensions at an argument's place; all of them for the overloads that have none.
Shape dimsAt(const DeviceCall& call, const DeviceTensor& x, std::size_t at) {
    return wrapDims(call.host.optionalIntegers(at, "dim"), x.dim());
}
Shape allDims(const DeviceTensor& x) {
    return wrapDims(std::nullopt, x.dim());
}

/// A fold whose first result is the operator's, in its inferred type.
DeviceResults foldedWith(const DeviceCall& call, std::string function, const Shape& dims, bool keep,
                         std::array<double, 4> parameters = {}) {
    Folding f{std::move(function), parameters, call.type()};
    return {foldDims(call.device, f, call.tensor(0, "self"), dims, keep).first};
}
DeviceResults foldedDims(const DeviceCall& call, std::string function) {
    const DeviceTensor x = call.tensor(0, "self");
    return foldedWith(call, std::move(function), dimsAt(call, x, 1), call.host.flag(2, "keepdim", false));
}
DeviceResults foldedAll(const DeviceCall& call, std::string function) {
    return foldedWith(call, std::move(function), allDims(call.tensor(0, "self")), false);
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

/// var.dim(self, dim, unbiased, keepdim), var.correction(self, dim, *, correction, keepdim),
/// var.default(self, unbiased)
struct VarianceCall {
    DeviceTensor x;
    Shape dims;
    bool keep = false;
    double correction = 1.0;
};
VarianceCall varianceCall(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    if (call.host.name().ends_with(".correction"))
        return {x, dimsAt(call, x, 1), call.host.flag(9, "keepdim", false),
                call.host.number(9, "correction", 1.0)};
    if (call.host.name().ends_with(".default"))
        return {x, allDims(x), false, call.host.flag(1, "unbiased", true) ? 1.0 : 0.0};
    return {x, dimsAt(call, x, 1), call.host.flag(3, "keepdim", false),
            call.host.flag(2, "unbiased", true) ? 1.0 : 0.0};
}
template <bool root> DeviceResults variance(const DeviceCall& call) {
    const VarianceCall v = varianceCall(call);
    const Folding f{"Moments", {0.0, v.correction, root ? 1.0 : 0.0}, DType::Float64, call.type(), true};
    return {foldDims(call.device, f, v.x, v.dims, v.keep).second};
}
template <bool root> DeviceResults varianceAndMean(const DeviceCall& call) {
    const VarianceCall v = varianceCall(call);
    const Folding f{"Moments", {0.0, v.correction, root ? 1.0 : 0.0}, call.type(1), call.type(0), true};
    const Folded folded = foldDims(call.device, f, v.x, v.dims, v.keep);
    return {folded.second, folded.first};
}

/// Orders that are no sums of powers.
void refuseOrder(const DeviceCall& call, double p) {
    if (p == 0.0 || std::isinf(p))
        throw Failure{
            {"unsupported", fmt::format("{} of order {} has no kernel of ours.", call.host.name(), p)}};
}
/// linalg_vector_norm and norm.ScalarOpt_dim share the order of their arguments.
DeviceResults norm(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const double p = call.host.number(1, "p", call.host.number(1, "ord", 2.0));
    refuseOrder(call, p);
    return foldedWith(call, "Norm", dimsAt(call, x, 2), call.host.flag(3, "keepdim", false), {p});
}

DeviceResults normAll(const DeviceCall& call) {
    const double p = call.host.number(1, "p", 2.0);
    refuseOrder(call, p);
    return foldedWith(call, "Norm", allDims(call.tensor(0, "self")), false, {p});
}
/// x / max(|x|, eps)
DeviceResults normalize(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "input");
    const double p = call.host.number(1, "p", 2.0), eps = call.host.number(3, "eps", 1e-12);
    refuseOrder(call, p);
    const Shape dims{wrapDim(call.host.integer(2, "dim", 1), x.dim())};
    const DeviceTensor n = foldDims(call.device, {"Norm", {p}, DType::Float64}, x, dims, true).first;
    const DeviceTensor limited = compute(call.device, {"Maximum", DType::Float64}, DType::Float64, {n, eps});
    return {compute(call.device, {"Div", DType::Float64}, call.type(), {x, limited})};
}

/// Values and indices of the extremes along one dimension.
Folded extremes(const DeviceCall& call, double sign, const Shape& dims, bool keep) {
    const DeviceTensor x = call.tensor(0, "self");
    return foldDims(call.device, {"Extreme", {sign}, x.dtype, DType::Int64, true}, x, dims, keep);
}
template <int sign> DeviceResults extremeAlong(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const Folded e = extremes(call, sign, {wrapDim(call.host.integer(1, "dim"), x.dim())},
                              call.host.flag(2, "keepdim", false));
    return {e.first, e.second};
}
template <int sign> DeviceResults extremeOfAll(const DeviceCall& call) {
    return {extremes(call, sign, allDims(call.tensor(0, "self")), false).first};
}
template <int sign> DeviceResults extremeAlongDims(const DeviceCall& call) {
    return {extremes(call, sign, dimsAt(call, call.tensor(0, "self"), 1), call.host.flag(2, "keepdim", false))
                .first};
}
template <int sign> DeviceResults extremePlace(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const bool along = call.find(1, "dim") != nullptr;
    return {extremes(call, sign, along ? dimsAt(call, x, 1) : allDims(x), call.host.flag(2, "keepdim", false))
                .second};
}

template <bool logarithm> DeviceResults softmax(const DeviceCall& call) {
    const DeviceTensor x = converted(call.device, call.tensor(0, "self"), call.type());
    const Shape dims = x.dim() ? Shape{wrapDim(call.host.integer(1, "dim"), x.dim())} : Shape{};
    const Folded s =
        foldDims(call.device, {"ShiftedSum", {}, DType::Float64, DType::Float64, true}, x, dims, true);
    return {compute(call.device, {logarithm ? "LogSoftmaxOf" : "SoftmaxOf", DType::Float64}, call.type(),
                    {x, s.first, s.second})};
}
DeviceResults logsumexp(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return foldedWith(call, "ShiftedSum", dimsAt(call, x, 1), call.host.flag(2, "keepdim", false), {1.0});
}

DeviceResults scanWith(const DeviceCall& call, std::string_view running) {
    const DeviceTensor x = dense(call.device, converted(call.device, call.tensor(0, "self"), call.type()));
    DeviceTensor out = call.make();
    ScanArguments a{x.address(), out.address(), 1, 1, 1};
    const std::int64_t dim = x.dim() ? wrapDim(call.host.integer(1, "dim"), x.dim()) : 0;
    for (std::int64_t d = 0; d < x.dim(); ++d)
        (d < dim ? a.outer : d == dim ? a.length : a.inner) *= x.shape[std::size_t(d)];
    const std::string function =
        fmt::format("scan<{}, {}, {}>", running, isFloating(x.dtype) ? "double" : "Long", cudaName(x.dtype));
    call.device.launchOver({"elements", function, "ScanArguments"}, x.count() ? a.outer * a.inner : 0, a);
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
    {"aten.norm.Scalar", normAll},
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
