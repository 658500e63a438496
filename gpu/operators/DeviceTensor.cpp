// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceTensor.h"

namespace kernelarium::operators {

using tensor::Shape;

DeviceTensor borrowed(Machine& machine, std::uint64_t address, tensor::DType dtype, Shape shape, Shape strides) {
    tensor::Layout layout(std::move(shape), std::move(strides));
    const std::uint64_t bytes = std::uint64_t(layout.reach().second) * tensor::byteSize(dtype);
    return {std::move(layout), dtype,
            std::make_shared<const Storage>(machine, address, bytes, Storage::Belongs::elsewhere)};
}

DeviceValue listOf(const std::vector<DeviceTensor>& tensors) {
    tensor::List list;
    for (const DeviceTensor& t : tensors)
        list.emplace_back(t.shapeOnly());
    return {list, tensors};
}

DeviceTensor seen(const DeviceTensor& t, tensor::Layout view) {
    if (view.count() == 0) view.offset = t.offset;
    return {std::move(view), t.dtype, t.storage};
}

DeviceValue listOf(const DeviceTensor& t, const std::vector<tensor::Layout>& views) {
    std::vector<DeviceTensor> tensors;
    for (const tensor::Layout& view : views)
        tensors.push_back(seen(t, view));
    return listOf(tensors);
}

DeviceTensor permuted(const DeviceTensor& t, const Shape& order) {
    return seen(t, t.permuted(order));
}

DeviceTensor swapped(const DeviceTensor& t, std::int64_t a, std::int64_t b) {
    return seen(t, t.transposed(a, b));
}

DeviceTensor expanded(const DeviceTensor& t, const Shape& shape) {
    return seen(t, t.expanded(shape));
}

DeviceTensor sliced(const DeviceTensor& t, std::int64_t dim, std::int64_t start, std::int64_t length) {
    return seen(t, t.narrowed(dim, start, length));
}

DeviceTensor selected(const DeviceTensor& t, std::int64_t dim, std::int64_t index) {
    return seen(t, t.selected(dim, index));
}

DeviceTensor withUnit(const DeviceTensor& t, std::int64_t dim) {
    return seen(t, t.unsqueezed(dim));
}

} // namespace kernelarium::operators
