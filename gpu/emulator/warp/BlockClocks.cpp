// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/warp/BlockClocks.h"

#include <algorithm>

namespace kernelarium::emulator {

void BlockClocks::start(std::uint32_t block, std::uint32_t warps) {
    m_on = true;
    m_ranOut = false;
    m_lanesKnown = true;
    m_top = 1;
    m_laneSteps = 0;
    m_block = block;
    m_count = std::min(warps, warpLimit);
    for (std::uint32_t w = 0; w < m_count; ++w)
        m_warps[w] = {};
    if (!m_plain) {
        m_seen = {};
        m_gathered = {};
    }
    m_plain = true;
}

void BlockClocks::advance(WarpClock& w, std::uint32_t to) {
    w.clock = std::max(w.clock, to);
    m_top = std::max(m_top, w.clock);
    // A record has no room for more: the block goes on without being looked at.
    m_ranOut |= w.clock >= race::clockLimit;
    if (m_ranOut) m_on = false;
}

void BlockClocks::meetLanes(std::uint32_t warp) {
    WarpClock& w = m_warps[warp];
    // Barriers need the rest of the numbers.
    if (w.clock == m_top && ++m_laneSteps > laneMeetings) m_lanesKnown = false;
    if (m_lanesKnown) advance(w, w.clock + 1);
}

void BlockClocks::meetAll() {
    std::uint32_t top = 0;
    std::uint64_t acquired = 0;
    for (std::uint32_t w = 0; w < m_count; ++w) {
        top = std::max(top, m_warps[w].clock);
        acquired = std::max(acquired, m_warps[w].acquired);
    }
    for (std::uint32_t w = 0; w < m_count; ++w) {
        m_warps[w].floor = top + 1;
        m_warps[w].acquired = acquired;
        advance(m_warps[w], top + 1);
    }
}

void BlockClocks::arrive(std::uint32_t warp, std::uint32_t barrier) {
    m_plain = false;
    WarpClock& w = m_warps[warp];
    Gathered& g = m_gathered[barrier];
    for (std::uint32_t v = 0; v < m_count; ++v)
        g.seen[v] = std::max({g.seen[v], m_seen[warp][v], w.floor});
    g.seen[warp] = std::max(g.seen[warp], w.clock + 1);
    g.acquired = std::max(g.acquired, w.acquired);
    advance(w, w.clock + 1);
}

void BlockClocks::depart(std::uint32_t warp, std::uint32_t barrier) {
    const Gathered& g = m_gathered[barrier];
    for (std::uint32_t v = 0; v < m_count; ++v)
        m_seen[warp][v] = std::max(m_seen[warp][v], g.seen[v]);
    m_warps[warp].acquired = std::max(m_warps[warp].acquired, g.acquired);
}

void BlockClocks::fence(std::uint32_t warp, bool wide) {
    WarpClock& w = m_warps[warp];
    w.fencedAt = w.clock;
    w.fencedWide |= wide;
}

BlockClocks::Release BlockClocks::release(std::uint32_t warp) {
    WarpClock& w = m_warps[warp];
    if (w.fencedAt == 0) return {};
    m_plain = false;
    const Release r{warp, w.fencedAt + 1, w.floor, w.fencedWide};
    advance(w, w.fencedAt + 1);
    return r;
}

BlockClocks::Release BlockClocks::hand(std::uint32_t warp) {
    m_plain = false;
    WarpClock& w = m_warps[warp];
    const Release r{warp, w.clock + 1, w.floor, false};
    advance(w, w.clock + 1);
    return r;
}

void BlockClocks::acquire(std::uint32_t warp, std::uint64_t stamp) {
    m_plain = false;
    m_warps[warp].acquired = std::max(m_warps[warp].acquired, stamp);
}

bool BlockClocks::hasSeen(std::uint32_t warp, std::uint32_t other, std::uint32_t clock) const {
    return clock < m_warps[warp].floor || (!m_plain && clock < m_seen[warp][other]);
}

} // namespace kernelarium::emulator
