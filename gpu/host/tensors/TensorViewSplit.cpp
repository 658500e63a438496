// SPDX-License-Identifier: GPL-3.0-or-later
//
// Views that cut a tensor into several, regroup its dimensions or lay new strides over its storage.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/tensors/TensorView.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kernelarium::host {

Shape flattenedSizes(const TensorView& self, std::int64_t start, std::int64_t end) {
    const std::int64_t from = wrapDim(start, self.dim()), to = wrapDim(end, self.dim());
    if (from > to) raise("flatten() has invalid args: start_dim cannot come after end_dim");
    if (self.dim() == 0) return {1};
    Shape sizes(self.sizes.begin(), self.sizes.begin() + from);
    sizes.push_back(
        std::accumulate(self.sizes.begin() + from, self.sizes.begin() + to + 1, std::int64_t(1), std::multiplies<>()));
    sizes.insert(sizes.end(), self.sizes.begin() + to + 1, self.sizes.end());
    return sizes;
}

Shape unflattenedSizes(const TensorView& self, std::int64_t dim, const Shape& sizes) {
    const std::int64_t d = wrapDim(dim, self.dim());
    if (self.dim() == 0 || sizes.empty()) raise("unflatten: sizes must be non-empty");
    const Shape inner = inferSize(sizes, self.sizes[std::size_t(d)]);
    Shape out = self.sizes;
    out.erase(out.begin() + d);
    out.insert(out.begin() + d, inner.begin(), inner.end());
    return out;
}

TensorView asStrided(const TensorView& self, const Shape& sizes, const Shape& strides,
                     std::optional<std::int64_t> offset) {
    if (sizes.size() != strides.size()) raise("mismatch in length of strides and shape");
    TensorView out = self;
    out.sizes = sizes;
    out.strides = strides;
    out.offset = offset.value_or(self.offset);
    std::int64_t last = out.offset;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (strides[i] < 0)
            raise("as_strided: Negative strides are not supported at the moment, got strides: " +
                  tensor::toString(strides));
        last += (std::max<std::int64_t>(sizes[i], 1) - 1) * strides[i];
    }
    const auto needed = std::uint64_t(last + 1) * tensor::byteSize(self.dtype);
    if (out.count() > 0 && (out.offset < 0 || needed > self.storage->bytes))
        raise(fmt::format("setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} requiring a "
                          "storage size of "
                          "{} are out of bounds for storage of size {}",
                          tensor::toString(sizes), tensor::toString(strides), out.offset, tensor::byteSize(self.dtype),
                          needed, self.storage->bytes));
    return out;
}

TensorView diagonal(const TensorView& self, std::int64_t offset, std::int64_t a, std::int64_t b) {
    const std::int64_t i = wrapDim(a, self.dim()), j = wrapDim(b, self.dim());
    if (i == j) raise(fmt::format("diagonal dimensions cannot be identical {}, {}", a, b));
    const std::int64_t rows = self.sizes[std::size_t(i)], columns = self.sizes[std::size_t(j)];
    const std::int64_t rowStride = self.strides[std::size_t(i)], columnStride = self.strides[std::size_t(j)];
    const std::int64_t length =
        std::max<std::int64_t>(0, offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns));
    TensorView out = self;
    if (length > 0) out.offset += offset >= 0 ? offset * columnStride : -offset * rowStride;
    for (std::int64_t d : {std::max(i, j), std::min(i, j)}) {
        out.sizes.erase(out.sizes.begin() + d);
        out.strides.erase(out.strides.begin() + d);
    }
    out.sizes.push_back(length);
    out.strides.push_back(rowStride + columnStride);
    return out;
}

TensorView unfold(const TensorView& self, std::int64_t dim, std::int64_t size, std::int64_t step) {
    const std::int64_t d = wrapDim(dim, self.dim());
    const std::int64_t length = self.dim() == 0 ? 1 : self.sizes[std::size_t(d)];
    if (size > length)
        raise(fmt::format("maximum size for tensor at dimension {} is {} but size is {}", d, length, size));
    if (step <= 0) raise(fmt::format("step is {} but must be > 0", step));
    TensorView out = self;
    const std::int64_t stride = self.dim() == 0 ? 1 : self.strides[std::size_t(d)];
    if (self.dim() > 0) {
        out.sizes[std::size_t(d)] = (length - size) / step + 1;
        out.strides[std::size_t(d)] = step * stride;
    }
    out.sizes.push_back(size);
    out.strides.push_back(stride);
    return out;
}

