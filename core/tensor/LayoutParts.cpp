// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a layout, and windows over it.
#include "core/tensor/Layout.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace kernelarium::tensor {

using Kind = LayoutError::Kind;

namespace {

/// Of a stride and a step, which may be as large as a number can be where only one element remains.
std::int64_t wrappedProduct(std::int64_t a, std::int64_t b) {
    return std::int64_t(std::uint64_t(a) * std::uint64_t(b));
}

} // namespace

Layout Layout::selected(std::int64_t dim, std::int64_t index) const {
    if (shape.empty()) throw LayoutError(Kind::index, "select() cannot be applied to a 0-dim tensor.");
    const auto d = std::size_t(wrapDim(dim, this->dim()));
    const std::int64_t size = shape[d];
    if (index < -size || index >= size)
        throw LayoutError(Kind::index, fmt::format("select(): index {} out of range for tensor of size {} at dimension "
                                                   "{}",
                                                   index, toString(shape), d));
    Layout out = *this;
    out.offset += (index < 0 ? index + size : index) * strides[d];
    out.shape.erase(out.shape.begin() + std::ptrdiff_t(d));
    out.strides.erase(out.strides.begin() + std::ptrdiff_t(d));
    return out;
}

Layout Layout::sliced(std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                      std::int64_t step) const {
    if (shape.empty()) throw LayoutError(Kind::other, "slice() cannot be applied to a 0-dim tensor.");
    if (step <= 0) throw LayoutError(Kind::other, "slice step must be positive");
    const auto d = std::size_t(wrapDim(dim, this->dim()));
    const std::int64_t size = shape[d];
    const auto bounded = [size](std::int64_t v) { return std::clamp<std::int64_t>(v < 0 ? v + size : v, 0, size); };
    const std::int64_t from = bounded(start.value_or(0)), to = bounded(end.value_or(size));
    Layout out = *this;
    out.offset += from * strides[d];
    out.shape[d] = to > from ? (to - from - 1) / step + 1 : 0;
    out.strides[d] = wrappedProduct(strides[d], step);
    return out;
}

Layout Layout::narrowed(std::int64_t dim, std::int64_t start, std::int64_t length) const {
    if (shape.empty())
        throw LayoutError(Kind::narrowed, "narrow() cannot be applied to a 0-dim tensor.", {start, length, 0});
    const auto d = std::size_t(wrapDim(dim, this->dim()));
    const std::int64_t size = shape[d], first = start < 0 ? start + size : start;
    if (length < 0) throw LayoutError(Kind::narrowed, "narrow(): length must be non-negative.", {first, length, size});
    if (start < -size || start > size)
        throw LayoutError(
            Kind::narrowedStart,
            fmt::format("start out of range (expected to be in range of [-{}, {}], but got {})", size, size, start),
            {first, length, size});
    if (length > size - first)
        throw LayoutError(Kind::narrowed,
                          fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", first, length, size),
                          {first, length, size});
    return sliced(dim, first, first + length, 1);
}

std::vector<Layout> Layout::split(const Shape& lengths, std::int64_t dim) const {
    if (shape.empty()) throw LayoutError(Kind::other, "split expects at least a 1-dimensional tensor");
    const std::int64_t size = shape[std::size_t(wrapDim(dim, this->dim()))];
    const auto refuse = [&](Kind kind, std::int64_t sum) {
        throw LayoutError(kind,
                          fmt::format("split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size "
                                      "at dimension {}), but got split_sizes={}",
                                      size, dim, toString(lengths)),
                          {sum, size}, lengths);
    };
    std::int64_t sum = 0;
    for (const std::int64_t length : lengths)
        if (__builtin_add_overflow(sum, length, &sum)) refuse(Kind::partLengths, sum);
    if (sum != size) refuse(Kind::partLengths, sum);
    if (std::any_of(lengths.begin(), lengths.end(), [](std::int64_t l) { return l < 0; }))
        refuse(Kind::negativeSize, sum);
    std::vector<Layout> parts;
    std::int64_t start = 0;
    for (const std::int64_t length : lengths) {
        parts.push_back(narrowed(dim, start, length));
        start += length;
    }
    return parts;
}

