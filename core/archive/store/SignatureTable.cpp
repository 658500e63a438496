// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/SignatureTable.h"

#include "core/archive/store/CodeSignature.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace kernelarium::archive {
namespace {

constexpr std::size_t bitsPerText = signatureBytes * 8;
constexpr std::int64_t fewestNumbers = 1 << 20; ///< of texts, where the file is smaller

/// A matrix of 8 x 8 bits, a row a byte: rows become columns. Hacker's Delight, 7-3.
constexpr std::uint64_t transposed(std::uint64_t matrix) {
    std::uint64_t t = (matrix ^ matrix >> 7) & 0x00AA00AA00AA00AAu;
    matrix ^= t ^ t << 7;
    t = (matrix ^ matrix >> 14) & 0x0000CCCC0000CCCCu;
    matrix ^= t ^ t << 14;
    t = (matrix ^ matrix >> 28) & 0x00000000F0F0F0F0u;
    return matrix ^ t ^ t << 28;
}

} // namespace

SignatureTable::SignatureTable(sqlite::Database& database) {
    constexpr std::size_t perBlock = TextSet::slotsPerBlock;
    const auto bytes = database.number("PRAGMA page_count") * database.number("PRAGMA page_size");
    // With a condition it is counted row by row, which ends where a damaged file does not.
    const auto count = static_cast<std::size_t>(database.number("SELECT count(*) FROM code_signature WHERE true"));
    const auto last = database.number("SELECT coalesce(max(text), 0) FROM code_signature");
    if (last < 0 || last > std::max(bytes, fewestNumbers) || count > std::size_t(bytes) / signatureBytes)
        throw std::runtime_error("it has more signatures than it can hold");
    m_slots.assign(static_cast<std::size_t>(last) + 1, -1);
    m_blocks = (count + perBlock - 1) / perBlock;
    m_slices.resize(m_blocks * bitsPerText * TextSet::wordsPerBlock);
    std::vector<std::uint8_t> block(perBlock * signatureBytes);
    auto row = database.prepare("SELECT text, bits FROM code_signature ORDER BY text");
    while (row.step()) {
        const auto bits = row.blob(1);
        const auto text = static_cast<std::size_t>(row.integer(0));
        if (bits.size() != signatureBytes || text >= m_slots.size() || m_slots[text] >= 0 || m_slotCount == count)
            throw std::runtime_error("a signature is damaged");
        m_slots[text] = static_cast<std::int32_t>(m_slotCount);
        std::memcpy(block.data() + m_slotCount % perBlock * signatureBytes, bits.data(), signatureBytes);
        if (++m_slotCount % perBlock == 0) takeBlock(m_slotCount / perBlock - 1, block);
    }
    if (const std::size_t rest = m_slotCount % perBlock; rest != 0)
        takeBlock(m_slotCount / perBlock, std::span(block).first(rest * signatureBytes));
}

void SignatureTable::takeBlock(std::size_t block, std::span<const std::uint8_t> signatures) {
    const std::size_t texts = signatures.size() / signatureBytes;
    auto* const slices =
        reinterpret_cast<std::uint8_t*>(m_slices.data() + block * bitsPerText * TextSet::wordsPerBlock);
    for (std::size_t first = 0; first < texts; first += 8) {
        const std::size_t rows = std::min<std::size_t>(8, texts - first);
        const std::uint8_t* const from = signatures.data() + first * signatureBytes;
        for (std::size_t byte = 0; byte < signatureBytes; ++byte) {
            std::uint64_t matrix = 0;
            for (std::size_t i = 0; i < rows; ++i)
                matrix |= std::uint64_t(from[i * signatureBytes + byte]) << 8 * i;
            matrix = transposed(matrix);
            for (std::size_t bit = 0; bit < 8; ++bit)
                slices[(byte * 8 + bit) * TextSet::slotsPerBlock / 8 + first / 8] =
                    static_cast<std::uint8_t>(matrix >> 8 * bit);
        }
    }
}

TextSet SignatureTable::having(std::span<const std::uint16_t> bits) const {
    TextSet set = all();
    for (std::size_t block = 0; block < m_blocks; ++block) {
        const auto words = set.block(block);
        for (const auto bit : bits) {
            const std::uint64_t* const slice = m_slices.data() + (block * bitsPerText + bit) * TextSet::wordsPerBlock;
            std::uint64_t any = 0;
            for (std::size_t i = 0; i < TextSet::wordsPerBlock; ++i)
                any |= words[i] &= slice[i];
            if (any == 0) break;
        }
    }
    return set;
}

} // namespace kernelarium::archive