TensorView moveDim(const TensorView& self, const Shape& from, const Shape& to) {
    if (from.size() != to.size())
        raise(fmt::format(
            "movedim: Invalid source or destination dims: source ({} dims) should contain the same number of "
            "dims as destination ({} dims)",
            from.size(), to.size()));
    Shape order(self.sizes.size(), -1);
    std::vector<bool> placed(self.sizes.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::int64_t source = wrapDim(from[i], self.dim());
        if (placed[std::size_t(source)]) raise("movedim: repeated dim in `source`");
        placed[std::size_t(source)] = true;
        order[std::size_t(wrapDim(to[i], self.dim()))] = source;
    }
    std::size_t next = 0;
    for (auto& d : order) {
        if (d >= 0) continue;
        while (placed[next])
            ++next;
        d = std::int64_t(next++);
    }
    return permute(self, order);
}

TensorView viewAs(const TensorView& self, DType dtype) {
    if (tensor::byteSize(dtype) != tensor::byteSize(self.dtype)) refuse("aten.view.dtype between element sizes");
    TensorView out = self;
    out.dtype = dtype;
    return out;
}

std::vector<TensorView> split(const TensorView& self, const Shape& lengths, std::int64_t dim) {
    if (self.dim() == 0) raise("split expects at least a 1-dimensional tensor");
    const auto d = std::size_t(wrapDim(dim, self.dim()));
    const std::int64_t sum = std::accumulate(lengths.begin(), lengths.end(), std::int64_t(0));
    if (sum != self.sizes[d] || std::any_of(lengths.begin(), lengths.end(), [](auto l) { return l < 0; }))
        raise(fmt::format("split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size at "
                          "dimension {}), "
                          "but got split_sizes={}",
                          self.sizes[d], dim, tensor::toString(lengths)));
    std::vector<TensorView> out;
    std::int64_t start = 0;
    for (std::int64_t length : lengths) {
        out.push_back(narrow(self, dim, start, length));
        start += length;
    }
    return out;
}

std::vector<TensorView> splitEvery(const TensorView& self, std::int64_t length, std::int64_t dim) {
    if (self.dim() == 0) raise("split expects at least a 1-dimensional tensor");
    const std::int64_t size = self.sizes[std::size_t(wrapDim(dim, self.dim()))];
    if (length < 0 || (length == 0 && size != 0))
        raise(fmt::format("split expects split_size be non-negative, but got split_size={}", length));
    Shape lengths;
    for (std::int64_t start = 0; start < size; start += length)
        lengths.push_back(std::min(length, size - start));
    if (lengths.empty()) lengths.push_back(0);
    return split(self, lengths, dim);
}

std::vector<TensorView> chunk(const TensorView& self, std::int64_t chunks, std::int64_t dim) {
    if (self.dim() == 0) raise("chunk expects at least a 1-dimensional tensor");
    if (chunks <= 0) raise(fmt::format("chunk expects `chunks` to be greater than 0, got: {}", chunks));
    const std::int64_t size = self.sizes[std::size_t(wrapDim(dim, self.dim()))];
    const std::int64_t length = (size + chunks - 1) / chunks;
    if (length == 0) return split(self, Shape(std::size_t(chunks), 0), dim);
    return splitEvery(self, length, dim);
}

std::vector<TensorView> unbind(const TensorView& self, std::int64_t dim) {
    if (self.dim() == 0) raise("unbind expects at least a 1-dimensional tensor");
    std::vector<TensorView> out;
    const std::int64_t size = self.sizes[std::size_t(wrapDim(dim, self.dim()))];
    for (std::int64_t i = 0; i < size; ++i)
        out.push_back(select(self, dim, i));
    return out;
}

} // namespace kernelarium::host
