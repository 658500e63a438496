// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// Tags of a set-associative cache of 128-byte lines with four 32-byte sectors each, least recently used replaced: a
/// model of what one block finds in its share of a cache. Stores take room as loads do. So do those of the L1, which
/// writes through: M. Khairy and others, "Accel-Sim: An Extensible Simulation Framework for Validated GPU Modeling",
/// 2020 (write-allocate, fetched lazily).
class SectorCache {
public:
    explicit SectorCache(std::uint64_t bytes)
        : m_sets(bytes / (lineBytes * ways)) {
        m_lines.resize(m_sets * ways);
    }

    void clear() { ++m_epoch; }

    /// Which of the line's sectors (bits 0 to 3) were not there; they are afterwards.
    std::uint32_t access(std::uint64_t line, std::uint32_t sectors) {
        if (m_sets == 0) return sectors;
        // Rows that are a power of two apart would otherwise all meet in a few sets, which they do not on a GPU:
        // Volta's L1 has four sets of very many ways (Z. Jia and others, "Dissecting the NVIDIA Volta GPU Architecture
        // via Microbenchmarking", 2018).
        const std::uint64_t hash = (line * 0x9E3779B97F4A7C15u) >> 32;
        Line* const set = &m_lines[(hash * m_sets >> 32) * ways];
        Line* victim = set;
        ++m_clock;
        for (std::uint32_t way = 0; way < ways; ++way) {
            Line& candidate = set[way];
            if (candidate.epoch != m_epoch) {
                candidate = {line, m_epoch, 0, 0};
            }
            if (candidate.tag == line) {
                const std::uint32_t missing = sectors & ~candidate.sectors;
                candidate.sectors |= sectors;
                candidate.used = m_clock;
                return missing;
            }
            if (candidate.used < victim->used) victim = &candidate;
        }
        *victim = {line, m_epoch, sectors, m_clock};
        return sectors;
    }

private:
    static constexpr std::uint64_t lineBytes = 128;
    static constexpr std::uint32_t ways = 8;
    struct Line {
        std::uint64_t tag = 0;
        std::uint32_t epoch = 0;
        std::uint32_t sectors = 0;
        std::uint64_t used = 0;
    };
    std::uint64_t m_sets = 0;
    std::uint32_t m_epoch = 1;
    std::uint64_t m_clock = 0;
    std::vector<Line> m_lines;
};

} // namespace kernelarium::emulator
