// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/Elementwise.h"

#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;

namespace {

/// Whether every operand of a walk that moves along its last dimension at all does so by neighbours, four of which lie
/// where a machine can move them at once.
bool packsFit(const MapArguments& a, std::span<const std::uint64_t> elementBytes) {
    const Walk& w = a.walk;
    const int last = w.rank - 1;
    if (w.sizes[last] % perPack != 0 || w.strides[0][last] != 1) return false;
    for (std::size_t k = 0; k < elementBytes.size(); ++k) {
        const Address address = k == 0 ? a.out : a.in[k - 1];
        if (address == 0 || w.strides[k][last] == 0) continue;
        const std::uint64_t alignment = std::min<std::uint64_t>(elementBytes[k] * perPack, 16);
        if (w.strides[k][last] != 1 || address % alignment != 0) return false;
        for (int d = 0; d < last; ++d)
            if (w.strides[k][d] % perPack != 0) return false;
    }
    return true;
}

} // namespace

void computeInto(Device& device, const Elementwise& f, const DeviceTensor& out, std::span<const Operand> inputs) {
    if (out.count() == 0) return;
    MapArguments a{};
    std::vector<Shape> strides{out.strides};
    std::string function = fmt::format("map<{}, {}, {}", f.function, cudaName(f.compute), cudaName(out.dtype));
    std::vector<std::uint64_t> elementBytes{tensor::byteSize(out.dtype)};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const Operand& in = inputs[k];
        function += ", " + cudaName(in.tensor ? in.tensor->dtype : f.compute);
        elementBytes.push_back(tensor::byteSize(in.tensor ? in.tensor->dtype : f.compute));
        a.number[k] = in.number;
        a.integer[k] = in.integer;
        if (!in.tensor) {
            strides.emplace_back(out.shape.size(), 0);
            continue;
        }
        const DeviceTensor spread = expanded(*in.tensor, out.shape);
        strides.push_back(spread.strides);
        a.in[k] = spread.address();
    }
    a.out = out.address();
    std::copy(f.parameters.begin(), f.parameters.end(), a.p);
    a.count = out.count();
    a.walk = walkOf(out.shape, strides);
    a.packs = packsFit(a, elementBytes) ? 1 : 0;
    device.launchOver({"pointwise", function + ">", "MapArguments"}, a.packs ? a.count / perPack : a.count, a);
}

DeviceTensor compute(Device& device, const Elementwise& f, DType out, const std::vector<Operand>& inputs) {
    std::vector<Shape> shapes;
    for (const Operand& in : inputs)
        if (in.tensor) shapes.push_back(in.tensor->shape);
    DeviceTensor result = device.make(out, tensor::broadcastShape(shapes));
    computeInto(device, f, result, inputs);
    return result;
}

void fill(Device& device, const DeviceTensor& out, double value) {
    if (out.count() == 0) return;
    MapArguments a{};
    a.out = out.address();
    a.number[0] = value;
    a.integer[0] = std::int64_t(value);
    a.count = out.count();
    a.walk = walkOf(out.shape, std::array{out.strides});
    device.launchOver({"pointwise", fmt::format("fill<{}>", cudaName(out.dtype)), "MapArguments"}, a.count, a);
}

void copyInto(Device& device, const DeviceTensor& out, const DeviceTensor& from) {
    computeInto(device, {"Copy", task::operators::computeType(from.dtype)}, out, std::array{Operand(from)});
}

DeviceTensor dense(Device& device, const DeviceTensor& t) {
    if (t.isContiguous()) return t;
    DeviceTensor out = device.make(t.dtype, t.shape);
    copyInto(device, out, t);
    return out;
}

DeviceTensor converted(Device& device, const DeviceTensor& t, DType type) {
    if (t.dtype == type) return t;
    DeviceTensor out = device.make(type, t.shape);
    copyInto(device, out, t);
    return out;
}

DeviceTensor reshaped(Device& device, const DeviceTensor& t, const Shape& shape) {
    if (t.shape == shape) return t;
    if (const auto view = t.viewed(shape)) return seen(t, *view);
    return seen(dense(device, t), tensor::Layout(shape));
}

} // namespace kernelarium::operators
