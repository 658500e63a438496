// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/FinalFigure.h"

#include <vector>

namespace kernelarium::schedule {

/// The same source, assembled otherwise: what no reordering can do. Its code is another one, so nothing is proved of
/// it; it is held against the original by its outputs and its time.
struct Alternative {
    std::string words; ///< of the compiler: "--max-registers=128"
    int registers = 0; ///< a thread, as compiled
    std::size_t instructions = 0;
    double staticCost = 0; ///< MODELLED, of one warp: StaticCost
    std::string refusal;   ///< why it does not compile or run; empty: it does
    std::vector<FinalFigure> figures;
};

[[nodiscard]] nlohmann::json toJson(const Alternative& alternative);
[[nodiscard]] Result<tuning::Record> recordOf(const Alternative& alternative);
/// Error "bad_input".
[[nodiscard]] Result<Alternative> alternativeFrom(const tuning::Record& record);

} // namespace kernelarium::schedule
