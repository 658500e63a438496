// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::verify {

/// Two patterns for memory that nothing has written yet. Repeated, each is a NaN in float16, bfloat16, float32 and
/// float64 alike; they differ in sign and payload, so that bits copied from poison differ between two runs, and as
/// integers they are far apart.
inline constexpr std::uint32_t firstPoison = 0x7fff7fffu;
inline constexpr std::uint32_t secondPoison = 0xfffefffeu;

} // namespace kernelarium::verify
