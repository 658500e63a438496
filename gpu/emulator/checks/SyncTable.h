// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/BlockClocks.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace kernelarium::emulator {

/// Synchronisation variables of one launch through which blocks see one another: locations that somebody stored to
/// after a fence, and what each block has released by doing so. Releases are numbered in the order in which they
/// happened; whoever reads a variable that another block released through has seen all of other blocks up to that
/// number. Within a block, and between the blocks of a cluster, which are one party here (BlockClocks::party),
/// BlockClocks knows each variable for itself. Thread-safe.
class SyncTable {
public:
    /// A variable: an offset of global memory, or one of a block's shared memory.
    static std::uint64_t global(std::uint64_t offset) { return offset; }
    static std::uint64_t shared(std::uint32_t block, std::uint64_t offset) {
        return std::uint64_t(1) << 63 | std::uint64_t(block) << 32 | offset;
    }

    [[nodiscard]] bool isEmpty() const { return m_stamp.load(std::memory_order_acquire) == 0; }
    /// The block of this party stores to the variable, having released so much.
    void publish(std::uint64_t variable, std::uint32_t party, std::uint32_t block, const BlockClocks::Release& release);
    /// The block has released so much to others of its party.
    void note(std::uint32_t block, const BlockClocks::Release& release);
    [[nodiscard]] bool isVariable(std::uint64_t variable) const;
    /// What a thread of the party sees by reading the variable: the number of the latest release by another one, and
    /// the number up to which others had seen releases when they released through it.
    struct FarSeen {
        std::uint64_t stamp = 0, returned = 0;
    };
    [[nodiscard]] FarSeen seenBy(std::uint32_t party, std::uint64_t variable) const;
    /// Whether a release up to `stamp` that reaches other blocks covers the access of this warp of the block at this
    /// clock.
    [[nodiscard]] bool covers(std::uint32_t block, std::uint32_t warp, std::uint32_t clock, std::uint64_t stamp) const;

private:
    /// A number that rises, of whichever party, and the highest one of any other.
    class Latest {
    public:
        void raise(std::uint32_t party, std::uint64_t value) {
            if (party == m_party) {
                m_value = std::max(m_value, value);
            } else if (value > m_value) {
                m_others = m_value;
                m_party = party;
                m_value = value;
            } else {
                m_others = std::max(m_others, value);
            }
        }
        [[nodiscard]] std::uint64_t without(std::uint32_t party) const { return party == m_party ? m_others : m_value; }

    private:
        std::uint32_t m_party = ~0u;
        std::uint64_t m_value = 0, m_others = 0;
    };
    struct Variable {
        Latest stamps, acquired;
    };
    struct Entry {
        std::uint64_t stamp;
        std::uint32_t warp, clock, floor;
        std::shared_ptr<const Knowledge::Clocks> seen; ///< of the block's warps
    };
    void enter(std::uint32_t block, const BlockClocks::Release& release, std::uint64_t stamp);

    mutable std::mutex m_mutex;
    std::atomic<std::uint64_t> m_stamp{0};
    std::unordered_map<std::uint64_t, Variable> m_variables;
    std::unordered_map<std::uint32_t, std::vector<Entry>> m_releases; ///< by block: wide ones
};

} // namespace kernelarium::emulator
