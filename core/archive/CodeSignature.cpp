// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/CodeSignature.h"

#include <algorithm>

namespace kernelarium::archive {
namespace {

constexpr unsigned signatureBitCount = signatureBytes * 8;
static_assert((signatureBitCount & (signatureBitCount - 1)) == 0);

/// Calls `visit` with the bit of each trigram. Stored in files: a change needs a migration.
template <class Visit> void forEachBit(std::string_view text, Visit&& visit) {
    std::uint32_t window = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        window = (window << 8 | static_cast<std::uint8_t>(foldedCase(text[i]))) & 0xffffff;
        if (i >= 2) visit(static_cast<std::uint16_t>(window * 2654435761u >> 16 & (signatureBitCount - 1)));
    }
}

} // namespace

Signature signatureOf(std::string_view text) {
    Signature signature{};
    forEachBit(text,
               [&](std::uint16_t bit) { signature[bit / 8] |= static_cast<std::uint8_t>(1u << bit % 8); });
    return signature;
}

std::vector<std::uint16_t> signatureBits(std::string_view needle) {
    std::vector<std::uint16_t> bits;
    forEachBit(needle, [&](std::uint16_t bit) { bits.push_back(bit); });
    std::sort(bits.begin(), bits.end());
    bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
    return bits;
}

bool mayContain(std::span<const std::uint8_t> signature, std::span<const std::uint16_t> bits) {
    for (const auto bit : bits)
        if ((signature[bit / 8] >> bit % 8 & 1) == 0) return false;
    return true;
}

} // namespace kernelarium::archive
