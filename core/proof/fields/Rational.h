// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::proof {

/// The number that a literal of a formula stands for: numerator / denominator * 2^exponent.
struct Rational {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    int exponent = 0;
    /// The literal is taken for exactly what its bits say because no fraction with a small denominator and no decimal
    /// number of 15 digits rounds to it: it may stand for an irrational number, and what was computed from it (a
    /// product of literals, say) is rounded once more and no longer the same in a field.
    bool isRounded = false;
};

/// The simplest of what rounds to this double (within 2^-51 of it): a fraction with a denominator below 2^20, 1/n, a
/// decimal number, and else the double itself. So 1.0 / 27 is 1/27, and three times it is 1/9. Finite values only.
[[nodiscard]] Rational rationalOf(double value);

} // namespace kernelarium::proof
