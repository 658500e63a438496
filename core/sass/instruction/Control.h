// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Word.h"

#include <string>

namespace kernelarium::sass {

inline constexpr int scoreboardCount = 6;
inline constexpr int noScoreboard = 7;

/// What the upper half of an instruction says of its own scheduling, bits 105 to 124. Layout: Jia et al., "Dissecting
/// the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 2.1; unchanged up to compute capability 9.0.
struct Control {
    int stall = 0;                   ///< cycles before the warp's next instruction may be issued, 0 to 15
    bool yields = false;             ///< the scheduler prefers another warp next
    int writeBarrier = noScoreboard; ///< scoreboard that is held until the result is written
    int readBarrier = noScoreboard;  ///< scoreboard that is held until the operands have been read
    unsigned waits = 0;              ///< one bit for each scoreboard that has to be free before the issue
    unsigned reuse = 0;              ///< one bit for each operand A, B, C that stays in the operand cache

    friend bool operator==(const Control&, const Control&) = default;
};

[[nodiscard]] Control controlOf(const Word& word);

/// The word with other scheduling; all other bits stay. `control` must be within its fields.
[[nodiscard]] Word withControl(Word word, const Control& control);

/// All that is not scheduling: equal for two words that do the same.
[[nodiscard]] Word withoutControl(Word word);

/// "B01----:R2:W-:Y:S04" waits for scoreboards 0 and 1, holds 2 until its operands are read, yields, stalls 4 cycles.
[[nodiscard]] std::string text(const Control& control);

} // namespace kernelarium::sass
