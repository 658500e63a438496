// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <numeric>

namespace kernelarium::emulator {

/// The blocks of a grid in the order in which a sampled launch takes them: every beginning of the order is spread
/// evenly over the grid. A step near the golden section of the count that has no divisor in common with it visits
/// every block once.
class BlockOrder {
public:
    BlockOrder(std::uint64_t blocks, bool spread)
        : m_blocks(blocks) {
        if (!spread || blocks < 3) return;
        m_step = std::uint64_t(double(blocks) * 0.6180339887498949);
        if (m_step == 0) m_step = 1;
        while (std::gcd(m_step, blocks) != 1) ++m_step;
        m_start = blocks / 2;
    }
    [[nodiscard]] std::uint64_t at(std::uint64_t place) const {
        // Both are below 2^63, their product may not be.
        return std::uint64_t((static_cast<Wide>(place) * m_step + m_start) % m_blocks);
    }

private:
    __extension__ using Wide = unsigned __int128;
    std::uint64_t m_blocks;
    std::uint64_t m_step = 1;
    std::uint64_t m_start = 0;
};

} // namespace kernelarium::emulator
