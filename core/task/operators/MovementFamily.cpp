// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of tensors, joins, turns and paddings.
#include "core/task/operators/Layout.h"
#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

/// Elements start, start + step, ... (`length` of them) along one dimension.
Tensor part(const Call& call, const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length,
            std::int64_t step = 1) {
    Shape shape = x.shape(), strides = denseStrides(x.shape());
    const std::int64_t offset = start * strides[std::size_t(dim)];
    shape[std::size_t(dim)] = length;
    strides[std::size_t(dim)] *= step;
    if (start == 0 && step == 1 && length == x.shape()[std::size_t(dim)]) return x;
    return gather(call, x, shape, strides, length ? offset : 0);
}

/// start, end and step of a slice of dimension `dim`, as Python cuts them; arguments from `at` on.
struct Range {
    std::int64_t dim, start, length, step;
};
Range rangeOf(const Call& call, const Tensor& x, std::size_t at) {
    require(x.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
    Range r{wrapDim(call.integer(at, "dim", 0), x.dim()), 0, 0, call.integer(at + 3, "step", 1)};
    require(r.step > 0, "slice step must be positive.");
    const std::int64_t size = x.shape()[std::size_t(r.dim)];
    const auto bounded = [size](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
    r.start = bounded(call.position(at + 1, "start", 0));
    r.length = (std::max(r.start, bounded(call.position(at + 2, "end", size))) - r.start + r.step - 1) / r.step;
    return r;
}
Results slice(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Range r = rangeOf(call, x, 1);
    return {part(call, x, r.dim, r.start, r.length, r.step)};
}
/// A copy of self whose slice is `src`.
Results sliceScatter(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Range r = rangeOf(call, x, 2);
    Shape shape = x.shape();
    shape[std::size_t(r.dim)] = r.length;
    const Tensor source = call.tensor(1, "src").to(x.dtype());
    if (source.shape() != shape)
        badArgument(fmt::format("slice_scatter: the source has the shape {}, the slice {}.",
                                tensor::toString(source.shape()), tensor::toString(shape)));
    Tensor out = call.shapesOnly() ? x : x.clone();
    if (call.shapesOnly()) return {out};
    std::int64_t outer = 1, inner = 1;
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (d != r.dim) (d < r.dim ? outer : inner) *= x.shape()[std::size_t(d)];
    const std::int64_t size = x.shape()[std::size_t(r.dim)];
    withBits(x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t i = 0; i < r.length; ++i)
                std::copy_n(source.data<T>() + (o * r.length + i) * inner, inner,
                            out.data<T>() + (o * size + r.start + i * r.step) * inner);
    });
    return {out};
}
Results select(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    require(x.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), x.dim());
    const std::int64_t size = x.shape()[std::size_t(dim)], index = call.integer(2, "index");
    if (index < -size || index >= size)
        badArgument(fmt::format("select(): index {} out of range for tensor of size {} at dimension {}.", index,
                                tensor::toString(x.shape()), dim));
    const Tensor one = part(call, x, dim, index < 0 ? index + size : index, 1);
    Shape shape = one.shape();
    shape.erase(shape.begin() + dim);
    return {one.reshaped(shape)};
}
Results narrow(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), x.dim());
    const std::int64_t size = x.dim() ? x.shape()[std::size_t(dim)] : 0;
    std::int64_t start = call.integer(2, "start");
    const std::int64_t length = call.integer(3, "length");
    if (start < 0) start += size;
    if (start < 0 || length < 0 || start + length > size)
        badArgument(fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", start, length, size));
    return {part(call, x, dim, start, length)};
}

tensor::List splitSizes(const Call& call, const Tensor& x, std::int64_t dim, const Shape& sizes) {
    tensor::List out;
    std::int64_t start = 0;
    for (std::int64_t s : sizes) {
        out.emplace_back(part(call, x, dim, start, s));
        start += s;
    }
    return out;
}
tensor::List splitEvenly(const Call& call, const Tensor& x, std::int64_t dim, std::int64_t each) {
    const std::int64_t size = x.shape()[std::size_t(dim)];
    require(each > 0 || size == 0, "split expects split_size to be positive.");
    Shape sizes;
    for (std::int64_t start = 0; start < size; start += each)
        sizes.push_back(std::min(each, size - start));
    if (sizes.empty()) sizes.push_back(0);
    return splitSizes(call, x, dim, sizes);
}
Results split(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {splitEvenly(call, x, wrapDim(call.integer(2, "dim", 0), x.dim()), call.integer(1, "split_size"))};
}
Results splitWithSizes(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(2, "dim", 0), x.dim());
    const Shape sizes = call.integers(1, "split_sizes");
    std::int64_t sum = 0;
    for (std::int64_t s : sizes)
        sum += s;
    if (sum != x.shape()[std::size_t(dim)])
        badArgument(fmt::format("split_with_sizes expects split_sizes to sum exactly to {}, but they sum to {}.",
                                x.shape()[std::size_t(dim)], sum));
    return {splitSizes(call, x, dim, sizes)};
}
Results chunk(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(2, "dim", 0), x.dim()), chunks = call.integer(1, "chunks");
    require(chunks > 0, "chunk expects `chunks` to be greater than 0.");
    const std::int64_t size = x.shape()[std::size_t(dim)];
    return {splitEvenly(call, x, dim, std::max<std::int64_t>(1, (size + chunks - 1) / chunks))};
}
Results unbind(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(1, "dim", 0), x.dim());
    Shape shape = x.shape();
    shape.erase(shape.begin() + dim);
    tensor::List out;
    for (std::int64_t i = 0; i < x.shape()[std::size_t(dim)]; ++i)
        out.emplace_back(part(call, x, dim, i, 1).reshaped(shape));
    return {out};
}

