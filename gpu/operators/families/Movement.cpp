// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of tensors, joins, turns, paddings, triangles, constants and gathers.
#include "gpu/operators/DeviceCall.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using task::operators::wrapDim;
using tensor::DType;
using tensor::Shape;
using tensor::Tensor;

namespace {

/// start and step of a slice; its length is the inferred one.
struct SlicePlace {
    std::int64_t dim, start, step;
};
SlicePlace slicePlace(const DeviceCall& call, const DeviceTensor& x, std::size_t at) {
    SlicePlace p{wrapDim(call.host.integer(at, "dim", 0), x.dim()), call.host.integer(at + 1, "start", 0),
                 call.host.integer(at + 3, "step", 1)};
    const std::int64_t size = x.shape[std::size_t(p.dim)];
    p.start = std::clamp<std::int64_t>(p.start < 0 ? p.start + size : p.start, 0, size);
    return p;
}
DeviceResults slice(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const SlicePlace p = slicePlace(call, x, 1);
    return {sliced(x, p.dim, p.start, call.shape()[std::size_t(p.dim)], p.step)};
}
DeviceResults sliceScatter(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self"), source = call.tensor(1, "src");
    const SlicePlace p = slicePlace(call, x, 2);
    DeviceTensor out = call.make();
    copyInto(call.device, out, x);
    copyInto(call.device, sliced(out, p.dim, p.start, source.shape[std::size_t(p.dim)], p.step), source);
    return {out};
}
DeviceResults select(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim"), x.dim()),
                       index = call.host.integer(2, "index");
    return {without(sliced(x, dim, index < 0 ? index + x.shape[std::size_t(dim)] : index, 1), dim)};
}
DeviceResults narrow(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim"), x.dim()),
                       start = call.host.integer(2, "start");
    return {sliced(x, dim, start < 0 ? start + x.shape[std::size_t(dim)] : start,
                   call.host.integer(3, "length"))};
}
/// Pieces one behind another; their inferred shapes say how long each is.
DeviceResults split(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.host.integer(2, "dim", 0), x.dim());
    std::vector<DeviceTensor> pieces;
    std::int64_t start = 0;
    for (const tensor::Value& v : *call.resultValue(0).as<tensor::List>()) {
        const std::int64_t length = v.as<Tensor>()->shape()[std::size_t(dim)];
        pieces.push_back(sliced(x, dim, start, length));
        start += length;
    }
    return {listOf(pieces)};
}

DeviceTensor joined(const DeviceCall& call, const std::vector<DeviceTensor>& all, std::int64_t dim) {
    DeviceTensor out = call.make();
    std::int64_t start = 0;
    for (const DeviceTensor& t : all) {
        if (t.count() == 0) continue;
        const std::int64_t length = t.shape[std::size_t(dim)];
        copyInto(call.device, sliced(out, dim, start, length), t);
        start += length;
    }
    return out;
}
DeviceResults cat(const DeviceCall& call) {
    return {joined(call, call.tensors(0, "tensors"),
                   wrapDim(call.host.integer(1, "dim", 0), std::int64_t(call.shape().size())))};
}
DeviceResults stack(const DeviceCall& call) {
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim", 0), std::int64_t(call.shape().size()));
    std::vector<DeviceTensor> all = call.tensors(0, "tensors");
    for (DeviceTensor& t : all)
        t = withUnit(t, dim);
    return {joined(call, all, dim)};
}
DeviceResults flip(const DeviceCall& call) {
    DeviceTensor x = call.tensor(0, "self");
    for (const std::int64_t d : call.host.integers(1, "dims"))
        x = flipped(x, wrapDim(d, x.dim()));
    return {x};
}
DeviceResults roll(const DeviceCall& call) {
    const DeviceTensor self = call.tensor(0, "self");
    const Shape shifts = call.host.integers(1, "shifts"),
                dims = call.host.optionalIntegers(2, "dims").value_or(Shape{});
    DeviceTensor x = dims.empty() ? reshaped(call.device, self, {self.count()}) : self;
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const std::int64_t dim = dims.empty() ? 0 : wrapDim(dims[i], x.dim()),
                           size = x.shape[std::size_t(dim)];
        if (size == 0) continue;
        const std::int64_t shift = ((shifts[i] % size) + size) % size;
        if (shift == 0) continue;
        DeviceTensor out = call.device.make(x.dtype, x.shape);
        copyInto(call.device, sliced(out, dim, shift, size - shift), sliced(x, dim, 0, size - shift));
        copyInto(call.device, sliced(out, dim, 0, shift), sliced(x, dim, size - shift, shift));
        x = out;
    }
    return {reshaped(call.device, x, self.shape)};
}

