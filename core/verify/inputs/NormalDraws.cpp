// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same operations as in Philox.cpp in the same order, written as loops over many draws without a branch, which
// compilers turn into vector instructions: every one of them is exact or rounds as IEEE 754 says, so the bits are those
// of one draw at a time. No fused operation may come in (the project is compiled with -ffp-contract=off).
#include "core/verify/inputs/NormalDraws.h"

#include <bit>
#include <cmath>

#if defined(__x86_64__) && defined(__GLIBC__)
#define KL_FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define KL_FOR_EACH_PROCESSOR
#endif

namespace kernelarium::verify {

namespace {

constexpr std::size_t n = pairsAtATime;
using Words = std::uint32_t[4][n];
using Numbers = double[n];

[[gnu::always_inline]] inline void drawWords(std::array<std::uint32_t, 2> key, std::uint64_t first, std::uint32_t index,
                                             std::uint32_t stream, Words& w) {
    constexpr std::uint32_t multiplierA = 0xD2511F53u, multiplierB = 0xCD9E8D57u;
    constexpr std::uint32_t keyStepA = 0x9E3779B9u, keyStepB = 0xBB67AE85u;
    for (std::size_t i = 0; i < n; ++i) {
        w[0][i] = std::uint32_t(first + i);
        w[1][i] = std::uint32_t((first + i) >> 32);
        w[2][i] = index;
        w[3][i] = stream;
    }
    for (int round = 0; round < 10; ++round) {
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t a = std::uint64_t(multiplierA) * w[0][i];
            const std::uint64_t b = std::uint64_t(multiplierB) * w[2][i];
            w[0][i] = std::uint32_t(b >> 32) ^ w[1][i] ^ key[0];
            w[1][i] = std::uint32_t(b);
            w[2][i] = std::uint32_t(a >> 32) ^ w[3][i] ^ key[1];
            w[3][i] = std::uint32_t(a);
        }
        key[0] += keyStepA;
        key[1] += keyStepB;
    }
}

/// 1 + the number in [0, 1): its 52 bits are a double's fraction, so nothing is rounded when 1 is taken off again.
[[gnu::always_inline]] inline double oneAndMore(std::uint32_t high, std::uint32_t low) {
    return std::bit_cast<double>(0x3ff0000000000000ull | (std::uint64_t(high) << 20) | (low >> 12));
}

[[gnu::always_inline]] inline double logarithm(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const double fraction = std::bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
    // The exponent as the last bits of 2^52 + exponent + 1023: a conversion that every instruction set has.
    const double power = std::bit_cast<double>((bits >> 52) | 0x4330000000000000ull) - (0x1p52 + 1023);
    const bool large = fraction > 1.4142135623730951;
    const double mantissa = large ? fraction * 0.5 : fraction;
    const double exponent = large ? power + 1 : power;
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    const double square = s * s;
    double sum = 0;
#pragma GCC unroll 16
    for (int term = 21; term >= 1; term -= 2)
        sum = sum * square + 1.0 / term;
    return 2.0 * s * sum + exponent * 0.6931471805599453;
}

} // namespace

KL_FOR_EACH_PROCESSOR
void drawUnits(const Philox& generator, std::uint64_t first, std::uint32_t index, std::uint32_t stream,
               DrawnPairs& out) {
    alignas(64) Words w;
    drawWords(generator.key(), first, index, stream, w);
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = oneAndMore(w[0][i], w[1][i]) - 1.0;
        out[2 * i + 1] = oneAndMore(w[2][i], w[3][i]) - 1.0;
    }
}

KL_FOR_EACH_PROCESSOR
void drawNormals(const Philox& generator, std::uint64_t first, std::uint32_t index, std::uint32_t stream,
                 DrawnPairs& out) {
    alignas(64) Words w;
    alignas(64) Numbers radius, sines, cosines;
    drawWords(generator.key(), first, index, stream, w);
    for (std::size_t i = 0; i < n; ++i)
        radius[i] = std::sqrt(-2.0 * logarithm(1.0 - (oneAndMore(w[0][i], w[1][i]) - 1.0)));
    for (std::size_t i = 0; i < n; ++i) {
        const double quarters = (oneAndMore(w[2][i], w[3][i]) - 1.0) * 4.0;
        const double quarter = double(int(quarters + 0.5));
        const double x = (quarters - quarter) * 1.5707963267948966;
        const double square = x * x;
        double sine = 1.0, cosine = 1.0;
#pragma GCC unroll 8
        for (int k = 8; k >= 1; --k) {
            sine = 1.0 - square / ((2.0 * k) * (2.0 * k + 1.0)) * sine;
            cosine = 1.0 - square / ((2.0 * k - 1.0) * (2.0 * k)) * cosine;
        }
        sine *= x;
        const bool swapped = (quarter == 1.0) | (quarter == 3.0);
        const double s = swapped ? cosine : sine, c = swapped ? sine : cosine;
        sines[i] = (quarter == 2.0) | (quarter == 3.0) ? -s : s;
        cosines[i] = (quarter == 1.0) | (quarter == 2.0) ? -c : c;
    }
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = radius[i] * cosines[i];
        out[2 * i + 1] = radius[i] * sines[i];
    }
}

} // namespace kernelarium::verify
