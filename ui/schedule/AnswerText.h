// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/explain/Explanation.h"
#include "ui/schedule/ScheduleModel.h"

#include <QString>

namespace kernelarium::ui {

/// The words of `schedule explain` as HTML, in which places of the code are links "place:0x120" and source lines links
/// "line:33". Words come from core/sass/explain, so that window and command line say the same.
[[nodiscard]] QString linkedHtml(const QString& line);

/// Why the row's instruction is issued when it is: what it is, what it waits for, what it does in the modelled turn,
/// and who waits for it.
[[nodiscard]] QString answerHtml(const ScheduleModel& model, int row);

/// What limits the chosen loop, and what so many warps come to; 0: as many as the registers leave room for.
[[nodiscard]] QString loopHtml(const ScheduleModel& model, int warps);

/// The first instruction that the row's one waits for; -1: none.
[[nodiscard]] int producerOf(const ScheduleModel& model, int row);

} // namespace kernelarium::ui
