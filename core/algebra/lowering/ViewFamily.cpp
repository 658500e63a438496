// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that only say how elements are reached: they become the maps of whoever reads them.
#include "core/algebra/lowering/Families.h"

#include <algorithm>
#include <numeric>

namespace kernelarium::algebra::lowering {

namespace {

Value reshape(Builder& b, const OperatorCall& c) {
    return result(b.reshaped(c.operand(0, "self"), c.shape()));
}
Value transpose(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    std::vector<int> order(x.shape.size());
    std::iota(order.begin(), order.end(), 0);
    const bool last = c.op() == "aten.t.default" || c.op() == "aten.mT.default";
    const int p = last ? x.rank() - 2 : c.dimension(1, "dim0", x.rank(), 0);
    const int q = last ? x.rank() - 1 : c.dimension(2, "dim1", x.rank(), 1);
    std::swap(order.at(std::size_t(p)), order.at(std::size_t(q)));
    return result(b.permuted(x, order));
}
Value reversed(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    std::vector<int> order(x.shape.size());
    std::iota(order.rbegin(), order.rend(), 0);
    return result(b.permuted(x, order));
}
Value permute(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    std::vector<int> order;
    for (std::int64_t d : c.integers(1, "dims"))
        order.push_back(int(d < 0 ? d + x.rank() : d));
    return result(b.permuted(x, order));
}
Value expand(Builder& b, const OperatorCall& c) {
    return result(b.broadcast(c.operand(0, "self"), c.shape()));
}
Value broadcastTensors(Builder& b, const OperatorCall& c) {
    Values out;
    const std::vector<Operand> operands = c.operands(0, "tensors");
    for (const Operand& o : operands)
        out.push_back(result(b.broadcast(o, broadcastShape(operands))));
    return Value{std::move(out)};
}

/// `length` elements of one axis, from `start` on, each `step`-th.
Operand part(Builder& b, const Operand& x, int axis, std::int64_t start, std::int64_t length, std::int64_t step = 1) {
    std::vector<Index> indices = identity(x.rank());
    Extents shape = x.shape;
    shape[std::size_t(axis)] = length;
    indices[std::size_t(axis)] = Index::axis(axis, step, start);
    return b.view(x, std::move(indices), std::move(shape));
}
Value slice(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(1, "dim", x.rank(), 0);
    const std::int64_t extent = x.shape[std::size_t(axis)];
    std::int64_t start = c.integer(2, "start", 0);
    if (start < 0) start += extent;
    return result(part(b, x, axis, std::clamp<std::int64_t>(start, 0, extent), c.shape()[std::size_t(axis)],
                       c.integer(4, "step", 1)));
}
Value narrow(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(1, "dim", x.rank(), 0);
    const std::int64_t start = c.integer(2, "start", 0);
    return result(
        part(b, x, axis, start < 0 ? start + x.shape[std::size_t(axis)] : start, c.shape()[std::size_t(axis)]));
}
Operand chosen(Builder& b, const Operand& x, int axis, std::int64_t at) {
    std::vector<Index> indices;
    Extents shape;
    for (int d = 0; d < x.rank(); ++d) {
        if (d == axis) {
            indices.push_back(Index::constant(at));
            continue;
        }
        indices.push_back(Index::axis(int(shape.size())));
        shape.push_back(x.shape[std::size_t(d)]);
    }
    return b.view(x, std::move(indices), std::move(shape));
}
Value select(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(1, "dim", x.rank(), 0);
    const std::int64_t at = c.integer(2, "index", 0);
    return result(chosen(b, x, axis, at < 0 ? at + x.shape[std::size_t(axis)] : at));
}
/// split, split_with_sizes, chunk: the results' shapes say where to cut.
Value split(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(2, "dim", x.rank(), 0);
    Values out;
    std::int64_t start = 0;
    for (std::size_t i = 0; i < c.resultCount(); ++i) {
        const std::int64_t length = c.shape(i)[std::size_t(axis)];
        out.push_back(result(part(b, x, axis, start, length)));
        start += length;
    }
    return Value{std::move(out)};
}
Value unbind(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(1, "dim", x.rank(), 0);
    Values out;
    for (std::size_t i = 0; i < c.resultCount(); ++i)
        out.push_back(result(chosen(b, x, axis, std::int64_t(i))));
    return Value{std::move(out)};
}
Value item(Builder&, const OperatorCall& c) {
    return c.item();
}
Value flip(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    std::vector<Index> indices = identity(x.rank());
    for (int d : c.dimensions(1, "dims", x.rank()))
        indices[std::size_t(d)] = Index::axis(d, -1, x.shape[std::size_t(d)] - 1);
    return result(b.view(x, std::move(indices), x.shape));
}
/// Windows of one axis, laid along a new last one.
Value unfold(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(1, "dimension", x.rank(), 0);
    std::vector<Index> indices = identity(x.rank());
    indices[std::size_t(axis)] = Index::axis(axis, c.integer(3, "step", 1)) + Index::axis(x.rank());
    return result(b.view(x, std::move(indices), c.shape()));
}

constexpr Entry viewEntries[] = {
    {"view", reshape},
    {"_unsafe_view", reshape},
    {"reshape", reshape},
    {"flatten", reshape},
    {"unflatten", reshape},
    {"unsqueeze", reshape},
    {"squeeze", reshape},
    {"transpose", transpose},
    {"t", transpose},
    {"mT", transpose},
    {"numpy_T", reversed},
    {"permute", permute},
    {"expand", expand},
    {"expand_as", expand},
    {"broadcast_to", expand},
    {"broadcast_tensors", broadcastTensors},
    {"slice", slice},
    {"narrow", narrow},
    {"select", select},
    {"split", split},
    {"split_with_sizes", split},
    {"chunk", split},
    {"unbind", unbind},
    {"<built-in function getitem>", item},
    {"flip", flip},
    {"unfold", unfold},
};

} // namespace

Family viewFamily() {
    return viewEntries;
}

} // namespace kernelarium::algebra::lowering
