// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that work element by element.
#include "core/algebra/lowering/Families.h"

namespace kernelarium::algebra::lowering {

namespace {

Value mapped(Builder& b, const OperatorCall& c, Expression body) {
    return result(b.pointwise(c.node(), c.shape(), c.dtype(), std::move(body), {c.operand(0, "self")}));
}
template <Function f> Value unary(Builder& b, const OperatorCall& c) {
    return mapped(b, c, call(f, operandAt(0)));
}
Expression withParameters(Function f, std::initializer_list<double> parameters) {
    std::vector<Expression> arguments{operandAt(0)};
    for (double p : parameters)
        arguments.push_back(literal(p));
    return Expression::of(f, std::move(arguments));
}
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Operators of two operands, either of which may be a number.
struct Pair {
    std::vector<Operand> operands;
    Expression a, b;
};
Pair pairOf(const OperatorCall& c) {
    Pair p;
    const auto side = [&](std::size_t i, const char* key) {
        if (!c.isOperand(i, key)) return literal(c.number(i, key, 0));
        p.operands.push_back(c.operand(i, key));
        return operandAt(p.operands.size() - 1);
    };
    p.a = side(0, "self");
    p.b = side(1, "other");
    return p;
}
template <Function f> Value binary(Builder& b, const OperatorCall& c) {
    Pair p = pairOf(c);
    const double alpha = c.number(2, "alpha", 1);
    if (c.has(2, "rounding_mode")) c.refuse("division that rounds");
    if (alpha != 1) p.b = literal(alpha) * p.b;
    return result(b.pointwise(c.node(), c.shape(), c.dtype(), Expression::of(f, {p.a, p.b}), p.operands));
}
Value rsub(Builder& b, const OperatorCall& c) {
    const Pair p = pairOf(c);
    Expression own = p.a;
    if (const double alpha = c.number(2, "alpha", 1); alpha != 1) own = literal(alpha) * own;
    return result(b.pointwise(c.node(), c.shape(), c.dtype(), p.b - own, p.operands));
}
Value power(Builder& b, const OperatorCall& c) {
    if (c.isOperand(1, "exponent")) c.refuse("an exponent that is a tensor");
    const double e = c.number(1, "exponent", 1);
    return mapped(b, c, e == 2 ? call(Function::square, operandAt(0)) : withParameters(Function::pow, {e}));
}
/// max.other and min.other; the same names with a dimension are reductions.
Value clamp(Builder& b, const OperatorCall& c) {
    if (c.isOperand(1, "min") || c.isOperand(2, "max")) c.refuse("limits that are tensors");
    return mapped(b, c, withParameters(Function::clamp, {c.number(1, "min", -infinity), c.number(2, "max", infinity)}));
}
Value clampMin(Builder& b, const OperatorCall& c) {
    return mapped(b, c, withParameters(Function::clamp, {c.number(1, "min", -infinity), infinity}));
}
Value clampMax(Builder& b, const OperatorCall& c) {
    return mapped(b, c, withParameters(Function::clamp, {-infinity, c.number(1, "max", infinity)}));
}
Value hardtanh(Builder& b, const OperatorCall& c) {
    return mapped(b, c, withParameters(Function::clamp, {c.number(1, "min_val", -1), c.number(2, "max_val", 1)}));
}
Value relu6(Builder& b, const OperatorCall& c) {
    return mapped(b, c, withParameters(Function::clamp, {0, 6}));
}
Value leakyRelu(Builder& b, const OperatorCall& c) {
    return mapped(b, c, withParameters(Function::leakyRelu, {c.number(1, "negative_slope", 0.01)}));
}
Value elu(Builder& b, const OperatorCall& c) {
    if (c.number(2, "scale", 1) != 1 || c.number(3, "input_scale", 1) != 1) c.refuse("scales other than 1");
    return mapped(b, c, withParameters(Function::elu, {c.number(1, "alpha", 1)}));
}
Value softplus(Builder& b, const OperatorCall& c) {
    return mapped(b, c, withParameters(Function::softplus, {c.number(1, "beta", 1), c.number(2, "threshold", 20)}));
}
Value gelu(Builder& b, const OperatorCall& c) {
    const bool tanh = c.text(1, "approximate", "none") == "tanh";
    return mapped(b, c, call(tanh ? Function::geluTanh : Function::gelu, operandAt(0)));
}
/// A conversion: formulas are of real numbers, so that one between floating types, or to a type that holds all of the
/// operand's values, changes nothing.
Value converted(Builder& b, const OperatorCall& c) {
    Operand x = c.operand(0, "self");
    if (c.dtype() == DType::Bool && x.dtype != DType::Bool) c.refuse("a conversion to true and false");
    if (isFloating(x.dtype) && !isFloating(c.dtype())) return unary<Function::trunc>(b, c);
    x.dtype = c.dtype();
    return result(std::move(x));
}
Value same(Builder&, const OperatorCall& c) {
    return result(c.operand(0, "self"));
}
/// In training its mask is drawn anew with every call: an input that nobody gives.
Value dropout(Builder& b, const OperatorCall& c) {
    const double p = c.number(1, "p", 0.5);
    const Operand x = c.operand(0, "input");
    if (p == 0 || !c.flag(2, "train", true)) return result(x);
    if (p >= 1) c.refuse("a dropout of everything");
    Input drawn;
    drawn.cardTensor = Input::drawn;
    const Operand mask = b.input(c.node() + ".mask", x.shape, c.dtype(), drawn);
    return result(
        b.pointwise(c.node(), x.shape, c.dtype(), operandAt(0) * operandAt(1) * literal(1 / (1 - p)), {x, mask}));
}

constexpr Entry pointwiseEntries[] = {
    {"add", binary<Function::add>},
    {"sub", binary<Function::sub>},
    {"mul", binary<Function::mul>},
    {"multiply", binary<Function::mul>},
    {"div", binary<Function::div>},
    {"maximum", binary<Function::max>},
    {"minimum", binary<Function::min>},
    {"eq", binary<Function::equal>},
    {"lt", binary<Function::less>},
    {"rsub", rsub},
    {"pow", power},
    {"relu", unary<Function::relu>},
    {"sigmoid", unary<Function::sigmoid>},
    {"tanh", unary<Function::tanh>},
    {"exp", unary<Function::exp>},
    {"log", unary<Function::log>},
    {"sqrt", unary<Function::sqrt>},
    {"abs", unary<Function::abs>},
    {"neg", unary<Function::neg>},
    {"erf", unary<Function::erf>},
    {"silu", unary<Function::silu>},
    {"mish", unary<Function::mish>},
    {"selu", unary<Function::selu>},
    {"hardsigmoid", unary<Function::hardsigmoid>},
    {"hardswish", unary<Function::hardswish>},
    {"softsign", unary<Function::softsign>},
    {"square", unary<Function::square>},
    {"bitwise_not", unary<Function::logicalNot>},
    {"logical_not", unary<Function::logicalNot>},
    {"clamp", clamp},
    {"clamp_min", clampMin},
    {"clamp_max", clampMax},
    {"hardtanh", hardtanh},
    {"relu6", relu6},
    {"leaky_relu", leakyRelu},
    {"elu", elu},
    {"softplus", softplus},
    {"gelu", gelu},
    {"to", converted},
    {"clone", same},
    {"contiguous", same},
    {"alias", same},
    {"detach", same},
    {"dropout", dropout},
};

} // namespace

Family pointwiseFamily() {
    return pointwiseEntries;
}

} // namespace kernelarium::algebra::lowering
