// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Families.h"

#include <limits>

namespace kernelarium::algebra::lowering {

namespace {

/// Losses at every element, then their mean, sum, or themselves (PyTorch's reduction 1, 2, 0).
Value elementwise(Builder& b, const OperatorCall& c, Expression body, std::size_t reductionAt) {
    const std::vector<Operand> operands{c.operand(0, "self"), c.operand(1, "target")};
    const std::int64_t reduction = c.integer(reductionAt, "reduction", 1);
    const Extents shape = broadcastShape(operands);
    if (reduction == 0) return result(b.pointwise(c.node(), shape, c.dtype(), std::move(body), operands));
    std::vector<int> axes;
    for (int a = 0; a < int(shape.size()); ++a)
        axes.push_back(a);
    if (reduction == 1) body = literal(1.0 / double(pointCount(shape))) * body;
    return result(b.reduce(c.node(), c.dtype(), Combine::sum, simplified(body), operands, axes, false));
}

Value mse(Builder& b, const OperatorCall& c) {
    return elementwise(b, c, call(Function::square, operandAt(0) - operandAt(1)), 2);
}
Value l1(Builder& b, const OperatorCall& c) {
    return elementwise(b, c, call(Function::abs, operandAt(0) - operandAt(1)), 2);
}
Expression distance() {
    return call(Function::abs, operandAt(0) - operandAt(1));
}
/// d^2 / (2 beta) where d = |x - y| < beta, else d - beta / 2
Value smoothL1(Builder& b, const OperatorCall& c) {
    const double beta = c.number(3, "beta", 1);
    return elementwise(b, c,
                       Expression::of(Function::select, {Expression::of(Function::less, {distance(), literal(beta)}),
                                                         literal(0.5 / beta) * call(Function::square, distance()),
                                                         distance() - literal(0.5 * beta)}),
                       2);
}
/// target * (log target - x); PyTorch's kl_div takes logarithms as its first operand
Value klDiv(Builder& b, const OperatorCall& c) {
    if (c.flag(3, "log_target", false))
        return elementwise(b, c, call(Function::exp, operandAt(1)) * (operandAt(1) - operandAt(0)), 2);
    return elementwise(b, c,
                       Expression::of(Function::xlogy, {operandAt(1), operandAt(1)}) - operandAt(1) * operandAt(0), 2);
}
/// Minus the mean of the log-probability of each sample's class, which is a whole number in the range.
Value crossEntropy(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "self"), target = c.operand(1, "target");
    if (c.has(2, "weight") || c.number(5, "label_smoothing", 0) != 0 || x.rank() != 2 || isFloating(target.dtype))
        c.refuse("weights, smoothing, probabilities as target, or places beside the classes");
    const std::int64_t reduction = c.integer(3, "reduction", 1);
    if (reduction == 0) c.refuse("losses of the samples");
    const Operand logs = logSoftmax(b, c.node() + ".logs", c.dtype(), x, 1);
    const double factor = reduction == 1 ? -1.0 / double(x.shape[0]) : -1.0;
    Definition d;
    d.combine = Combine::sum;
    d.reduction = x.shape;
    d.reads = {b.at(target, {Index::axis(0)}, x.shape), logs.read};
    d.body = Expression::of(
        Function::mul,
        {literal(factor), Expression::of(Function::equal, {Expression::ofAxis(1), operandAt(0)}), operandAt(1)});
    return result(b.add(c.node(), {}, c.dtype(), std::move(d)));
}

Operand separation(Builder& b, const OperatorCall& c, const std::string& name, const Operand& x, const Operand& y) {
    if (c.number(4, "p", 2) != 2) c.refuse("distances other than Euclid's");
    const int axes[] = {x.rank() - 1};
    const Operand squares = b.reduce(
        name + ".squares", c.dtype(), Combine::sum,
        call(Function::square, (operandAt(0) - operandAt(1)) + literal(c.number(5, "eps", 1e-6))), {x, y}, axes, false);
    return b.pointwise(name, squares.shape, c.dtype(), call(Function::sqrt, operandAt(0)), {squares});
}
/// max(margin + |anchor - positive| - |anchor - negative|, 0)
Value tripletMargin(Builder& b, const OperatorCall& c) {
    if (c.flag(6, "swap", false)) c.refuse("swap");
    const Operand anchor = c.operand(0, "anchor");
    const Operand near = separation(b, c, c.node() + ".near", anchor, c.operand(1, "positive"));
    const Operand far = separation(b, c, c.node() + ".far", anchor, c.operand(2, "negative"));
    const std::int64_t reduction = c.integer(7, "reduction", 1);
    Expression body = call(Function::relu, (literal(c.number(3, "margin", 1)) + operandAt(0)) - operandAt(1));
    if (reduction == 0) return result(b.pointwise(c.node(), near.shape, c.dtype(), std::move(body), {near, far}));
    std::vector<int> axes;
    for (int a = 0; a < near.rank(); ++a)
        axes.push_back(a);
    if (reduction == 1) body = literal(1.0 / double(pointCount(near.shape))) * body;
    return result(b.reduce(c.node(), c.dtype(), Combine::sum, std::move(body), {near, far}, axes, false));
}
/// dot / (max(|x|, eps) * max(|y|, eps))
Value cosineSimilarity(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "x1"), y = c.operand(1, "x2");
    const int axes[] = {c.dimension(2, "dim", x.rank(), 1)};
    const double eps = c.number(3, "eps", 1e-8);
    const Operand dot =
        b.reduce(c.node() + ".dot", c.dtype(), Combine::sum, operandAt(0) * operandAt(1), {x, y}, axes, false);
    const Operand nx = norm2(b, c.node() + ".norm1", c.dtype(), x, axes, false),
                  ny = norm2(b, c.node() + ".norm2", c.dtype(), y, axes, false);
    const auto limited = [eps](std::size_t i) {
        return Expression::of(Function::clamp,
                              {operandAt(i), literal(eps), literal(std::numeric_limits<double>::infinity())});
    };
    return result(b.pointwise(c.node(), dot.shape, c.dtype(), operandAt(0) / (limited(1) * limited(2)), {dot, nx, ny}));
}

constexpr Entry lossEntries[] = {
    {"mse_loss", mse},
    {"l1_loss", l1},
    {"smooth_l1_loss", smoothL1},
    {"kl_div", klDiv},
    {"cross_entropy_loss", crossEntropy},
    {"triplet_margin_loss", tripletMargin},
    {"cosine_similarity", cosineSimilarity},
};

} // namespace

Family lossFamily() {
    return lossEntries;
}

} // namespace kernelarium::algebra::lowering
