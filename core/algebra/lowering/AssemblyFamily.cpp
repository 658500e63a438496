// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors put together of parts, or made of nothing: cat, pad, roll, tril, masks, constants.
#include "core/algebra/lowering/Families.h"

#include <algorithm>

namespace kernelarium::algebra::lowering {

Operand joined(Builder& b, const std::string& name, DType dtype, const std::vector<Operand>& parts, int axis) {
    Extents shape = parts.at(0).shape;
    shape[std::size_t(axis)] = 0;
    for (const Operand& p : parts)
        shape[std::size_t(axis)] += p.shape[std::size_t(axis)];
    Definition d;
    std::vector<Expression> terms;
    std::int64_t start = 0;
    for (const Operand& p : parts) {
        std::vector<Index> indices = identity(p.rank());
        indices[std::size_t(axis)] = Index::axis(axis, 1, -start);
        d.reads.push_back(b.at(p, std::move(indices), shape));
        terms.push_back(operandAt(terms.size()));
        start += p.shape[std::size_t(axis)];
    }
    d.body = simplified(Expression::of(Function::join, std::move(terms)));
    return b.add(name, std::move(shape), dtype, std::move(d));
}

namespace {

Value cat(Builder& b, const OperatorCall& c) {
    std::vector<Operand> parts = c.operands(0, "tensors");
    std::erase_if(parts, [](const Operand& o) { return pointCount(o.shape) == 0; });
    if (parts.empty()) c.refuse("nothing to join");
    return result(joined(b, c.node(), c.dtype(), parts, c.dimension(1, "dim", parts[0].rank(), 0)));
}
Value stack(Builder& b, const OperatorCall& c) {
    std::vector<Operand> parts;
    const int axis = c.dimension(1, "dim", int(c.shape().size()), 0);
    for (const Operand& o : c.operands(0, "tensors")) {
        Extents shape = o.shape;
        shape.insert(shape.begin() + axis, 1);
        parts.push_back(b.reshaped(o, std::move(shape)));
    }
    return result(joined(b, c.node(), c.dtype(), parts, axis));
}
Value pad(Builder& b, const OperatorCall& c) {
    if (c.text(2, "mode", "constant") != "constant") c.refuse("padding other than by a number");
    const Operand x = c.operand(0, "self");
    const std::vector<std::int64_t> amounts = c.integers(1, "pad");
    std::vector<Index> indices = identity(x.rank());
    for (std::size_t i = 0; i + 1 < amounts.size(); i += 2) {
        const int axis = x.rank() - 1 - int(i / 2);
        indices[std::size_t(axis)] = Index::axis(axis, 1, -amounts[i]);
    }
    return result(b.view(x, std::move(indices), c.shape(), c.number(3, "value", 0)));
}
/// out[i] = x[(i - shift) mod n]: two parts for each axis.
Value roll(Builder& b, const OperatorCall& c) {
    Operand x = c.operand(0, "self");
    const std::vector<std::int64_t> shifts = c.integers(1, "shifts"), axes = c.integers(2, "dims");
    if (axes.size() != shifts.size()) c.refuse("a roll of the flattened tensor");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const int axis = int(axes[i] < 0 ? axes[i] + x.rank() : axes[i]);
        const std::int64_t n = x.shape[std::size_t(axis)], shift = ((shifts[i] % n) + n) % n;
        if (shift == 0) continue;
        Definition d;
        for (std::int64_t moved : {-shift, n - shift}) {
            std::vector<Index> indices = identity(x.rank());
            indices[std::size_t(axis)] = Index::axis(axis, 1, moved);
            d.reads.push_back(b.at(x, std::move(indices), x.shape));
        }
        d.body = Expression::of(Function::join, {operandAt(0), operandAt(1)});
        x = b.add(c.node(), x.shape, x.dtype, std::move(d));
    }
    return result(std::move(x));
}
/// The lower (sign 1) or upper (sign -1) triangle of the last two axes; 0 beyond.
Value triangle(Builder& b, const OperatorCall& c, std::int64_t sign) {
    const Operand x = c.operand(0, "self");
    const std::int64_t diagonal = c.integer(1, "diagonal", 0);
    Definition d;
    d.reads.push_back(x.read);
    Constraint inside = (Index::axis(x.rank() - 2) - Index::axis(x.rank() - 1)) * sign;
    inside.offset = sign * diagonal;
    normalise(inside, x.shape);
    if (!holdsAlways(inside, x.shape)) d.domain.push_back(inside);
    return result(b.add(c.node(), x.shape, c.dtype(), std::move(d)));
}
Value tril(Builder& b, const OperatorCall& c) {
    return triangle(b, c, 1);
}
Value triu(Builder& b, const OperatorCall& c) {
    return triangle(b, c, -1);
}
/// A vector on the diagonal of a matrix, or the diagonal of a matrix.
Value diag(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    if (c.integer(1, "diagonal", 0) != 0) c.refuse("another diagonal than the main one");
    if (x.rank() == 2) return result(b.view(x, {Index::axis(0), Index::axis(0)}, c.shape()));
    Definition d;
    d.reads.push_back(b.at(x, {Index::axis(0)}, c.shape()));
    const Index apart = Index::axis(0) - Index::axis(1);
    d.domain = {apart, apart * -1};
    return result(b.add(c.node(), c.shape(), c.dtype(), std::move(d)));
}
Value maskedFill(Builder& b, const OperatorCall& c) {
    if (c.isOperand(2, "value")) c.refuse("a filling that is a tensor");
    return result(
        b.pointwise(c.node(), c.shape(), c.dtype(),
                    Expression::of(Function::select, {operandAt(1), literal(c.number(2, "value", 0)), operandAt(0)}),
                    {c.operand(0, "self"), c.operand(1, "mask")}));
}
/// self with a range of one axis replaced: what lies before, the source, what lies after.
Value sliceScatter(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self"), source = c.operand(1, "src");
    const int axis = c.dimension(2, "dim", x.rank(), 0);
    if (c.integer(5, "step", 1) != 1) c.refuse("a step other than 1");
    const std::int64_t n = x.shape[std::size_t(axis)], length = source.shape[std::size_t(axis)];
    std::int64_t start = c.integer(3, "start", 0);
    start = std::clamp<std::int64_t>(start < 0 ? start + n : start, 0, n);
    std::vector<Operand> parts;
    const auto cut = [&](std::int64_t from, std::int64_t count) {
        if (count <= 0) return;
        std::vector<Index> indices = identity(x.rank());
        Extents shape = x.shape;
        shape[std::size_t(axis)] = count;
        indices[std::size_t(axis)] = Index::axis(axis, 1, from);
        parts.push_back(b.view(x, std::move(indices), std::move(shape)));
    };
    cut(0, start);
    if (length > 0) parts.push_back(source);
    cut(start + length, n - start - length);
    return result(parts.size() == 1 ? parts[0] : joined(b, c.node(), c.dtype(), parts, axis));
}
/// x[index] for one tensor of whole numbers: a sum over the places of which one is the index.
Value indexed(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const std::vector<Operand> by = c.operands(1, "indices");
    if (by.size() != 1 || by[0].dtype == DType::Bool) c.refuse("an index of several tensors, or of true and false");
    const Extents shape = c.shape();
    const int rank = int(shape.size()), lead = by[0].rank();
    Extents space = shape;
    space.push_back(x.shape[0]);
    std::vector<Index> indices{Index::axis(rank)};
    for (int d = 1; d < x.rank(); ++d)
        indices.push_back(Index::axis(lead + d - 1));
    Definition d;
    d.reduction = {x.shape[0]};
    d.combine = Combine::sum;
    d.reads = {b.at(by[0], identity(lead), space), b.at(x, std::move(indices), space)};
    d.body = Expression::of(Function::equal, {Expression::ofAxis(rank), operandAt(0)}) * operandAt(1);
    return result(b.add(c.node(), shape, c.dtype(), std::move(d)));
}
template <int value> Value filled(Builder& b, const OperatorCall& c) {
    return result(b.constant(c.node(), c.shape(), c.dtype(), value));
}

constexpr Entry assemblyEntries[] = {
    {"cat", cat},
    {"stack", stack},
    {"pad", pad},
    {"constant_pad_nd", pad},
    {"roll", roll},
    {"tril", tril},
    {"triu", triu},
    {"diag", diag},
    {"masked_fill", maskedFill},
    {"slice_scatter", sliceScatter},
    {"index", indexed},
    {"zeros", filled<0>},
    {"zeros_like", filled<0>},
    {"ones", filled<1>},
    {"ones_like", filled<1>},
};

} // namespace

Family assemblyFamily() {
    return assemblyEntries;
}

} // namespace kernelarium::algebra::lowering
