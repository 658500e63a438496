// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Gather.h"
#include "core/task/operators/Types.h"

#include <type_traits>

namespace kernelarium::task::operators {

/// f over every element, in the element's floating type.
template <class F> Tensor mapFloating(const Call& call, const Tensor& input, F f) {
    const Tensor x = floating(input);
    Tensor out = call.makeUnfilled(x.dtype(), x.shape());
    if (call.shapesOnly()) return out;
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        const T* from = x.data<T>();
        T* to = out.data<T>();
        parallelFor(call, x.count(), elementPiece, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                to[i] = f(from[i]);
        });
    });
    return out;
}

/// f over every element, in the compute type (int64 for integers), result of the input's type.
template <class F> Tensor mapAny(const Call& call, const Tensor& input, F f) {
    const DType compute = computeType(input.dtype());
    const Tensor x = input.to(compute);
    Tensor out = call.makeUnfilled(compute, x.shape());
    if (call.shapesOnly()) return out.to(input.dtype());
    withComputed(call, compute, [&](auto tag) {
        using T = decltype(tag);
        const T* from = x.data<T>();
        T* to = out.data<T>();
        parallelFor(call, x.count(), elementPiece, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                to[i] = f(from[i]);
        });
    });
    return out.to(input.dtype());
}

/// f(a, b) over the broadcast of two tensors, both converted to the compute type `type`. The result is of
/// that type, or bool where f answers bool.
template <class F> Tensor zip(const Call& call, const Tensor& left, const Tensor& right, DType type, F f) {
    const Tensor a = left.to(type);
    const Tensor b = right.to(type);
    const Shape shape = broadcastShape(std::array{a.shape(), b.shape()});
    Tensor out;
    withComputed(call, type, [&](auto tag) {
        using T = decltype(tag);
        constexpr bool answers = std::is_same_v<decltype(f(T{}, T{})), bool>;
        using R = std::conditional_t<answers, std::uint8_t, T>;
        out = call.makeUnfilled(answers ? DType::Bool : type, shape);
        if (call.shapesOnly()) return;
        const auto walk =
            mergeDimensions<2>(shape, {broadcastStrides(a.shape(), shape), broadcastStrides(b.shape(), shape)});
        const std::int64_t sa = walk.strides[0].back(), sb = walk.strides[1].back();
        forRows(call, walk, [&](const auto& offsets, std::int64_t n, std::int64_t start) {
            const T* x = a.data<T>() + offsets[0];
            const T* y = b.data<T>() + offsets[1];
            R* to = out.data<R>() + start;
            if (sa == 1 && sb == 1)
                for (std::int64_t i = 0; i < n; ++i)
                    to[i] = R(f(x[i], y[i]));
            else if (sa == 1 && sb == 0)
                for (std::int64_t i = 0; i < n; ++i)
                    to[i] = R(f(x[i], *y));
            else if (sa == 0 && sb == 1)
                for (std::int64_t i = 0; i < n; ++i)
                    to[i] = R(f(*x, y[i]));
            else
                for (std::int64_t i = 0; i < n; ++i)
                    to[i] = R(f(x[i * sa], y[i * sb]));
        });
    });
    return out;
}

} // namespace kernelarium::task::operators
