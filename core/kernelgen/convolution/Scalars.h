// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Expression.h"

#include <functional>
#include <set>
#include <string>

namespace kernelarium::kernelgen::convolution {

/// Writes formulas as float32 device code, and remembers which functions of its own they call.
class Scalars {
public:
    /// "fmaxf(a + b, 0.0f)"; `operand` gives the text of an operand, an identifier or in parentheses.
    [[nodiscard]] std::string text(const algebra::Expression& e,
                                   const std::function<std::string(std::size_t)>& operand);
    /// Definitions of the functions that were called.
    [[nodiscard]] std::string functions() const;

private:
    std::set<algebra::Function> m_used;
};

/// A float32 literal: "0.5f".
[[nodiscard]] std::string literalText(double value);

} // namespace kernelarium::kernelgen::convolution
