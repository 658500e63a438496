// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/TensorView.h"

#include "gpu/host/backend/Raised.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

bool TensorView::isContiguous() const {
    if (count() == 0) return true;
    std::int64_t expected = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (sizes[i] == 1) continue;
        if (strides[i] != expected) return false;
        expected *= sizes[i];
    }
    return true;
}

bool TensorView::isDense() const {
    if (count() == 0) return true;
    std::vector<std::pair<std::int64_t, std::int64_t>> byStride;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] != 1) byStride.emplace_back(strides[i], sizes[i]);
    std::sort(byStride.begin(), byStride.end());
    std::int64_t expected = 1;
    for (const auto& [stride, size] : byStride) {
        if (stride != expected) return false;
        expected *= size;
    }
    return true;
}

Shape contiguousStrides(const Shape& sizes) {
    Shape strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
    return strides;
}

Shape formatStrides(const Shape& sizes, MemoryFormat format) {
    if (format != MemoryFormat::channelsLast && format != MemoryFormat::channelsLast3d) return contiguousStrides(sizes);
    const std::size_t rank = format == MemoryFormat::channelsLast ? 4 : 5;
    if (sizes.size() != rank) raise(fmt::format("required rank {} tensor to use channels_last format", rank));
    Shape strides(rank, 1);
    std::int64_t next = sizes[1]; // channels lie side by side, then the last dimension, ..., then the batch
    for (std::size_t i = rank; i-- > 2;) {
        strides[i] = next;
        next *= sizes[i];
    }
    strides[0] = next;
    return strides;
}

std::int64_t wrapDim(std::int64_t dim, std::int64_t rank) {
    const std::int64_t range = std::max<std::int64_t>(rank, 1);
    if (dim < -range || dim >= range)
        raiseIndexError(fmt::format("Dimension out of range (expected to be in range of [{}, {}], but got {})", -range,
                                    range - 1, dim));
    return dim < 0 ? dim + range : dim;
}

Shape inferSize(const Shape& sizes, std::int64_t count) {
    Shape out = sizes;
    std::int64_t known = 1;
    std::optional<std::size_t> unknown;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == -1) {
            if (unknown) raise("only one dimension can be inferred");
            unknown = i;
        } else if (sizes[i] < 0) {
            raise(fmt::format("invalid shape dimension {}", sizes[i]));
        } else {
            known *= sizes[i];
        }
    }
    const bool fits = unknown ? known > 0 && count % known == 0 : known == count;
    if (unknown && known == 0 && count == 0)
        raise(fmt::format("cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 "
                          "can be any value and is ambiguous",
                          tensor::toString(sizes)));
    if (!fits) raise(fmt::format("shape '{}' is invalid for input of size {}", tensor::toString(sizes), count));
    if (unknown) out[*unknown] = count / known;
    return out;
}

std::optional<Shape> viewStrides(const TensorView& self, const Shape& sizes) {
    if (self.count() == 0) return self.sizes == sizes ? self.strides : contiguousStrides(sizes);
    // Dimensions that lie in memory as one run are merged from the back; new dimensions have to divide such
    // runs.
    Shape strides(sizes.size(), 1);
    std::size_t to = sizes.size();
    std::size_t from = self.sizes.size();
    while (from > 0) {
        std::size_t first = from - 1;
        const std::int64_t unit = self.strides[first];
        std::int64_t run = self.sizes[first];
        while (first > 0 && (self.sizes[first - 1] == 1 || self.strides[first - 1] == run * unit)) {
            --first;
            run *= self.sizes[first];
        }
        std::int64_t covered = 1;
        while (to > 0 && (covered < run || sizes[to - 1] == 1)) {
            --to;
            strides[to] = covered * unit;
            covered *= sizes[to];
        }
        if (covered != run) return {};
        from = first;
    }
    return to == 0 || std::all_of(sizes.begin(), sizes.begin() + std::ptrdiff_t(to), [](auto s) { return s == 1; })
               ? std::optional(strides)
               : std::nullopt;
}

namespace {

TensorView with(const TensorView& self, Shape sizes, Shape strides) {
    TensorView out = self;
    out.sizes = std::move(sizes);
    out.strides = std::move(strides);
    return out;
}

} // namespace

TensorView view(const TensorView& self, const Shape& sizes) {
    const Shape wanted = inferSize(sizes, self.count());
    auto strides = viewStrides(self, wanted);
    if (!strides)
        raise("view size is not compatible with input tensor's size and stride (at least one dimension spans "
              "across two "
              "contiguous subspaces). Use .reshape(...) instead.");
    return with(self, wanted, std::move(*strides));
}

TensorView permute(const TensorView& self, const Shape& dims) {
    if (std::int64_t(dims.size()) != self.dim())
        raise(fmt::format(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            "desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
            self.dim(), dims.size()));
    TensorView out = self;
    std::vector<bool> seen(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto d = std::size_t(wrapDim(dims[i], self.dim()));
        if (seen[d]) raise("permute(): duplicate dims are not allowed.");
        seen[d] = true;
        out.sizes[i] = self.sizes[d];
        out.strides[i] = self.strides[d];
    }
    return out;
}

