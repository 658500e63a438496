// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace kernelarium::verify {

/// The counter-based generator Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers:
/// As Easy as 1, 2, 3", SC 2011): any element's number is computed alone, so threads share no state and every
/// machine draws the same.
class Philox {
public:
    explicit Philox(std::uint64_t seed)
        : m_key{std::uint32_t(seed), std::uint32_t(seed >> 32)} {}

    /// Four independent 32-bit words for a 128-bit counter.
    [[nodiscard]] std::array<std::uint32_t, 4> operator()(std::array<std::uint32_t, 4> counter) const;
    [[nodiscard]] const std::array<std::uint32_t, 2>& key() const { return m_key; }

private:
    std::array<std::uint32_t, 2> m_key;
};

/// Two independent standard normal numbers from four random words (Box and Muller). Uses only operations that IEEE
/// 754 defines exactly, never the C library's logarithm or cosine, whose last bits differ between machines.
[[nodiscard]] std::array<double, 2> normalPair(const std::array<std::uint32_t, 4>& words);

/// A number in [0, 1) with 52 random bits.
[[nodiscard]] double unitInterval(std::uint32_t high, std::uint32_t low);

} // namespace kernelarium::verify