/// Borders of one value; negative widths crop.
DeviceResults pad(const DeviceCall& call) {
    const bool general = call.host.name() == "aten.pad.default";
    if (const std::string mode = general ? call.host.text(2, "mode", "constant") : "constant";
        mode != "constant")
        throw Failure{{"unsupported", fmt::format("aten.pad in mode {} has no kernel of ours.", mode)}};
    const Shape widths = call.host.integers(1, "pad");
    DeviceTensor from = call.tensor(0, "self"), out = call.make(), inside = out;
    fill(call.device, out, call.host.number(general ? 3 : 2, "value", 0.0));
    for (std::size_t p = 0; p < widths.size() / 2; ++p) {
        const std::int64_t dim = from.dim() - 1 - std::int64_t(p), before = widths[2 * p],
                           after = widths[2 * p + 1];
        const std::int64_t cropped = std::max<std::int64_t>(-before, 0);
        const std::int64_t kept = from.shape[std::size_t(dim)] - cropped - std::max<std::int64_t>(-after, 0);
        from = sliced(from, dim, cropped, kept);
        inside = sliced(inside, dim, std::max<std::int64_t>(before, 0), kept);
    }
    copyInto(call.device, inside, from);
    return {out};
}
DeviceResults triangleOf(const DeviceCall& call, bool upper) {
    const DeviceTensor x = dense(call.device, call.tensor(0, "self"));
    DeviceTensor out = call.make();
    const TriangleArguments a{x.address(),    out.address(),
                              x.count(),      x.shape[std::size_t(x.dim() - 2)],
                              x.shape.back(), call.host.integer(1, "diagonal", 0),
                              upper};
    call.device.launchOver({"elements", fmt::format("triangle<{}>", cudaName(x.dtype)), "TriangleArguments"},
                           a.count, a);
    return {out};
}
DeviceResults tril(const DeviceCall& call) {
    return triangleOf(call, false);
}
DeviceResults triu(const DeviceCall& call) {
    return triangleOf(call, true);
}
DeviceResults diag(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t k = call.host.integer(1, "diagonal", 0);
    const std::int64_t down = std::max<std::int64_t>(-k, 0), right = std::max<std::int64_t>(k, 0);
    if (x.dim() == 2)
        return {restrided(x, call.shape(), {x.strides[0] + x.strides[1]},
                          down * x.strides[0] + right * x.strides[1])};
    DeviceTensor out = call.make();
    fill(call.device, out, 0.0);
    const std::int64_t side = out.shape[0];
    copyInto(call.device, restrided(out, x.shape, {side + 1}, down * side + right), x);
    return {out};
}

DeviceResults constantOf(const DeviceCall& call, double value) {
    DeviceTensor out = call.make();
    fill(call.device, out, value);
    return {out};
}
DeviceResults zeros(const DeviceCall& call) {
    return constantOf(call, 0.0);
}
DeviceResults ones(const DeviceCall& call) {
    return constantOf(call, 1.0);
}
DeviceResults full(const DeviceCall& call) {
    return constantOf(call, call.host.number(1, "fill_value"));
}
DeviceResults arange(const DeviceCall& call) {
    const bool whole = call.host.name() == "aten.arange.default";
    DeviceTensor out = call.make();
    const RangeArguments a{out.address(), out.count(), whole ? 0.0 : call.host.number(0, "start"),
                           call.host.name() == "aten.arange.start_step" ? call.host.number(2, "step", 1.0)
                                                                        : 1.0};
    call.device.launchOver({"elements", fmt::format("range<{}>", cudaName(out.dtype)), "RangeArguments"},
                           a.count, a);
    return {out};
}

