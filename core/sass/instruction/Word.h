// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::sass {

/// One instruction of compute capability 8.0 to 9.0 as it stands in a cubin: 128 bits, little-endian. Bit numbers in
/// this room count from the lowest bit of the lower half.
struct Word {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    /// `count` bits (at most 64) from bit `first` on.
    [[nodiscard]] constexpr std::uint64_t bits(unsigned first, unsigned count) const {
        std::uint64_t value = first >= 64 ? high >> (first - 64) : low >> first;
        if (first < 64 && first + count > 64 && first > 0) value |= high << (64 - first);
        return count >= 64 ? value : value & ((std::uint64_t(1) << count) - 1);
    }

    [[nodiscard]] constexpr bool bit(unsigned at) const { return bits(at, 1) != 0; }

    /// The same as a number in two's complement.
    [[nodiscard]] constexpr std::int64_t signedBits(unsigned first, unsigned count) const {
        const std::uint64_t value = bits(first, count);
        const std::uint64_t sign = std::uint64_t(1) << (count - 1);
        return std::int64_t(value ^ sign) - std::int64_t(sign);
    }

    friend constexpr bool operator==(const Word&, const Word&) = default;
};

inline constexpr std::uint64_t instructionBytes = 16;

} // namespace kernelarium::sass
