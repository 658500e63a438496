// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Parallel.h"

#include <array>

namespace kernelarium::task::operators {

/// Depth, height, width; missing leading dimensions are 1 (or 0 for paddings).
using Three = std::array<std::int64_t, 3>;

[[nodiscard]] inline std::int64_t volume(const Three& t) {
    return t[0] * t[1] * t[2];
}
/// The last `n` of three from a list of n, the others `missing`.
[[nodiscard]] inline Three lift(const Shape& list, std::int64_t missing) {
    Three t{missing, missing, missing};
    for (std::size_t i = 0; i < list.size(); ++i)
        t[3 - list.size() + i] = list[i];
    return t;
}

/// A tensor of [batch..., spatial...] with `n` spatial dimensions, seen as planes of three.
struct Planes {
    std::int64_t planes = 1;
    Three size{1, 1, 1};
};
[[nodiscard]] inline Planes planesOf(const Tensor& x, std::size_t n) {
    Planes p;
    const std::size_t lead = x.shape().size() - n;
    for (std::size_t d = 0; d < lead; ++d)
        p.planes *= x.shape()[d];
    p.size = lift(Shape(x.shape().begin() + std::ptrdiff_t(lead), x.shape().end()), 1);
    return p;
}
/// The shape of `x` with its last `n` sizes replaced by the last `n` of three.
[[nodiscard]] inline Shape withSpatial(const Tensor& x, std::size_t n, const Three& size) {
    Shape shape(x.shape().begin(), x.shape().end() - std::ptrdiff_t(n));
    shape.insert(shape.end(), size.begin() + std::ptrdiff_t(3 - n), size.end());
    return shape;
}

} // namespace kernelarium::task::operators
