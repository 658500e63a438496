// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceTensor.h"

#include "core/task/operators/Layout.h"

namespace kernelarium::operators {

using tensor::Shape;

bool DeviceTensor::isDense() const {
    std::int64_t step = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (shape[d] == 0) return true;
        if (shape[d] != 1 && strides[d] != step) return false;
        step *= shape[d];
    }
    return true;
}

DeviceTensor borrowed(Machine& machine, std::uint64_t address, tensor::DType dtype, Shape shape, Shape strides) {
    std::int64_t last = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        last += (shape[d] - 1) * std::max<std::int64_t>(strides[d], 0);
    const std::uint64_t bytes = std::uint64_t(last + 1) * tensor::byteSize(dtype);
    return {dtype, std::move(shape), std::move(strides), 0,
            std::make_shared<const Storage>(machine, address, bytes, Storage::Belongs::elsewhere)};
}

DeviceValue listOf(const std::vector<DeviceTensor>& tensors) {
    tensor::List list;
    for (const DeviceTensor& t : tensors)
        list.emplace_back(t.shapeOnly());
    return {list, tensors};
}

DeviceTensor restrided(const DeviceTensor& t, Shape shape, Shape strides, std::int64_t moved) {
    DeviceTensor out = t;
    out.shape = std::move(shape);
    out.strides = std::move(strides);
    out.offset += out.count() ? moved : 0;
    return out;
}

DeviceTensor permuted(const DeviceTensor& t, const Shape& order) {
    Shape shape, strides;
    for (const std::int64_t d : order) {
        shape.push_back(t.shape[std::size_t(d)]);
        strides.push_back(t.strides[std::size_t(d)]);
    }
    return restrided(t, shape, strides);
}

DeviceTensor swapped(const DeviceTensor& t, std::int64_t a, std::int64_t b) {
    if (t.dim() == 0) return t;
    DeviceTensor out = t;
    const auto i = std::size_t(task::operators::wrapDim(a, t.dim())),
               j = std::size_t(task::operators::wrapDim(b, t.dim()));
    std::swap(out.shape[i], out.shape[j]);
    std::swap(out.strides[i], out.strides[j]);
    return out;
}

DeviceTensor expanded(const DeviceTensor& t, const Shape& shape) {
    Shape strides(shape.size(), 0);
    const std::size_t lead = shape.size() - t.shape.size();
    for (std::size_t d = 0; d < t.shape.size(); ++d)
        strides[lead + d] = t.shape[d] == 1 ? 0 : t.strides[d];
    return restrided(t, shape, strides);
}

DeviceTensor sliced(const DeviceTensor& t, std::int64_t dim, std::int64_t start, std::int64_t length,
                    std::int64_t step) {
    Shape shape = t.shape, strides = t.strides;
    const std::int64_t moved = start * strides[std::size_t(dim)];
    shape[std::size_t(dim)] = length;
    strides[std::size_t(dim)] *= step;
    return restrided(t, shape, strides, moved);
}

DeviceTensor flipped(const DeviceTensor& t, std::int64_t dim) {
    Shape strides = t.strides;
    const std::int64_t moved = (t.shape[std::size_t(dim)] - 1) * strides[std::size_t(dim)];
    strides[std::size_t(dim)] *= -1;
    return restrided(t, t.shape, strides, moved);
}

DeviceTensor without(const DeviceTensor& t, std::int64_t dim) {
    DeviceTensor out = t;
    out.shape.erase(out.shape.begin() + dim);
    out.strides.erase(out.strides.begin() + dim);
    return out;
}

DeviceTensor withUnit(const DeviceTensor& t, std::int64_t dim) {
    DeviceTensor out = t;
    out.shape.insert(out.shape.begin() + dim, 1);
    out.strides.insert(out.strides.begin() + dim, 0);
    return out;
}

} // namespace kernelarium::operators
