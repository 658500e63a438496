// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/BlockOrder.h"
#include "gpu/emulator/warp/Cluster.h"
#include "gpu/emulator/warp/Warp.h"

namespace kernelarium::emulator {

/// Runs the warps of resident blocks on one worker: each until it waits, ends or has used its slice.
class BlockRunner {
public:
    BlockRunner(Worker& worker, const FunctionCode& kernel, std::uint32_t kernelIndex);

    /// Prepares a block (a new one, or one that has finished) for the block at this place (LaunchState::blockAt).
    void start(Block& block, std::uint64_t place, std::shared_ptr<Cluster> cluster = {}, std::uint32_t rank = 0);

    enum class Outcome { finished, yielded, waiting, stopped };
    /// Goes on with the block. `yielded`: every warp that could run has used its slice, perhaps waiting for another
    /// block; come back later. `waiting`, of a block in a cluster of several: none could run.
    Outcome run(Block& block);
    /// Of a cluster whose blocks all wait or have ended: whether one of them can go on by what only time brings. False:
    /// a deadlock, which has been reported.
    bool resolve(Cluster& cluster);

private:
    void startRaces(Block& block, std::uint64_t place);
    void startWarp(Block& block, Warp& warp, std::uint32_t index);
    void fillSpecials(Block& block, Warp& warp, std::uint32_t index);
    void fillClusterSpecials(const Block& block, Warp& warp);
    /// Runs the warp until it pauses; handles the pause. True when something other than a slice's end happened.
    bool runWarp(Block& block, Warp& warp);
    void giveFuel(Warp& warp);
    bool loadReadySplit(Warp& warp);
    void finishSplit(Warp& warp);
    void setAside(Warp& warp, Split::State state, std::uint32_t argument);
    void releaseBarriers(Block& block);
    void releaseBarrier(Block& block, std::uint32_t id);
    bool releaseWarpSync(Warp& warp, bool force);
    /// Lanes at a wgmma go on when all of their warp are there; with `force`, without those that never come.
    bool joinAtProduct(Warp& warp, bool force);
    bool resolveDeadlock(Block& block);
    void reportDeadlock(Block& block);
    /// Whole-block barriers of different lines that meet although the program means them to be different ones.
    void lookForStrangers(Block& block, std::uint32_t id);
    void externCall(Warp& warp);

    Worker& m_worker;
    const FunctionCode& m_kernel;
    std::uint32_t m_kernelIndex;
    std::uint32_t m_sharedBytes;
    BlockOrder m_warpOrder;
    std::uint64_t m_externCalls = 0;
};

/// Runs the warp's instructions until a handler suspends it.
void interpret(Warp& warp);

} // namespace kernelarium::emulator
