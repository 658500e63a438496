// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Expression.h"

#include "core/task/OperatorCost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

struct FunctionFacts {
    Function function;
    std::string_view name;
    std::string_view costedAs; ///< in core/task/OperatorCost; empty: nothing
    bool monotone = false;
};
constexpr std::array functionFacts{
    FunctionFacts{Function::add, "add", "add"},
    FunctionFacts{Function::sub, "sub", "sub"},
    FunctionFacts{Function::mul, "mul", "mul"},
    FunctionFacts{Function::div, "div", "div"},
    FunctionFacts{Function::max, "max", "maximum", true},
    FunctionFacts{Function::min, "min", "minimum", true},
    FunctionFacts{Function::join, "join", ""},
    FunctionFacts{Function::neg, "neg", "neg"},
    FunctionFacts{Function::abs, "abs", "abs"},
    FunctionFacts{Function::square, "square", "pow"},
    FunctionFacts{Function::sqrt, "sqrt", "sqrt", true},
    FunctionFacts{Function::exp, "exp", "exp", true},
    FunctionFacts{Function::log, "log", "log", true},
    FunctionFacts{Function::tanh, "tanh", "tanh", true},
    FunctionFacts{Function::erf, "erf", "tanh", true},
    FunctionFacts{Function::trunc, "trunc", "", true},
    FunctionFacts{Function::pow, "pow", "pow"},
    FunctionFacts{Function::relu, "relu", "relu", true},
    FunctionFacts{Function::clamp, "clamp", "clamp", true},
    FunctionFacts{Function::leakyRelu, "leaky_relu", "leaky_relu", true},
    FunctionFacts{Function::sigmoid, "sigmoid", "sigmoid", true},
    FunctionFacts{Function::silu, "silu", "silu"},
    FunctionFacts{Function::gelu, "gelu", "gelu"},
    FunctionFacts{Function::geluTanh, "gelu_tanh", "gelu"},
    FunctionFacts{Function::mish, "mish", "mish"},
    FunctionFacts{Function::softplus, "softplus", "softplus", true},
    FunctionFacts{Function::elu, "elu", "elu"},
    FunctionFacts{Function::selu, "selu", "selu", true},
    FunctionFacts{Function::hardsigmoid, "hardsigmoid", "hardsigmoid", true},
    FunctionFacts{Function::hardswish, "hardswish", "hardswish"},
    FunctionFacts{Function::softsign, "softsign", "softsign", true},
    FunctionFacts{Function::equal, "equal", ""},
    FunctionFacts{Function::less, "less", ""},
    FunctionFacts{Function::logicalNot, "not", ""},
    FunctionFacts{Function::select, "select", ""},
    FunctionFacts{Function::xlogy, "xlogy", "mul"},
};
const FunctionFacts& factsOf(Function function) {
    return *std::find_if(functionFacts.begin(), functionFacts.end(),
                         [function](const FunctionFacts& f) { return f.function == function; });
}

double sigmoidOf(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}
double softplusOf(double x) {
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double eluOf(double x, double alpha) {
    return x > 0 ? x : alpha * std::expm1(x);
}
double hardsigmoidOf(double x) {
    return std::min(std::max(x + 3.0, 0.0), 6.0) / 6.0;
}

template <class F> double folded(std::span<const double> a, double first, F f) {
    double v = a.empty() ? first : a[0];
    for (std::size_t i = 1; i < a.size(); ++i)
        v = f(v, a[i]);
    return v;
}

} // namespace

std::string_view name(Function function) {
    return factsOf(function).name;
}

