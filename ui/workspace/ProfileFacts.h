// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gpu/protocol/ProfileMessages.h"
#include "ui/editor/HeatMargin.h"

#include <QString>
#include <string>
#include <vector>

namespace kernelarium::ui {

/// A profile as one modelled time of a whole call.
[[nodiscard]] session::Timing timingOf(const protocol::ProfileSummary& profile, const QString& device);
/// The launches' counters and what the model made of them, as an attempt keeps them.
[[nodiscard]] std::string countersJsonOf(const protocol::ProfileSummary& profile);
/// What the heat margin shows of each line.
enum class HeatCounter { instructions, sectors, conflicts, divergence, barriers };
inline constexpr HeatCounter heatCounters[] = {HeatCounter::instructions, HeatCounter::sectors, HeatCounter::conflicts,
                                               HeatCounter::divergence, HeatCounter::barriers};
[[nodiscard]] QString titleOf(HeatCounter counter); ///< "Instructions"
[[nodiscard]] QString aboutOf(HeatCounter counter); ///< what its bars are made of

/// The counter by source line, the line with the most being 1. What hovering says has the figures of all counters, and
/// the findings of the line; lines with findings are there whatever the counter.
[[nodiscard]] std::vector<LineHeat> heatOf(const protocol::ProfileSummary& profile, HeatCounter counter);

} // namespace kernelarium::ui
