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
        m_products = {};
        m_released = {};
        m_variables.clear();
    }
    m_plain = true;
    m_cluster = nullptr;
}

void BlockClocks::join(ClusterClocks& cluster, std::uint32_t rank) {
    m_cluster = &cluster;
    m_rank = rank;
    m_passed.clear();
}

void BlockClocks::advance(WarpClock& w, std::uint32_t to) {
    w.clock = std::max(w.clock, to);
    m_top = std::max(m_top, w.clock);
    // A record has no room for more: the block goes on without being looked at.
    m_ranOut |= w.clock >= race::clockLimit;
    if (!m_ranOut) return;
    m_on = false;
    if (m_cluster) m_cluster->ranOut = true;
}

void BlockClocks::meetLanes(std::uint32_t warp) {
    WarpClock& w = m_warps[warp];
    // Barriers need the rest of the numbers.
    if (w.clock == m_top && ++m_laneSteps > laneMeetings) m_lanesKnown = false;
    if (m_lanesKnown) advance(w, w.clock + 1);
}

void BlockClocks::meetAll() {
    std::uint32_t top = 0;
    std::uint64_t acquired = 0, returned = 0;
    std::vector<Knowledge::Part> mates;
    for (std::uint32_t w = 0; w < m_count; ++w) {
        top = std::max(top, m_warps[w].clock);
        acquired = std::max(acquired, this->acquired(w));
        returned = std::max(returned, this->returned(w));
        if (m_plain || !m_cluster) continue;
        mates.resize(std::max(mates.size(), m_seen[w].mates.size()));
        for (std::size_t k = 0; k < m_seen[w].mates.size(); ++k)
            mates[k].join(m_seen[w].mates[k]);
    }
    for (std::uint32_t w = 0; w < m_count; ++w) {
        m_warps[w].floor = top + 1;
        m_warps[w].knowsMore = false;
        advance(m_warps[w], top + 1);
        if (m_plain) continue;
        m_seen[w].acquired = acquired;
        m_seen[w].returned = returned;
        if (m_cluster) m_seen[w].mates = mates;
        m_released[w] = nullptr;
    }
}

Knowledge BlockClocks::knowledge(std::uint32_t warp, std::uint32_t clock) const {
    Knowledge s = m_seen[warp];
    const auto floor = std::uint16_t(m_warps[warp].floor);
    Knowledge::Clocks& accesses = s.own.accesses;
    for (std::uint32_t v = 0; v < m_count; ++v)
        accesses[v] = std::max(accesses[v], floor);
    accesses[warp] = std::max(accesses[warp], std::uint16_t(clock));
    if (m_cluster) {
        s.mates.resize(m_cluster->count);
        s.mates[m_rank] = s.own;
    }
    return s;
}

void BlockClocks::learn(std::uint32_t warp, const Knowledge& seen) {
    m_plain = false;
    if (seen.isWithin(m_seen[warp])) return;
    const Knowledge::Clocks before = m_seen[warp].own.accesses;
    m_seen[warp].join(seen);
    m_warps[warp].knowsMore |= m_seen[warp].own.accesses != before;
    m_released[warp] = nullptr;
}

void BlockClocks::arrive(std::uint32_t warp, std::uint32_t barrier) {
    m_plain = false;
    WarpClock& w = m_warps[warp];
    m_gathered[barrier].join(knowledge(warp, w.clock + 1));
    advance(w, w.clock + 1);
}

void BlockClocks::depart(std::uint32_t warp, std::uint32_t barrier) {
    learn(warp, m_gathered[barrier]);
}

void BlockClocks::fence(std::uint32_t warp, bool wide) {
    WarpClock& w = m_warps[warp];
    if (w.fencedAt != w.clock) m_released[warp] = nullptr;
    w.fencedAt = w.clock;
    w.fencedWide |= wide;
}

BlockClocks::Release BlockClocks::release(std::uint32_t warp) {
    WarpClock& w = m_warps[warp];
    if (w.fencedAt == 0) return {};
    m_plain = false;
    std::shared_ptr<const Knowledge>& seen = m_released[warp];
    if (!seen) seen = std::make_shared<const Knowledge>(knowledge(warp, w.fencedAt + 1));
    const Release r{warp, w.fencedAt + 1, w.floor, w.fencedWide, m_seen[warp].acquired, seen, w.knowsMore};
    advance(w, w.fencedAt + 1);
    return r;
}

