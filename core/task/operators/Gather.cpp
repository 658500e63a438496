// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Gather.h"

#include "core/task/operators/Types.h"

namespace kernelarium::task::operators {

Shape broadcastStrides(const Shape& from, const Shape& to) {
    return Layout(from).expanded(to).strides;
}

Tensor gather(const Call& call, const Tensor& source, const Layout& view) {
    Tensor out = call.makeUnfilled(source.dtype(), view.shape);
    if (call.shapesOnly() || out.count() == 0) return out;
    const Walk<1> walk = mergeDimensions<1>(view.shape, {view.strides});
    withBits(source.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const T* from = source.data<T>() + view.offset;
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

void scatter(const Call& call, Tensor& target, const Layout& view, const Tensor& source) {
    if (source.count() == 0) return;
    const Walk<1> walk = mergeDimensions<1>(view.shape, {view.strides});
    withBits(source.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const T* from = source.data<T>();
        T* to = target.data<T>() + view.offset;
        const std::int64_t step = walk.strides[0].back();
        forRows(call, walk, [&](const auto& offsets, std::int64_t n, std::int64_t start) {
            for (std::int64_t i = 0; i < n; ++i)
                to[offsets[0] + i * step] = from[start + i];
        });
    });
}

Tensor seen(const Call& call, const Tensor& source, const Layout& view) {
    const bool whole = view.count() == source.count() && view.isContiguous() && (view.offset == 0 || !source.count());
    return whole ? source.reshaped(view.shape) : gather(call, source, view);
}

Tensor permuted(const Call& call, const Tensor& source, const Shape& order) {
    return seen(call, source, Layout(source.shape()).permuted(order));
}

Tensor expanded(const Call& call, const Tensor& source, const Shape& shape) {
    return seen(call, source, Layout(source.shape()).expanded(shape));
}

} // namespace kernelarium::task::operators
