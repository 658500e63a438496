// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/cubin/Cubin.h"
#include "core/sass/cubin/LineTable.h"
#include "core/sass/explain/CriticalPath.h"
#include "core/sass/explain/Waits.h"
#include "core/sass/explain/WarpModel.h"

#include <string>
#include <vector>

namespace kernelarium::sass {

struct ExplainedLoop {
    Loop loop;
    int first = 0; ///< instructions
    int last = 0;
    LoopModel model;
    CriticalPath path;
};

/// A kernel's schedule, read: every instruction with its source line and its waits, every loop with what limits it.
struct Explanation {
    std::string kernel; ///< mangled
    int computeCapability = 0;
    std::vector<Instruction> code; ///< without the padding behind the kernel's end
    std::vector<int> lines;        ///< of the source file; 0: not known
    std::string file;              ///< whose lines these are
    std::vector<Block> blocks;
    std::vector<InstructionWaits> waits;
    std::vector<ExplainedLoop> loops;
    int registers = 0;     ///< for each thread; 0: the cubin does not say
    int residentWarps = 0; ///< of a scheduler, at most: as many as the registers leave room for
    int unknownOperations = 0;
    int hazards = 0; ///< that nothing explains

    /// Where such kernels spend their time, as far as code alone tells: the loop with the most arithmetic of its own
    /// (floating-point, matrix, special functions; loops within it left out); where none has any, the innermost loop
    /// with the most instructions. Null without loops.
    [[nodiscard]] const ExplainedLoop* hotLoop() const;
};

/// Reads one kernel of a cubin.
[[nodiscard]] Explanation explain(const Cubin& cubin, const KernelCode& kernel, const LineTable& lines,
                                  const DistanceTable& table);

/// "waits for scoreboard 1: LDS R4 at 0x0120 (line 33) writes R4..R7, read here" and the like: one line for each wait
/// of the instruction, for people. Without distances that leave room and are not the tightest. An instruction that is
/// not known, or is asynchronous, says so first.
[[nodiscard]] std::vector<std::string> waitLines(const Explanation& explanation, int instruction);

/// "0x0120 (line 33)".
[[nodiscard]] std::string placeText(const Explanation& explanation, int instruction);

/// "scoreboard, LDS R4 at 0x0120 (line 33), 12 cycles" and the like: what decided when an instruction of the loop is
/// issued, where that is another than the one in front of it; empty where it is not.
[[nodiscard]] std::string stepText(const Explanation& explanation, const PathStep& step);

/// What limits a loop, in some sentences; figures are modelled. `warps`: so many are resident on a scheduler; 0: as
/// many as its registers leave room for.
[[nodiscard]] std::vector<std::string> loopLines(const Explanation& explanation, const ExplainedLoop& loop,
                                                 int warps = 0);

/// What so many resident warps a scheduler come to, and what one fewer and one more would change.
[[nodiscard]] std::string warpsLine(const Explanation& explanation, const ExplainedLoop& loop, int warps);

} // namespace kernelarium::sass
