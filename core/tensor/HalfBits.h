// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

/// IEEE binary16 and bfloat16 in 16 bits, from and to float: the one conversion that tensors and the emulator's lanes
/// share. Rounding is to nearest even, in the default rounding mode. What becomes of a NaN is for callers to say.
/// Always inlined, as the same text is compiled for several instruction sets; with F16C the processor converts.
namespace kernelarium::tensor::halfbits {

/// A signalling NaN becomes a quiet one.
[[gnu::always_inline]] inline float fromHalf(std::uint16_t bits) {
#ifdef __F16C__
    return float(std::bit_cast<_Float16>(bits));
#else
    const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    std::uint32_t magnitude = ((exponent + 112) << 23) | (mantissa << 13);
    if (exponent == 0x1f)
        magnitude = 0x7f800000u | (mantissa << 13) | (mantissa ? 0x400000u : 0u);
    else if (exponent == 0)
        magnitude = std::bit_cast<std::uint32_t>(float(mantissa) * 0x1p-24f);
    return std::bit_cast<float>(sign | magnitude);
#endif
}

/// Of anything but a NaN.
[[gnu::always_inline]] inline std::uint16_t toHalf(float value) {
#ifdef __F16C__
    return std::bit_cast<std::uint16_t>(_Float16(value));
#else
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    std::uint32_t rounded = 0x7c00u; // 65536 and above
    if (magnitude < 0x38800000u)     // subnormal or zero: beside one half, the unit in the last place is theirs
        rounded = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    else if (magnitude < 0x47800000u)
        rounded = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
    return std::uint16_t(sign | rounded);
#endif
}

[[gnu::always_inline]] inline float fromBfloat(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
}

/// A NaN becomes 0x7fff, as on a GPU.
[[gnu::always_inline]] inline std::uint16_t toBfloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return value != value ? std::uint16_t(0x7fff) : std::uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

} // namespace kernelarium::tensor::halfbits
