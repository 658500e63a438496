// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// What a text consists of, ASCII letters folded to lower case: which characters it has, which pairs of them stand side
/// by side (both exactly, but for the rare characters, which count as one), and a Bloom filter over its trigrams, one bit
/// a trigram. A text whose signature lacks a bit of the needle cannot contain it, so only few texts have to be
/// decompressed for a search.
///
/// Chosen by measurement at 30,615 kernels of 6 KB (bench_archive --alternatives prints it again): these signatures add
/// 55 MB to a file of 80 for 605 MB of text; an FTS5 trigram index without positions adds 60 MB, doubles the import's
/// time and knows nothing of one or two characters; decompressing everything takes 220 ms for every key that is typed.
inline constexpr std::size_t trigramBytes = 1024;
inline constexpr std::size_t pairBytes = 664;
inline constexpr std::size_t signatureBytes = trigramBytes + pairBytes;

using Signature = std::array<std::uint8_t, signatureBytes>;

Signature signatureOf(std::string_view text);

/// The bits that a text containing `needle` has to have set.
std::vector<std::uint16_t> signatureBits(std::string_view needle);

/// The bit of a text that has any character outside of printable ASCII, line ends and tabs.
std::uint16_t otherLetterBit();

bool mayContain(std::span<const std::uint8_t> signature, std::span<const std::uint16_t> bits);

/// ASCII letters in lower case; every other byte as it is.
constexpr char foldedCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// foldedCase of every byte, eight at a time. `folded` has room for them.
void foldCase(std::string_view text, char* folded);

} // namespace kernelarium::archive
