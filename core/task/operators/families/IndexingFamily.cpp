// SPDX-License-Identifier: GPL-3.0-or-later
// Elements chosen by index tensors, padding, and Python's getitem.
#include "core/task/operators/Gather.h"
#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

Results getitem(const Call& call) {
    const Value* container = call.find(0, "self");
    const tensor::List* list = container ? container->as<tensor::List>() : nullptr;
    require(list, "getitem needs a list or a tuple.");
    const std::int64_t size = std::int64_t(list->size()), index = call.integer(1, "index");
    if (index < -size || index >= size) badArgument(fmt::format("list index {} out of range (size {}).", index, size));
    return {(*list)[std::size_t(index < 0 ? index + size : index)]};
}

/// The index as int64 within [0, size), or a failure that names it.
std::int64_t checkedIndex(const Call& call, std::int64_t index, std::int64_t size) {
    if (index < -size || index >= size)
        badArgument(fmt::format("{}: index {} is out of bounds for dimension with size {}.", call.name(), index, size));
    return index < 0 ? index + size : index;
}

/// Positions of the true elements of a mask, one int64 tensor per dimension of it.
std::vector<Tensor> positionsOf(const Call& call, const Tensor& mask) {
    require(!call.shapesOnly(), "The shape of a selection by mask depends on its elements.");
    const std::uint8_t* m = mask.data<std::uint8_t>();
    const std::int64_t n = std::count_if(m, m + mask.count(), [](std::uint8_t b) { return b != 0; });
    std::vector<Tensor> out;
    for (std::int64_t d = 0; d < mask.dim(); ++d)
        out.push_back(call.make(DType::Int64, {n}));
    const Shape strides = denseStrides(mask.shape());
    for (std::int64_t i = 0, k = 0; i < mask.count(); ++i) {
        if (!m[i]) continue;
        for (std::size_t d = 0; d < out.size(); ++d)
            out[d].data<std::int64_t>()[k] = i / strides[d] % mask.shape()[d];
        ++k;
    }
    return out;
}

/// The list of optional index tensors, masks replaced by positions; one entry per dimension of self.
std::vector<std::optional<Tensor>> indexList(const Call& call, const Tensor& self) {
    const Value* value = call.find(1, "indices");
    const tensor::List* list = value ? value->as<tensor::List>() : nullptr;
    require(list, "index needs a list of tensors.");
    std::vector<std::optional<Tensor>> out;
    for (const Value& v : *list) {
        const Tensor* t = v.as<Tensor>();
        if (!t)
            out.push_back(std::nullopt);
        else if (t->dtype() == DType::Bool || t->dtype() == DType::UInt8)
            for (Tensor& p : positionsOf(call, *t))
                out.push_back(std::move(p));
        else
            out.push_back(t->to(DType::Int64));
    }
    require(std::int64_t(out.size()) <= self.dim(), "too many indices for tensor.");
    out.resize(std::size_t(self.dim()));
    return out;
}

/// PyTorch's advanced indexing: the index tensors broadcast together; their dimensions stand where the first
/// index stood if the indices are neighbours, else in front.
Results index(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    const auto indices = indexList(call, self);
    std::vector<Shape> shapes;
    Shape indexed, kept;
    for (std::int64_t d = 0; d < self.dim(); ++d) {
        (indices[std::size_t(d)] ? indexed : kept).push_back(d);
        if (indices[std::size_t(d)]) shapes.push_back(indices[std::size_t(d)]->shape());
    }
    if (indexed.empty()) return {self};
    const Shape common = broadcastShape(shapes);
    const bool together = indexed.back() - indexed.front() + 1 == std::int64_t(indexed.size());
    const std::int64_t lead = together ? indexed.front() : 0; // kept dimensions before the common ones
    Shape order = kept;
    order.insert(order.begin() + lead, indexed.begin(), indexed.end());
    const Tensor x = permuted(call, self, order);
    std::int64_t outer = 1, inner = 1, chosen = tensor::elementCount(common), span = 1;
    Shape shape;
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const std::int64_t size = self.shape()[std::size_t(kept[k])];
        if (std::int64_t(k) == lead) shape.insert(shape.end(), common.begin(), common.end());
        (std::int64_t(k) < lead ? outer : inner) *= size;
        shape.push_back(size);
    }
    if (lead == std::int64_t(kept.size())) shape.insert(shape.end(), common.begin(), common.end());
    for (std::int64_t d : indexed)
        span *= self.shape()[std::size_t(d)];
    Tensor out = call.make(self.dtype(), shape);
    if (call.shapesOnly() || out.count() == 0) return {out};

    Tensor flat = call.make(DType::Int64, {chosen});
    for (std::int64_t d : indexed) {
        const Tensor i = expanded(call, *indices[std::size_t(d)], common);
        const std::int64_t size = self.shape()[std::size_t(d)];
        for (std::int64_t k = 0; k < chosen; ++k) {
            std::int64_t& f = flat.data<std::int64_t>()[k];
            f = f * size + checkedIndex(call, i.data<std::int64_t>()[k], size);
        }
    }
    withBits(self.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t k = 0; k < chosen; ++k)
                std::copy_n(x.data<T>() + (o * span + flat.data<std::int64_t>()[k]) * inner, inner,
                            out.data<T>() + (o * chosen + k) * inner);
    });
    return {out};
}

