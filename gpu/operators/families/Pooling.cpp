// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling over one to three spatial dimensions, all as three.
#include "gpu/operators/DeviceCall.h"
#include "gpu/operators/Folding.h"

#include "core/task/operators/Spatial.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::lift;
using task::operators::Three;
using tensor::Shape;

namespace {

void setThree(int (&to)[3], const Three& from) {
    for (std::size_t d = 0; d < 3; ++d)
        to[d] = int(from[d]);
}
Three lastOf(const Shape& shape, std::size_t n) {
    return lift(Shape(shape.end() - std::ptrdiff_t(n), shape.end()), 1);
}

/// Sizes; the window's numbers follow.
PoolArguments poolSizes(const DeviceCall& call, std::size_t n) {
    PoolArguments a{};
    const Shape in = call.tensor(0, "self").shape;
    a.planes = tensor::elementCount(Shape(in.begin(), in.end() - std::ptrdiff_t(n)));
    setThree(a.size, lastOf(in, n));
    setThree(a.outSize, lastOf(call.shape(), n));
    return a;
}
void setWindow(const DeviceCall& call, std::size_t n, std::size_t dilationAt, PoolArguments& a) {
    const Shape kernel = call.host.integers(1, "kernel_size", n, 1);
    const auto stride = call.host.optionalIntegers(2, "stride");
    setThree(a.kernel, lift(kernel, 1));
    setThree(a.stride, lift(stride && !stride->empty() ? call.host.integers(2, "stride", n, 1) : kernel, 1));
    setThree(a.padding, lift(call.host.integers(3, "padding", n, 0), 0));
    setThree(a.dilation, dilationAt ? lift(call.host.integers(dilationAt, "dilation", n, 1), 1) : Three{1, 1, 1});
}
DeviceResults pooled(const DeviceCall& call, PoolArguments a, bool largest) {
    const DeviceTensor x = dense(call.device, call.tensor(0, "self"));
    DeviceResults results;
    for (std::size_t i = 0; i < call.resultCount(); ++i)
        results.emplace_back(call.make(i));
    const DeviceTensor& out = results[0].tensors[0];
    a.in = x.address();
    a.out = out.address();
    a.indices = results.size() > 1 ? results[1].tensors[0].address() : 0;
    const char* wanted = !largest ? "mean" : a.indices ? "largestAndPlace" : "largest";
    call.device.launchOver({"pool", fmt::format("pool<{}, Pooling::{}>", cudaName(out.dtype), wanted), "PoolArguments"},
                           out.count(), a);
    return results;
}

/// A plane may be large: many threads share one.
DeviceResults meanOfPlanes(const DeviceCall& call, std::size_t n) {
    const DeviceTensor x = call.tensor(0, "self");
    Shape dims;
    for (std::int64_t d = x.dim() - std::int64_t(n); d < x.dim(); ++d)
        dims.push_back(d);
    return {foldDims(call.device, {"Mean", {}, call.type()}, x, dims, true).first};
}

template <std::size_t n> DeviceResults maxPool(const DeviceCall& call) {
    PoolArguments a = poolSizes(call, n);
    setWindow(call, n, 4, a);
    return pooled(call, a, true);
}
template <std::size_t n> DeviceResults avgPool(const DeviceCall& call) {
    PoolArguments a = poolSizes(call, n);
    setWindow(call, n, 0, a);
    a.includePadding = call.host.flag(5, "count_include_pad", true);
    a.divisor = n == 1 ? 0 : int(call.host.integer(6, "divisor_override", 0));
    return pooled(call, a, false);
}
template <std::size_t n, bool largest> DeviceResults adaptivePool(const DeviceCall& call) {
    PoolArguments a = poolSizes(call, n);
    a.adaptive = 1;
    const bool toOne = !largest && a.outSize[0] == 1 && a.outSize[1] == 1 && a.outSize[2] == 1;
    return toOne ? meanOfPlanes(call, n) : pooled(call, a, largest);
}

constexpr DeviceEntry poolingEntries[] = {
    {"aten.max_pool1d.default", maxPool<1>},
    {"aten.max_pool2d.default", maxPool<2>},
    {"aten.max_pool3d.default", maxPool<3>},
    {"aten.max_pool1d_with_indices.default", maxPool<1>},
    {"aten.max_pool2d_with_indices.default", maxPool<2>},
    {"aten.max_pool3d_with_indices.default", maxPool<3>},
    {"aten.avg_pool1d.default", avgPool<1>},
    {"aten.avg_pool2d.default", avgPool<2>},
    {"aten.avg_pool3d.default", avgPool<3>},
    {"aten.adaptive_avg_pool1d.default", adaptivePool<1, false>},
    {"aten.adaptive_avg_pool2d.default", adaptivePool<2, false>},
    {"aten.adaptive_avg_pool3d.default", adaptivePool<3, false>},
    {"aten.adaptive_max_pool1d.default", adaptivePool<1, true>},
    {"aten.adaptive_max_pool2d.default", adaptivePool<2, true>},
    {"aten.adaptive_max_pool3d.default", adaptivePool<3, true>},
};

} // namespace

DeviceFamily devicePooling() {
    return poolingEntries;
}

} // namespace kernelarium::operators
