// SPDX-License-Identifier: GPL-3.0-or-later
// Other shapes of the same elements, and conversions. Strided views are dense copies here.
#include "core/task/operators/Layout.h"
#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

/// Fills in the one -1 of a shape.
Shape resolved(const Call& call, Shape shape, std::int64_t count) {
    std::int64_t known = 1, open = -1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] >= 0) {
            if (__builtin_mul_overflow(known, shape[d], &known))
                badArgument(fmt::format("{}: no tensor has the shape {}.", call.name(), tensor::toString(shape)));
            continue;
        }
        if (shape[d] != -1 || open >= 0)
            badArgument(fmt::format("{}: invalid shape {}.", call.name(), tensor::toString(shape)));
        open = std::int64_t(d);
    }
    if (open >= 0 && known > 0 && count % known == 0) {
        shape[std::size_t(open)] = count / known;
        known *= shape[std::size_t(open)];
    }
    if (known != count || (open >= 0 && shape[std::size_t(open)] < 0))
        badArgument(fmt::format("shape '{}' is invalid for input of size {}.", tensor::toString(shape), count));
    return shape;
}

Results view(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    if (call.dtype(9, "dtype")) unsupported("aten.view.dtype is not supported.");
    return {x.reshaped(resolved(call, call.integers(1, "size"), x.count()))};
}
Results reshape(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {x.reshaped(resolved(call, call.integers(1, "shape"), x.count()))};
}
Results viewAs(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {x.reshaped(resolved(call, call.tensor(1, "other").shape(), x.count()))};
}
Results flatten(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    if (x.dim() == 0) return {x.reshaped({1})};
    const std::int64_t start = wrapDim(call.integer(1, "start_dim", 0), x.dim());
    const std::int64_t end = wrapDim(call.integer(2, "end_dim", -1), x.dim());
    require(start <= end, "flatten() has invalid args: start_dim cannot come after end_dim.");
    Shape shape(x.shape().begin(), x.shape().begin() + start + 1);
    for (std::int64_t d = start + 1; d <= end; ++d)
        shape.back() *= x.shape()[std::size_t(d)];
    shape.insert(shape.end(), x.shape().begin() + end + 1, x.shape().end());
    return {x.reshaped(shape)};
}
Results unflatten(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), x.dim());
    const Shape sizes = resolved(call, call.integers(2, "sizes"), x.shape()[std::size_t(dim)]);
    Shape shape = x.shape();
    shape.erase(shape.begin() + dim);
    shape.insert(shape.begin() + dim, sizes.begin(), sizes.end());
    return {x.reshaped(shape)};
}
Results unsqueeze(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.integer(1, "dim"), x.dim() + 1);
    Shape shape = x.shape();
    shape.insert(shape.begin() + dim, 1);
    return {x.reshaped(shape)};
}
Results squeeze(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Shape dims = wrapDims(call.optionalIntegers(1, "dim"), x.dim());
    Shape shape;
    for (std::int64_t d = 0; d < x.dim(); ++d) {
        const std::int64_t size = x.shape()[std::size_t(d)];
        if (size != 1 || std::find(dims.begin(), dims.end(), d) == dims.end()) shape.push_back(size);
    }
    return {x.reshaped(shape)};
}

