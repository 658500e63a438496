// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of tensors, joins, turns, paddings, repetitions, triangles.
#include "gpu/operators/DeviceCall.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;
using tensor::Tensor;
using tensor::wrapDim;

namespace {

/// A slice as Python cuts it; arguments from `at` on.
DeviceTensor sliceOf(const DeviceCall& call, const DeviceTensor& x, std::size_t at) {
    const std::int64_t dim = call.host.integer(at, "dim", 0), step = call.host.integer(at + 3, "step", 1);
    const std::int64_t start = call.host.position(at + 1, "start", 0);
    const std::int64_t end = call.host.position(at + 2, "end", std::numeric_limits<std::int64_t>::max());
    return seen(x, x.sliced(dim, start, end, step));
}
DeviceResults slice(const DeviceCall& call) {
    return {sliceOf(call, call.tensor(0, "self"), 1)};
}
DeviceResults sliceScatter(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self"), source = call.tensor(1, "src");
    DeviceTensor out = call.make();
    copyInto(call.device, out, x);
    copyInto(call.device, sliceOf(call, out, 2), source);
    return {out};
}
DeviceResults select(const DeviceCall& call) {
    return {selected(call.tensor(0, "self"), call.host.integer(1, "dim"), call.host.integer(2, "index"))};
}
DeviceResults narrow(const DeviceCall& call) {
    return {sliced(call.tensor(0, "self"), call.host.integer(1, "dim"), call.host.integer(2, "start"),
                   call.host.integer(3, "length"))};
}
/// Pieces one behind another; their inferred shapes say how long each is.
DeviceResults split(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    const std::int64_t dim = wrapDim(call.host.integer(2, "dim", 0), x.dim());
    Shape lengths;
    for (const tensor::Value& v : *call.resultValue(0).as<tensor::List>())
        lengths.push_back(v.as<Tensor>()->shape()[std::size_t(dim)]);
    return {listOf(x, x.split(lengths, dim))};
}
DeviceResults unbind(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    return {listOf(x, x.unbound(call.host.integer(1, "dim", 0)))};
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
DeviceResults repeat(const DeviceCall& call) {
    const DeviceTensor x = call.tensor(0, "self");
    Shape times = call.host.integers(1, "repeats");
    times.insert(times.begin(), std::size_t(std::max<std::int64_t>(x.dim() - std::int64_t(times.size()), 0)), 1);
    return {reshaped(call.device, seen(x, x.repeated(times)), call.shape())};
}
DeviceResults repeatInterleave(const DeviceCall& call) {
    DeviceTensor x = call.tensor(0, "self");
    if (!call.find(2, "dim")) x = reshaped(call.device, x, {x.count()});
    const std::int64_t dim = call.host.integer(2, "dim", 0), times = call.host.integer(1, "repeats");
    return {reshaped(call.device, seen(x, x.interleaved(dim, times)), call.shape())};
}
DeviceResults flip(const DeviceCall& call) {
    DeviceTensor x = call.tensor(0, "self");
    for (const std::int64_t d : call.host.integers(1, "dims"))
        x = seen(x, x.flipped(d));
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
    if (x.dim() == 2) return {seen(x, x.diagonal(k, 0, 1))};
    DeviceTensor out = call.make();
    fill(call.device, out, 0.0);
    copyInto(call.device, seen(out, out.diagonal(k, 0, 1)), x);
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
