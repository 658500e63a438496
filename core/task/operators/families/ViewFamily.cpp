// SPDX-License-Identifier: GPL-3.0-or-later
// Other shapes of the same elements, and conversions. Strided views are dense copies here.
#include "core/task/operators/Gather.h"
#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

Results view(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    if (call.dtype(9, "dtype")) unsupported("aten.view.dtype is not supported.");
    return {x.reshaped(tensor::inferredShape(call.integers(1, "size"), x.count()))};
}
Results reshape(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {x.reshaped(tensor::inferredShape(call.integers(1, "shape"), x.count()))};
}
Results viewAs(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {x.reshaped(tensor::inferredShape(call.tensor(1, "other").shape(), x.count()))};
}
Results flatten(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t start = call.integer(1, "start_dim", 0), end = call.integer(2, "end_dim", -1);
    return {x.reshaped(tensor::flattenedShape(x.shape(), start, end))};
}
Results unflatten(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {x.reshaped(tensor::unflattenedShape(x.shape(), call.integer(1, "dim"), call.integers(2, "sizes")))};
}
Results unsqueeze(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {x.reshaped(Layout(x.shape()).unsqueezed(call.integer(1, "dim")).shape)};
}
Results squeeze(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Shape dims = wrapDims(call.optionalIntegers(1, "dim"), x.dim());
    return {x.reshaped(Layout(x.shape()).squeezed(dims).shape)};
}

Tensor swapped(const Call& call, const Tensor& x, std::int64_t a, std::int64_t b) {
    return seen(call, x, Layout(x.shape()).transposed(a, b));
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
    return {seen(call, x, Layout(x.shape()).reversed())};
}
Results matrixTranspose(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    require(x.dim() >= 2, "tensor.mT is only supported on matrices or batches of matrices.");
    return {swapped(call, x, -2, -1)};
}
Results permute(const Call& call) {
    return {permuted(call, call.tensor(0, "self"), call.integers(1, "dims"))};
}
Results movedim(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const Shape from = call.integers(1, "source"), to = call.integers(2, "destination");
    return {seen(call, x, Layout(x.shape()).moved(from, to))};
}

Results expand(const Call& call) {
    return {expanded(call, call.tensor(0, "self"), call.integers(1, "size"))};
}
Results expandAs(const Call& call) {
    return {expanded(call, call.tensor(0, "self"), call.tensor(1, "other").shape())};
}
Results broadcastTensors(const Call& call) {
    const std::vector<Tensor> all = call.tensors(0, "tensors");
    std::vector<Shape> shapes;
    for (const Tensor& x : all)
        shapes.push_back(x.shape());
    const Shape shape = broadcastShape(shapes);
    tensor::List out;
    for (const Tensor& x : all)
        out.emplace_back(expanded(call, x, shape));
    return {out};
}

Results unfold(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    const std::int64_t dim = call.integer(1, "dimension"), size = call.integer(2, "size"),
                       step = call.integer(3, "step");
    require(x.dim() > 0, "unfold: size must be at least 0 and step at least 1.");
    return {seen(call, x, Layout(x.shape()).unfolded(dim, size, step))};
}
Results same(const Call& call) {
    return {call.tensor(0, "self")};
}
Results clone(const Call& call) {
    const Tensor x = call.tensor(0, "self");
    return {gather(call, x, Layout(x.shape()))};
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
    return {expanded(call, call.tensor(1, "src"), self.shape()).to(self.dtype())};
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
