// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/ClusterBarrier.h"

#include "gpu/emulator/async/AsyncWork.h"
#include "gpu/emulator/async/FarVisits.h"
#include "gpu/emulator/async/SharedWindow.h"
#include "gpu/emulator/checks/Races.h"
#include "gpu/emulator/checks/SyncTable.h"

#include <bit>

namespace kernelarium::emulator {

namespace {

/// Number of the cluster's barrier among the launch's synchronisation variables: beyond all offsets of memory.
std::uint64_t variableOf(const Block& block) {
    const Cluster& c = *block.cluster;
    const Dim3& grid = block.warps.front()->worker->launch->config->grid;
    return std::uint64_t(1) << 62 |
           (c.index[0] + std::uint64_t(grid[0]) * (c.index[1] + std::uint64_t(grid[1]) * c.index[2]));
}

void endPhase(Cluster& c) {
    std::uint64_t expected = 0;
    for (const Block* b : c.blocks)
        expected += b->threads - b->finishedThreads;
    if (c.arrived < expected || c.arrived == 0) return;
    c.arrived = 0;
    ++c.phase;
    for (Block* b : c.blocks) {
        b->clocks.endPhase(variableOf(*b));
        ++asyncOf(*b).ended;
        ++asyncOf(*b).changes;
        for (auto& [offset, barrier] : asyncOf(*b).barriers)
            if (barrier.isArrived) barrier.record = 0; // its making is known to all who have waited
    }
}

bool isMadeBy(const BarrierNote& barrier, const Warp& w) {
    return barrier.made.warp == w.index && (w.active >> barrier.made.lane & 1) != 0;
}

std::uint64_t& arrivalOf(const Warp& w, std::uint32_t lane) {
    Block& block = *w.block;
    return clusterOf(block).arrivedAt[std::size_t(block.rank) * block.threads + w.index * laneCount + lane];
}

} // namespace

const Inst* clusterArrive(Warp& w, const Inst* ip) {
    if (!w.block) return trap(w, ip, "a barrier in host code");
    Cluster& c = clusterOf(*w.block);
    if (w.raceKey.mine) {
        BlockClocks& clocks = w.block->clocks;
        const bool relaxed = (ip->bits & 1) != 0;
        if (!relaxed) clocks.fence(w.index, true);
        // Relaxed, it still releases what a fence before it has.
        if (const BlockClocks::Release release = clocks.release(w.index); release.clock) {
            clocks.publish(variableOf(*w.block), release);
            w.worker->launch->syncs->note(clocks.number(), release);
        }
        if (relaxed) clocks.reach(w.index, variableOf(*w.block));
        w.raceKey = clocks.key(w.index);
    }
    std::uint32_t twice = 0;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        std::uint64_t& at = arrivalOf(w, lane);
        if (at == c.phase + 1) twice |= 1u << lane;
        at = c.phase + 1;
    }
    if (ip->bits & 1)
        for (auto& [offset, barrier] : asyncOf(*w.block).barriers)
            barrier.isArrived |= barrier.isFenced && isMadeBy(barrier, w);
    reportFault(w, ip, twice, "barrier", "A thread arrives at the cluster's barrier twice without waiting in between.",
                false);
    c.arrived += std::uint32_t(std::popcount(w.active & ~twice));
    endPhase(c);
    return ip + 1;
}

const Inst* fenceMade(Warp& w, const Inst* ip) {
    if (w.block && w.block->async)
        for (auto& [offset, barrier] : w.block->async->barriers)
            barrier.isFenced |= isMadeBy(barrier, w);
    return ip + 1;
}

const Inst* clusterWait(Warp& w, const Inst* ip) {
    if (!w.block) return trap(w, ip, "a barrier in host code");
    const Cluster& c = clusterOf(*w.block);
    std::uint32_t early = 0, stray = 0;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t at = arrivalOf(w, lane);
        if (at == 0)
            stray |= 1u << lane;
        else if (at > c.phase)
            early |= 1u << lane;
    }
    reportFault(w, ip, stray, "barrier", "A thread waits at the cluster's barrier without having arrived.", false);
    if (early) {
        w.ip = ip;
        w.pause = Pause::phase;
        return nullptr;
    }
    if (w.raceKey.mine) {
        BlockClocks& clocks = w.block->clocks;
        const std::uint64_t variable = variableOf(*w.block);
        clocks.acquire(w.index, variable, true);
        clocks.pass(w.index, variable);
        w.raceKey = clocks.key(w.index);
    }
    return ip + 1;
}

void clusterThreadsEnded(Warp& w) {
    Block& block = *w.block;
    if (w.live == 0 && w.raceKey.mine) block.clocks.leave(w.index, variableOf(block));
    if (block.cluster->arrived) endPhase(*block.cluster);
    if (block.finishedThreads == block.threads) checkVisits(w);
}

} // namespace kernelarium::emulator
