// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/fields/Rational.h"

#include <cmath>
#include <optional>

namespace kernelarium::proof {

namespace {

constexpr double closeness = 0x1p-51;
constexpr double exactIntegers = 0x1p53;

bool isClose(double value, double candidate) {
    return std::abs(value - candidate) <= closeness * std::abs(value);
}

/// Continued fraction: the first convergent that is close.
std::optional<Rational> fractionOf(double value) {
    constexpr double largestDenominator = 0x1p20;
    double rest = value, p = 1, q = 0, formerP = 0, formerQ = 1;
    for (int step = 0; step < 24; ++step) {
        const double whole = std::floor(rest);
        const double nextP = whole * p + formerP, nextQ = whole * q + formerQ;
        if (nextQ > largestDenominator || nextP >= exactIntegers) return std::nullopt;
        formerP = p, formerQ = q, p = nextP, q = nextQ;
        if (isClose(value, p / q)) return Rational{std::int64_t(p), std::int64_t(q), 0, false};
        if (rest - whole < 1e-12) return std::nullopt;
        rest = 1 / (rest - whole);
    }
    return std::nullopt;
}

std::optional<Rational> inverseOf(double value) {
    const double n = std::round(1 / value);
    if (n >= 1 && n < exactIntegers && isClose(value, 1 / n)) return Rational{1, std::int64_t(n), 0, false};
    return std::nullopt;
}

/// m / 10^k with m of at most 15 digits.
std::optional<Rational> decimalOf(double value) {
    double scale = 1;
    std::int64_t denominator = 1;
    for (int digits = 0; digits <= 15; ++digits, scale *= 10, denominator *= 10) {
        const double m = std::round(value * scale);
        if (m >= 1e15) break;
        if (m >= 1 && isClose(value, m / scale)) return Rational{std::int64_t(m), denominator, 0, false};
    }
    return std::nullopt;
}

} // namespace

Rational rationalOf(double value) {
    const double size = std::abs(value);
    if (size == 0 || !std::isfinite(value)) return {};
    std::optional<Rational> found = fractionOf(size);
    if (!found) found = inverseOf(size);
    if (!found) found = decimalOf(size);
    if (!found) {
        int exponent = 0;
        const double mantissa = std::frexp(size, &exponent);
        found = Rational{std::int64_t(std::ldexp(mantissa, 53)), 1, exponent - 53, true};
    }
    if (value < 0) found->numerator = -found->numerator;
    return *found;
}

} // namespace kernelarium::proof
