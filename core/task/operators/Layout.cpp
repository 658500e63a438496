// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Layout.h"

#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

Shape denseStrides(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    return strides;
}

Shape broadcastShapes(const Call& call, std::span<const Shape> shapes) {
    Shape out;
    for (const Shape& s : shapes) {
        if (s.size() > out.size()) out.insert(out.begin(), s.size() - out.size(), 1);
        for (std::size_t d = 0; d < s.size(); ++d) {
            std::int64_t& o = out[out.size() - s.size() + d];
            if (o == s[d] || s[d] == 1) continue;
            if (o != 1)
                badArgument(fmt::format("{}: the size {} must match the size {} at dimension {} to broadcast.",
                                        call.name(), o, s[d], out.size() - s.size() + d));
            o = s[d];
        }
    }
    return out;
}

Shape broadcastStrides(const Shape& from, const Shape& to) {
    const Shape dense = denseStrides(from);
    Shape strides(to.size(), 0);
    const std::size_t lead = to.size() - from.size();
    for (std::size_t d = 0; d < from.size(); ++d)
        strides[lead + d] = from[d] == 1 ? 0 : dense[d];
    return strides;
}

Tensor gather(const Call& call, const Tensor& source, const Shape& shape, const Shape& strides, std::int64_t offset) {
    Tensor out = call.make(source.dtype(), shape);
    if (call.shapesOnly() || out.count() == 0) return out;
    const Walk<1> walk = mergeDimensions<1>(shape, {strides});
    withBits(source.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const T* from = source.data<T>() + offset;
        T* to = out.data<T>();
        const std::int64_t step = walk.strides[0].back();
        forRows(call, walk, [&](const auto& offsets, std::int64_t n, std::int64_t start) {
            const T* f = from + offsets[0];
            if (step == 1)
                std::copy_n(f, n, to + start);
            else if (step == 0)
                std::fill_n(to + start, n, *f);
            else
                for (std::int64_t i = 0; i < n; ++i)
                    to[start + i] = f[i * step];
        });
    });
    return out;
}

Tensor permuted(const Call& call, const Tensor& source, const Shape& order) {
    const Shape dense = denseStrides(source.shape());
    Shape shape, strides;
    bool same = true;
    for (std::size_t d = 0; d < order.size(); ++d) {
        same &= order[d] == std::int64_t(d);
        shape.push_back(source.shape()[std::size_t(order[d])]);
        strides.push_back(dense[std::size_t(order[d])]);
    }
    return same ? source : gather(call, source, shape, strides, 0);
}

Tensor expanded(const Call& call, const Tensor& source, const Shape& shape) {
    if (source.shape() == shape) return source;
    return gather(call, source, shape, broadcastStrides(source.shape(), shape), 0);
}

} // namespace kernelarium::task::operators
