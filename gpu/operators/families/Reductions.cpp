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

template <bool root> DeviceResults variance(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const bool corrected = call.host.name().ends_with(".correction"),
               all = call.host.name().ends_with(".default");
    const Shape dims = all ? allDims(x) : dimsAt(call, x, 1);
    const double correction = corrected ? call.host.number(9, "correction", 1.0)
                              : call.host.flag(all ? 1 : 2, "unbiased", true) ? 1.0
                                                                              : 0.0;
    const bool keep = !all && call.host.flag(corrected ? 9 : 3, "keepdim", false);
    const Folding f{"Moments", {0.0, correction, root ? 1.0 : 0.0}, DType::Float64, call.type(), true};
    return {foldDims(call.device, f, x, dims, keep).second};
}

DeviceResults
norm(const DeviceCall& call) { // linalg_vector_norm and norm.ScalarOpt_dim share their arguments' order
    const DeviceTensor x = call.tensor(0, "self");
    const double p = call.host.number(1, "p", call.host.number(1, "ord", 2.0));
    if (p == 0.0 || std::isinf(p))
        throw Failure{
            {"unsupported", fmt::format("{} of order {} has no kernel of ours.", call.host.name(), p)}};
    return foldedWith(call, "Norm", dimsAt(call, x, 2), call.host.flag(3, "keepdim", false), {p});
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