Results indexSelect(const Call& call) {
    const Tensor self = call.tensor(0, "self"), chosen = call.tensor(2, "index").to(DType::Int64);
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), self.dim()), size = self.shape()[std::size_t(dim)];
    Shape shape = self.shape();
    shape[std::size_t(dim)] = chosen.count();
    Tensor out = call.make(self.dtype(), shape);
    if (call.shapesOnly()) return {out};
    std::int64_t outer = 1, inner = 1;
    for (std::int64_t d = 0; d < self.dim(); ++d)
        if (d != dim) (d < dim ? outer : inner) *= self.shape()[std::size_t(d)];
    withBits(self.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t k = 0; k < chosen.count(); ++k)
                std::copy_n(self.data<T>() +
                                (o * size + checkedIndex(call, chosen.data<std::int64_t>()[k], size)) * inner,
                            inner, out.data<T>() + (o * chosen.count() + k) * inner);
    });
    return {out};
}
Results embedding(const Call& call) {
    const Tensor weight = call.tensor(0, "weight"), chosen = call.tensor(1, "indices").to(DType::Int64);
    require(weight.dim() == 2, "'weight' must be 2-D.");
    const std::int64_t width = weight.shape()[1];
    Shape shape = chosen.shape();
    shape.push_back(width);
    Tensor out = call.make(weight.dtype(), shape);
    if (call.shapesOnly()) return {out};
    withBits(weight.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t k = 0; k < chosen.count(); ++k)
            std::copy_n(weight.data<T>() +
                            checkedIndex(call, chosen.data<std::int64_t>()[k], weight.shape()[0]) * width,
                        width, out.data<T>() + k * width);
    });
    return {out};
}
/// out[i][j][k] = self[i][index[i][j][k]][k] for dim 1, and so on.
Results gatherAlong(const Call& call) {
    const Tensor self = call.tensor(0, "self"), chosen = call.tensor(2, "index").to(DType::Int64);
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), self.dim());
    require(self.dim() == chosen.dim(), "Index tensor must have the same number of dimensions as input tensor.");
    for (std::int64_t d = 0; d < self.dim(); ++d)
        require(d == dim || chosen.shape()[std::size_t(d)] <= self.shape()[std::size_t(d)],
                "Size does not match: the index has to be no larger than the input apart from the chosen dimension.");
    Tensor out = call.make(self.dtype(), chosen.shape());
    if (call.shapesOnly()) return {out};
    const Shape from = denseStrides(self.shape()), own = denseStrides(chosen.shape());
    withBits(self.dtype(), [&](auto tag) {
        using T = decltype(tag);
        for (std::int64_t i = 0; i < chosen.count(); ++i) {
            std::int64_t offset = 0;
            for (std::size_t d = 0; d < from.size(); ++d)
                offset += (std::int64_t(d) == dim ? checkedIndex(call, chosen.data<std::int64_t>()[i], self.shape()[d])
                                                  : i / own[d] % chosen.shape()[d]) *
                          from[d];
            out.data<T>()[i] = self.data<T>()[offset];
        }
    });
    return {out};
}
Results oneHot(const Call& call) {
    const Tensor x = call.tensor(0, "self").to(DType::Int64);
    const std::int64_t classes = call.integer(1, "num_classes");
    require(classes > 0, "one_hot needs num_classes here.");
    Shape shape = x.shape();
    shape.push_back(classes);
    Tensor out = call.make(DType::Int64, shape);
    if (!call.shapesOnly())
        for (std::int64_t i = 0; i < x.count(); ++i)
            out.data<std::int64_t>()[i * classes + checkedIndex(call, x.data<std::int64_t>()[i], classes)] = 1;
    return {out};
}

