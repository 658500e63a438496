// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/hazards/Distances.h"

#include <optional>
#include <vector>

namespace kernelarium::sass {

/// Waiting for scoreboards: one producer that an instruction's wait lets go of.
struct ScoreboardWait {
    int producer = -1;
    int scoreboard = 0;
    bool isResult = false;       ///< waits for what it writes; else for its operands to have been read
    RegisterSet registers;       ///< of the producer
    bool isNeededHere = false;   ///< this instruction itself touches them
    bool isFree = false;         ///< an earlier wait has let go of the producer on every path: this one costs nothing
    std::optional<int> neededBy; ///< the next one in the block that does, where it is another
};

/// A dependence with a fixed latency, or on the pipe.
struct DistanceNeed {
    Observation met;
    std::optional<int> least; ///< the smallest distance that the assembler keeps for such a pair; none: seldom met
    /// Cycles by which the instruction could come closer to this producer.
    [[nodiscard]] std::optional<int> slack() const {
        return least ? std::optional<int>(met.distance > *least ? met.distance - *least : 0) : std::nullopt;
    }
};

/// Why one instruction is issued when it is, and not before.
struct InstructionWaits {
    int instruction = -1;
    int stallBefore = 0; ///< of the instruction in front of it in its block; 0 at a block's begin
    std::vector<ScoreboardWait> scoreboards;
    std::vector<DistanceNeed> distances; ///< the tightest first; those of pipes that leave room last
    std::vector<Observation> hazards;    ///< what nothing explains: should be empty

    /// By how many cycles its stall in front could be lower, as far as all its own distances say; none where one of
    /// them is of a pair too seldom met to tell.
    [[nodiscard]] std::optional<int> slack() const;
};

/// Of every instruction of a kernel, in the order of its code; unreached ones have nothing.
[[nodiscard]] std::vector<InstructionWaits> waitsOf(const std::vector<Instruction>& code,
                                                    const std::vector<Block>& blocks, const DistanceTable& table,
                                                    int computeCapability);

} // namespace kernelarium::sass