std::vector<Layout> Layout::splitEvery(std::int64_t length, std::int64_t dim) const {
    if (shape.empty()) throw LayoutError(Kind::other, "split expects at least a 1-dimensional tensor");
    const std::int64_t size = shape[std::size_t(wrapDim(dim, this->dim()))];
    if (length < 0 || (length == 0 && size != 0))
        throw LayoutError(Kind::partLength,
                          fmt::format("split expects split_size be non-negative, but got split_size={}", length),
                          {length});
    Shape lengths;
    for (std::int64_t rest = size; rest > 0; rest -= lengths.back())
        lengths.push_back(std::min(length, rest));
    if (lengths.empty()) lengths.push_back(0);
    return split(lengths, dim);
}

Shape chunkLengths(std::int64_t size, std::int64_t chunks) {
    if (chunks <= 0)
        throw LayoutError(Kind::other, fmt::format("chunk expects `chunks` to be greater than 0, got: {}", chunks));
    if (size == 0) return Shape(std::size_t(chunks), 0);
    const std::int64_t length = (size - 1) / chunks + 1;
    Shape lengths;
    for (std::int64_t rest = size; rest > 0; rest -= lengths.back())
        lengths.push_back(std::min(length, rest));
    return lengths;
}

std::vector<Layout> Layout::unbound(std::int64_t dim) const {
    if (shape.empty()) throw LayoutError(Kind::other, "unbind expects at least a 1-dimensional tensor");
    std::vector<Layout> parts;
    const std::int64_t size = shape[std::size_t(wrapDim(dim, this->dim()))];
    for (std::int64_t i = 0; i < size; ++i)
        parts.push_back(selected(dim, i));
    return parts;
}

Layout Layout::diagonal(std::int64_t offset, std::int64_t a, std::int64_t b) const {
    const std::int64_t i = wrapDim(a, dim()), j = wrapDim(b, dim());
    if (i == j) throw LayoutError(Kind::other, fmt::format("diagonal dimensions cannot be identical {}, {}", a, b));
    const std::int64_t rows = shape[std::size_t(i)], columns = shape[std::size_t(j)];
    const std::int64_t rowStride = strides[std::size_t(i)], columnStride = strides[std::size_t(j)];
    const std::int64_t length =
        std::max<std::int64_t>(0, offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns));
    Layout out = *this;
    if (length > 0) out.offset += offset >= 0 ? offset * columnStride : -offset * rowStride;
    for (const std::int64_t d : {std::max(i, j), std::min(i, j)}) {
        out.shape.erase(out.shape.begin() + d);
        out.strides.erase(out.strides.begin() + d);
    }
    out.shape.push_back(length);
    out.strides.push_back(rowStride + columnStride);
    return out;
}

Layout Layout::unfolded(std::int64_t dim, std::int64_t size, std::int64_t step) const {
    const auto d = std::size_t(wrapDim(dim, this->dim()));
    const std::int64_t length = shape.empty() ? 1 : shape[d];
    if (size > length)
        throw LayoutError(Kind::other,
                          fmt::format("maximum size for tensor at dimension {} is {} but size is {}", d, length, size));
    if (size < 0) throw LayoutError(Kind::window, fmt::format("size is {} but must be >= 0", size));
    if (step <= 0) throw LayoutError(Kind::window, fmt::format("step is {} but must be > 0", step));
    Layout out = *this;
    out.shape.push_back(size);
    out.strides.push_back(shape.empty() ? 1 : strides[d]);
    if (shape.empty()) return out;
    out.shape[d] = (length - size) / step + 1;
    out.strides[d] = wrappedProduct(strides[d], step);
    return out;
}

Layout Layout::flipped(std::int64_t dim) const {
    if (shape.empty()) return (void)wrapDim(dim, 0), *this;
    const auto d = std::size_t(wrapDim(dim, this->dim()));
    Layout out = *this;
    out.offset += std::max<std::int64_t>(shape[d] - 1, 0) * strides[d];
    out.strides[d] = -strides[d];
    return out;
}

} // namespace kernelarium::tensor
