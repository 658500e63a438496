// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::mugraph {

/// What was computed of a key, in one array with open addressing: a search asks millions of times each second.
class PairCache {
public:
    PairCache() { grow(1 << 12); }

    [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t key) const {
        for (std::size_t at = place(key);; at = (at + 1) & m_mask) {
            if (m_slots[at].key == key) return m_slots[at].value;
            if (m_slots[at].key == none) return std::nullopt;
        }
    }
    /// Of a key that is not there.
    void put(std::uint64_t key, std::uint32_t value) {
        if (2 * ++m_used > m_slots.size()) grow(2 * m_slots.size());
        insert({key, value});
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t(0);
    struct Slot {
        std::uint64_t key = none;
        std::uint32_t value = 0;
    };
    [[nodiscard]] std::size_t place(std::uint64_t key) const {
        key *= 0x9E3779B97F4A7C15ull; // Fibonacci hashing: the multiplier is 2^64 over the golden ratio
        return std::size_t(key >> 20) & m_mask;
    }
    void insert(const Slot& slot) {
        std::size_t at = place(slot.key);
        while (m_slots[at].key != none)
            at = (at + 1) & m_mask;
        m_slots[at] = slot;
    }
    void grow(std::size_t size) {
        std::vector<Slot> old(size);
        old.swap(m_slots);
        m_mask = size - 1;
        for (const Slot& slot : old)
            if (slot.key != none) insert(slot);
    }

    std::vector<Slot> m_slots;
    std::size_t m_mask = 0, m_used = 0;
};

} // namespace kernelarium::mugraph