/// Slices of dimension `dim` by an index tensor, whose dimensions take its place.
DeviceResults gathered(const DeviceCall& call, const DeviceTensor& source, const DeviceTensor& indexIn,
                       std::int64_t dim) {
    const DeviceTensor x = dense(call.device, source);
    const DeviceTensor index = dense(call.device, converted(call.device, indexIn, DType::Int64));
    DeviceTensor out = call.make(), status = call.device.make(DType::Int32, {1});
    fill(call.device, status, 0.0);
    GatherArguments a{x.address(), index.address(),           out.address(), status.address(),
                      1,           x.shape[std::size_t(dim)], index.count(), 1};
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (d != dim) (d < dim ? a.outer : a.inner) *= x.shape[std::size_t(d)];
    call.device.launchOver({"elements", fmt::format("gather<{}>", cudaName(x.dtype)), "GatherArguments"},
                           out.count(), a);
    if (call.device.download(status).at(0) != 0.0)
        throw Failure{
            {"bad_argument", fmt::format("{}: an index is out of bounds for dimension with size {}.",
                                         call.host.name(), a.size)}};
    return {out};
}
DeviceResults index(const DeviceCall& call) {
    const DeviceValue* list = call.find(1, "indices");
    const tensor::List& places = *list->value.as<tensor::List>();
    if (list->tensors.size() != 1 || isFloating(list->tensors[0].dtype) ||
        list->tensors[0].dtype == DType::Bool || list->tensors[0].dtype == DType::UInt8)
        throw Failure{
            {"unsupported", "aten.index with several index tensors or a mask has no kernel of ours."}};
    std::int64_t dim = 0;
    while (!places[std::size_t(dim)].as<Tensor>())
        ++dim;
    return gathered(call, call.tensor(0, "self"), list->tensors[0], dim);
}
DeviceResults indexSelect(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return gathered(call, x, call.tensor(2, "index"), wrapDim(call.host.integer(1, "dim"), x.dim()));
}
DeviceResults embedding(const DeviceCall& call) {
    return gathered(call, call.tensor(0, "weight"), call.tensor(1, "indices"), 0);
}

constexpr DeviceEntry movementEntries[] = {
    {"aten.slice.Tensor", slice},
    {"aten.slice_scatter.default", sliceScatter},
    {"aten.select.int", select},
    {"aten.narrow.default", narrow},
    {"aten.split.Tensor", split},
    {"aten.split.sizes", split},
    {"aten.split_with_sizes.default", split},
    {"aten.chunk.default", split},
    {"aten.cat.default", cat},
    {"aten.concat.default", cat},
    {"aten.stack.default", stack},
    {"aten.flip.default", flip},
    {"aten.roll.default", roll},
    {"aten.pad.default", pad},
    {"aten.constant_pad_nd.default", pad},
    {"aten.tril.default", tril},
    {"aten.triu.default", triu},
    {"aten.diag.default", diag},
    {"aten.zeros.default", zeros},
    {"aten.zeros_like.default", zeros},
    {"aten.new_zeros.default", zeros},
    {"aten.ones.default", ones},
    {"aten.ones_like.default", ones},
    {"aten.full.default", full},
    {"aten.full_like.default", full},
    {"aten.arange.default", arange},
    {"aten.arange.start", arange},
    {"aten.arange.start_step", arange},
    {"aten.index.Tensor", index},
    {"aten.index_select.default", indexSelect},
    {"aten.embedding.default", embedding},
};

} // namespace

DeviceFamily deviceMovement() {
    return movementEntries;
}

} // namespace kernelarium::operators
