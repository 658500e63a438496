// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/StaticCost.h"
#include "core/tuning/strategies/Random.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// Draws moves: slides of one to eight places (60%), exchanges of neighbours (10%), slides of any length that bring
/// together again what shared a cached operand as compiled (10%; other slides where nothing is apart), yield flips
/// (15%), reuse flags cleared or restored (5%; slides where there are none). Blocks are drawn by what they cost, and in
/// them instructions of memory and matrix products three times as often as others.
class MoveDraw {
public:
    MoveDraw(const sass::Rescheduler& walk, const StaticCost& cost);

    /// Nothing where it drew what cannot move.
    [[nodiscard]] std::optional<sass::Move> draw(const sass::Rescheduler& walk, tuning::Random& random) const;
    [[nodiscard]] std::optional<sass::Move> slide(const sass::Rescheduler& walk, tuning::Random& random,
                                                  int farthest) const;
    /// There is nothing that may move at all.
    [[nodiscard]] bool isEmpty() const { return m_upTo.empty(); }

private:
    [[nodiscard]] std::optional<sass::Move> reunion(const sass::Rescheduler& walk, tuning::Random& random) const;
    [[nodiscard]] int instruction(tuning::Random& random) const;

    std::vector<double> m_upTo; ///< of the instructions that may move: their weights summed up
    std::vector<int> m_movable, m_reusing;
};

/// "LDSM at 0x1040 up 4", of a move that is about to be made; places as compiled.
[[nodiscard]] std::string textOf(const sass::Move& move, const sass::Rescheduler& walk);
/// "slide 33 29", "yield 33", "reuse 33 2", and back.
[[nodiscard]] std::string wordsOf(const sass::Move& move);
[[nodiscard]] std::optional<sass::Move> moveFrom(std::string_view words);

} // namespace kernelarium::schedule
