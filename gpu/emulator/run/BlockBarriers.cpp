// SPDX-License-Identifier: GPL-3.0-or-later
//
// Warps of a block that wait for one another, and what they have seen of one another then.
#include "gpu/emulator/run/BlockRunner.h"
#include "gpu/emulator/run/Splits.h"

#include <bit>

namespace kernelarium::emulator {

namespace {

std::uint32_t* lanes32(std::byte* base, Opd o) {
    return reinterpret_cast<std::uint32_t*>(base + o.offset());
}

} // namespace

void BlockRunner::startRaces(Block& block, std::uint64_t place) {
    block.clocks.off();
    block.raceMarks = {};
    const std::uint64_t number = m_worker.launch->firstRaceBlock + place;
    // Of a cluster all blocks are tracked, or none.
    const std::uint64_t first = number - block.rank, count = block.cluster ? block.cluster->blocks.size() : 1;
    if (!m_worker.raceMarks.writers || first + count > race::blockLimit) return;
    block.clocks.start(std::uint32_t(number), (block.threads + laneCount - 1) / laneCount);
    if (block.cluster) {
        block.cluster->clocks.first = std::uint32_t(first);
        block.cluster->clocks.count = std::uint32_t(count);
        block.clocks.join(block.cluster->clocks, block.rank);
    }
    const std::uint32_t words = (m_sharedBytes + 3) / 4;
    block.raceWriters.resize(words * sizeof(race::Record) + 64);
    block.raceReaders.resize(words * sizeof(race::Record) + 64);
    block.raceOthers.resize(words * sizeof(race::Record) + 64);
    block.raceWeak.resize(words * sizeof(race::Record) + 64);
    block.seenStores.clear();
    // What an earlier block left in this one's records has a lower number than all blocks of its cluster.
    block.raceMarks = {reinterpret_cast<race::Record*>(block.raceWriters.data()),
                       reinterpret_cast<race::Record*>(block.raceReaders.data()),
                       reinterpret_cast<race::Record*>(block.raceOthers.data()),
                       reinterpret_cast<race::Record*>(block.raceWeak.data()),
                       words * std::uint64_t(4),
                       race::Record(first) << race::blockShift};
}

void BlockRunner::releaseBarriers(Block& block) {
    for (std::uint32_t id = 0; id < block.barriers.size(); ++id)
        if (block.barriers[id].arrived) releaseBarrier(block, id);
}

void BlockRunner::releaseBarrier(Block& block, std::uint32_t id) {
    Barrier& b = block.barriers[id];
    const std::uint32_t expected = b.expected ? b.expected : block.threads - block.finishedThreads;
    if (b.arrived < expected) return;
    const std::uint32_t holds = block.barrierPopc[id];
    const bool whole = b.expected == 0;
    if (m_worker.checks) lookForStrangers(block, id);
    const std::uint32_t arrived = b.arrived;
    b = {};
    block.barrierPopc[id] = 0;
    for (auto& warp : block.warps) {
        Warp& w = *warp;
        bool any = false;
        for (Split& s : w.others) {
            if (s.state != Split::State::atBarrier || s.barrier != id) continue;
            if (s.ip->bits & 4) {
                if (block.unknownVotes) w.unknown |= s.active;
                const bool yes = s.ip->imm == 1 ? holds == arrived : holds > 0;
                std::byte* base = w.registers.data() + s.frames.back().registerBase;
                std::uint32_t* d = lanes32(base, s.ip->d);
                for (std::uint32_t m = s.active; m; m &= m - 1) {
                    const auto lane = std::uint32_t(std::countr_zero(m));
                    if (s.ip->imm == 0)
                        d[lane] = holds;
                    else
                        d[0] = (d[0] & ~(1u << lane)) | std::uint32_t(yes) << lane;
                }
            }
            ++s.ip;
            s.state = Split::State::ready;
            any = true;
        }
        if (any && !whole && w.raceKey.mine) block.clocks.depart(w.index, id);
        if (!any) continue;
        if (w.others.size() > 1) mergeSplits(w);
        if (w.state != Split::State::ready) loadReadySplit(w);
    }
    if (!block.clocks.isOn()) return;
    if (whole)
        block.clocks.meetAll();
    else
        block.clocks.clearBarrier(id);
    for (auto& warp : block.warps)
        warp->raceKey = block.clocks.key(warp->index);
}

bool BlockRunner::releaseWarpSync(Warp& w, bool force) {
    bool any = false;
    for (Split& s : w.others) {
        if (s.state != Split::State::atWarpSync) continue;
        std::uint32_t waiting = 0;
        for (const Split& o : w.others)
            if (o.state == Split::State::atWarpSync) waiting |= o.active;
        if (!force && (s.barrier & w.live & ~waiting)) continue;
        const std::uint32_t members = s.barrier;
        for (Split& o : w.others)
            if (o.state == Split::State::atWarpSync && (o.active & members)) o.state = Split::State::ready;
        any = true;
    }
    if (!any) return false;
    mergeSplits(w);
    if (w.state != Split::State::ready) loadReadySplit(w);
    return true;
}

bool BlockRunner::joinAtProduct(Warp& w, bool force) {
    std::uint32_t there = 0;
    for (const Split& s : w.others)
        if (s.state == Split::State::atProduct) there |= s.active;
    if (there == 0 || (!force && there != w.live)) return false;
    for (Split& s : w.others)
        if (s.state == Split::State::atProduct) s.state = Split::State::ready;
    mergeSplits(w);
    // Those at different ones, or in different calls, do not meet.
    w.productsApart |=
        std::none_of(w.others.begin(), w.others.end(), [&](const Split& s) { return s.active == w.live; });
    if (w.state != Split::State::ready) loadReadySplit(w);
    return true;
}

bool BlockRunner::resolveDeadlock(Block& block) {
    for (auto& warp : block.warps)
        if (joinAtProduct(*warp, true)) return true; // which says that some are missing
    // Lanes that a __syncwarp names may never come: on hardware the others go on.
    for (auto& warp : block.warps) {
        Warp& w = *warp;
        for (const Split& s : w.others) {
            if (s.state != Split::State::atWarpSync) continue;
            reportFault(w, s.ip - 1, s.active, "barrier", "A __syncwarp names lanes that never arrive at it.", false);
            return releaseWarpSync(w, true);
        }
    }
    return false;
}

} // namespace kernelarium::emulator
