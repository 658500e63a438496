// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling over one to three spatial dimensions, all as three.
#include "core/task/operators/Spatial.h"
#include "core/task/operators/Types.h"

#include <limits>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

struct Window {
    Three kernel, stride, padding, dilation;
    bool ceil = false;
};

std::int64_t pooledSize(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t pad,
                        std::int64_t dilation, bool ceil) {
    const std::int64_t span = in + 2 * pad - dilation * (kernel - 1) - 1;
    std::int64_t out = (span < 0 ? (span - stride + 1) / stride : (span + (ceil ? stride - 1 : 0)) / stride) + 1;
    if (ceil && (out - 1) * stride >= in + pad) --out; // the last window has to start inside
    return out;
}
Three pooledSizes(const Call& call, const Window& w, const Three& in) {
    Three out;
    for (std::size_t d = 0; d < 3; ++d) {
        if (w.kernel[d] <= 0 || w.stride[d] <= 0 || w.dilation[d] <= 0)
            badArgument(fmt::format("{}: kernel, stride and dilation have to be greater than zero.", call.name()));
        if (2 * w.padding[d] > w.kernel[d])
            badArgument(fmt::format("{}: pad should be at most half of effective kernel size, but got pad={} and "
                                    "kernel_size={}.",
                                    call.name(), w.padding[d], w.kernel[d]));
        out[d] = pooledSize(in[d], w.kernel[d], w.stride[d], w.padding[d], w.dilation[d], w.ceil);
        if (out[d] < 1) badArgument(fmt::format("{}: Output size is too small.", call.name()));
    }
    return out;
}
Window windowOf(const Call& call, std::size_t n, std::size_t dilationAt, std::size_t ceilAt) {
    const Shape kernel = call.integers(1, "kernel_size", n, 1);
    const auto stride = call.optionalIntegers(2, "stride");
    Window w{lift(kernel, 1),
             lift(stride && !stride->empty() ? call.integers(2, "stride", n, 1) : kernel, 1),
             lift(call.integers(3, "padding", n, 0), 0),
             {1, 1, 1},
             call.flag(ceilAt, "ceil_mode", false)};
    if (dilationAt) w.dilation = lift(call.integers(dilationAt, "dilation", n, 1), 1);
    return w;
}
Tensor spatialInput(const Call& call, std::size_t n) {
    const Tensor x = call.tensor(0, "self");
    if (x.dim() != std::int64_t(n) + 1 && x.dim() != std::int64_t(n) + 2)
        badArgument(fmt::format("{}: expected an input of {} or {} dimensions, got {}.", call.name(), n + 1, n + 2,
                                tensor::toString(x.shape())));
    return x;
}

/// Calls body(plane, outputIndex, o) for every output position.
template <class Body> void forOutputs(const Call& call, std::int64_t planes, const Three& out, Body body) {
    const std::int64_t each = volume(out);
    parallelFor(call, planes, std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(each, 1)),
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t p = begin; p < end; ++p)
                        for (std::int64_t d = 0, i = 0; d < out[0]; ++d)
                            for (std::int64_t h = 0; h < out[1]; ++h)
                                for (std::int64_t w = 0; w < out[2]; ++w, ++i)
                                    body(p, i, Three{d, h, w});
                });
}

/// The part of a window inside the input: first index, end and step per dimension.
struct Inside {
    Three begin, end, step;
};
Inside inside(const Window& w, const Three& in, const Three& o) {
    Inside r;
    for (std::size_t d = 0; d < 3; ++d) {
        std::int64_t first = o[d] * w.stride[d] - w.padding[d];
        r.end[d] = std::min(in[d], first + (w.kernel[d] - 1) * w.dilation[d] + 1);
        while (first < 0)
            first += w.dilation[d];
        r.begin[d] = first;
        r.step[d] = w.dilation[d];
    }
    return r;
}
template <class T, class Visit> void visit(const Inside& r, const Three& in, const T* plane, Visit f) {
    for (std::int64_t d = r.begin[0]; d < r.end[0]; d += r.step[0])
        for (std::int64_t h = r.begin[1]; h < r.end[1]; h += r.step[1]) {
            const std::int64_t row = (d * in[1] + h) * in[2];
            for (std::int64_t w = r.begin[2]; w < r.end[2]; w += r.step[2])
                f(plane[row + w], row + w);
        }
}

/// Largest element of each region and its place; regionOf(o) names the region.
template <class RegionOf>
Results largest(const Call& call, const Tensor& x, std::size_t n, const Three& outSize, RegionOf regionOf) {
    const Planes p = planesOf(x, n);
    Tensor out = call.makeUnfilled(x.dtype(), withSpatial(x, n, outSize));
    Tensor indices = call.makeUnfilled(DType::Int64, out.shape());
    if (call.shapesOnly()) return {out, indices};
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        forOutputs(call, p.planes, outSize, [&](std::int64_t plane, std::int64_t i, const Three& o) {
            T best = -std::numeric_limits<T>::infinity();
            std::int64_t at = -1;
            visit(regionOf(o), p.size, x.data<T>() + plane * volume(p.size), [&](T v, std::int64_t index) {
                if (v > best || v != v || at < 0) best = v, at = index;
            });
            out.data<T>()[plane * volume(outSize) + i] = best;
            indices.data<std::int64_t>()[plane * volume(outSize) + i] = at;
        });
    });
    return {out, indices};
}
template <std::size_t n> Results maxPoolWithIndices(const Call& call) {
    const Tensor x = spatialInput(call, n);
    const Window w = windowOf(call, n, 4, 5);
    const Planes p = planesOf(x, n);
    return largest(call, x, n, pooledSizes(call, w, p.size), [&](const Three& o) { return inside(w, p.size, o); });
}
template <std::size_t n> Results maxPool(const Call& call) {
    return {maxPoolWithIndices<n>(call).front()};
}

