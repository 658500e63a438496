// SPDX-License-Identifier: GPL-3.0-or-later
// Constants, ranges, and elements chosen by index tensors.
#include "gpu/operators/DeviceCall.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Tensor;
using tensor::wrapDim;

namespace {

DeviceResults constantOf(const DeviceCall& call, double value) {
    DeviceTensor out = call.make();
    fill(call.device, out, value);
    return {out};
}
DeviceResults zeros(const DeviceCall& call) {
    return constantOf(call, 0.0);
}
DeviceResults ones(const DeviceCall& call) {
    return constantOf(call, 1.0);
}
DeviceResults full(const DeviceCall& call) {
    return constantOf(call, call.host.number(1, "fill_value"));
}
DeviceResults newFull(const DeviceCall& call) {
    return constantOf(call, call.host.number(2, "fill_value"));
}
DeviceResults fillWith(const DeviceCall& call) {
    return constantOf(call, call.host.number(1, "value"));
}
DeviceResults scalarTensor(const DeviceCall& call) {
    return constantOf(call, call.host.number(0, "s"));
}
DeviceResults eye(const DeviceCall& call) {
    DeviceTensor out = call.make();
    fill(call.device, out, 0.0);
    fill(call.device, seen(out, out.diagonal(0, 0, 1)), 1.0);
    return {out};
}
DeviceResults linspace(const DeviceCall& call) {
    DeviceTensor out = call.make();
    const double start = call.host.number(0, "start"), end = call.host.number(1, "end");
    const RangeArguments a{out.address(), out.count(), start,
                           out.count() > 1 ? (end - start) / double(out.count() - 1) : 0.0};
    call.device.launchOver({"elements", fmt::format("range<{}>", cudaName(out.dtype)), "RangeArguments"}, a.count, a);
    return {out};
}
DeviceResults arange(const DeviceCall& call) {
    const bool whole = call.host.name() == "aten.arange.default";
    DeviceTensor out = call.make();
    const RangeArguments a{out.address(), out.count(), whole ? 0.0 : call.host.number(0, "start"),
                           call.host.name() == "aten.arange.start_step" ? call.host.number(2, "step", 1.0) : 1.0};
    call.device.launchOver({"elements", fmt::format("range<{}>", cudaName(out.dtype)), "RangeArguments"}, a.count, a);
    return {out};
}

/// Slices of dimension `dim` by an index tensor, whose dimensions take its place.
DeviceResults gathered(const DeviceCall& call, const DeviceTensor& source, const DeviceTensor& indexIn,
                       std::int64_t dim) {
    const DeviceTensor x = dense(call.device, source);
    const DeviceTensor index = dense(call.device, converted(call.device, indexIn, DType::Int64));
    DeviceTensor out = call.make(), status = call.device.make(DType::Int32, {1});
    fill(call.device, status, 0.0);
    GatherArguments a{x.address(), index.address(),           out.address(), status.address(),
                      1,           x.shape[std::size_t(dim)], index.count(), 1};
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (d != dim) (d < dim ? a.outer : a.inner) *= x.shape[std::size_t(d)];
    call.device.launchOver({"elements", fmt::format("gather<{}>", cudaName(x.dtype)), "GatherArguments"}, out.count(),
                           a);
    if (call.device.download(status).at(0) != 0.0)
        throw Failure{{"bad_argument", fmt::format("{}: an index is out of bounds for dimension with size {}.",
                                                   call.host.name(), a.size)}};
    return {out};
}
DeviceResults index(const DeviceCall& call) {
    const DeviceValue* list = call.find(1, "indices");
    const tensor::List& places = *list->value.as<tensor::List>();
    if (list->tensors.size() != 1 || isFloating(list->tensors[0].dtype) || list->tensors[0].dtype == DType::Bool ||
        list->tensors[0].dtype == DType::UInt8)
        throw Failure{{"unsupported", "aten.index with several index tensors or a mask has no kernel of ours."}};
    std::int64_t dim = 0;
    while (!places[std::size_t(dim)].as<Tensor>())
        ++dim;
    return gathered(call, call.tensor(0, "self"), list->tensors[0], dim);
}
DeviceResults indexSelect(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return gathered(call, x, call.tensor(2, "index"), wrapDim(call.host.integer(1, "dim"), x.dim()));
}
DeviceResults embedding(const DeviceCall& call) {
    return gathered(call, call.tensor(0, "weight"), call.tensor(1, "indices"), 0);
}

constexpr DeviceEntry makingEntries[] = {
    {"aten.zeros.default", zeros},
    {"aten.zeros_like.default", zeros},
    {"aten.new_zeros.default", zeros},
    {"aten.ones.default", ones},
    {"aten.ones_like.default", ones},
    {"aten.full.default", full},
    {"aten.full_like.default", full},
    {"aten.arange.default", arange},
    {"aten.arange.start", arange},
    {"aten.arange.start_step", arange},
    {"aten.index.Tensor", index},
    {"aten.index_select.default", indexSelect},
    {"aten.embedding.default", embedding},
    {"aten.new_ones.default", ones},
    {"aten.new_full.default", newFull},
    {"aten.fill.Scalar", fillWith},
    {"aten.zero.default", zeros},
    {"aten.scalar_tensor.default", scalarTensor},
    {"aten.eye.default", eye},
    {"aten.eye.m", eye},
    {"aten.linspace.default", linspace},
};

} // namespace

DeviceFamily deviceMaking() {
    return makingEntries;
}

} // namespace kernelarium::operators
