// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of tensors, joins, turns, paddings, repetitions, triangles.
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
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim"), x.dim()), index = call.host.integer(2, "index");
    return {without(sliced(x, dim, index < 0 ? index + x.shape[std::size_t(dim)] : index, 1), dim)};
}
DeviceResults narrow(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim"), x.dim()), start = call.host.integer(2, "start");
    return {sliced(x, dim, start < 0 ? start + x.shape[std::size_t(dim)] : start, call.host.integer(3, "length"))};
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

DeviceResults unbind(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.host.integer(1, "dim", 0), x.dim());
    std::vector<DeviceTensor> pieces;
    for (std::int64_t i = 0; i < x.shape[std::size_t(dim)]; ++i)
        pieces.push_back(without(sliced(x, dim, i, 1), dim));
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
/// Every dimension as (times, size), the first repeating.
DeviceResults repeat(const DeviceCall& call) {
    DeviceTensor x = call.tensor(0, "self");
    Shape times = call.host.integers(1, "repeats");
    times.insert(times.begin(), std::size_t(std::max<std::int64_t>(x.dim() - std::int64_t(times.size()), 0)), 1);
    while (x.dim() < std::int64_t(times.size()))
        x = withUnit(x, 0);
    Shape shape, strides;
    for (std::size_t d = 0; d < times.size(); ++d) {
        shape.insert(shape.end(), {times[d], x.shape[d]});
        strides.insert(strides.end(), {0, x.strides[d]});
    }
    return {reshaped(call.device, restrided(x, shape, strides), call.shape())};
}
DeviceResults repeatInterleave(const DeviceCall& call) {
    DeviceTensor x = call.tensor(0, "self");
    if (!call.find(2, "dim")) x = reshaped(call.device, x, {x.count()});
    const std::int64_t dim = wrapDim(call.host.integer(2, "dim", 0), x.dim());
    Shape shape = x.shape, strides = x.strides;
    shape.insert(shape.begin() + dim + 1, call.host.integer(1, "repeats"));
    strides.insert(strides.begin() + dim + 1, 0);
    return {reshaped(call.device, restrided(x, shape, strides), call.shape())};
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
        const std::int64_t dim = dims.empty() ? 0 : wrapDim(dims[i], x.dim()), size = x.shape[std::size_t(dim)];
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
    if (const std::string mode = general ? call.host.text(2, "mode", "constant") : "constant"; mode != "constant")
        throw Failure{{"unsupported", fmt::format("aten.pad in mode {} has no kernel of ours.", mode)}};
    const Shape widths = call.host.integers(1, "pad");
    DeviceTensor from = call.tensor(0, "self"), out = call.make(), inside = out;
    fill(call.device, out, call.host.number(general ? 3 : 2, "value", 0.0));
    for (std::size_t p = 0; p < widths.size() / 2; ++p) {
        const std::int64_t dim = from.dim() - 1 - std::int64_t(p), before = widths[2 * p], after = widths[2 * p + 1];
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
    call.device.launchOver({"elements", fmt::format("triangle<{}>", cudaName(x.dtype)), "TriangleArguments"}, a.count,
                           a);
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
        return {restrided(x, call.shape(), {x.strides[0] + x.strides[1]}, down * x.strides[0] + right * x.strides[1])};
    DeviceTensor out = call.make();
    fill(call.device, out, 0.0);
    const std::int64_t side = out.shape[0];
    copyInto(call.device, restrided(out, x.shape, {side + 1}, down * side + right), x);
    return {out};
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
    {"aten.unbind.int", unbind},
    {"aten.concatenate.default", cat},
    {"aten.cat.default", cat},
    {"aten.concat.default", cat},
    {"aten.stack.default", stack},
    {"aten.repeat.default", repeat},
    {"aten.tile.default", repeat},
    {"aten.repeat_interleave.self_int", repeatInterleave},
    {"aten.flip.default", flip},
    {"aten.roll.default", roll},
    {"aten.pad.default", pad},
    {"aten.constant_pad_nd.default", pad},
    {"aten.tril.default", tril},
    {"aten.triu.default", triu},
    {"aten.diag.default", diag},
};

} // namespace

DeviceFamily deviceMovement() {
    return movementEntries;
}

} // namespace kernelarium::operators
