// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operands of one matrix instruction taken apart for FusedSum.h, and what is not finite among them.
#pragma once

#include "gpu/emulator/lanes/Float8.h"
#include "gpu/emulator/lanes/FloatMath.h"
#include "gpu/emulator/lanes/FusedSum.h"

#include <limits>

namespace kernelarium::emulator::KL_ISA {

/// f(split, number) for the type: functions of an element's bits.
template <class F> inline void withFloats(Element e, F f) {
    using u32 = std::uint32_t;
    switch (e) {
    case Element::f16:
        return f([](u32 x) { return splitNumber<5, 10>(x); }, [](u32 x) { return fromHalf(std::uint16_t(x)); });
    case Element::bf16:
        return f([](u32 x) { return splitNumber<8, 7>(x); }, [](u32 x) { return fromBfloat(std::uint16_t(x)); });
    case Element::e4m3:
        return f([](u32 x) { return splitNumber<4, 3>(x); }, [](u32 x) { return fromE4m3(std::uint8_t(x)); });
    case Element::e5m2:
        return f([](u32 x) { return splitNumber<5, 2>(x); }, [](u32 x) { return fromE5m2(std::uint8_t(x)); });
    default: // tf32, whose low 13 bits are of no account
        return f([](u32 x) { return splitNumber<8, 10>(x >> 13); },
                 [](u32 x) { return std::bit_cast<float>(x & 0xffffe000u); });
    }
}

[[nodiscard]] inline int fractionBits(Element e) {
    switch (e) {
    case Element::bf16: return 7;
    case Element::e4m3: return 3;
    case Element::e5m2: return 2;
    default: return 10;
    }
}

/// A of at most `Rows` rows and B of at most `Columns` columns (a multiple of 16), `Depth` products for each sum.
template <std::uint32_t Rows, std::uint32_t Columns, std::uint32_t Depth> class FusedTiles {
public:
    /// bits(row, k) of A.
    template <class F> void takeA(Element e, std::uint32_t rows, std::uint32_t depth, bool negate, F bits) {
        m_rows = rows;
        m_depth = depth;
        m_aFraction = fractionBits(e);
        withFloats(e, [&](auto split, auto number) {
            for (std::uint32_t r = 0; r < rows; ++r)
                for (std::uint32_t k = 0; k < depth; ++k) {
                    const std::uint32_t x = bits(r, k);
                    const float value = number(x);
                    SplitNumber s = split(x);
                    if (negate) s.mantissa = -s.mantissa;
                    m_a[r * Depth + k] = s;
                    if (!std::isfinite(value)) note(m_odd, negate ? -value : value, r, k, true);
                }
        });
    }
    /// bits(column, k) of B.
    template <class F> void takeB(Element e, std::uint32_t columns, std::uint32_t depth, bool negate, F bits) {
        m_columns = columns;
        m_bFraction = fractionBits(e);
        withFloats(e, [&](auto split, auto number) {
            for (std::uint32_t n = 0; n < columns; ++n)
                for (std::uint32_t k = 0; k < depth; ++k) {
                    const std::uint32_t x = bits(n, k);
                    const float value = number(x);
                    const SplitNumber s = split(x);
                    m_bMantissa[k * Columns + n] = negate ? -s.mantissa : s.mantissa;
                    m_bExponent[k * Columns + n] = s.exponent;
                    if (!std::isfinite(value)) note(m_odd, negate ? -value : value, n, k, false);
                }
        });
        for (std::uint32_t n = columns; n % 16; ++n)
            for (std::uint32_t k = 0; k < depth; ++k) {
                m_bMantissa[k * Columns + n] = 0;
                m_bExponent[k * Columns + n] = exponentOfZero;
            }
    }
    /// sums[row * Columns + column] += A B. `exact` has what the last step's sums were before they became float32.
    void add(const SumRule& rule, float* sums, double* exact) {
        FusedBlock f;
        f.rows = m_rows;
        f.columns = m_columns;
        f.aStride = Depth;
        f.bStride = Columns;
        f.aFraction = m_aFraction;
        f.bFraction = m_bFraction;
        f.rule = rule;
        for (std::uint32_t k = 0; k < m_depth; k += rule.step) {
            f.depth = std::min(rule.step, m_depth - k);
            f.a = m_a + k;
            f.bMantissa = m_bMantissa + k * Columns;
            f.bExponent = m_bExponent + k * Columns;
            const std::vector<Sum> odd = oddSums(sums, k, k + f.depth);
            addFused(f, sums, exact);
            for (const Sum& s : odd) {
                sums[s.at] = s.value;
                if (exact) exact[s.at] = double(s.value);
            }
        }
    }

private:
    struct Odd {
        float value;
        std::uint32_t place, k;
        bool isA;
    };
    struct Sum {
        std::uint32_t at;
        float value;
    };

    static void note(std::vector<Odd>& list, float value, std::uint32_t place, std::uint32_t k, bool isA) {
        list.push_back({value, place, k, isA});
    }

    static float finite(const SplitNumber& s, int fraction) {
        return s.mantissa ? float(std::ldexp(double(s.mantissa), std::clamp(s.exponent - fraction, -140, 120))) : 0.0f;
    }
    [[nodiscard]] float aAt(std::uint32_t r, std::uint32_t k) const {
        for (const Odd& o : m_odd)
            if (o.isA && o.place == r && o.k == k) return o.value;
        return finite(m_a[r * Depth + k], m_aFraction);
    }
    [[nodiscard]] float bAt(std::uint32_t n, std::uint32_t k) const {
        for (const Odd& o : m_odd)
            if (!o.isA && o.place == n && o.k == k) return o.value;
        return finite({m_bMantissa[k * Columns + n], m_bExponent[k * Columns + n]}, m_bFraction);
    }

    /// Sums with something in them that is not finite: infinities of one sign stay, what has none is a NaN.
    std::vector<Sum> oddSums(const float* sums, std::uint32_t first, std::uint32_t end) const {
        std::vector<Sum> found;
        std::vector<bool> odd(m_rows * m_columns);
        for (const Odd& o : m_odd)
            if (o.k >= first && o.k < end)
                for (std::uint32_t i = 0; i < (o.isA ? m_columns : m_rows); ++i)
                    odd[o.isA ? o.place * m_columns + i : i * m_columns + o.place] = true;
        for (std::uint32_t r = 0; r < m_rows; ++r)
            for (std::uint32_t n = 0; n < m_columns; ++n) {
                const float c = sums[r * Columns + n];
                if (!odd[r * m_columns + n] && std::isfinite(c)) continue;
                double sum = std::isfinite(c) ? 0.0 : double(c);
                for (std::uint32_t k = first; k < end; ++k) {
                    const double product = double(aAt(r, k)) * double(bAt(n, k));
                    if (!std::isfinite(product)) sum += product;
                }
                found.push_back({r * Columns + n, sum != sum ? std::bit_cast<float>(0x7fffffffu) : float(sum)});
            }
        return found;
    }

    alignas(64) std::int32_t m_bMantissa[Columns * Depth], m_bExponent[Columns * Depth];
    SplitNumber m_a[Rows * Depth];
    std::vector<Odd> m_odd;
    std::uint32_t m_rows = 0, m_columns = 0, m_depth = 0;
    int m_aFraction = 0, m_bFraction = 0;
};

} // namespace kernelarium::emulator::KL_ISA
