// SPDX-License-Identifier: GPL-3.0-or-later
// Other shapes and orders of the same elements: views wherever strides can say it; conversions; lists.
#include "gpu/operators/DeviceCall.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::Shape;
using tensor::Tensor;

namespace {

/// Everything that only renames the elements: the inferred shape says it all.
DeviceResults reshape(const DeviceCall& call) {
    return {reshaped(call.device, call.tensor(0, "self"), call.shape())};
}
DeviceResults transpose(const DeviceCall& call) {
    return {swapped(call.tensor(0, "self"), call.host.integer(1, "dim0"), call.host.integer(2, "dim1"))};
}
DeviceResults matrixTranspose(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return {x.dim() < 2 ? x : swapped(x, -2, -1)};
}
DeviceResults reversedDims(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return {seen(x, x.reversed())};
}
DeviceResults permute(const DeviceCall& call) {
    return {permuted(call.tensor(0, "self"), call.host.integers(1, "dims"))};
}
DeviceResults movedim(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return {seen(x, x.moved(call.host.integers(1, "source"), call.host.integers(2, "destination")))};
}
DeviceResults expand(const DeviceCall& call) {
    return {expanded(call.tensor(0, "self"), call.shape())};
}

DeviceResults broadcastTensors(const DeviceCall& call) {
    std::vector<DeviceTensor> all = call.tensors(0, "tensors");
    const tensor::List* shapes = call.resultValue(0).as<tensor::List>();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = expanded(all[i], shapes->at(i).as<Tensor>()->shape());
    return {listOf(all)};
}
DeviceResults unfold(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return {seen(
        x, x.unfolded(call.host.integer(1, "dimension"), call.host.integer(2, "size"), call.host.integer(3, "step")))};
}
DeviceResults same(const DeviceCall& call) {
    return {call.tensor(0, "self")};
}
DeviceResults convert(const DeviceCall& call) {
    return {converted(call.device, call.tensor(0, "self"), call.type())};
}
DeviceResults copy(const DeviceCall& call) {
    return {converted(call.device, expanded(call.tensor(1, "src"), call.shape()), call.type())};
}
DeviceResults nothing(const DeviceCall&) {
    return {};
}

std::size_t tensorsIn(const tensor::Value& v) {
    std::vector<Tensor> all;
    collectTensors(v, all);
    return all.size();
}
DeviceResults getitem(const DeviceCall& call) {
    const DeviceValue* container = call.find(0, "self");
    const tensor::List& list = *container->value.as<tensor::List>();
    const std::int64_t index = call.host.integer(1, "index");
    const std::size_t at = std::size_t(index < 0 ? index + std::int64_t(list.size()) : index);
    std::size_t first = 0;
    for (std::size_t i = 0; i < at; ++i)
        first += tensorsIn(list[i]);
    const auto begin = container->tensors.begin() + std::ptrdiff_t(first);
    const std::vector<DeviceTensor> own(begin, begin + std::ptrdiff_t(tensorsIn(list[at])));
    return {DeviceValue(list[at], own)};
}

constexpr DeviceEntry viewEntries[] = {
    {"aten.view.default", reshape},
    {"aten._unsafe_view.default", reshape},
    {"aten.reshape.default", reshape},
    {"aten.view_as.default", reshape},
    {"aten.reshape_as.default", reshape},
    {"aten.flatten.using_ints", reshape},
    {"aten.ravel.default", reshape},
    {"aten.unflatten.int", reshape},
    {"aten.unsqueeze.default", reshape},
    {"aten.squeeze.default", reshape},
    {"aten.squeeze.dim", reshape},
    {"aten.squeeze.dims", reshape},
    {"aten.transpose.int", transpose},
    {"aten.swapaxes.default", transpose},
    {"aten.swapdims.default", transpose},
    {"aten.t.default", matrixTranspose},
    {"aten.mT.default", matrixTranspose},
    {"aten.numpy_T.default", reversedDims},
    {"aten.permute.default", permute},
    {"aten.movedim.int", movedim},
    {"aten.movedim.intlist", movedim},
    {"aten.copy.default", copy},
    {"aten.to.other", convert},
    {"aten.expand.default", expand},
    {"aten.broadcast_to.default", expand},
    {"aten.expand_as.default", expand},
    {"aten.broadcast_tensors.default", broadcastTensors},
    {"aten.unfold.default", unfold},
    {"aten.alias.default", same},
    {"aten.detach.default", same},
    {"aten.contiguous.default", same},
    {"aten.clone.default", same}, // nobody writes into a tensor that is shared
    {"aten.lift_fresh_copy.default", same},
    {"aten.to.dtype", convert},
    {"aten.to.dtype_layout", convert},
    {"aten.to.device", convert},
    {"aten._to_copy.default", convert},
    {"aten.type_as.default", convert},
    {"aten._assert_tensor_metadata.default", nothing},
    {"<built-in function getitem>", getitem},
};

} // namespace

DeviceFamily deviceViews() {
    return viewEntries;
}

} // namespace kernelarium::operators
