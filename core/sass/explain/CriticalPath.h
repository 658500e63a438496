// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/explain/Waits.h"
#include "core/sass/explain/WarpModel.h"

#include <vector>

namespace kernelarium::sass {

/// What an issue had to wait for last.
enum class IssueCause {
    order,      ///< the instruction in front of it, and its stall
    distance,   ///< a result (or an operand, or a pipe) of fixed latency, with no cycle to spare
    scoreboard, ///< a scoreboard
};

/// One step of the path: from `from`'s issue to that of `instruction`.
struct PathStep {
    int instruction = -1;
    int from = -1; ///< the producer, or the instruction in front; -1: of the turn before
    IssueCause cause = IssueCause::order;
    int time = 0;       ///< of the instruction's issue, from the turn's begin
    int cycles = 0;     ///< from `from`'s issue on
    int scoreboard = 0; ///< of `scoreboard`
};

/// A turn of a loop, from its end back to its begin, each time by what decided when the instruction was issued.
/// MODELLED, for one warp alone: shortening what is not on it makes no turn shorter.
struct CriticalPath {
    std::vector<PathStep> steps; ///< in the order of time
    int order = 0;               ///< cycles of the turn by cause; together LoopModel::cycles
    int distance = 0;
    int scoreboard = 0;
};

[[nodiscard]] CriticalPath criticalPath(const LoopModel& model, const std::vector<InstructionWaits>& waits);

} // namespace kernelarium::sass
