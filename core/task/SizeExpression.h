// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kernelarium::task {

/// The values of a card's symbols at one size, in the card's order: {"B", 16}, {"H", 64}.
using Symbols = std::vector<std::pair<std::string, std::int64_t>>;

/// A size: a number, or an expression of symbols with + - * / (rounding down) and parentheses, such as "B*8"
/// or "H/2+1".
class SizeExpression {
public:
    SizeExpression() = default;
    SizeExpression(std::int64_t value)
        : m_text(std::to_string(value)) {}
    explicit SizeExpression(std::string text)
        : m_text(std::move(text)) {}

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Whether it is a plain number.
    [[nodiscard]] bool isNumber() const;
    /// Error "bad_card" for an unknown symbol, a syntax error or a division by zero.
    [[nodiscard]] Result<std::int64_t> evaluate(const Symbols& symbols) const;

private:
    std::string m_text = "0";
};

} // namespace kernelarium::task