double valueOf(Function function, std::span<const double> a) {
    const double x = a.empty() ? 0 : a[0];
    switch (function) {
    case Function::add:
    case Function::join: return folded(a, 0, std::plus<>());
    case Function::mul: return folded(a, 1, std::multiplies<>());
    case Function::max: return folded(a, 0, [](double p, double q) { return q > p || std::isnan(q) ? q : p; });
    case Function::min: return folded(a, 0, [](double p, double q) { return q < p || std::isnan(q) ? q : p; });
    case Function::sub: return x - a[1];
    case Function::div: return x / a[1];
    case Function::neg: return -x;
    case Function::abs: return std::abs(x);
    case Function::square: return x * x;
    case Function::sqrt: return std::sqrt(x);
    case Function::exp: return std::exp(x);
    case Function::log: return std::log(x);
    case Function::tanh: return std::tanh(x);
    case Function::erf: return std::erf(x);
    case Function::trunc: return std::trunc(x);
    case Function::pow: return a[1] == 2.0 ? x * x : std::pow(x, a[1]);
    case Function::relu: return x > 0 || std::isnan(x) ? x : 0.0;
    case Function::clamp: return std::isnan(x) ? x : std::min(std::max(x, a[1]), a[2]);
    case Function::leakyRelu: return x > 0 ? x : x * a[1];
    case Function::sigmoid: return sigmoidOf(x);
    case Function::silu: return x / (1.0 + std::exp(-x));
    case Function::gelu: return 0.5 * x * (1.0 + std::erf(x * 0.70710678118654752440));
    case Function::geluTanh: return 0.5 * x * (1.0 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case Function::mish: return x * std::tanh(softplusOf(x));
    case Function::softplus: return x * a[1] > a[2] ? x : std::log1p(std::exp(x * a[1])) / a[1];
    case Function::elu: return eluOf(x, a[1]);
    case Function::selu: return 1.0507009873554805 * eluOf(x, 1.6732632423543772);
    case Function::hardsigmoid: return hardsigmoidOf(x);
    case Function::hardswish: return x * hardsigmoidOf(x);
    case Function::softsign: return x / (1.0 + std::abs(x));
    case Function::equal: return x == a[1] ? 1 : 0;
    case Function::less: return x < a[1] ? 1 : 0;
    case Function::logicalNot: return x == 0 ? 1 : 0;
    case Function::select: return x != 0 ? a[1] : a[2];
    case Function::xlogy: return x == 0 ? 0 : x * std::log(a[1]);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

bool isAssociative(Function f) {
    return f == Function::add || f == Function::mul || f == Function::max || f == Function::min || f == Function::join;
}

bool isMonotone(Function f) {
    return factsOf(f).monotone;
}

Expression Expression::number(double value) {
    Expression e;
    e.literal = value;
    return e;
}
Expression Expression::read(std::size_t operand) {
    Expression e;
    e.kind = Kind::operand;
    e.operand = operand;
    return e;
}
Expression Expression::ofAxis(int axis) {
    Expression e;
    e.kind = Kind::axis;
    e.axis = axis;
    return e;
}
Expression Expression::of(Function function, std::vector<Expression> arguments) {
    Expression e;
    e.kind = Kind::apply;
    e.function = function;
    e.arguments = std::move(arguments);
    return e;
}

std::vector<std::size_t> operandUses(const Expression& expression, std::size_t operands) {
    std::vector<std::size_t> uses(operands, 0);
    const std::function<void(const Expression&)> walk = [&](const Expression& e) {
        if (e.isRead()) ++uses.at(e.operand);
        for (const Expression& a : e.arguments)
            walk(a);
    };
    walk(expression);
    return uses;
}

Expression replaced(const Expression& e, const std::function<Expression(std::size_t)>& replace,
                    const std::function<Expression(int)>& replaceAxis) {
    if (e.isRead()) return replace(e.operand);
    if (e.kind == Expression::Kind::axis) return replaceAxis(e.axis);
    Expression out = e;
    for (Expression& a : out.arguments)
        a = replaced(a, replace, replaceAxis);
    return out;
}

double evaluate(const Expression& e, std::span<const double> operands, std::span<const std::int64_t> point) {
    switch (e.kind) {
    case Expression::Kind::literal: return e.literal;
    case Expression::Kind::operand: return operands[e.operand];
    case Expression::Kind::axis: return double(point[std::size_t(e.axis)]);
    case Expression::Kind::apply: break;
    }
    if (e.function == Function::add || e.function == Function::mul) {
        double v = evaluate(e.arguments[0], operands, point);
        for (std::size_t i = 1; i < e.arguments.size(); ++i) {
            const double w = evaluate(e.arguments[i], operands, point);
            v = e.function == Function::add ? v + w : v * w;
        }
        return v;
    }
    constexpr std::size_t few = 8;
    if (e.arguments.size() <= few) {
        std::array<double, few> values{};
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
            values[i] = evaluate(e.arguments[i], operands, point);
        return valueOf(e.function, std::span(values).first(e.arguments.size()));
    }
    std::vector<double> values;
    for (const Expression& a : e.arguments)
        values.push_back(evaluate(a, operands, point));
    return valueOf(e.function, values);
}

double flopsOf(const Expression& e) {
    if (e.kind != Expression::Kind::apply) return 0;
    double flops = 0;
    bool literals = true;
    for (const Expression& a : e.arguments) {
        flops += flopsOf(a);
        literals = literals && a.isLiteral();
    }
    if (literals) return 0;
    const FunctionFacts& facts = factsOf(e.function);
    if (facts.costedAs.empty()) return flops;
    const double times = isAssociative(e.function) ? double(std::max<std::size_t>(e.arguments.size(), 1) - 1) : 1;
    return flops + times * task::flopsPerElement(facts.costedAs);
}

Expression simplified(const Expression& e) {
    if (e.kind != Expression::Kind::apply) return e;
    Expression out = e;
    out.arguments.clear();
    for (const Expression& argument : e.arguments) {
        Expression a = simplified(argument);
        if (isAssociative(e.function) && a.is(e.function))
            out.arguments.insert(out.arguments.end(), a.arguments.begin(), a.arguments.end());
        else
            out.arguments.push_back(std::move(a));
    }
    std::vector<double> literals;
    for (const Expression& a : out.arguments)
        if (a.isLiteral()) literals.push_back(a.literal);
    if (literals.size() == out.arguments.size()) return Expression::number(valueOf(out.function, literals));
    if (out.is(Function::select) && out.arguments[0].isLiteral())
        return out.arguments[out.arguments[0].literal != 0 ? 1 : 2];
    if (out.is(Function::sub) && out.arguments[1].isLiteral(0)) return out.arguments[0];
    if (out.is(Function::div) && out.arguments[1].isLiteral(1)) return out.arguments[0];
    if (!isAssociative(out.function)) return out;
    if (!literals.empty()) {
        std::erase_if(out.arguments, [](const Expression& a) { return a.isLiteral(); });
        const double value = valueOf(out.function, literals);
        const bool isNeutral =
            (out.is(Function::mul) && value == 1) || ((out.is(Function::add) || out.is(Function::join)) && value == 0);
        if (!isNeutral) out.arguments.push_back(Expression::number(value));
    }
    return out.arguments.size() == 1 ? out.arguments.front() : out;
}

namespace {

std::string symbolOf(Function f) {
    switch (f) {
    case Function::add:
    case Function::join: return " + ";
    case Function::sub: return " - ";
    case Function::mul: return " * ";
    case Function::div: return " / ";
    default: return {};
    }
}
int precedence(const Expression& e) {
    if (e.kind != Expression::Kind::apply) return 3;
    if (e.is(Function::add) || e.is(Function::join) || e.is(Function::sub)) return 1;
    return e.is(Function::mul) || e.is(Function::div) ? 2 : 3;
}

} // namespace

std::string toString(const Expression& e, std::span<const std::string> operands, std::span<const std::string> axes) {
    switch (e.kind) {
    case Expression::Kind::literal: return fmt::format("{:.7g}", e.literal);
    case Expression::Kind::operand: return operands[e.operand];
    case Expression::Kind::axis: return std::size_t(e.axis) < axes.size() ? axes[std::size_t(e.axis)] : "index";
    case Expression::Kind::apply: break;
    }
    const std::string symbol = symbolOf(e.function);
    std::string text;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        std::string part = toString(e.arguments[i], operands, axes);
        const bool right = i > 0 && (e.is(Function::sub) || e.is(Function::div));
        if (!symbol.empty() &&
            (precedence(e.arguments[i]) < precedence(e) || (right && precedence(e.arguments[i]) == precedence(e))))
            part = "(" + part + ")";
        text += (i == 0 ? "" : symbol.empty() ? ", " : symbol) + part;
    }
    return symbol.empty() ? fmt::format("{}({})", name(e.function), text) : text;
}

} // namespace kernelarium::algebra
