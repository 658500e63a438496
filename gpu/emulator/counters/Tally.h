// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/counters/CopiesInFlight.h"
#include "gpu/emulator/counters/LoadedLines.h"
#include "gpu/emulator/counters/SectorCache.h"
#include "gpu/emulator/counters/TouchMap.h"
#include "gpu/emulator/counters/WarpClock.h"
#include "gpu/emulator/warp/Warp.h"

#include <algorithm>
#include <vector>

namespace kernelarium::emulator {

/// What one instruction did, over all executions by one worker.
struct InstructionTally {
    std::uint64_t runs = 0;  ///< by warps
    std::uint64_t lanes = 0; ///< active
    std::uint64_t on = 0;    ///< active and predicated on
    std::uint64_t diverged = 0;
    // Memory: by where the addresses turned out to lie.
    std::uint64_t globalRequests = 0, globalLanes = 0, globalSectors = 0, idealSectors = 0, lines = 0, l2Sectors = 0;
    std::uint64_t againSectors = 0, lostSectors = 0; ///< of l2Sectors
    std::uint64_t sharedRequests = 0, wavefronts = 0, idealWavefronts = 0;
    std::uint64_t localRequests = 0, localSectors = 0;
    // Requests that cost more than they need, in sectors or wavefronts.
    std::uint64_t wasteful = 0, wastefulCost = 0, wastefulIdeal = 0;
    /// Bytes between neighbouring lanes of these: what most of them have. The lead is how many more have it than have
    /// others (R. Boyer and J. Moore's majority vote); where there is a majority, this is it.
    std::int64_t stride = 0;
    std::uint64_t strideLead = 0;
};

/// Counts what one worker executes: interpretCounting() shows it each instruction before it runs.
class Tally {
public:
    Tally(const Code& code, const Pipeline& pipeline, std::uint32_t function, const CountOptions& options,
          TouchMap& touched);

    /// The worker turns to another block: the model's caches hold nothing of it.
    void startBlock() {
        m_l1.clear();
        m_l2.clear();
        m_loaded.clear();
    }
    /// A warp of the worker has ended, all its instructions counted.
    void endWarp(const Warp& w);
    void observe(const Warp& w, const Inst* ip);

    [[nodiscard]] const std::vector<InstructionTally>& instructions() const { return m_instructions; }
    [[nodiscard]] std::uint64_t warpInstructions() const { return m_executed; }
    [[nodiscard]] std::uint64_t longestWarp() const { return m_longestWarp; }
    [[nodiscard]] const WarpClock& clock() const { return m_clock; }
    [[nodiscard]] const CopiesInFlight& copiesInFlight() const { return m_copiesInFlight; }

private:
    void count(const Warp& w, const Inst* ip, std::uint32_t on);
    AccessOutcome access(const Warp& w, const Inst* ip, const InstructionFacts& facts, InstructionTally& t,
                         std::uint32_t on);
    bool isFollowed(const Warp& w);
    void fragment(const Warp& w, const Inst* ip, InstructionFacts facts, InstructionTally& t, std::uint32_t on);
    void bulk(const Warp& w, const Inst* ip, const InstructionFacts& facts, InstructionTally& t, std::uint32_t on);
    /// The addresses are changed.
    void accessAt(std::uint64_t* at, const InstructionFacts& facts, const JoinedAccess& joined, InstructionTally& t,
                  std::uint32_t on);
    void shared(std::uint64_t* at, std::uint32_t lanes, const InstructionFacts& facts, const JoinedAccess& joined,
                InstructionTally& t);
    void globalRow(std::uint64_t first, std::uint32_t distinct, const InstructionFacts& facts, InstructionTally& t);
    void global(const std::uint64_t* at, std::uint32_t lanes, const InstructionFacts& facts, InstructionTally& t);
    void touchLine(std::uint64_t line, std::uint32_t sectors, InstructionClass kind, InstructionTally& t,
                   bool throughL1 = true);

    const Code& m_code;
    const Pipeline& m_pipeline;
    TouchMap& m_touched;
    SectorCache m_l1;
    SectorCache m_l2;
    LoadedLines m_loaded;                         ///< by the block, past its L1
    std::vector<InstructionTally> m_instructions; ///< by Inst::source
    std::uint64_t m_executed = 0;
    std::uint64_t m_longestWarp = 0;
    CopiesInFlight m_copiesInFlight;
    WarpClock m_clock;
    const Block* m_followed = nullptr; ///< whose first warp the clock is of
};

/// Distance of neighbouring lanes' addresses that most of the neighbours in `lanes` have; 0 where there are none.
std::int64_t laneStride(const std::uint64_t* at, std::uint32_t lanes);
/// One more request that costs more than it needs.
void addWaste(InstructionTally& tally, std::uint64_t cost, std::uint64_t ideal, std::int64_t stride);

/// Wavefronts of one shared-memory instruction: `at` are byte offsets of the lanes in `lanes`.
struct SharedCost {
    std::uint32_t wavefronts = 0;
    std::uint32_t ideal = 0;
};
SharedCost sharedCost(const std::uint64_t* at, std::uint32_t lanes, std::uint32_t bytes, bool atomic);

/// As interpret(), and shows the worker's tally each instruction.
void interpretCounting(Warp& warp);

} // namespace kernelarium::emulator
