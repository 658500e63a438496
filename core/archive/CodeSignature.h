// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// A Bloom filter over the trigrams of a text, ASCII letters folded to lower case, one bit a trigram. A text
/// whose signature lacks a bit of the needle cannot contain it, so only few texts have to be decompressed for
/// a search.
///
/// Chosen by measurement at 30,000 kernels of 6 KB, 184 MB (tests/benchmarks/archive.cpp prints it again):
/// these signatures add 18 MB to a file of 80 and find the first 200 hits in 6 ms; an FTS5 trigram index
/// without positions adds 56 MB, doubles the import's time, finds them in 2 ms and has to decompress the same
/// candidates to be exact; decompressing everything takes 210 ms for every key that is typed.
inline constexpr std::size_t signatureBytes = 512;

using Signature = std::array<std::uint8_t, signatureBytes>;

Signature signatureOf(std::string_view text);

/// The bits that a text containing `needle` has to have set; none for needles of fewer than three bytes.
std::vector<std::uint16_t> signatureBits(std::string_view needle);

bool mayContain(std::span<const std::uint8_t> signature, std::span<const std::uint16_t> bits);

/// ASCII letters in lower case; every other byte as it is.
constexpr char foldedCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

} // namespace kernelarium::archive