/// Mean over each region: regionOf(o) names it, divisorOf(o, elements) what the sum is divided by.
template <class RegionOf, class DivisorOf>
Results averages(const Call& call, const Tensor& x, std::size_t n, const Three& outSize, RegionOf regionOf,
                 DivisorOf divisorOf) {
    const Planes p = planesOf(x, n);
    Tensor out = call.makeUnfilled(x.dtype(), withSpatial(x, n, outSize));
    if (call.shapesOnly()) return {out};
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        forOutputs(call, p.planes, outSize, [&](std::int64_t plane, std::int64_t i, const Three& o) {
            double sum = 0;
            std::int64_t elements = 0;
            visit(regionOf(o), p.size, x.data<T>() + plane * volume(p.size),
                  [&](T v, std::int64_t) { sum += v, ++elements; });
            out.data<T>()[plane * volume(outSize) + i] = T(sum / double(divisorOf(o, elements)));
        });
    });
    return {out};
}
template <std::size_t n> Results avgPool(const Call& call) {
    const Tensor x = spatialInput(call, n);
    const Window w = windowOf(call, n, 0, 4);
    const bool includePad = call.flag(5, "count_include_pad", true);
    const std::int64_t given = n == 1 ? 0 : call.integer(6, "divisor_override", 0);
    const Planes p = planesOf(x, n);
    return averages(
        call, x, n, pooledSizes(call, w, p.size), [&](const Three& o) { return inside(w, p.size, o); },
        [&](const Three& o, std::int64_t elements) {
            if (given) return given;
            if (!includePad) return elements;
            std::int64_t padded = 1; // elements of the window within the padded input
            for (std::size_t d = 0; d < 3; ++d) {
                const std::int64_t first = o[d] * w.stride[d] - w.padding[d];
                padded *= std::min(first + w.kernel[d], p.size[d] + w.padding[d]) - first;
            }
            return padded;
        });
}

/// Region i of `out` covers floor(i * in / out) to ceil((i + 1) * in / out).
Inside adaptiveRegion(const Three& in, const Three& out, const Three& o) {
    Inside r;
    for (std::size_t d = 0; d < 3; ++d) {
        r.begin[d] = o[d] * in[d] / out[d];
        r.end[d] = ((o[d] + 1) * in[d] + out[d] - 1) / out[d];
        r.step[d] = 1;
    }
    return r;
}
template <std::size_t n> Three adaptiveSize(const Call& call, const Tensor& x) {
    const Value* value = call.find(1, "output_size");
    const tensor::List* list = value ? value->as<tensor::List>() : nullptr;
    const Three in = planesOf(x, n).size;
    if (!list) return lift(call.integers(1, "output_size", n, 1), 1);
    Three out{1, 1, 1}; // None keeps a dimension's size
    for (std::size_t i = 0; i < list->size() && i < n; ++i) {
        const auto* size = (*list)[i].as<std::int64_t>();
        out[3 - n + i] = size ? *size : in[3 - n + i];
    }
    if (list->size() == 1) out = lift(Shape(n, out[3 - n]), 1);
    return out;
}
template <std::size_t n> Results adaptiveAvgPool(const Call& call) {
    const Tensor x = spatialInput(call, n);
    const Three out = adaptiveSize<n>(call, x), in = planesOf(x, n).size;
    return averages(
        call, x, n, out, [&](const Three& o) { return adaptiveRegion(in, out, o); },
        [](const Three&, std::int64_t elements) { return elements; });
}
template <std::size_t n> Results adaptiveMaxPool(const Call& call) {
    const Tensor x = spatialInput(call, n);
    const Three out = adaptiveSize<n>(call, x), in = planesOf(x, n).size;
    return largest(call, x, n, out, [&](const Three& o) { return adaptiveRegion(in, out, o); });
}

constexpr Entry poolingEntries[] = {
    {"aten.max_pool1d.default", maxPool<1>},
    {"aten.max_pool2d.default", maxPool<2>},
    {"aten.max_pool3d.default", maxPool<3>},
    {"aten.max_pool1d_with_indices.default", maxPoolWithIndices<1>},
    {"aten.max_pool2d_with_indices.default", maxPoolWithIndices<2>},
    {"aten.max_pool3d_with_indices.default", maxPoolWithIndices<3>},
    {"aten.avg_pool1d.default", avgPool<1>},
    {"aten.avg_pool2d.default", avgPool<2>},
    {"aten.avg_pool3d.default", avgPool<3>},
    {"aten.adaptive_avg_pool1d.default", adaptiveAvgPool<1>},
    {"aten.adaptive_avg_pool2d.default", adaptiveAvgPool<2>},
    {"aten.adaptive_avg_pool3d.default", adaptiveAvgPool<3>},
    {"aten.adaptive_max_pool1d.default", adaptiveMaxPool<1>},
    {"aten.adaptive_max_pool2d.default", adaptiveMaxPool<2>},
    {"aten.adaptive_max_pool3d.default", adaptiveMaxPool<3>},
};

} // namespace

Family poolingFamily() {
    return poolingEntries;
}

} // namespace kernelarium::task::operators
