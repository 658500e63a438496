// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kernelarium::similar {

/// What of a code is compared with other codes: numbers of runs of ten words (wordsOf), chosen by winnowing: of every
/// six runs that follow one another, the one with the smallest number. Two codes that have fifteen words in a row in
/// common have a number in common, wherever these stand. Ascending, each once.
///
/// Source: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD
/// 2003, with "robust winnowing" of section 5.1 (of equal ones the one that was chosen before). Names and numbers are
/// abstracted before, as their Moss does for programs.
using Pieces = std::vector<std::uint32_t>;

inline constexpr std::size_t wordsInPiece = 10;
inline constexpr std::size_t piecesInWindow = 6;

/// A code of less than ten words is one piece; one without words has none.
[[nodiscard]] Pieces piecesOf(std::string_view code);

/// Of all pieces of two codes the share that both have (the Jaccard index): 1 for twins, 0 without a common one, and 0
/// where both have none.
[[nodiscard]] double sharedPieces(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

} // namespace kernelarium::similar
