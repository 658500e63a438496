// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// Of ASCII characters, and two bits more.
using CharacterSet = std::bitset<130>;
inline constexpr std::size_t asciiCount = 128;
inline constexpr std::size_t otherCharacter = 128;  ///< any character outside of ASCII may belong
inline constexpr std::size_t otherCaseOfKOrS = 129; ///< these of them do: the Kelvin sign or the long s
inline constexpr std::size_t longestRun = 64;       ///< pieces are cut beyond it: the bits of a mark

/// What every match of an expression consists of, in order; none where anything may stand, or nothing.
using RunPieces = std::vector<std::optional<CharacterSet>>;

/// Nothing for an expression with something in it that is not understood here.
std::optional<RunPieces> parseRunPieces(std::string_view expression, bool matchCase);

} // namespace kernelarium::archive
