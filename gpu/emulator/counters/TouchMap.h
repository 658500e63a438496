// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/DeviceMemory.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace kernelarium::emulator {

/// Which 32-byte sectors of device memory a launch has loaded and stored: two bits for each, shared by its workers.
class TouchMap {
public:
    static constexpr unsigned sectorShift = 5;

    /// For offsets below `limit`. Pages of the map that nobody touches cost nothing.
    explicit TouchMap(std::uint64_t limit);
    ~TouchMap();
    TouchMap(const TouchMap&) = delete;
    TouchMap& operator=(const TouchMap&) = delete;

    void load(std::uint64_t sector) { set(m_loaded, sector); }
    void store(std::uint64_t sector) { set(m_stored, sector); }

    /// Sectors in a range of offsets.
    struct Touched {
        std::uint64_t loaded = 0;
        std::uint64_t stored = 0;
        std::uint64_t either = 0;
    };
    [[nodiscard]] Touched within(std::uint64_t offset, std::uint64_t bytes) const;

private:
    using Word = std::atomic<std::uint64_t>;
    void set(Word* words, std::uint64_t sector) {
        if (sector >= m_sectors) return; // a fault: reported elsewhere
        Word& word = words[sector >> 6];
        const std::uint64_t bit = std::uint64_t(1) << (sector & 63);
        if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
    }

    std::uint64_t m_sectors;
    std::uint64_t m_bytes; ///< of one map
    Word* m_loaded = nullptr;
    Word* m_stored = nullptr;
};

} // namespace kernelarium::emulator
