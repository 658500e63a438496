// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/CodeSignature.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace kernelarium::archive {
namespace {

constexpr unsigned filterBitCount = pieceFilterBytes * 8;
constexpr unsigned filterBitsLog = 13;
static_assert(filterBitCount == 1u << filterBitsLog);

/// Where the filters begin; the characters and pairs stand behind them.
constexpr unsigned sixesAt = 0, foursAt = filterBitCount, threesAt = 2 * filterBitCount, lettersAt = 3 * filterBitCount;

/// Printable ASCII without capital letters, line end and tab have numbers of their own; everything else shares the
/// last.
constexpr std::size_t letterCount = 72;
static_assert(letterCount + letterCount * letterCount <= pairBytes * 8);

constexpr std::array<std::uint8_t, 256> letterNumbers = [] {
    std::array<std::uint8_t, 256> numbers{};
    numbers.fill(letterCount - 1);
    std::uint8_t next = 0;
    for (unsigned c = 32; c < 127; ++c)
        if (c < 'A' || c > 'Z') numbers[c] = next++;
    numbers['\n'] = next++;
    numbers['\t'] = next++;
    return numbers;
}();
static_assert(letterNumbers['\t'] + 1 == letterCount - 1);

constexpr std::uint16_t pairBit(std::size_t first, std::size_t second) {
    return static_cast<std::uint16_t>(lettersAt + letterCount + first * letterCount + second);
}

/// Two bits of a filter for a piece of up to six characters.
struct PieceBits {
    constexpr PieceBits(unsigned filterAt, std::uint64_t piece) {
        const std::uint64_t mixed = piece * 0x9E3779B97F4A7C15u;
        first = static_cast<std::uint16_t>(filterAt + (mixed >> (64 - filterBitsLog)));
        second = static_cast<std::uint16_t>(filterAt + (mixed >> (64 - 2 * filterBitsLog) & (filterBitCount - 1)));
    }
    std::uint16_t first, second;
};

/// Calls `visit` with the bits of each character, pair and piece. Stored in files: a change needs a migration.
template <class Visit> void forEachBit(std::string_view text, Visit&& visit) {
    std::uint64_t window = 0;
    std::size_t before = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(foldedCase(text[i]));
        const std::size_t letter = letterNumbers[byte];
        visit(static_cast<std::uint16_t>(lettersAt + letter));
        if (i >= 1) visit(pairBit(before, letter));
        window = (window << 8 | byte) & 0xffffffffffffu;
        if (i >= 2) {
            const PieceBits bits(threesAt, window & 0xffffffu);
            visit(bits.first);
            visit(bits.second);
        }
        if (i >= 3) {
            const PieceBits bits(foursAt, window & 0xffffffffu);
            visit(bits.first);
            visit(bits.second);
        }
        if (i >= 5) visit(PieceBits(sixesAt, window).first); // there are many: one bit keeps the filter half empty
        before = letter;
    }
}

} // namespace

void foldCase(std::string_view text, char* folded) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t bytes;
        std::memcpy(&bytes, text.data() + at, 8);
        // The high bit of each byte's sum says whether the byte is over a bound; no sum reaches the next byte.
        const std::uint64_t low = bytes & 0x7f * ones;
        const std::uint64_t fromA = low + (0x80 - 'A') * ones, overZ = low + (0x7f - 'Z') * ones;
        const std::uint64_t capital = (fromA ^ overZ) & ~bytes & 0x80 * ones;
        bytes |= capital >> 2; // 'a' - 'A'
        std::memcpy(folded + at, &bytes, 8);
    }
    for (; at < text.size(); ++at)
        folded[at] = foldedCase(text[at]);
}

Signature signatureOf(std::string_view text) {
    Signature signature{};
    forEachBit(text, [&](std::uint16_t bit) { signature[bit / 8] |= static_cast<std::uint8_t>(1u << bit % 8); });
    return signature;
}

std::uint16_t otherLetterBit() {
    return static_cast<std::uint16_t>(lettersAt + letterCount - 1);
}

std::vector<std::uint16_t> signatureBits(std::string_view needle) {
    std::vector<std::uint16_t> bits;
    forEachBit(needle, [&](std::uint16_t bit) { bits.push_back(bit); });
    std::sort(bits.begin(), bits.end());
    bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
    return bits;
}

} // namespace kernelarium::archive
