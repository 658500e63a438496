// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Expression.h"
#include "core/tuning/space/MarkTokens.h"

#include <functional>
#include <string>

namespace kernelarium::tuning {

/// What the words of an expression mean. A word that is none of these, but a value of one of the parameters (float4),
/// is that text.
struct ExpressionNames {
    const std::vector<Parameter>* parameters = nullptr;
    std::function<std::optional<Value>(std::string_view)> constant = {}; ///< those of the text that are no parameters
};

/// Reads as much as is an expression and stops at the first piece that goes on with none. What is wrong becomes one
/// problem: an unknown name, a word in arithmetic, a lone `=` or `&`, more than 64 levels of parentheses.
[[nodiscard]] std::optional<Expression> parseExpression(MarkStream& stream, const ExpressionNames& names,
                                                        Expression::Rules rules, TextProblems& problems);

/// The same, of no more than stands between two `and`.
[[nodiscard]] std::optional<Expression> parseConjunct(MarkStream& stream, const ExpressionNames& names,
                                                      Expression::Rules rules, TextProblems& problems);

/// The names of functions and operators that are words, for completion.
[[nodiscard]] const std::vector<std::string>& expressionWords();

} // namespace kernelarium::tuning
