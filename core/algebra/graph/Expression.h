// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Index.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::algebra {

/// A scalar function by its name. What stands behind each: arguments, and parameters, which are literals and come last.
enum class Function {
    add,         ///< any number of arguments
    sub,         ///< a - b
    mul,         ///< any number of arguments
    div,         ///< a / b
    max,         ///< any number of arguments
    min,         ///< any number of arguments
    join,        ///< any number of arguments, of which at most one is not 0 at any point (parts of a `cat`): their sum
    neg,         ///< -a
    abs,         ///< |a|
    square,      ///< a * a
    sqrt,        ///< of a >= 0
    exp,         ///< e^a
    log,         ///< natural
    tanh,        ///<
    erf,         ///<
    trunc,       ///< a without its fraction: the conversion to a whole number
    pow,         ///< a; exponent
    relu,        ///< max(a, 0)
    clamp,       ///< a; low, high: min(max(a, low), high); either may be infinite
    leakyRelu,   ///< a; slope
    sigmoid,     ///< 1 / (1 + e^-a)
    silu,        ///< a * sigmoid(a)
    gelu,        ///< a / 2 * (1 + erf(a / sqrt 2))
    geluTanh,    ///< the tanh approximation
    mish,        ///< a * tanh(log(1 + e^a))
    softplus,    ///< a; beta, threshold: log(1 + e^(beta a)) / beta, a itself where beta a > threshold
    elu,         ///< a; alpha: a where a > 0, else alpha (e^a - 1)
    selu,        ///< 1.0507009873554805 * elu(a; 1.6732632423543772)
    hardsigmoid, ///< clamp(a + 3; 0, 6) / 6
    hardswish,   ///< a * hardsigmoid(a)
    softsign,    ///< a / (1 + |a|)
    equal,       ///< 1 where a == b, else 0
    less,        ///< 1 where a < b, else 0
    logicalNot,  ///< 1 where a == 0, else 0
    select,      ///< c, a, b: a where c != 0, else b
    xlogy,       ///< a * log b, 0 where a == 0
};

[[nodiscard]] std::string_view name(Function function); ///< "add", "leaky_relu", "gelu_tanh", ...
/// Its value in float64.
[[nodiscard]] double valueOf(Function function, std::span<const double> arguments);
/// Whether it is add, mul, max, min or join: any number of arguments, in any order and grouping (in the reals).
[[nodiscard]] bool isAssociative(Function function);
/// Whether a <= b implies f(a) <= f(b), with its literals given (arguments after the first): clamp, relu, tanh, ...
/// gelu, silu, mish and hardswish are not.
[[nodiscard]] bool isMonotone(Function function);

/// What is computed at one point: a tree of scalar functions over literals, operands and axes.
struct Expression {
    enum class Kind {
        literal, ///< `literal`
        operand, ///< read number `operand` of the definition
        axis,    ///< the value of axis `axis` of the definition's space, as a number
        apply,   ///< `function` of `arguments`
    };
    Kind kind = Kind::literal;
    double literal = 0;
    std::size_t operand = 0;
    int axis = 0;
    Function function = Function::add;
    std::vector<Expression> arguments;

    bool operator==(const Expression&) const = default;

    [[nodiscard]] static Expression number(double value);
    [[nodiscard]] static Expression read(std::size_t operand);
    [[nodiscard]] static Expression ofAxis(int axis);
    [[nodiscard]] static Expression of(Function function, std::vector<Expression> arguments);

    [[nodiscard]] bool isLiteral() const { return kind == Kind::literal; }
    [[nodiscard]] bool isLiteral(double value) const { return kind == Kind::literal && literal == value; }
    [[nodiscard]] bool isRead() const { return kind == Kind::operand; }
    [[nodiscard]] bool is(Function f) const { return kind == Kind::apply && function == f; }
};

/// How often each operand occurs; `operands` is how many there are.
[[nodiscard]] std::vector<std::size_t> operandUses(const Expression& expression, std::size_t operands);
/// With every operand replaced by what `replace` gives for it, and every axis by what `replaceAxis` gives.
[[nodiscard]] Expression replaced(const Expression& expression, const std::function<Expression(std::size_t)>& replace,
                                  const std::function<Expression(int)>& replaceAxis = Expression::ofAxis);
/// Its value from the operands' and the axes' values.
[[nodiscard]] double evaluate(const Expression& expression, std::span<const double> operands,
                              std::span<const std::int64_t> point);
/// Floating-point operations of one evaluation, as core/task/OperatorCost counts them: a function of this list by its
/// rate there; literals alone and `join` cost nothing.
[[nodiscard]] double flopsOf(const Expression& expression);
/// Literals computed, sums and products flattened, neutral elements dropped. Exact in the reals.
[[nodiscard]] Expression simplified(const Expression& expression);
/// "relu(x * w + b)", with the names given for the operands.
[[nodiscard]] std::string toString(const Expression& expression, std::span<const std::string> operandNames,
                                   std::span<const std::string> axisNames = {});

} // namespace kernelarium::algebra
