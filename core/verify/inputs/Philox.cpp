// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/Philox.h"

#include <bit>
#include <cmath>

namespace kernelarium::verify {

namespace {

constexpr std::uint32_t multiplierA = 0xD2511F53u;
constexpr std::uint32_t multiplierB = 0xCD9E8D57u;
constexpr std::uint32_t keyStepA = 0x9E3779B9u;
constexpr std::uint32_t keyStepB = 0xBB67AE85u;

/// Natural logarithm of a normal positive number: mantissa in [sqrt(1/2), sqrt(2)), then the series of 2 artanh(s).
double naturalLog(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    int exponent = int(bits >> 52) - 1023;
    double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    const double square = s * s;
    double sum = 0;
    for (int term = 21; term >= 1; term -= 2)
        sum = sum * square + 1.0 / term;
    return 2.0 * s * sum + exponent * 0.6931471805599453;
}

struct SineCosine {
    double sine;
    double cosine;
};

/// Sine and cosine of 2 pi `turn`: Taylor series within an eighth of a turn around the nearest quarter.
SineCosine ofTurn(double turn) {
    const double quarters = turn * 4.0;
    const int quarter = int(quarters + 0.5);
    const double x = (quarters - quarter) * 1.5707963267948966;
    const double square = x * x;
    double sine = 1.0;
    double cosine = 1.0;
    for (int n = 8; n >= 1; --n) {
        sine = 1.0 - square / ((2.0 * n) * (2.0 * n + 1.0)) * sine;
        cosine = 1.0 - square / ((2.0 * n - 1.0) * (2.0 * n)) * cosine;
    }
    sine *= x;
    switch (quarter & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
    }
}

} // namespace

std::array<std::uint32_t, 4> Philox::operator()(std::array<std::uint32_t, 4> counter) const {
    std::array<std::uint32_t, 2> key = m_key;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t(multiplierA) * counter[0];
        const std::uint64_t b = std::uint64_t(multiplierB) * counter[2];
        counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b),
                   std::uint32_t(a >> 32) ^ counter[3] ^ key[1], std::uint32_t(a)};
        key[0] += keyStepA;
        key[1] += keyStepB;
    }
    return counter;
}

double unitInterval(std::uint32_t high, std::uint32_t low) {
    const std::uint64_t bits = (std::uint64_t(high) << 20) | (low >> 12);
    return double(bits) * 0x1p-52;
}

std::array<double, 2> normalPair(const std::array<std::uint32_t, 4>& words) {
    const double radiusDraw = 1.0 - unitInterval(words[0], words[1]); // in (0, 1]
    const double radius = std::sqrt(-2.0 * naturalLog(radiusDraw));
    const SineCosine angle = ofTurn(unitInterval(words[2], words[3]));
    return {radius * angle.cosine, radius * angle.sine};
}

} // namespace kernelarium::verify
