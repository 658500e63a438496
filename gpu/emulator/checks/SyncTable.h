// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/BlockClocks.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace kernelarium::emulator {

/// Synchronisation variables of one launch: locations that somebody stored to after a fence, and what each
/// block has released by doing so. Releases are numbered in the order in which they happened. Thread-safe.
class SyncTable {
public:
    /// A variable: an offset of global memory, or one of a block's shared memory.
    static std::uint64_t global(std::uint64_t offset) { return offset; }
    static std::uint64_t shared(std::uint32_t block, std::uint64_t offset) {
        return std::uint64_t(1) << 63 | std::uint64_t(block) << 32 | offset;
    }

    [[nodiscard]] bool isEmpty() const { return m_stamp.load(std::memory_order_acquire) == 0; }
    /// The block stores to the variable, having released so much; gives the release's number.
    std::uint64_t publish(std::uint64_t variable, std::uint32_t block, const BlockClocks::Release& release);
    /// The number of the latest release that went through the variable; 0 where none did.
    [[nodiscard]] std::uint64_t stampOf(std::uint64_t variable) const;
    /// Whether a release up to `stamp` covers the access of this warp of the block at this clock; from
    /// outside the block only wide ones count.
    [[nodiscard]] bool covers(std::uint32_t block, std::uint32_t warp, std::uint32_t clock, std::uint64_t stamp,
                              bool sameBlock) const;

private:
    struct Entry {
        std::uint64_t stamp;
        BlockClocks::Release release;
    };
    mutable std::mutex m_mutex;
    std::atomic<std::uint64_t> m_stamp{0};
    std::unordered_map<std::uint64_t, std::uint64_t> m_variables;
    std::unordered_map<std::uint32_t, std::vector<Entry>> m_releases; ///< by block
};

} // namespace kernelarium::emulator