Shape identityOrder(std::int64_t rank) {
    Shape order;
    for (std::int64_t d = 0; d < rank; ++d)
        order.push_back(d);
    return order;
}
Tensor swapped(const Call& call, const Tensor& x, std::int64_t a, std::int64_t b) {
    if (x.dim() == 0) return x;
    Shape order = identityOrder(x.dim());
    std::swap(order[std::size_t(wrapDim(a, x.dim()))], order[std::size_t(wrapDim(b, x.dim()))]);
    return permuted(call, x, order);
}
Results transpose(const Call& call) {
    return {swapped(call, call.tensor(0, "self"), call.integer(1, "dim0"), call.integer(2, "dim1"))};
}
Results t(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    if (x.dim() > 2) badArgument(fmt::format("t() expects a tensor with <= 2 dimensions, but self is {}D.", x.dim()));
    return {x.dim() < 2 ? x : swapped(call, x, 0, 1)};
}
Results reversedDims(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    Shape order = identityOrder(x.dim());
    std::reverse(order.begin(), order.end());
    return {permuted(call, x, order)};
}
Results matrixTranspose(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    require(x.dim() >= 2, "tensor.mT is only supported on matrices or batches of matrices.");
    return {swapped(call, x, -2, -1)};
}
Results permute(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    Shape order = call.integers(1, "dims");
    require(std::int64_t(order.size()) == x.dim(), "permute: the number of dimensions does not match the tensor's.");
    Shape seen(order.size(), 0);
    for (std::int64_t& d : order) {
        d = wrapDim(d, x.dim());
        require(seen[std::size_t(d)]++ == 0, "permute(): duplicate dims are not allowed.");
    }
    return {permuted(call, x, order)};
}
Results movedim(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Shape from = call.integers(1, "source"), to = call.integers(2, "destination");
    require(from.size() == to.size(), "movedim: source and destination need the same number of dimensions.");
    Shape order(std::size_t(x.dim()), -1), rest = identityOrder(x.dim());
    for (std::size_t i = 0; i < from.size(); ++i) {
        order[std::size_t(wrapDim(to[i], x.dim()))] = wrapDim(from[i], x.dim());
        std::erase(rest, wrapDim(from[i], x.dim()));
    }
    auto next = rest.begin();
    for (std::int64_t& d : order)
        if (d < 0) d = *next++;
    return {permuted(call, x, order)};
}

Tensor expandTo(const Call& call, const Tensor& x, Shape shape) {
    require(shape.size() >= x.shape().size(), "expand: the number of sizes must be at least the tensor's dimensions.");
    const std::size_t lead = shape.size() - x.shape().size();
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t own = d < lead ? 1 : x.shape()[d - lead];
        if (shape[d] == -1 && d >= lead) shape[d] = own;
        if (own != 1 && own != shape[d])
            badArgument(fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                                    "non-singleton dimension {}.",
                                    shape[d], own, d));
    }
    return expanded(call, x, shape);
}
Results expand(const Call& call) {
    return {expandTo(call, call.tensor(0, "self"), call.integers(1, "size"))};
}
Results expandAs(const Call& call) {
    return {expandTo(call, call.tensor(0, "self"), call.tensor(1, "other").shape())};
}
Results broadcastTensors(const Call& call) {
    const std::vector<Tensor> all = call.tensors(0, "tensors");
    std::vector<Shape> shapes;
    for (const Tensor& x : all)
        shapes.push_back(x.shape());
    const Shape shape = broadcastShapes(call, shapes);
    tensor::List out;
    for (const Tensor& x : all)
        out.emplace_back(expanded(call, x, shape));
    return {out};
}

/// Windows of `size` along a dimension, `step` apart; the elements of a window become the last dimension.
Results unfold(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::size_t dim = std::size_t(wrapDim(call.integer(1, "dimension"), x.dim()));
    const std::int64_t size = call.integer(2, "size"), step = call.integer(3, "step");
    require(x.dim() > 0 && size >= 0 && step > 0, "unfold: size must be at least 0 and step at least 1.");
    if (size > x.shape()[dim])
        badArgument(
            fmt::format("maximum size for tensor at dimension {} is {} but size is {}.", dim, x.shape()[dim], size));
    Shape shape = x.shape(), strides = denseStrides(x.shape());
    shape[dim] = (shape[dim] - size) / step + 1;
    shape.push_back(size);
    strides.push_back(strides[dim]);
    strides[dim] *= step;
    return {gather(call, x, shape, strides, 0)};
}

