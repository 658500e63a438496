// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <numeric>

namespace kernelarium::emulator {

/// Members 0 to count - 1 in another order: by falling number, or by a step that has no divisor in common with the
/// count and so visits each once. Used for the blocks of a grid and for the warps of a block.
class BlockOrder {
public:
    /// In the order of a schedule (RunOptions::schedule).
    static BlockOrder scheduled(std::uint64_t count, std::uint64_t schedule) {
        BlockOrder order(count, false);
        if (schedule == 0 || count < 2) return order;
        if (schedule == 1) {
            order.m_step = count - 1;
            order.m_start = count - 1;
            return order;
        }
        // splitmix64's finaliser: neighbouring schedules are to look nothing alike.
        std::uint64_t x = schedule * 0x9e3779b97f4a7c15ull;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
        x ^= x >> 31;
        order.m_start = x % count;
        order.stepNear(1 + (x >> 20) % (count - 1));
        return order;
    }
    /// For a sampled launch: every beginning of the order is spread evenly over the grid, by a step near the golden
    /// section of the count.
    BlockOrder(std::uint64_t blocks, bool spread)
        : m_blocks(blocks) {
        if (!spread || blocks < 3) return;
        stepNear(std::uint64_t(double(blocks) * 0.6180339887498949));
        m_start = blocks / 2;
    }
    [[nodiscard]] std::uint64_t at(std::uint64_t place) const {
        // Both are below 2^63, their product may not be.
        return std::uint64_t((static_cast<Wide>(place) * m_step + m_start) % m_blocks);
    }

private:
    void stepNear(std::uint64_t step) {
        m_step = step == 0 ? 1 : step;
        while (std::gcd(m_step, m_blocks) != 1)
            ++m_step;
    }

    __extension__ using Wide = unsigned __int128;
    std::uint64_t m_blocks;
    std::uint64_t m_step = 1;
    std::uint64_t m_start = 0;
};

} // namespace kernelarium::emulator
