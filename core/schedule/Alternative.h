// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/FinalFigure.h"

#include <vector>

namespace kernelarium::schedule {

/// The same source, assembled otherwise: what no reordering can do. Its code is another one, so nothing is proved of
/// it; it is held against the original by its outputs and its time.
struct Alternative {
    std::string words; ///< of the assembler (core/text/AssemblerWords.h): "--max-registers=128", "-O1"
    int registers = 0; ///< a thread, as compiled
    std::size_t instructions = 0;
    double staticCost = 0; ///< MODELLED, of one warp: StaticCost
    std::string code;      ///< hashOf() its instructions; empty: it does not compile
    std::string sameAs;    ///< whose code it is, to the bit: "the original", or another's words; empty: its own
    std::string refusal;   ///< why it does not compile or run; empty: it does
    std::vector<FinalFigure> figures;
    /// Nothing of it is to be found out anew: what it was timed as stands.
    [[nodiscard]] bool isKnown() const;
};

/// What is offered beside a kernel that takes so many registers a thread (0: not known): register caps that leave room
/// for another block, and options of the assembler that change how it schedules, loads and stores.
[[nodiscard]] std::vector<std::string> offeredAlternatives(int registers);

[[nodiscard]] nlohmann::json toJson(const Alternative& alternative);
[[nodiscard]] Result<tuning::Record> recordOf(const Alternative& alternative);
/// Error "bad_input".
[[nodiscard]] Result<Alternative> alternativeFrom(const tuning::Record& record);

} // namespace kernelarium::schedule
