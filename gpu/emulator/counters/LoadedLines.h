// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// The sectors of device memory that a block has loaded. Up to 2^20 lines are remembered; what comes then counts as
/// new.
class LoadedLines {
public:
    LoadedLines()
        : m_lines(std::size_t(1) << 10) {}

    void clear() {
        ++m_epoch;
        m_used = 0;
    }

    /// Which of the line's sectors (bits 0 to 3) were loaded before; they are all afterwards.
    std::uint32_t load(std::uint64_t number, std::uint32_t sectors) {
        Line* l = &slotOf(number);
        if (l->epoch != m_epoch) {
            if (m_used * 2 >= m_lines.size()) {
                if (m_lines.size() >= mostLines * 2) return 0;
                grow();
                l = &slotOf(number);
            }
            ++m_used;
            *l = {number, m_epoch, 0};
        }
        const std::uint32_t before = sectors & l->sectors;
        l->sectors |= sectors;
        return before;
    }

private:
    struct Line {
        std::uint64_t number = 0;
        std::uint32_t epoch = 0;
        std::uint32_t sectors = 0;
    };

    /// The line's, or a free one.
    Line& slotOf(std::uint64_t number) {
        const std::size_t mask = m_lines.size() - 1;
        std::size_t at = std::size_t((number * 0x9E3779B97F4A7C15u) >> 32) & mask;
        while (m_lines[at].epoch == m_epoch && m_lines[at].number != number)
            at = (at + 1) & mask;
        return m_lines[at];
    }

    void grow() {
        std::vector<Line> old(m_lines.size() * 2);
        old.swap(m_lines);
        for (const Line& l : old)
            if (l.epoch == m_epoch) slotOf(l.number) = l;
    }

    static constexpr std::size_t mostLines = std::size_t(1) << 20;
    std::vector<Line> m_lines;
    std::size_t m_used = 0;
    std::uint32_t m_epoch = 1;
};

} // namespace kernelarium::emulator
