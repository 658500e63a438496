// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/hazards/HazardWalk.h"
#include "core/sass/hazards/Loops.h"

#include <map>
#include <vector>

namespace kernelarium::sass {

/// Cycles from an instruction's issue to its result, where that has no fixed latency: MODELLED. Loads from device
/// memory count as found in L1. H100 figures of published microbenchmarks (shared memory 23, shuffle 26, L1 39).
[[nodiscard]] int modelledLatency(const Instruction& instruction);
/// Cycles from the issue to the operands having been read: modelled likewise.
[[nodiscard]] int modelledReadLatency(const Instruction& instruction);
/// Cycles for which an instruction of a warp holds its pipe: from the least distances that the assembler keeps.
[[nodiscard]] int pipeCycles(IssuePipe pipe, int computeCapability);

/// One instruction of a modelled turn.
struct ModelledIssue {
    int instruction = -1;
    int time = 0;       ///< of its issue, from the turn's begin
    int waited = 0;     ///< cycles beyond the stall in front of it, for a scoreboard
    int waitedFor = -1; ///< whose
    int scoreboard = 0;
};

/// A loop as one warp goes through it, alone: the second turn of the straight way through its blocks.
struct LoopModel {
    std::vector<ModelledIssue> issues;
    int cycles = 0;                ///< from turn to turn
    int stalls = 0;                ///< of these, what the stalls alone add up to
    int instructions = 0;          ///< issue slots
    std::map<IssuePipe, int> busy; ///< cycles for which a turn holds each pipe
    IssuePipe busiest = IssuePipe::other;

    /// Where an instruction is among `issues`; -1: it is no part of a turn. What lies between a loop's first and last
    /// instruction need not be: rare cases may stand there.
    [[nodiscard]] int indexOf(int instruction) const;
    /// Cycles between turns with so many warps on one scheduler: the longer one of a warp's own time and what all of
    /// them together issue or hold a pipe for.
    [[nodiscard]] double cyclesWith(int warps) const;
    /// Cycles from one warp's turn to the next one's, whoever's that is: what makes the loop fast.
    [[nodiscard]] double cyclesATurn(int warps) const { return cyclesWith(warps) / warps; }
    /// What one turn of one warp costs the scheduler at least.
    [[nodiscard]] int floor() const;
    /// From how many warps on another one makes nothing faster.
    [[nodiscard]] int enoughWarps() const;
};

[[nodiscard]] LoopModel modelLoop(const std::vector<Instruction>& code, const std::vector<Block>& blocks,
                                  const Loop& loop, int computeCapability);

} // namespace kernelarium::sass
