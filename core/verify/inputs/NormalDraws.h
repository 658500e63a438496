// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/inputs/Philox.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace kernelarium::verify {

/// Pairs that are drawn side by side, in the processor's vectors.
inline constexpr std::size_t pairsAtATime = 128;
using DrawnPairs = std::array<double, 2 * pairsAtATime>; ///< first and second of each pair in turn

/// The unitInterval()s of counters {pair, index, stream} from pair `first` on: those of the first two words, and of the
/// last two. Bit for bit what the functions of Philox.h give one by one.
void drawUnits(const Philox& generator, std::uint64_t first, std::uint32_t index, std::uint32_t stream,
               DrawnPairs& out);
/// The same of normalPair().
void drawNormals(const Philox& generator, std::uint64_t first, std::uint32_t index, std::uint32_t stream,
                 DrawnPairs& out);

} // namespace kernelarium::verify
