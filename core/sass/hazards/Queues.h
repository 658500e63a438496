// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Instruction.h"

namespace kernelarium::sass {

/// Instructions of one queue are done in the order of their issue. That is what lets the assembler leave out
/// scoreboards: one that it sets stands for all that went before in the queue.
enum class Queue {
    none,
    shared,          ///< LDS, LDSM, SHFL, STS
    constants,       ///< LDC
    conversions,     ///< MUFU, F2I, POPC and the like
    specials,        ///< S2R
    uniformSpecials, ///< S2UR, REDUX
    doubles,         ///< double precision on compute capability 8.x
    memory,          ///< all of the memory unit
};

/// Results come in the order of the queue; `none`: in any order.
[[nodiscard]] Queue resultQueue(const Instruction& instruction);
/// Operands are read in the order of the queue.
[[nodiscard]] Queue operandQueue(const Instruction& instruction);

/// What one warp issues to no more often than every so many cycles.
enum class IssuePipe {
    integer,
    floating,
    multiply,
    half,
    doubled,
    halfMatrix,
    matrix,
    uniform,
    uniformMove,
    toUniform,
    memory,
    conversion,
    constant,
    special,
    branch,
    other
};
[[nodiscard]] IssuePipe issuePipe(const Instruction& instruction);
[[nodiscard]] std::string_view name(IssuePipe pipe);

/// General registers (and of asynchronous instructions all registers) that are read some time after the issue. All
/// others are read at the issue.
[[nodiscard]] RegisterSet lateReads(const Instruction& instruction);

/// Registers as the hazards see them. Those of wgmma are handed over by its own barriers and are left out.
[[nodiscard]] RegisterSet trackedReads(const Instruction& instruction);
[[nodiscard]] RegisterSet trackedWrites(const Instruction& instruction);

} // namespace kernelarium::sass
