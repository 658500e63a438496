// SPDX-License-Identifier: GPL-3.0-or-later
// What a layout is, and the orders and sizes of its dimensions.
#include "core/tensor/Layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::tensor {

using Kind = LayoutError::Kind;

Shape denseStrides(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * std::max<std::int64_t>(shape[d], 1);
    return strides;
}

Shape channelsLastStrides(const Shape& shape) {
    Shape strides(shape.size(), 1);
    std::int64_t next = shape.at(1);
    for (std::size_t d = shape.size(); d-- > 2;) {
        strides[d] = next;
        next *= shape[d];
    }
    strides[0] = next;
    return strides;
}

std::int64_t wrapDim(std::int64_t dim, std::int64_t rank) {
    const std::int64_t n = std::max<std::int64_t>(rank, 1);
    if (dim < -n || dim >= n)
        throw LayoutError(
            Kind::index,
            fmt::format("Dimension out of range (expected to be in range of [{}, {}], but got {})", -n, n - 1, dim));
    return dim < 0 ? dim + n : dim;
}

Layout::Layout(Shape dense)
    : shape(std::move(dense))
    , strides(denseStrides(shape)) {}

bool Layout::isContiguous() const {
    if (count() == 0) return true;
    std::int64_t expected = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (shape[d] == 1) continue;
        if (strides[d] != expected) return false;
        expected *= shape[d];
    }
    return true;
}

bool Layout::isPacked() const {
    if (count() == 0) return true;
    std::vector<std::pair<std::int64_t, std::int64_t>> byStride;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] != 1) byStride.emplace_back(strides[d], shape[d]);
    std::sort(byStride.begin(), byStride.end());
    std::int64_t expected = 1;
    for (const auto& [stride, size] : byStride) {
        if (stride != expected) return false;
        expected *= size;
    }
    return true;
}

std::pair<std::int64_t, std::int64_t> Layout::reach() const {
    std::int64_t low = offset, high = offset;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t last = (shape[d] - 1) * strides[d];
        (last < 0 ? low : high) += last;
    }
    return {low, high + 1};
}

Layout Layout::permuted(const Shape& order) const {
    if (std::int64_t(order.size()) != dim())
        throw LayoutError(
            Kind::orderLength,
            fmt::format("permute(sparse_coo): number of dimensions in the tensor input does not match the length of "
                        "the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
                        dim(), order.size()));
    Layout out = *this;
    std::vector<bool> seen(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto d = std::size_t(wrapDim(order[i], dim()));
        if (seen[d]) throw LayoutError(Kind::other, "permute(): duplicate dims are not allowed.");
        seen[d] = true;
        out.shape[i] = shape[d];
        out.strides[i] = strides[d];
    }
    return out;
}

Layout Layout::transposed(std::int64_t a, std::int64_t b) const {
    const auto i = std::size_t(wrapDim(a, dim())), j = std::size_t(wrapDim(b, dim()));
    Layout out = *this;
    if (dim() == 0) return out;
    std::swap(out.shape[i], out.shape[j]);
    std::swap(out.strides[i], out.strides[j]);
    return out;
}

Layout Layout::reversed() const {
    Layout out = *this;
    std::reverse(out.shape.begin(), out.shape.end());
    std::reverse(out.strides.begin(), out.strides.end());
    return out;
}

Layout Layout::moved(const Shape& from, const Shape& to) const {
    if (from.size() != to.size())
        throw LayoutError(
            Kind::movedLength,
            fmt::format("movedim: Invalid source or destination dims: source ({} dims) should contain the same number "
                        "of dims as destination ({} dims)",
                        from.size(), to.size()));
    if (dim() == 0) { // which counts as having one
        for (std::size_t i = 0; i < from.size(); ++i)
            (void)wrapDim(from[i], 0), (void)wrapDim(to[i], 0);
        if (from.size() > 1) throw LayoutError(Kind::other, "movedim: repeated dim in `source`");
        return *this;
    }
    Shape order(shape.size(), -1);
    std::vector<bool> placed(shape.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto source = std::size_t(wrapDim(from[i], dim())), destination = std::size_t(wrapDim(to[i], dim()));
        if (placed[source]) throw LayoutError(Kind::other, "movedim: repeated dim in `source`");
        if (order[destination] >= 0) throw LayoutError(Kind::other, "movedim: repeated dim in `destination`");
        placed[source] = true;
        order[destination] = std::int64_t(source);
    }
    std::size_t next = 0;
    for (std::int64_t& d : order) {
        if (d >= 0) continue;
        while (placed[next])
            ++next;
        d = std::int64_t(next++);
    }
    return permuted(order);
}

Layout Layout::unsqueezed(std::int64_t place) const {
    const std::int64_t d = wrapDim(place, dim() + 1);
    const std::int64_t stride = d < dim() ? shape[std::size_t(d)] * strides[std::size_t(d)] : 1;
    Layout out = *this;
    out.shape.insert(out.shape.begin() + d, 1);
    out.strides.insert(out.strides.begin() + d, stride);
    return out;
}

Layout Layout::squeezed(const Shape& dims) const {
    std::vector<bool> drop(shape.size());
    for (const std::int64_t d : dims) {
        const auto i = std::size_t(wrapDim(d, dim()));
        if (i < drop.size()) drop[i] = shape[i] == 1;
    }
    Layout out({}, {}, offset);
    for (std::size_t i = 0; i < drop.size(); ++i) {
        if (drop[i]) continue;
        out.shape.push_back(shape[i]);
        out.strides.push_back(strides[i]);
    }
    return out;
}

Layout Layout::squeezed() const {
    Shape all;
    for (std::int64_t d = 0; d < dim(); ++d)
        all.push_back(d);
    return squeezed(all);
}

Layout Layout::expanded(const Shape& sizes) const {
    if (sizes.size() < shape.size())
        throw LayoutError(
            Kind::fewerSizes,
            fmt::format("expand(torch.FloatTensor{{{}}}, size={}): the number of sizes provided ({}) must be greater "
                        "or equal to the number of dimensions in the tensor ({})",
                        toString(shape), toString(sizes), sizes.size(), dim()));
    Layout out(sizes, Shape(sizes.size(), 0), offset);
    const std::size_t lead = sizes.size() - shape.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::int64_t own = i < lead ? 1 : shape[i - lead];
        if (sizes[i] == -1 && i >= lead)
            out.shape[i] = own;
        else if (sizes[i] == -1)
            throw LayoutError(
                Kind::negativeSize,
                fmt::format("expand: the expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
                            "dimension {}",
                            i),
                {}, sizes);
        else if (own != 1 && sizes[i] != own)
            throw LayoutError(Kind::sizeMismatch,
                              fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                                          "non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                                          sizes[i], own, i, toString(sizes), toString(shape)),
                              {sizes[i], own, std::int64_t(i)}, sizes);
        else if (sizes[i] < 0)
            throw LayoutError(
                Kind::negativeSize,
                fmt::format("Trying to create tensor with negative dimension {}: {}", sizes[i], toString(sizes)), {},
                sizes);
        if (i >= lead && out.shape[i] == own) out.strides[i] = strides[i - lead];
    }
    return out;
}

} // namespace kernelarium::tensor
