// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Space.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::tuning {

/// What an expression over parameters computes: steps for a machine with a stack. Made by parseExpression(). Evaluation
/// changes nothing, allocates nothing and ends after as many steps as there are; millions a second.
///
/// Operators, from the loosest: `a ? b : c` and `b if a else c`; `||` or `or`; `&&` or `and`; `not`; the comparisons
/// `== != < <= > >= in`, `not in`, which chain (`32 <= x < 64`); `+ -`; `* / % //`; the signs and `!`; `**`.
/// Functions: min, max, abs, pow2 (is it a power of two?), int, float. Lists: [1, 2], (1, 2), {1, 2}.
class Expression {
public:
    /// Whose arithmetic it is. In C++'s, 7 / 2 is 3 and -7 % 2 is -1; in Python's they are 3.5 and 1, and `a or b` is
    /// the first of both that is true. `//` divides and rounds down in both. A chain that mixes == with < is one in
    /// Python's, and refused in C++'s, where it would mean something else to the compiler.
    enum class Rules { cpp, python };

    enum class Code : std::uint8_t {
        constant,
        parameter,
        negate,
        plus,
        invert,
        truth,
        add,
        subtract,
        multiply,
        divide,
        trueDivide,
        floorDivide,
        remainder,
        floorRemainder,
        power,
        equal,
        unequal,
        less,
        lessEqual,
        greater,
        greaterEqual,
        chain,   ///< a b: where the comparison `extra` holds, b; otherwise false and a jump
        matches, ///< x e: where they are equal, true and a jump; otherwise x
        isNone,  ///< x: false
        jump,
        jumpIfFalse,
        keepIfTrue,
        keepIfFalse, ///< jumps with the value where it is so, drops it otherwise
        smaller,
        larger,
        absolute,
        powerOfTwo,
        toInteger,
        toReal
    };
    struct Step {
        Code code = Code::constant;
        Code extra = Code::constant;
        std::uint32_t operand = 0; ///< of a constant or parameter, or where a jump goes
    };
    static constexpr std::size_t deepestStack = 128;

    Expression(std::vector<Step> steps, std::vector<Value> constants);

    /// Empty where it cannot be calculated: a division by zero, an overflow of 64 bits, a word in arithmetic.
    [[nodiscard]] std::optional<Value> value(const Space::Values& values) const;
    /// Whether it can be calculated and is true or not zero.
    [[nodiscard]] bool holds(const Space::Values& values) const;
    /// The parameters that it names, ascending.
    [[nodiscard]] const std::vector<std::size_t>& reads() const { return m_reads; }

private:
    std::vector<Step> m_steps;
    std::vector<Value> m_constants;
    std::vector<std::size_t> m_reads;
};

} // namespace kernelarium::tuning
