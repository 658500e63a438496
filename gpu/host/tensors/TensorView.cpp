// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/TensorView.h"

#include "gpu/host/backend/Raised.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

/// What `f` gives; what it refuses is raised in the interpreted program.
template <class F> auto raisingRefusals(F f) -> decltype(f()) {
    try {
        return f();
    } catch (const tensor::LayoutError& error) {
        using Kind = tensor::LayoutError::Kind;
        if (error.kind == Kind::index || error.kind == Kind::narrowedStart) raiseIndexError(error.what());
        raise(error.what());
    }
}

TensorView with(const TensorView& self, tensor::Layout layout) {
    TensorView out = self;
    static_cast<tensor::Layout&>(out) = std::move(layout);
    return out;
}

/// The tensor seen as `f` lays it out.
template <class F> TensorView seen(const TensorView& self, F f) {
    return with(self, raisingRefusals(f));
}

template <class F> std::vector<TensorView> seenParts(const TensorView& self, F f) {
    std::vector<TensorView> out;
    for (tensor::Layout& part : raisingRefusals(f))
        out.push_back(with(self, std::move(part)));
    return out;
}

} // namespace

Shape formatStrides(const Shape& sizes, MemoryFormat format) {
    if (format != MemoryFormat::channelsLast && format != MemoryFormat::channelsLast3d)
        return tensor::denseStrides(sizes);
    const std::size_t rank = format == MemoryFormat::channelsLast ? 4 : 5;
    if (sizes.size() != rank) raise(fmt::format("required rank {} tensor to use channels_last format", rank));
    return tensor::channelsLastStrides(sizes);
}

std::int64_t wrapDim(std::int64_t dim, std::int64_t rank) {
    return raisingRefusals([&] { return tensor::wrapDim(dim, rank); });
}

Shape inferSize(const Shape& sizes, std::int64_t count) {
    return raisingRefusals([&] { return tensor::inferredShape(sizes, count); });
}

Shape flattenedSizes(const TensorView& self, std::int64_t start, std::int64_t end) {
    return raisingRefusals([&] { return tensor::flattenedShape(self.shape, start, end); });
}

Shape unflattenedSizes(const TensorView& self, std::int64_t dim, const Shape& sizes) {
    (void)wrapDim(dim, self.dim());
    if (sizes.empty()) raise("unflatten: sizes must be non-empty");
    return raisingRefusals([&] { return tensor::unflattenedShape(self.shape, dim, sizes); });
}

TensorView view(const TensorView& self, const Shape& sizes) {
    const auto layout = raisingRefusals([&] { return self.viewed(sizes); });
    if (!layout)
        raise("view size is not compatible with input tensor's size and stride (at least one dimension spans "
              "across two contiguous subspaces). Use .reshape(...) instead.");
    return with(self, *layout);
}

TensorView permute(const TensorView& self, const Shape& dims) {
    return seen(self, [&] { return self.permuted(dims); });
}

TensorView transpose(const TensorView& self, std::int64_t a, std::int64_t b) {
    return seen(self, [&] { return self.transposed(a, b); });
}

TensorView matrixTranspose(const TensorView& self) {
    if (self.dim() > 2) raise(fmt::format("t() expects a tensor with <= 2 dimensions, but self is {}D", self.dim()));
    return self.dim() < 2 ? self : transpose(self, 0, 1);
}

TensorView reverseDims(const TensorView& self) {
    return with(self, self.reversed());
}

TensorView moveDim(const TensorView& self, const Shape& from, const Shape& to) {
    return seen(self, [&] { return self.moved(from, to); });
}

TensorView select(const TensorView& self, std::int64_t dim, std::int64_t index) {
    return seen(self, [&] { return self.selected(dim, index); });
}

TensorView slice(const TensorView& self, std::int64_t dim, std::optional<std::int64_t> start,
                 std::optional<std::int64_t> end, std::int64_t step) {
    return seen(self, [&] { return self.sliced(dim, start, end, step); });
}

TensorView narrow(const TensorView& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
    return seen(self, [&] { return self.narrowed(dim, start, length); });
}

TensorView unsqueeze(const TensorView& self, std::int64_t dim) {
    return seen(self, [&] { return self.unsqueezed(dim); });
}

TensorView squeeze(const TensorView& self) {
    return with(self, self.squeezed());
}

TensorView squeeze(const TensorView& self, const Shape& dims) {
    return seen(self, [&] { return self.squeezed(dims); });
}

TensorView expand(const TensorView& self, const Shape& sizes) {
    return seen(self, [&] { return self.expanded(sizes); });
}

TensorView diagonal(const TensorView& self, std::int64_t offset, std::int64_t a, std::int64_t b) {
    return seen(self, [&] { return self.diagonal(offset, a, b); });
}

TensorView unfold(const TensorView& self, std::int64_t dim, std::int64_t size, std::int64_t step) {
    return seen(self, [&] { return self.unfolded(dim, size, step); });
}

TensorView asStrided(const TensorView& self, const Shape& sizes, const Shape& strides,
                     std::optional<std::int64_t> offset) {
    if (sizes.size() != strides.size()) raise("mismatch in length of strides and shape");
    if (std::any_of(strides.begin(), strides.end(), [](std::int64_t s) { return s < 0; }))
        raise("as_strided: Negative strides are not supported at the moment, got strides: " +
              tensor::toString(strides));
    const TensorView out = with(self, {sizes, strides, offset.value_or(self.offset)});
    if (out.count() <= 0) return out;
    const auto needed = std::uint64_t(out.reach().second) * tensor::byteSize(self.dtype);
    if (out.offset < 0 || needed > self.storage->bytes)
        raise(fmt::format("setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} requiring a storage "
                          "size of {} are out of bounds for storage of size {}",
                          tensor::toString(sizes), tensor::toString(strides), out.offset, tensor::byteSize(self.dtype),
                          needed, self.storage->bytes));
    return out;
}

TensorView viewAs(const TensorView& self, DType dtype) {
    if (tensor::byteSize(dtype) != tensor::byteSize(self.dtype)) refuse("aten.view.dtype between element sizes");
    TensorView out = self;
    out.dtype = dtype;
    return out;
}

std::vector<TensorView> split(const TensorView& self, const Shape& lengths, std::int64_t dim) {
    return seenParts(self, [&] { return self.split(lengths, dim); });
}

std::vector<TensorView> splitEvery(const TensorView& self, std::int64_t length, std::int64_t dim) {
    return seenParts(self, [&] { return self.splitEvery(length, dim); });
}

std::vector<TensorView> chunk(const TensorView& self, std::int64_t chunks, std::int64_t dim) {
    if (self.dim() == 0) raise("chunk expects at least a 1-dimensional tensor");
    return seenParts(self, [&] {
        const std::int64_t size = self.shape[std::size_t(tensor::wrapDim(dim, self.dim()))];
        return self.split(tensor::chunkLengths(size, chunks), dim);
    });
}

std::vector<TensorView> unbind(const TensorView& self, std::int64_t dim) {
    return seenParts(self, [&] { return self.unbound(dim); });
}

} // namespace kernelarium::host
