// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// What a text consists of, ASCII letters folded to lower case: which characters it has, which pairs of them stand side
/// by side (both exactly, but for the rare characters, which count as one), and Bloom filters over its pieces of three,
/// four and six characters. A text whose signature lacks a bit of the needle cannot contain it, so only few texts have
/// to be decompressed for a search. Pieces of three alone let through nearly every kernel for needles such as "x == 1",
/// and with one bit a piece a rare one such as "cub" shares it with one that stands in half of all kernels: hence the
/// longer pieces, and two bits for a short one.
///
/// Chosen by measurement at 30,615 kernels of 6 KB, over 416 needles, texts to decompress for the first 200 hits: with
/// these signatures 95% of the needles need at most 331 and the worst one 2,765, with pieces of three alone (one bit
/// each) 2,534 and 21,913. They add 125 MB to a file of 80 for 605 MB of text. An FTS5 trigram index without positions
/// adds 60 MB (bench_archive --alternatives), doubles the import's time and knows nothing of one or two characters;
/// decompressing everything takes 220 ms for every key that is typed.
inline constexpr std::size_t pieceFilterBytes = 1024; ///< for each of the three lengths
inline constexpr std::size_t pairBytes = 664;
inline constexpr std::size_t signatureBytes = 3 * pieceFilterBytes + pairBytes;

using Signature = std::array<std::uint8_t, signatureBytes>;

Signature signatureOf(std::string_view text);

/// The bits that a text containing `needle` has to have set, those of the longest pieces first: few texts have them.
std::vector<std::uint16_t> signatureBits(std::string_view needle);

/// The bit of a text that has any character outside of printable ASCII, line ends and tabs.
std::uint16_t otherLetterBit();

/// ASCII letters in lower case; every other byte as it is.
constexpr char foldedCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// foldedCase of every byte, eight at a time. `folded` has room for them.
void foldCase(std::string_view text, char* folded);

} // namespace kernelarium::archive
