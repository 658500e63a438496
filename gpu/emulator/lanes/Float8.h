// SPDX-License-Identifier: GPL-3.0-or-later
//
// The 8-bit formats of the OCP specification "OFP8": e4m3 (bias 7, no infinity, NaN is 0x7f) and e5m2 (bias
// 15, as IEEE).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kernelarium::emulator::KL_ISA {

template <int MantissaBits, int Bias> inline float fromFloat8(std::uint8_t bits) {
    constexpr int exponentBits = 7 - MantissaBits;
    const int exponent = (bits >> MantissaBits) & ((1 << exponentBits) - 1),
              mantissa = bits & ((1 << MantissaBits) - 1);
    const bool top = exponent == (1 << exponentBits) - 1;
    float value = 0;
    if (MantissaBits == 3 && top && mantissa == 7)
        value = std::bit_cast<float>(0x7fffffffu);
    else if (MantissaBits == 2 && top)
        value = mantissa ? std::bit_cast<float>(0x7fffffffu) : std::bit_cast<float>(0x7f800000u);
    else if (exponent == 0)
        value = std::ldexp(float(mantissa), 1 - Bias - MantissaBits);
    else
        value = std::ldexp(float(mantissa + (1 << MantissaBits)), exponent - Bias - MantissaBits);
    return bits & 0x80 ? -value : value;
}
inline float fromE4m3(std::uint8_t bits) {
    return fromFloat8<3, 7>(bits);
}
inline float fromE5m2(std::uint8_t bits) {
    return fromFloat8<2, 15>(bits);
}

/// To nearest even, and .satfinite: what is too large, infinity too, becomes the largest number.
template <int MantissaBits, int Bias> inline std::uint8_t toFloat8(float x, float largest, std::uint8_t largestBits) {
    if (x != x) return 0x7f;
    const auto sign = std::uint8_t(std::signbit(x) ? 0x80 : 0);
    const float a = std::fabs(x);
    if (a >= largest) return std::uint8_t(sign | largestBits);
    if (a == 0) return sign;
    int exponent = 0;
    std::frexp(a, &exponent);
    // One ulp: that of the number's binade, or of the subnormals.
    const int step = std::max(exponent - 1, 1 - Bias) - MantissaBits;
    const auto units = std::uint32_t(std::nearbyint(std::ldexp(a, -step)));
    // Carrying into the exponent is what the encoding does by itself.
    const std::uint32_t binade = std::uint32_t(std::max(exponent - 1, 1 - Bias) + Bias - 1);
    const std::uint32_t bits = (binade << MantissaBits) + units;
    return std::uint8_t(sign | (bits > largestBits ? largestBits : bits));
}
inline std::uint8_t toE4m3(float x) {
    return toFloat8<3, 7>(x, 448.0f, 0x7e);
}
inline std::uint8_t toE5m2(float x) {
    return toFloat8<2, 15>(x, 57344.0f, 0x7b);
}

} // namespace kernelarium::emulator::KL_ISA
