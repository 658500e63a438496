// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kernelarium::emulator {

/// Widest field and longest precision that printed text has here; C's own go up to INT_MAX, and take as much memory.
inline constexpr int widestField = 4096;
/// Most bytes that one call of printf gives.
inline constexpr std::size_t longestPrintf = std::size_t(1) << 20;

/// "%-*.3" with its stars replaced, before length and letter, as C reads it: flags, width and precision, each within
/// widestField. What follows out of that order is left out.
[[nodiscard]] std::string boundedSpec(std::string_view spec);

} // namespace kernelarium::emulator