TensorView transpose(const TensorView& self, std::int64_t a, std::int64_t b) {
    const std::int64_t i = wrapDim(a, self.dim()), j = wrapDim(b, self.dim());
    TensorView out = self;
    if (self.dim() == 0) return out;
    std::swap(out.sizes[std::size_t(i)], out.sizes[std::size_t(j)]);
    std::swap(out.strides[std::size_t(i)], out.strides[std::size_t(j)]);
    return out;
}

TensorView matrixTranspose(const TensorView& self) {
    if (self.dim() > 2) raise(fmt::format("t() expects a tensor with <= 2 dimensions, but self is {}D", self.dim()));
    return self.dim() < 2 ? self : transpose(self, 0, 1);
}

TensorView reverseDims(const TensorView& self) {
    TensorView out = self;
    std::reverse(out.sizes.begin(), out.sizes.end());
    std::reverse(out.strides.begin(), out.strides.end());
    return out;
}

TensorView select(const TensorView& self, std::int64_t dim, std::int64_t index) {
    if (self.dim() == 0) raiseIndexError("select() cannot be applied to a 0-dim tensor.");
    const auto d = std::size_t(wrapDim(dim, self.dim()));
    const std::int64_t size = self.sizes[d];
    if (index < -size || index >= size)
        raiseIndexError(fmt::format("select(): index {} out of range for tensor of size {} at dimension {}", index,
                                    tensor::toString(self.sizes), dim));
    TensorView out = self;
    out.offset += (index < 0 ? index + size : index) * self.strides[d];
    out.sizes.erase(out.sizes.begin() + std::ptrdiff_t(d));
    out.strides.erase(out.strides.begin() + std::ptrdiff_t(d));
    return out;
}

TensorView slice(const TensorView& self, std::int64_t dim, std::optional<std::int64_t> start,
                 std::optional<std::int64_t> end, std::int64_t step) {
    if (self.dim() == 0) raise("slice() cannot be applied to a 0-dim tensor.");
    if (step <= 0) raise("slice step must be positive");
    const auto d = std::size_t(wrapDim(dim, self.dim()));
    const std::int64_t size = self.sizes[d];
    const auto clamp = [size](std::int64_t v) { return std::clamp<std::int64_t>(v < 0 ? v + size : v, 0, size); };
    const std::int64_t from = clamp(start.value_or(0));
    const std::int64_t to = std::max(from, clamp(end.value_or(size)));
    TensorView out = self;
    out.offset += from * self.strides[d];
    out.sizes[d] = (to - from + step - 1) / step;
    out.strides[d] *= step;
    return out;
}

TensorView narrow(const TensorView& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
    if (self.dim() == 0) raise("narrow() cannot be applied to a 0-dim tensor.");
    if (length < 0) raise("narrow(): length must be non-negative.");
    const auto d = std::size_t(wrapDim(dim, self.dim()));
    const std::int64_t size = self.sizes[d];
    if (start < -size || start > size)
        raiseIndexError(
            fmt::format("start out of range (expected to be in range of [-{}, {}], but got {})", size, size, start));
    if (start < 0) start += size;
    if (start + length > size)
        raise(fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", start, length, size));
    return slice(self, dim, start, start + length, 1);
}

TensorView unsqueeze(const TensorView& self, std::int64_t dim) {
    const std::int64_t d = wrapDim(dim, self.dim() + 1);
    TensorView out = self;
    const std::int64_t stride = d < self.dim() ? self.sizes[std::size_t(d)] * self.strides[std::size_t(d)] : 1;
    out.sizes.insert(out.sizes.begin() + d, 1);
    out.strides.insert(out.strides.begin() + d, stride);
    return out;
}

TensorView squeeze(const TensorView& self) {
    Shape all(self.sizes.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = std::int64_t(i);
    return squeeze(self, all);
}

TensorView squeeze(const TensorView& self, const Shape& dims) {
    std::vector<bool> drop(self.sizes.size());
    for (std::int64_t d : dims) {
        const auto i = std::size_t(wrapDim(d, self.dim()));
        if (i < drop.size()) drop[i] = self.sizes[i] == 1;
    }
    TensorView out = with(self, {}, {});
    for (std::size_t i = 0; i < drop.size(); ++i) {
        if (drop[i]) continue;
        out.sizes.push_back(self.sizes[i]);
        out.strides.push_back(self.strides[i]);
    }
    return out;
}

TensorView expand(const TensorView& self, const Shape& sizes) {
    if (sizes.size() < self.sizes.size())
        raise(fmt::format(
            "expand(torch.FloatTensor{{{}}}, size={}): the number of sizes provided ({}) must be greater or "
            "equal to the number of dimensions in the tensor ({})",
            tensor::toString(self.sizes), tensor::toString(sizes), sizes.size(), self.dim()));
    TensorView out = with(self, sizes, Shape(sizes.size(), 0));
    const std::size_t lead = sizes.size() - self.sizes.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::int64_t old = i < lead ? 1 : self.sizes[i - lead];
        if (sizes[i] == -1) {
            if (i < lead)
                raise(
                    fmt::format("expand: the expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
                                "dimension {}",
                                i));
            out.sizes[i] = old;
        } else if (old != 1 && sizes[i] != old) {
            raise(fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton "
                              "dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                              sizes[i], old, i, tensor::toString(sizes), tensor::toString(self.sizes)));
        }
        if (i >= lead && out.sizes[i] == old) out.strides[i] = self.strides[i - lead];
    }
    return out;
}

} // namespace kernelarium::host
