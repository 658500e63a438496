// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/HalfBits.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#if defined(__FMA__)
#include <xmmintrin.h>
#endif

namespace kernelarium::emulator::KL_ISA {

/// The processor rounds by a mode of <cfenv> while one lives. Where it has fused operations only its vector unit
/// rounds, and that unit's mode alone is set: fesetround() sets the x87 unit's as well, which takes ten times as long.
/// What is computed meanwhile has to be read from memory and written there.
class DirectedRounding {
public:
    explicit DirectedRounding(int mode) { set(mode); }
    ~DirectedRounding() { set(FE_TONEAREST); }
    DirectedRounding(const DirectedRounding&) = delete;
    DirectedRounding& operator=(const DirectedRounding&) = delete;

private:
    static void set(int mode) {
        asm volatile("" : : : "memory");
#if defined(__FMA__)
        constexpr unsigned roundingBits = 0x6000, shift = 3; // FE_UPWARD and the others are those of the x87 unit
        _mm_setcsr((_mm_getcsr() & ~roundingBits) | unsigned(mode) << shift);
#else
        std::fesetround(mode);
#endif
        asm volatile("" : : : "memory");
    }
};

/// Denormals to zero of the same sign, when the instruction says .ftz (float32 only).
template <bool Ftz> inline float flush(float x) {
    if constexpr (Ftz) {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
    }
    return x;
}
template <bool Ftz> inline double flush(double x) {
    return x;
}

/// .sat: to [0, 1], NaN to 0.
template <class T> inline T saturated(T x) {
    return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

using tensor::halfbits::fromBfloat;
using tensor::halfbits::fromHalf;
using tensor::halfbits::toBfloat;

inline std::uint16_t toHalf(float x) {
    // The GPU's NaN is 0x7fff.
    return x != x ? std::uint16_t(0x7fff) : tensor::halfbits::toHalf(x);
}
/// One rounding from double, for fused operations.
inline std::uint16_t toHalf(double x) {
    // Rounding to odd in float keeps what the second rounding needs.
    const float f = float(x);
    auto bits = std::bit_cast<std::uint32_t>(f);
    if (double(f) != x && x == x && (bits & 1) == 0) {
        const bool up = std::fabs(double(f)) < std::fabs(x);
        bits += up ? 1 : 0xffffffffu;
    }
    return toHalf(std::bit_cast<float>(bits));
}
inline std::uint16_t toBfloat(double x) {
    const float f = float(x);
    auto bits = std::bit_cast<std::uint32_t>(f);
    if (double(f) != x && x == x && (bits & 1) == 0) bits += std::fabs(double(f)) < std::fabs(x) ? 1 : 0xffffffffu;
    return toBfloat(std::bit_cast<float>(bits));
}

/// PTX min/max: the number where one operand is NaN (unless NaN is asked for), -0 below +0.
template <class T, bool Max, bool Nan> inline T extremum(T a, T b) {
    if (Nan && (a != a || b != b))
        return std::bit_cast<T>(std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>(
            sizeof(T) == 4 ? 0x7fffffffull : 0x7fffffffffffffffull));
    const bool bWins = Max ? (b > a || (a == b && std::signbit(a))) : (b < a || (a == b && std::signbit(b)));
    return a != a ? b : (b != b ? a : (bWins ? b : a));
}

} // namespace kernelarium::emulator::KL_ISA
