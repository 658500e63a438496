// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of tensors, joins, turns and paddings.
#include "core/task/operators/Gather.h"
#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

/// A slice as Python cuts it; arguments from `at` on.
Layout sliceOf(const Call& call, const Tensor& x, std::size_t at) {
    require(x.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
    const std::int64_t dim = call.integer(at, "dim", 0), step = call.integer(at + 3, "step", 1);
    const std::int64_t start = call.position(at + 1, "start", 0);
    const std::int64_t end = call.position(at + 2, "end", std::numeric_limits<std::int64_t>::max());
    return Layout(x.shape()).sliced(dim, start, end, step);
}
Results slice(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {seen(call, x, sliceOf(call, x, 1))};
}
/// A copy of self whose slice is `src`.
Results sliceScatter(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Layout slice = sliceOf(call, x, 2);
    const Tensor source = call.tensor(1, "src").to(x.dtype());
    if (source.shape() != slice.shape)
        badArgument(fmt::format("slice_scatter: the source has the shape {}, the slice {}.",
                                tensor::toString(source.shape()), tensor::toString(slice.shape)));
    if (call.shapesOnly()) return {x};
    Tensor out = x.clone();
    scatter(call, out, slice, source);
    return {out};
}
Results select(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {seen(call, x, Layout(x.shape()).selected(call.integer(1, "dim"), call.integer(2, "index")))};
}
Tensor narrowed(const Call& call, const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length) {
    return seen(call, x, Layout(x.shape()).narrowed(dim, start, length));
}
Results narrow(const Call& call) {
    return {narrowed(call, call.tensor(0, "self"), call.integer(1, "dim"), call.integer(2, "start"),
                     call.integer(3, "length"))};
}

tensor::List seenParts(const Call& call, const Tensor& x, const std::vector<Layout>& parts) {
    tensor::List out;
    for (const Layout& part : parts)
        out.emplace_back(seen(call, x, part));
    return out;
}
Results split(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = call.integer(2, "dim", 0), length = call.integer(1, "split_size");
    return {seenParts(call, x, Layout(x.shape()).splitEvery(length, dim))};
}
Results splitWithSizes(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = call.integer(2, "dim", 0);
    return {seenParts(call, x, Layout(x.shape()).split(call.integers(1, "split_sizes"), dim))};
}
Results chunk(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(2, "dim", 0), x.dim()), chunks = call.integer(1, "chunks");
    require(chunks > 0, "chunk expects `chunks` to be greater than 0.");
    require(x.dim() > 0, "chunk expects at least a 1-dimensional tensor.");
    // One part of an empty dimension: as many as a card asks for could take any memory.
    const std::int64_t size = x.shape()[std::size_t(dim)];
    const Shape lengths = size == 0 ? Shape{0} : tensor::chunkLengths(size, chunks);
    return {seenParts(call, x, Layout(x.shape()).split(lengths, dim))};
}
Results unbind(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {seenParts(call, x, Layout(x.shape()).unbound(call.integer(1, "dim", 0)))};
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
    Tensor out = call.makeUnfilled(type, shape);
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
        t = t.reshaped(Layout(first).unsqueezed(dim).shape);
    }
    return {joined(call, all, dim)};
}

Results repeat(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    Shape times = call.integers(1, "repeats");
    if (call.name() == "aten.tile.default" && std::int64_t(times.size()) < x.dim())
        times.insert(times.begin(), std::size_t(x.dim()) - times.size(), 1);
    const Layout repeated = Layout(x.shape()).repeated(times);
    return {seen(call, x, repeated).reshaped(tensor::repeatedShape(x.shape(), times))};
}
Results repeatInterleave(const Call& call) {
    Tensor x = call.tensor(0, "self");
    const std::int64_t times = call.integer(1, "repeats");
    if (!call.find(2, "dim")) x = x.reshaped({x.count()});
    require(x.dim() > 0, "repeat_interleave: a dimension is repeated, and a 0-dim tensor has none.");
    const std::int64_t dim = wrapDim(call.integer(2, "dim", 0), x.dim());
    Shape final = x.shape();
    final[std::size_t(dim)] *= times;
    return {seen(call, x, Layout(x.shape()).interleaved(dim, times)).reshaped(final)};
}
Results flip(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Shape dims = call.integers(1, "dims");
    if (dims.empty()) return {x};
    Layout view(x.shape());
    for (std::int64_t d : wrapDims(dims, x.dim()))
        view = view.flipped(d);
    return {seen(call, x, view)};
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
            x = joined(call, {narrowed(call, x, dim, size - shift, shift), narrowed(call, x, dim, 0, size - shift)},
                       dim);
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
    if (x.dim() == 2) return {seen(call, x, Layout(x.shape()).diagonal(k, 0, 1))};
    require(x.dim() == 1, "diag(): Supports 1D or 2D tensors.");
    const std::int64_t side = x.count() + std::abs(k);
    Tensor out = call.make(x.dtype(), {side, side});
    if (!call.shapesOnly()) scatter(call, out, Layout(out.shape()).diagonal(k, 0, 1), x);
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