Results same(const Call& call) {
    return {call.tensor(0, "self")};
}
Results clone(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {gather(call, x, x.shape(), denseStrides(x.shape()), 0)};
}
Results convert(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    std::optional<DType> type;
    for (std::size_t i = 1; !type && i < call.count(); ++i)
        if (const Value* v = call.find(i, ""); v && v->as<DType>()) type = *v->as<DType>();
    if (!type) type = call.dtype(call.count(), "dtype");
    return {x.to(type.value_or(x.dtype()))};
}
Results convertAs(const Call& call) {
    return {call.tensor(0, "self").to(call.tensor(1, "other").dtype())};
}
/// self.copy_(src): src broadcast to self's shape, in self's type.
Results copy(const Call& call) {
    const Tensor self = call.tensor(0, "self");
    return {expandTo(call, call.tensor(1, "src"), self.shape()).to(self.dtype())};
}
Results nothing(const Call&) {
    return {};
}
Results item(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    require(!call.shapesOnly(), "item() needs the elements.");
    if (x.count() != 1) badArgument(fmt::format("a Tensor with {} elements cannot be converted to Scalar.", x.count()));
    if (isFloating(x.dtype())) return {x.at(0)};
    if (x.dtype() == DType::Bool) return {x.at(0) != 0.0};
    return {*x.to(DType::Int64).data<std::int64_t>()};
}

constexpr Entry viewEntries[] = {
    {"aten.view.default", view, Narrow::keep},
    {"aten._unsafe_view.default", view, Narrow::keep},
    {"aten.reshape.default", reshape, Narrow::keep},
    {"aten.view_as.default", viewAs, Narrow::keep},
    {"aten.reshape_as.default", viewAs, Narrow::keep},
    {"aten.flatten.using_ints", flatten, Narrow::keep},
    {"aten.ravel.default", flatten, Narrow::keep},
    {"aten.unflatten.int", unflatten, Narrow::keep},
    {"aten.unsqueeze.default", unsqueeze, Narrow::keep},
    {"aten.squeeze.default", squeeze, Narrow::keep},
    {"aten.squeeze.dim", squeeze, Narrow::keep},
    {"aten.squeeze.dims", squeeze, Narrow::keep},
    {"aten.transpose.int", transpose, Narrow::keep},
    {"aten.swapaxes.default", transpose, Narrow::keep},
    {"aten.swapdims.default", transpose, Narrow::keep},
    {"aten.t.default", t, Narrow::keep},
    {"aten.numpy_T.default", reversedDims, Narrow::keep},
    {"aten.mT.default", matrixTranspose, Narrow::keep},
    {"aten.permute.default", permute, Narrow::keep},
    {"aten.movedim.int", movedim, Narrow::keep},
    {"aten.movedim.intlist", movedim, Narrow::keep},
    {"aten.expand.default", expand, Narrow::keep},
    {"aten.broadcast_to.default", expand, Narrow::keep},
    {"aten.expand_as.default", expandAs, Narrow::keep},
    {"aten.unfold.default", unfold, Narrow::keep},
    {"aten.broadcast_tensors.default", broadcastTensors, Narrow::keep},
    {"aten.alias.default", same, Narrow::keep},
    {"aten.detach.default", same, Narrow::keep},
    {"aten.contiguous.default", same, Narrow::keep},
    {"aten.lift_fresh_copy.default", clone, Narrow::keep},
    {"aten.clone.default", clone, Narrow::keep},
    {"aten.to.dtype", convert, Narrow::keep},
    {"aten.to.dtype_layout", convert, Narrow::keep},
    {"aten.to.device", convert, Narrow::keep},
    {"aten._to_copy.default", convert, Narrow::keep},
    {"aten.to.other", convertAs, Narrow::keep},
    {"aten.type_as.default", convertAs, Narrow::keep},
    {"aten.copy.default", copy, Narrow::keep},
    {"aten._assert_tensor_metadata.default", nothing, Narrow::keep},
    {"aten.item.default", item, Narrow::keep},
    {"aten._local_scalar_dense.default", item, Narrow::keep},
};

} // namespace

Family viewFamily() {
    return viewEntries;
}

} // namespace kernelarium::task::operators