Tensor joined(const Call& call, std::vector<Tensor> all, std::int64_t dim) {
    require(!all.empty(), "torch.cat(): expected a non-empty list of Tensors.");
    std::erase_if(all, [&](const Tensor& t) { return all.size() > 1 && t.shape() == Shape{0}; });
    DType type = all[0].dtype();
    for (const Tensor& t : all)
        type = promoteTypes(type, t.dtype());
    require(all[0].dim() > 0, "zero-dimensional tensor cannot be concatenated.");
    dim = wrapDim(dim, all[0].dim());
    Shape shape = all[0].shape();
    shape[std::size_t(dim)] = 0;
    for (const Tensor& t : all) {
        Shape own = t.shape();
        if (own.size() != shape.size())
            badArgument(
                fmt::format("Tensors must have same number of dimensions: got {} and {}.", shape.size(), own.size()));
        const std::int64_t length = own[std::size_t(dim)];
        own[std::size_t(dim)] = shape[std::size_t(dim)];
        if (own != shape)
            badArgument(fmt::format("Sizes of tensors must match except in dimension {}: got {} and {}.", dim,
                                    tensor::toString(all[0].shape()), tensor::toString(t.shape())));
        shape[std::size_t(dim)] += length;
    }
    Tensor out = call.make(type, shape);
    if (call.shapesOnly() || out.count() == 0) return out;
    std::int64_t outer = 1;
    for (std::int64_t d = 0; d < dim; ++d)
        outer *= shape[std::size_t(d)];
    const std::size_t row = out.byteCount() / std::size_t(outer);
    std::size_t offset = 0;
    for (const Tensor& t : all) {
        const Tensor source = t.to(type);
        const std::size_t own = source.byteCount() / std::size_t(outer);
        for (std::int64_t o = 0; o < outer; ++o)
            std::copy_n(source.bytes().data() + std::size_t(o) * own, own,
                        out.bytes().data() + std::size_t(o) * row + offset);
        offset += own;
    }
    return out;
}
Results cat(const Call& call) {
    return {joined(call, call.tensors(0, "tensors"), call.integer(1, "dim", 0))};
}
Results stack(const Call& call) {
    std::vector<Tensor> all = call.tensors(0, "tensors");
    require(!all.empty(), "stack expects a non-empty TensorList.");
    const std::int64_t dim = wrapDim(call.integer(1, "dim", 0), all[0].dim() + 1);
    const Shape first = all[0].shape();
    for (Tensor& t : all) {
        require(t.shape() == first, "stack expects each tensor to be equal size.");
        Shape shape = t.shape();
        shape.insert(shape.begin() + dim, 1);
        t = t.reshaped(shape);
    }
    return {joined(call, all, dim)};
}

Results repeat(const Call& call) {
    Tensor x = call.tensor(0, "self");
    Shape times = call.integers(1, "repeats");
    if (call.name() == "aten.tile.default" && std::int64_t(times.size()) < x.dim())
        times.insert(times.begin(), std::size_t(x.dim()) - times.size(), 1);
    require(std::int64_t(times.size()) >= x.dim(),
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor.");
    Shape own = x.shape();
    own.insert(own.begin(), times.size() - own.size(), 1);
    // Every dimension as (times, size), the first repeating.
    const Shape dense = denseStrides(own);
    Shape shape, strides, final;
    for (std::size_t d = 0; d < own.size(); ++d) {
        shape.insert(shape.end(), {times[d], own[d]});
        strides.insert(strides.end(), {0, dense[d]});
        final.push_back(times[d] * own[d]);
    }
    return {gather(call, x, shape, strides, 0).reshaped(final)};
}
Results repeatInterleave(const Call& call) {
    Tensor x = call.tensor(0, "self");
    const std::int64_t times = call.integer(1, "repeats");
    if (!call.find(2, "dim")) x = x.reshaped({x.count()});
    const std::int64_t dim = wrapDim(call.integer(2, "dim", 0), x.dim());
    Shape shape = x.shape(), strides = denseStrides(shape), final = x.shape();
    shape.insert(shape.begin() + dim + 1, times);
    strides.insert(strides.begin() + dim + 1, 0);
    final[std::size_t(dim)] *= times;
    return {gather(call, x, shape, strides, 0).reshaped(final)};
}
Results flip(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Shape dims = call.integers(1, "dims");
    if (dims.empty()) return {x};
    Shape strides = denseStrides(x.shape());
    std::int64_t offset = 0;
    for (std::int64_t d : wrapDims(dims, x.dim())) {
        offset += std::max<std::int64_t>(0, x.shape()[std::size_t(d)] - 1) * strides[std::size_t(d)];
        strides[std::size_t(d)] *= -1;
    }
    return {gather(call, x, x.shape(), strides, offset)};
}
Results roll(const Call& call) {
    Tensor x = call.tensor(0, "self");
    const Shape shifts = call.integers(1, "shifts"), dims = call.optionalIntegers(2, "dims").value_or(Shape{});
    const Shape original = x.shape();
    if (dims.empty()) {
        require(shifts.size() == 1, "shifts and dimensions must align.");
        x = x.reshaped({x.count()});
    } else
        require(shifts.size() == dims.size(), "shifts and dimensions must align.");
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const std::int64_t dim = dims.empty() ? 0 : wrapDim(dims[i], x.dim()), size = x.shape()[std::size_t(dim)];
        if (size == 0) continue;
        const std::int64_t shift = ((shifts[i] % size) + size) % size;
        if (shift)
            x = joined(call, {part(call, x, dim, size - shift, shift), part(call, x, dim, 0, size - shift)}, dim);
    }
    return {x.reshaped(original)};
}