void BlockClocks::publish(std::uint64_t variable, const Release& release) {
    m_variables.publish(variable, release.seen);
    if (m_cluster && release.wide) m_cluster->variables.publish(variable, release.seen);
}

void BlockClocks::endPhase(std::uint64_t variable) {
    m_variables.endPhase(variable);
    if (!m_cluster) return;
    m_cluster->variables.endPhase(variable);
    m_cluster->reached.endPhase(variable);
}

void BlockClocks::forget(std::uint64_t variable) {
    m_variables.forget(variable);
    if (m_cluster) m_cluster->variables.forget(variable);
}

void BlockClocks::acquire(std::uint32_t warp, std::uint64_t variable, bool phase) {
    if (const Knowledge* seen = m_variables.released(variable, phase)) learn(warp, *seen);
    if (!m_cluster) return;
    if (const Knowledge* seen = m_cluster->variables.released(variable, phase)) learn(warp, asOfHere(*seen));
}

Knowledge BlockClocks::asOfHere(const Knowledge& ofCluster) const {
    Knowledge seen = ofCluster;
    seen.own = m_rank < seen.mates.size() ? seen.mates[m_rank] : Knowledge::Part{};
    return seen;
}

void BlockClocks::reach(std::uint32_t warp, std::uint64_t barrier) {
    if (!m_cluster) return;
    m_cluster->reached.publish(barrier, std::make_shared<const Knowledge>(knowledgeNow(warp)));
}

void BlockClocks::pass(std::uint32_t warp, std::uint64_t barrier) {
    const Knowledge* before = m_cluster ? m_cluster->reached.released(barrier, true) : nullptr;
    if (!before) return;
    m_passed.resize(warpLimit);
    m_passed[warp].join(asOfHere(*before));
}

void BlockClocks::leave(std::uint32_t warp, std::uint64_t barrier) {
    if (m_cluster) m_cluster->variables.publish(barrier, std::make_shared<const Knowledge>(knowledgeNow(warp)));
}

void BlockClocks::acquireFar(std::uint32_t warp, std::uint64_t stamp, std::uint64_t returned) {
    m_plain = false;
    Knowledge& seen = m_seen[warp];
    if (stamp <= seen.acquired && returned <= seen.returned) return;
    seen.acquired = std::max(seen.acquired, stamp);
    seen.returned = std::max(seen.returned, returned);
    m_released[warp] = nullptr;
}

Knowledge BlockClocks::knowledgeNow(std::uint32_t warp) {
    WarpClock& w = m_warps[warp];
    m_plain = false;
    const Knowledge now = knowledge(warp, w.clock + 1);
    advance(w, w.clock + 1);
    return now;
}

void BlockClocks::endProducts(std::uint32_t warp) {
    m_plain = false;
    WarpClock& w = m_warps[warp];
    m_products[warp / warpsOfGroup][warp] = std::uint16_t(w.clock + 1);
    advance(w, w.clock + 1);
}

void BlockClocks::joinProducts(std::uint32_t warp) {
    Knowledge seen;
    seen.own.products = m_products[warp / warpsOfGroup];
    learn(warp, seen);
}

bool BlockClocks::hasSeen(std::uint32_t warp, std::uint32_t other, std::uint32_t clock, bool product) const {
    if (clock < m_warps[warp].floor) return true;
    const Knowledge::Part& seen = m_seen[warp].own;
    return !m_plain && (clock < seen.accesses[other] || (product && clock < seen.products[other]));
}

bool BlockClocks::hasSeenMate(std::uint32_t warp, std::uint32_t block, std::uint32_t other, std::uint32_t clock,
                              bool product) const {
    const std::uint32_t rank = block - m_cluster->first;
    if (m_plain || rank >= m_seen[warp].mates.size()) return false;
    const Knowledge::Part& seen = m_seen[warp].mates[rank];
    return clock < seen.accesses[other] || (product && clock < seen.products[other]);
}

bool BlockClocks::isAfter(std::uint32_t warp, std::uint32_t block, std::uint32_t other, std::uint32_t clock) const {
    if (m_passed.empty() || !isMate(block)) return false;
    const std::vector<Knowledge::Part>& before = m_passed[warp].mates;
    const std::uint32_t rank = block - m_cluster->first;
    return rank < before.size() && clock < before[rank].accesses[other];
}

} // namespace kernelarium::emulator
