// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions over axes, scans, softmax and its kin.
#include "core/algebra/lowering/Families.h"

#include <cmath>
#include <limits>

namespace kernelarium::algebra::lowering {

namespace {

double extentOf(const Operand& x, std::span<const int> axes) {
    double n = 1;
    for (int a : axes)
        n *= double(x.shape[std::size_t(a)]);
    return n;
}

Value sum(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    return result(b.reduce(c.node(), c.dtype(), Combine::sum, operandAt(0), {x}, c.dimensions(1, "dim", x.rank()),
                           c.flag(2, "keepdim", false)));
}
Value meanOf(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    return result(mean(b, c.node(), c.dtype(), x, c.dimensions(1, "dim", x.rank()), c.flag(2, "keepdim", false)));
}
Value product(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    return result(b.reduce(c.node(), c.dtype(), Combine::product, operandAt(0), {x}, c.dimensions(1, "dim", x.rank()),
                           c.flag(2, "keepdim", false)));
}
/// (sum of squared distances from the mean) / (n - correction)
template <bool root> Value variance(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const std::vector<int> axes = c.dimensions(1, "dim", x.rank());
    const double correction = c.has(2, "correction")        ? c.number(2, "correction", 1)
                              : c.flag(2, "unbiased", true) ? 1
                                                            : 0;
    const Operand m = mean(b, c.node() + ".mean", c.dtype(), x, axes, true);
    const bool keep = c.flag(3, "keepdim", false);
    const Operand squares = b.reduce(c.node() + ".squares", c.dtype(), Combine::sum,
                                     call(Function::square, operandAt(0) - operandAt(1)), {x, m}, axes, keep);
    Expression body = literal(1.0 / (extentOf(x, axes) - correction)) * operandAt(0);
    if (root) body = call(Function::sqrt, std::move(body));
    return result(b.pointwise(c.node(), c.shape(), c.dtype(), std::move(body), {squares}));
}
template <Combine combine> Value extremum(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    return result(b.reduce(c.node(), c.dtype(), combine, operandAt(0), {x}, c.dimensions(1, "dim", x.rank()),
                           c.flag(2, "keepdim", false)));
}
/// max and min: of two tensors; over everything; along one axis, with the place.
template <Combine combine, Combine place, Function function> Value extremumOrPair(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    if (c.op().ends_with(".other")) {
        if (!c.isOperand(1, "other"))
            return result(b.pointwise(c.node(), c.shape(), c.dtype(),
                                      Expression::of(function, {operandAt(0), literal(c.number(1, "other", 0))}), {x}));
        return result(b.pointwise(c.node(), c.shape(), c.dtype(),
                                  Expression::of(function, {operandAt(0), operandAt(1)}), {x, c.operand(1, "other")}));
    }
    if (!c.has(1, "dim")) return extremum<combine>(b, c);
    const std::vector<int> axes = c.dimensions(1, "dim", x.rank());
    const bool keep = c.flag(2, "keepdim", false);
    return Value{Values{result(b.reduce(c.node(), c.dtype(0), combine, operandAt(0), {x}, axes, keep)),
                        result(b.reduce(c.node() + ".place", c.dtype(1), place, operandAt(0), {x}, axes, keep))}};
}

/// out[.., i, ..] = combination of x[.., j, ..] over j <= i
template <Combine combine> Value scan(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const int axis = c.dimension(1, "dim", x.rank(), 0);
    Definition d;
    d.combine = combine;
    d.reduction = {x.shape[std::size_t(axis)]};
    Extents space = x.shape;
    space.push_back(d.reduction[0]);
    std::vector<Index> at = identity(x.rank());
    at[std::size_t(axis)] = Index::axis(x.rank());
    d.reads = {b.at(x, std::move(at), space)};
    d.domain = {Index::axis(axis) - Index::axis(x.rank())};
    return result(b.add(c.node(), x.shape, c.dtype(), std::move(d)));
}

Value softmaxOf(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    return result(softmax(b, c.node(), c.dtype(), x, c.dimension(1, "dim", x.rank(), 0)));
}
Value logSoftmaxOf(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    return result(logSoftmax(b, c.node(), c.dtype(), x, c.dimension(1, "dim", x.rank(), 0)));
}
Value logsumexp(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const std::vector<int> axes = c.dimensions(1, "dim", x.rank());
    const Operand top = b.reduce(c.node() + ".max", c.dtype(), Combine::maximum, operandAt(0), {x}, axes, true);
    const Operand sums =
        b.reduce(c.node() + ".sum", c.dtype(), Combine::sum, call(Function::exp, operandAt(0) - operandAt(1)), {x, top},
                 axes, c.flag(2, "keepdim", false));
    return result(b.pointwise(c.node(), c.shape(), c.dtype(), call(Function::log, operandAt(0)) + operandAt(1),
                              {sums, b.reshaped(top, sums.shape)}));
}
Value vectorNorm(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self");
    const std::vector<int> axes = c.dimensions(2, "dim", x.rank());
    const double order = c.number(1, "ord", 2);
    const bool keep = c.flag(3, "keepdim", false);
    if (order == 2) return result(norm2(b, c.node(), c.dtype(), x, axes, keep));
    const bool largest = std::isinf(order) && order > 0;
    if (order != 1 && !largest) c.refuse("a norm of an order other than 1, 2 or infinity");
    return result(b.reduce(c.node(), c.dtype(), largest ? Combine::maximum : Combine::sum,
                           call(Function::abs, operandAt(0)), {x}, axes, keep));
}

constexpr Entry reductionEntries[] = {
    {"sum", sum},
    {"mean", meanOf},
    {"prod", product},
    {"var", variance<false>},
    {"std", variance<true>},
    {"amax", extremum<Combine::maximum>},
    {"amin", extremum<Combine::minimum>},
    {"argmax", extremum<Combine::argMax>},
    {"argmin", extremum<Combine::argMin>},
    {"max", extremumOrPair<Combine::maximum, Combine::argMax, Function::max>},
    {"min", extremumOrPair<Combine::minimum, Combine::argMin, Function::min>},
    {"cumsum", scan<Combine::sum>},
    {"cumprod", scan<Combine::product>},
    {"softmax", softmaxOf},
    {"_softmax", softmaxOf},
    {"log_softmax", logSoftmaxOf},
    {"logsumexp", logsumexp},
    {"linalg_vector_norm", vectorNorm},
};

} // namespace

Operand mean(Builder& b, const std::string& name, DType dtype, const Operand& x, std::span<const int> axes, bool keep) {
    return b.reduce(name, dtype, Combine::sum, literal(1.0 / extentOf(x, axes)) * operandAt(0), {x}, axes, keep);
}

Operand norm2(Builder& b, const std::string& name, DType dtype, const Operand& x, std::span<const int> axes,
              bool keep) {
    const Operand squares =
        b.reduce(name + ".squares", dtype, Combine::sum, call(Function::square, operandAt(0)), {x}, axes, keep);
    return b.pointwise(name, squares.shape, dtype, call(Function::sqrt, operandAt(0)), {squares});
}

Operand softmax(Builder& b, const std::string& name, DType dtype, const Operand& x, int axis) {
    const int axes[] = {axis};
    const Operand top = b.reduce(name + ".max", dtype, Combine::maximum, operandAt(0), {x}, axes, true);
    const Operand powers =
        b.pointwise(name + ".exp", x.shape, dtype, call(Function::exp, operandAt(0) - operandAt(1)), {x, top});
    const Operand sums = b.reduce(name + ".sum", dtype, Combine::sum, operandAt(0), {powers}, axes, true);
    return b.pointwise(name, x.shape, dtype, operandAt(0) / operandAt(1), {powers, sums});
}

Operand logSoftmax(Builder& b, const std::string& name, DType dtype, const Operand& x, int axis) {
    const int axes[] = {axis};
    const Operand top = b.reduce(name + ".max", dtype, Combine::maximum, operandAt(0), {x}, axes, true);
    const Operand sums = b.reduce(name + ".sum", dtype, Combine::sum, call(Function::exp, operandAt(0) - operandAt(1)),
                                  {x, top}, axes, true);
    return b.pointwise(name, x.shape, dtype, (operandAt(0) - operandAt(1)) - call(Function::log, operandAt(2)),
                       {x, top, sums});
}

Family reductionFamily() {
    return reductionEntries;
}

} // namespace kernelarium::algebra::lowering