template <class Keep> Tensor triangle(const Call& call, Keep keep) {
    const Tensor x = call.tensor(0, "self");
    require(x.dim() >= 2, "tril and triu need at least two dimensions.");
    Tensor out = call.make(x.dtype(), x.shape());
    if (call.shapesOnly()) return out;
    const std::int64_t columns = x.shape().back(), rows = x.shape()[x.shape().size() - 2];
    withBits(x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        parallelFor(call, rows ? x.count() / std::max<std::int64_t>(columns, 1) : 0, 64,
                    [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t r = begin; r < end; ++r)
                            for (std::int64_t c = 0; c < columns; ++c)
                                if (keep(c - r % rows)) out.data<T>()[r * columns + c] = x.data<T>()[r * columns + c];
                    });
    });
    return out;
}
Results tril(const Call& call) {
    const std::int64_t k = call.integer(1, "diagonal", 0);
    return {triangle(call, [k](std::int64_t d) { return d <= k; })};
}
Results triu(const Call& call) {
    const std::int64_t k = call.integer(1, "diagonal", 0);
    return {triangle(call, [k](std::int64_t d) { return d >= k; })};
}
Results diag(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t k = call.integer(1, "diagonal", 0);
    const std::int64_t down = std::max<std::int64_t>(-k, 0), right = std::max<std::int64_t>(k, 0);
    if (x.dim() == 2) {
        const std::int64_t rows = x.shape()[0], columns = x.shape()[1];
        const std::int64_t n = std::max<std::int64_t>(0, std::min(rows - down, columns - right));
        return {gather(call, x, {n}, {columns + 1}, down * columns + right)};
    }
    require(x.dim() == 1, "diag(): Supports 1D or 2D tensors.");
    const std::int64_t side = x.count() + down + right;
    Tensor out = call.make(x.dtype(), {side, side});
    if (!call.shapesOnly())
        withBits(x.dtype(), [&](auto tag) {
            using T = decltype(tag);
            for (std::int64_t i = 0; i < x.count(); ++i)
                out.data<T>()[(i + down) * side + i + right] = x.data<T>()[i];
        });
    return {out};
}

constexpr Entry movementEntries[] = {
    {"aten.slice.Tensor", slice, Narrow::keep},
    {"aten.slice_scatter.default", sliceScatter, Narrow::keep},
    {"aten.select.int", select, Narrow::keep},
    {"aten.narrow.default", narrow, Narrow::keep},
    {"aten.split.Tensor", split, Narrow::keep},
    {"aten.split.sizes", splitWithSizes, Narrow::keep},
    {"aten.split_with_sizes.default", splitWithSizes, Narrow::keep},
    {"aten.chunk.default", chunk, Narrow::keep},
    {"aten.unbind.int", unbind, Narrow::keep},
    {"aten.cat.default", cat, Narrow::keep},
    {"aten.concat.default", cat, Narrow::keep},
    {"aten.concatenate.default", cat, Narrow::keep},
    {"aten.stack.default", stack, Narrow::keep},
    {"aten.repeat.default", repeat, Narrow::keep},
    {"aten.tile.default", repeat, Narrow::keep},
    {"aten.repeat_interleave.self_int", repeatInterleave, Narrow::keep},
    {"aten.flip.default", flip, Narrow::keep},
    {"aten.roll.default", roll, Narrow::keep},
    {"aten.tril.default", tril, Narrow::keep},
    {"aten.triu.default", triu, Narrow::keep},
    {"aten.diag.default", diag, Narrow::keep},
};

} // namespace

Family movementFamily() {
    return movementEntries;
}

} // namespace kernelarium::task::operators
