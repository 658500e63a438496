// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/lowering/Builder.h"

#include <span>
#include <string_view>

namespace kernelarium::algebra::lowering {

/// How an operator becomes formulas.
using Rule = Value (*)(Builder&, const OperatorCall&);
struct Entry {
    std::string_view op; ///< without "aten." and overload: "conv2d"
    Rule rule;
};
using Family = std::span<const Entry>;
Family pointwiseFamily();
Family viewFamily();
Family assemblyFamily(); ///< cat, pad, roll, tril, masks: parts of several, or of none
Family productFamily();
Family convolutionFamily();
Family reductionFamily();
Family poolingFamily();
Family normFamily();
Family lossFamily();
Family recurrentFamily();

[[nodiscard]] inline Value result(Operand operand) {
    return Value{std::move(operand)};
}

/// Building blocks that several families need.
[[nodiscard]] Operand matmul(Builder& b, const std::string& name, DType dtype, Operand x, Operand y);
[[nodiscard]] Operand softmax(Builder& b, const std::string& name, DType dtype, const Operand& x, int axis);
[[nodiscard]] Operand logSoftmax(Builder& b, const std::string& name, DType dtype, const Operand& x, int axis);
[[nodiscard]] Operand linear(Builder& b, const std::string& name, DType dtype, const Operand& x, const Operand& weight,
                             const std::optional<Operand>& bias);
/// (sum |x|^2)^(1/2) and its like.
[[nodiscard]] Operand norm2(Builder& b, const std::string& name, DType dtype, const Operand& x,
                            std::span<const int> axes, bool keep);
[[nodiscard]] Operand mean(Builder& b, const std::string& name, DType dtype, const Operand& x,
                           std::span<const int> axes, bool keep);
/// Parts beside each other along one axis.
[[nodiscard]] Operand joined(Builder& b, const std::string& name, DType dtype, const std::vector<Operand>& parts,
                             int axis);

/// Shorthand for bodies.
[[nodiscard]] inline Expression operator+(Expression a, Expression b) {
    return Expression::of(Function::add, {std::move(a), std::move(b)});
}
[[nodiscard]] inline Expression operator-(Expression a, Expression b) {
    return Expression::of(Function::sub, {std::move(a), std::move(b)});
}
[[nodiscard]] inline Expression operator*(Expression a, Expression b) {
    return Expression::of(Function::mul, {std::move(a), std::move(b)});
}
[[nodiscard]] inline Expression operator/(Expression a, Expression b) {
    return Expression::of(Function::div, {std::move(a), std::move(b)});
}
[[nodiscard]] inline Expression literal(double value) {
    return Expression::number(value);
}
[[nodiscard]] inline Expression operandAt(std::size_t i) {
    return Expression::read(i);
}
[[nodiscard]] inline Expression call(Function f, Expression a) {
    return Expression::of(f, {std::move(a)});
}

} // namespace kernelarium::algebra::lowering