enum class Border { constant, reflect, replicate, circular };

/// Where element `i` of a padded dimension comes from; -1 for the fill value.
std::int64_t sourceOf(Border border, std::int64_t i, std::int64_t size) {
    if (i >= 0 && i < size) return i;
    switch (border) {
    case Border::constant: return -1;
    case Border::reflect: return i < 0 ? -i : 2 * (size - 1) - i;
    case Border::replicate: return i < 0 ? 0 : size - 1;
    case Border::circular: return i < 0 ? i + size : i - size;
    }
    return -1;
}

/// `pad` holds (before, after) pairs from the last dimension on; negative numbers crop.
Tensor padded(const Call& call, Tensor x, const Shape& pad, Border border, double value) {
    require(pad.size() % 2 == 0 && std::int64_t(pad.size() / 2) <= x.dim(),
            "Padding length must be even and at most twice the number of dimensions.");
    for (std::size_t p = 0; p < pad.size() / 2; ++p) {
        const std::size_t dim = x.shape().size() - 1 - p;
        const std::int64_t size = x.shape()[dim], before = pad[2 * p], after = pad[2 * p + 1];
        if (border == Border::reflect)
            require(std::max(before, after) < size, "Padding size should be less than the input dimension.");
        if (border == Border::circular)
            require(std::max(before, after) <= size, "Padding value causes wrapping around more than once.");
        Shape shape = x.shape();
        shape[dim] = size + before + after;
        Tensor out = call.make(x.dtype(), shape);
        if (call.shapesOnly()) {
            x = out;
            continue;
        }
        std::int64_t inner = 1, outer = 1;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (d != dim) (d < dim ? outer : inner) *= shape[d];
        Tensor fill(x.dtype(), {});
        fill.set(0, value);
        withBits(x.dtype(), [&](auto tag) {
            using T = decltype(tag);
            for (std::int64_t o = 0; o < outer; ++o)
                for (std::int64_t i = 0; i < shape[dim]; ++i) {
                    const std::int64_t from = sourceOf(border, i - before, size);
                    T* to = out.data<T>() + (o * shape[dim] + i) * inner;
                    if (from < 0)
                        std::fill_n(to, inner, *fill.data<T>());
                    else
                        std::copy_n(x.data<T>() + (o * size + from) * inner, inner, to);
                }
        });
        x = out;
    }
    return x;
}
Results constantPad(const Call& call) {
    return {
        padded(call, call.tensor(0, "self"), call.integers(1, "pad"), Border::constant, call.number(2, "value", 0.0))};
}
Results pad(const Call& call) {
    const std::string mode = call.text(2, "mode", "constant");
    const Border border = mode == "reflect"     ? Border::reflect
                          : mode == "replicate" ? Border::replicate
                          : mode == "circular"  ? Border::circular
                                                : Border::constant;
    if (border == Border::constant && mode != "constant")
        badArgument(fmt::format("Unrecognised padding mode {}.", mode));
    return {padded(call, call.tensor(0, "self"), call.integers(1, "pad"), border, call.number(3, "value", 0.0))};
}

constexpr Entry indexingEntries[] = {
    {"<built-in function getitem>", getitem, Narrow::keep},      {"aten.index.Tensor", index, Narrow::keep},
    {"aten.index_select.default", indexSelect, Narrow::keep},    {"aten.embedding.default", embedding, Narrow::keep},
    {"aten.gather.default", gatherAlong, Narrow::keep},          {"aten.one_hot.default", oneHot, Narrow::keep},
    {"aten.constant_pad_nd.default", constantPad, Narrow::keep}, {"aten.pad.default", pad, Narrow::keep},
};

} // namespace

Family indexingFamily() {
    return indexingEntries;
}

} // namespace kernelarium::task::operators
