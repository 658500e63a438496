// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

using CharacterSet = std::bitset<128>;        ///< of ASCII characters
inline constexpr std::size_t longestRun = 64; ///< pieces are cut beyond it: the bits of a mark

/// What every match of an expression consists of, in order; none where anything may stand, or nothing.
using RunPieces = std::vector<std::optional<CharacterSet>>;

/// Nothing for an expression with something in it that is not understood here.
std::optional<RunPieces> parseRunPieces(std::string_view expression, bool matchCase);

} // namespace kernelarium::archive
