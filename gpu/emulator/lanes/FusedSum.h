// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums of products as tensor cores add them (gpu/emulator/code/MatrixOp.h, "exact"): of some products and one number
// that they are added to, each is cut off below the same bit, which lies a fixed number of bits under the largest
// exponent among them; the cut numbers are added without error, and the sum is rounded once.
#pragma once

#include "gpu/emulator/code/MatrixOp.h"
#include "gpu/emulator/lanes/Lanes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kernelarium::emulator::KL_ISA {

/// Numbers as mantissa * 2^(exponent - bits of the mantissa's fraction), the mantissa with its sign. A product's
/// exponent is the sum of its factors', whatever the product of their mantissas.
struct SplitNumber {
    std::int32_t mantissa = 0, exponent = 0;
};

constexpr std::int32_t exponentOfZero = -20000; ///< of no account beside any other number

/// Of a finite number with these bits.
template <int ExponentBits, int FractionBits>
[[gnu::always_inline]] inline SplitNumber splitNumber(std::uint32_t bits) {
    constexpr std::int32_t bias = (1 << (ExponentBits - 1)) - 1;
    const auto fraction = std::int32_t(bits & ((1u << FractionBits) - 1));
    const auto field = std::int32_t(bits >> FractionBits & ((1u << ExponentBits) - 1));
    const std::int32_t size = field ? fraction | 1 << FractionBits : fraction;
    const std::int32_t exponent = size ? std::max(field, 1) - bias : exponentOfZero;
    return {(bits >> (ExponentBits + FractionBits) & 1u) ? -size : size, exponent};
}

/// One block of products: rows of A, columns of B, `depth` of them for each sum.
struct FusedBlock {
    std::uint32_t rows = 0, columns = 0, depth = 0;
    const SplitNumber* a = nullptr; ///< row after row, aStride apart
    const std::int32_t* bMantissa =
        nullptr; ///< k after k, bStride apart, a multiple of 16 that columns are filled up to
    const std::int32_t* bExponent = nullptr;
    std::uint32_t aStride = 0, bStride = 0;
    int aFraction = 0, bFraction = 0; ///< bits of the mantissas' fractions
    SumRule rule;
};

/// Cut off to as many significant bits, towards zero; beyond float32's range infinite.
[[gnu::always_inline]] inline float cutToFloat(double x, int kept) {
    const std::uint64_t mask = ~std::uint64_t(0) << (53 - kept);
    const double normal = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & mask);
    const bool isTiny = std::fabs(x) < 0x1p-126;
    const double tiny = double(std::int64_t((isTiny ? x : 0.0) * 0x1p149)) * 0x1p-149;
    return float(isTiny ? tiny : normal);
}

/// sums[row * bStride + column] += products, as a finite float32 that the rule cuts off; of what is finite. `exact`, if
/// any, has the sums before they are cut to float32.
inline void addFused(const FusedBlock& f, float* sums, double* exact) {
    constexpr std::uint32_t width = 16;
    const int up = f.rule.fraction - f.aFraction - f.bFraction;
    for (std::uint32_t r = 0; r < f.rows; ++r) {
        const SplitNumber* a = f.a + r * f.aStride;
        for (std::uint32_t n0 = 0; n0 < f.columns; n0 += width) {
            float* c = sums + r * f.bStride + n0;
            alignas(64) std::int32_t cMantissa[width], top[width], cExponent[width], sign[width];
            for (std::uint32_t i = 0; i < width; ++i) {
                const auto bits = std::bit_cast<std::uint32_t>(c[i]);
                const auto field = std::int32_t(bits >> 23 & 255);
                const auto fraction = std::int32_t(bits & 0x7fffff);
                cMantissa[i] = field ? fraction | 0x800000 : fraction;
                sign[i] = std::int32_t(bits) >> 31;
                cExponent[i] = cMantissa[i] ? std::max(field, 1) - 127 : exponentOfZero;
                top[i] = cExponent[i];
            }
            for (std::uint32_t k = 0; k < f.depth; ++k) {
                const std::int32_t* e = f.bExponent + k * f.bStride + n0;
                const std::int32_t ea = a[k].exponent;
                for (std::uint32_t i = 0; i < width; ++i)
                    top[i] = std::max(top[i], ea + e[i]);
            }
            // Two halves, as sixteen products with their sign would not fit into 32 bits.
            alignas(64) std::int32_t low[width] = {}, high[width] = {};
            const auto add = [&](std::int32_t* to, std::uint32_t k) {
                const std::int32_t* e = f.bExponent + k * f.bStride + n0;
                const std::int32_t* m = f.bMantissa + k * f.bStride + n0;
                const std::int32_t ea = a[k].exponent, ma = a[k].mantissa * (1 << up);
                for (std::uint32_t i = 0; i < width; ++i) {
                    const std::int32_t product = ma * m[i], minus = product >> 31;
                    const auto size = std::uint32_t((product ^ minus) - minus);
                    const std::int32_t down = std::min(top[i] - ea - e[i], 31);
                    to[i] += (std::int32_t(size >> down) ^ minus) - minus;
                }
            };
            const std::uint32_t half = f.depth > 8 && f.rule.fraction > 20 ? f.depth / 2 : f.depth;
            for (std::uint32_t k = 0; k < half; ++k)
                add(low, k);
            for (std::uint32_t k = half; k < f.depth; ++k)
                add(high, k);
            const int cUp = f.rule.fraction - 23;
            for (std::uint32_t i = 0; i < width; ++i) {
                const std::int32_t scaled = cUp > 0 ? cMantissa[i] << cUp : cMantissa[i] >> -cUp;
                const std::int32_t size = scaled >> std::min(top[i] - cExponent[i], 31);
                const double whole = double(low[i]) + double(high[i]) + double((size ^ sign[i]) - sign[i]);
                const std::int32_t power = std::max(top[i] - f.rule.fraction, -1000);
                const double sum = whole * std::bit_cast<double>(std::uint64_t(power + 1023) << 52);
                if (exact) exact[r * f.bStride + n0 + i] = sum;
                c[i] = cutToFloat(sum, f.rule.kept);
            }
        }
    }
}

} // namespace kernelarium::emulator::KL_ISA
