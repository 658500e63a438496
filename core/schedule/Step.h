// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/moves/Rescheduler.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::schedule {

/// What became of a step.
enum class Fate {
    start,    ///< the schedule that the search began with, measured
    control,  ///< the original against itself: how much of a difference is noise
    accepted, ///< the walk goes on from it
    refused,  ///< the walk stays where it was
    faulted,  ///< proved, and yet it faulted or gave other bits: the model of the hardware is wrong there
    unproved, ///< the proof refused what the mover thought legal: the two disagree, and the proof counts
    failed    ///< nothing is known of it
};
[[nodiscard]] std::string_view name(Fate fate);

/// One line of a search's account.
struct Step {
    std::uint64_t number = 0; ///< from 0, the start
    sass::Move move;          ///< of a start or a control: none
    std::string text;         ///< "LDSM at 0x1040 up 4"; empty likewise
    std::string hash;         ///< of the schedule: SHA-256 of its code, 16 digits
    double staticCost = 0;    ///< MODELLED cycles, StaticCost
    /// Draws that came to nothing before this one, by reason: "order", "stall", "pair", "reuse", "plateau".
    std::map<std::string, int> drawn;
    std::optional<double> energy;        ///< percent of the original's time
    double low = 0, high = 0;            ///< of the energy
    std::size_t pairs = 0;               ///< that were timed; 0: modelled, or known from `sameAs`
    std::optional<std::uint64_t> sameAs; ///< the step that measured this very schedule before
    double temperature = 0;
    Fate fate = Fate::refused;
    bool isBest = false;   ///< the least energy up to here
    std::string reason;    ///< of what faulted, failed or was not proved
    std::int64_t when = 0; ///< milliseconds since 1970

    /// Whatever became of it.
    [[nodiscard]] bool isControl() const { return number > 0 && text.empty(); }
};

} // namespace kernelarium::schedule
