// SPDX-License-Identifier: GPL-3.0-or-later
// Other shapes of the same elements in the same order, and shapes that several have in common.
#include "core/tensor/Layout.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace kernelarium::tensor {

using Kind = LayoutError::Kind;

Shape broadcastShape(std::span<const Shape> shapes) {
    Shape out;
    for (const Shape& s : shapes) {
        if (s.size() > out.size()) out.insert(out.begin(), s.size() - out.size(), 1);
        for (std::size_t d = 0; d < s.size(); ++d) {
            const std::size_t at = out.size() - s.size() + d;
            if (out[at] == s[d] || s[d] == 1) continue;
            if (out[at] != 1)
                throw LayoutError(Kind::broadcast,
                                  fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at "
                                              "non-singleton dimension {}",
                                              out[at], s[d], at),
                                  {out[at], s[d], std::int64_t(at)});
            out[at] = s[d];
        }
    }
    return out;
}

Shape inferredShape(const Shape& shape, std::int64_t count) {
    Shape out = shape;
    std::int64_t known = 1;
    std::optional<std::size_t> open;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == -1 && open)
            throw LayoutError(Kind::invalidShape, "only one dimension can be inferred", {}, shape);
        if (shape[d] < -1)
            throw LayoutError(Kind::invalidShape, fmt::format("invalid shape dimension {}", shape[d]), {}, shape);
        if (shape[d] == -1)
            open = d;
        else if (__builtin_mul_overflow(known, shape[d], &known))
            throw LayoutError(Kind::tooMany,
                              fmt::format("shape '{}' is invalid for input of size {}", toString(shape), count), {},
                              shape);
    }
    if (open && known == 0 && count == 0)
        throw LayoutError(
            Kind::countMismatch,
            fmt::format("cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 "
                        "can be any value and is ambiguous",
                        toString(shape)),
            {count}, shape);
    if (open ? known == 0 || count % known != 0 : known != count)
        throw LayoutError(Kind::countMismatch,
                          fmt::format("shape '{}' is invalid for input of size {}", toString(shape), count), {count},
                          shape);
    if (open) out[*open] = count / known;
    return out;
}

Shape flattenedShape(const Shape& shape, std::int64_t start, std::int64_t end) {
    const auto rank = std::int64_t(shape.size());
    const std::int64_t from = wrapDim(start, rank), to = wrapDim(end, rank);
    if (from > to) throw LayoutError(Kind::other, "flatten() has invalid args: start_dim cannot come after end_dim");
    if (rank == 0) return {1};
    Shape out(shape.begin(), shape.begin() + from);
    out.push_back(elementCount(Shape(shape.begin() + from, shape.begin() + to + 1)));
    out.insert(out.end(), shape.begin() + to + 1, shape.end());
    return out;
}

Shape unflattenedShape(const Shape& shape, std::int64_t dim, const Shape& sizes) {
    const std::int64_t d = wrapDim(dim, std::int64_t(shape.size()));
    if (shape.empty()) throw LayoutError(Kind::other, "unflatten: sizes must be non-empty");
    const Shape inner = inferredShape(sizes, shape[std::size_t(d)]);
    Shape out = shape;
    out.erase(out.begin() + d);
    out.insert(out.begin() + d, inner.begin(), inner.end());
    return out;
}

namespace {

void refuseNegative(std::int64_t times, const Shape& shape) {
    if (times < 0)
        throw LayoutError(Kind::negativeSize,
                          fmt::format("Trying to create tensor with negative dimension {}: {}", times, toString(shape)),
                          {}, shape);
}

} // namespace

Layout Layout::repeated(const Shape& times) const {
    if (times.size() < shape.size())
        throw LayoutError(Kind::other, "Number of dimensions of repeat dims can not be smaller than number of "
                                       "dimensions of tensor");
    Layout out = *this;
    for (std::size_t d = shape.size(); d < times.size(); ++d)
        out = out.unsqueezed(0);
    Shape sizes;
    for (std::size_t d = 0; d < times.size(); ++d) {
        sizes.insert(sizes.end(), {times[d], out.shape[2 * d]});
        out = out.unsqueezed(std::int64_t(2 * d));
    }
    for (const std::int64_t n : times)
        refuseNegative(n, sizes);
    return out.expanded(sizes);
}

Shape repeatedShape(const Shape& shape, const Shape& times) {
    Shape out = shape;
    out.insert(out.begin(), times.size() - shape.size(), 1);
    for (std::size_t d = 0; d < times.size(); ++d)
        out[d] *= times[d];
    return out;
}

Layout Layout::interleaved(std::int64_t dim, std::int64_t times) const {
    const std::int64_t d = wrapDim(dim, this->dim());
    const Layout out = unsqueezed(d + 1);
    Shape sizes = out.shape;
    sizes[std::size_t(d + 1)] = times;
    refuseNegative(times, sizes);
    return out.expanded(sizes);
}

std::optional<Layout> Layout::viewed(const Shape& sizes) const {
    const Shape wanted = inferredShape(sizes, count());
    if (count() == 0) return Layout(wanted, shape == wanted ? strides : denseStrides(wanted), offset);
    // Dimensions that lie in memory as one run are merged from the back; new dimensions have to divide such runs.
    Layout out(wanted, Shape(wanted.size(), 1), offset);
    std::size_t to = wanted.size(), from = shape.size();
    while (from > 0) {
        std::size_t first = from - 1;
        const std::int64_t unit = strides[first];
        std::int64_t run = shape[first];
        while (first > 0 && (shape[first - 1] == 1 || strides[first - 1] == run * unit)) {
            --first;
            run *= shape[first];
        }
        std::int64_t covered = 1;
        while (to > 0 && (covered < run || wanted[to - 1] == 1)) {
            --to;
            out.strides[to] = covered * unit;
            covered *= wanted[to];
        }
        if (covered != run) return std::nullopt;
        from = first;
    }
    const bool all = std::all_of(wanted.begin(), wanted.begin() + std::ptrdiff_t(to), [](auto s) { return s == 1; });
    return all ? std::optional(out) : std::nullopt;
}

} // namespace kernelarium::tensor
