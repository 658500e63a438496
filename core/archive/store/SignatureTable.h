// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/Sqlite.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kernelarium::archive {

/// A set of texts, by their slots in a SignatureTable.
class TextSet {
public:
    TextSet(std::size_t blocks, bool full)
        : m_words(blocks * wordsPerBlock, full ? ~std::uint64_t(0) : 0) {}

    static constexpr std::size_t wordsPerBlock = 8;
    static constexpr std::size_t slotsPerBlock = wordsPerBlock * 64;

    [[nodiscard]] bool contains(std::size_t slot) const { return (m_words[slot / 64] >> slot % 64 & 1) != 0; }
    void insert(std::size_t slot) { m_words[slot / 64] |= std::uint64_t(1) << slot % 64; }
    [[nodiscard]] TextSet common(const TextSet& other) const {
        TextSet set = *this;
        for (std::size_t i = 0; i < set.m_words.size(); ++i)
            set.m_words[i] &= other.m_words[i];
        return set;
    }
    void unite(const TextSet& other) {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            m_words[i] |= other.m_words[i];
    }
    [[nodiscard]] std::span<std::uint64_t> block(std::size_t number) {
        return {m_words.data() + number * wordsPerBlock, wordsPerBlock};
    }

private:
    std::vector<std::uint64_t> m_words;
};

/// The code signatures of the whole file in memory (114 MB for 30,615 kernels), bit by bit: which texts have a bit is
/// one cache line for 512 texts, so that a query looks at a few kilobytes instead of every text's signature.
class SignatureTable {
public:
    /// Throws for signatures that are damaged.
    explicit SignatureTable(sqlite::Database& database);

    static constexpr std::size_t noSlot = SIZE_MAX;
    /// Where a text stands in the sets; noSlot when it has no signature, and anything may be in it.
    [[nodiscard]] std::size_t slotOf(std::int64_t text) const {
        const auto at = static_cast<std::size_t>(text);
        return text < 0 || at >= m_slots.size() || m_slots[at] < 0 ? noSlot : static_cast<std::size_t>(m_slots[at]);
    }
    [[nodiscard]] std::size_t slotCount() const { return m_slotCount; }
    [[nodiscard]] TextSet all() const { return {m_blocks, true}; }
    [[nodiscard]] TextSet none() const { return {m_blocks, false}; }
    /// The texts that have all of these bits.
    [[nodiscard]] TextSet having(std::span<const std::uint16_t> bits) const;

private:
    void takeBlock(std::size_t block, std::span<const std::uint8_t> signatures);

    std::vector<std::int32_t> m_slots; ///< by the text's number; -1: it has none
    std::size_t m_slotCount = 0;
    std::size_t m_blocks = 0;
    std::vector<std::uint64_t> m_slices; ///< [block][bit][word]
};

} // namespace kernelarium::archive
