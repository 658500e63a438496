// SPDX-License-Identifier: GPL-3.0-or-later
// Norms: mean and squared distances from it, then an affine map.
#include "core/algebra/lowering/Families.h"

namespace kernelarium::algebra::lowering {

namespace {

/// What a norm's elements share: x is seen as [outer..., inner...], its statistics over the `inner` axes.
struct Statistics {
    Operand mean, scale; ///< scale: 1 / sqrt(variance + eps); both with the inner axes as 1
};
Statistics statisticsOf(Builder& b, const OperatorCall& c, const Operand& x, std::span<const int> axes, double eps) {
    double n = 1;
    for (int a : axes)
        n *= double(x.shape[std::size_t(a)]);
    Statistics s;
    s.mean = mean(b, c.node() + ".mean", c.dtype(), x, axes, true);
    const Operand squares = b.reduce(c.node() + ".squares", c.dtype(), Combine::sum,
                                     call(Function::square, operandAt(0) - operandAt(1)), {x, s.mean}, axes, true);
    s.scale = b.pointwise(c.node() + ".scale", squares.shape, c.dtype(),
                          literal(1) / call(Function::sqrt, literal(1.0 / n) * operandAt(0) + literal(eps)), {squares});
    return s;
}

/// A vector of the channels as [C, 1, 1, ...], to broadcast over x.
Operand perChannel(Builder& b, const Operand& v, const Operand& x) {
    Extents shape(std::size_t(x.rank() - 1), 1);
    shape[0] = v.shape[0];
    return b.reshaped(v, std::move(shape));
}

Operand normalised(Builder& b, const OperatorCall& c, const Operand& x, const Operand& mean, const Operand& scale,
                   const std::optional<Operand>& weight, const std::optional<Operand>& bias) {
    std::vector<Operand> operands{x, mean, scale};
    Expression body = (operandAt(0) - operandAt(1)) * operandAt(2);
    for (const auto& [v, isWeight] : {std::pair(weight, true), std::pair(bias, false)}) {
        if (!v) continue;
        operands.push_back(*v);
        body = isWeight ? body * operandAt(operands.size() - 1) : body + operandAt(operands.size() - 1);
    }
    return b.pointwise(c.node(), x.shape, c.dtype(), std::move(body), operands);
}

std::optional<Operand> channelArgument(Builder& b, const OperatorCall& c, std::size_t i, const char* key,
                                       const Operand& x) {
    const std::optional<Operand> v = c.optional(i, key);
    return v ? std::optional(perChannel(b, *v, x)) : std::nullopt;
}

Value batchNorm(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input");
    const auto weight = channelArgument(b, c, 1, "weight", x), bias = channelArgument(b, c, 2, "bias", x);
    const double eps = c.number(7, "eps", 1e-5);
    if (!c.flag(5, "training", false)) {
        const auto mean = channelArgument(b, c, 3, "running_mean", x), var = channelArgument(b, c, 4, "running_var", x);
        if (!mean || !var) c.refuse("no running statistics");
        const Operand scale = b.pointwise(c.node() + ".scale", var->shape, c.dtype(),
                                          literal(1) / call(Function::sqrt, operandAt(0) + literal(eps)), {*var});
        return result(normalised(b, c, x, *mean, scale, weight, bias));
    }
    std::vector<int> axes{0};
    for (int a = 2; a < x.rank(); ++a)
        axes.push_back(a);
    const Statistics s = statisticsOf(b, c, x, axes, eps);
    return result(normalised(b, c, x, s.mean, s.scale, weight, bias));
}

Value instanceNorm(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input");
    if (!c.flag(5, "use_input_stats", true)) c.refuse("running statistics");
    std::vector<int> axes;
    for (int a = 2; a < x.rank(); ++a)
        axes.push_back(a);
    const Statistics s = statisticsOf(b, c, x, axes, c.number(7, "eps", 1e-5));
    return result(normalised(b, c, x, s.mean, s.scale, channelArgument(b, c, 1, "weight", x),
                             channelArgument(b, c, 2, "bias", x)));
}

Value layerNorm(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input");
    const int inner = int(c.integers(1, "normalized_shape").size());
    std::vector<int> axes;
    for (int a = x.rank() - inner; a < x.rank(); ++a)
        axes.push_back(a);
    const Statistics s = statisticsOf(b, c, x, axes, c.number(4, "eps", 1e-5));
    return result(normalised(b, c, x, s.mean, s.scale, c.optional(2, "weight"), c.optional(3, "bias")));
}

/// Statistics over the channels of a group and all places: x as [N, G, C/G, ...].
Value groupNorm(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input");
    const std::int64_t groups = c.integer(1, "num_groups", 1), each = x.shape[1] / groups;
    Extents parted = x.shape;
    parted[1] = each;
    parted.insert(parted.begin() + 1, groups);
    std::vector<int> axes;
    for (int a = 2; a < int(parted.size()); ++a)
        axes.push_back(a);
    const Statistics s = statisticsOf(b, c, b.reshaped(x, parted), axes, c.number(4, "eps", 1e-5));
    const auto ofGroup = [&](const Operand& v) { // [N, G, 1, ...] at [n, c / each]
        std::vector<Index> indices{Index::axis(0), Index{0, {{1, 1, each, 0}}, 1}};
        indices.resize(v.shape.size(), Index::constant(0));
        return b.view(v, std::move(indices), x.shape);
    };
    return result(normalised(b, c, x, ofGroup(s.mean), ofGroup(s.scale), channelArgument(b, c, 2, "weight", x),
                             channelArgument(b, c, 3, "bias", x)));
}

/// x / sqrt(mean of x^2 + eps) * weight
Value rmsNorm(Builder& b, const OperatorCall& c) {
    const Operand x = c.operand(0, "input");
    const int inner = int(c.integers(1, "normalized_shape").size());
    std::vector<int> axes;
    double n = 1;
    for (int a = x.rank() - inner; a < x.rank(); ++a) {
        axes.push_back(a);
        n *= double(x.shape[std::size_t(a)]);
    }
    const double eps = c.number(3, "eps", unitRoundoff(x.dtype) * 2);
    const Operand squares =
        b.reduce(c.node() + ".squares", c.dtype(), Combine::sum, call(Function::square, operandAt(0)), {x}, axes, true);
    const Operand scale =
        b.pointwise(c.node() + ".scale", squares.shape, c.dtype(),
                    literal(1) / call(Function::sqrt, literal(1.0 / n) * operandAt(0) + literal(eps)), {squares});
    std::vector<Operand> operands{x, scale};
    Expression body = operandAt(0) * operandAt(1);
    if (const std::optional<Operand> weight = c.optional(2, "weight")) {
        operands.push_back(*weight);
        body = body * operandAt(2);
    }
    return result(b.pointwise(c.node(), x.shape, c.dtype(), std::move(body), operands));
}

constexpr Entry normEntries[] = {{"batch_norm", batchNorm},
                                 {"instance_norm", instanceNorm},
                                 {"layer_norm", layerNorm},
                                 {"group_norm", groupNorm},
                                 {"rms_norm", rmsNorm}};

} // namespace

Family normFamily() {
    return normEntries;
}

} // namespace kernelarium::algebra::lowering
