// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/strategies/Importance.h"
#include "gpu/protocol/Confirmation.h"
#include "gpu/protocol/SizeTimes.h"
#include "ui/statistics/ChartData.h"
#include "ui/statistics/FigureTable.h"

namespace kernelarium::ui {

class PointModel;
struct TuneState;
struct TuneSubject;

/// The best time so far by the points looked at, and the text's own as a line across. Its points' `label` is empty, and
/// its records name the points.
[[nodiscard]] ChartData bestCurve(const PointModel& model, const std::vector<tuning::Judged>& all);

/// A row for each size of a sweep over several; its `key` is the number from 1 on, 0 where no point is right.
[[nodiscard]] FigureTable sizesTable(const std::vector<protocol::SizeBest>& bests);

/// A row for each parameter, the one that matters most first.
[[nodiscard]] FigureTable importanceTable(const tuning::Space& space, const tuning::Importance& importance);
/// "From 42 points; a forest explains 93% of what makes them differ."
[[nodiscard]] QString importanceSentence(const std::optional<tuning::Importance>& importance, std::size_t points);

/// What became of points.
struct PointCounts {
    std::size_t right = 0; ///< verified
    std::size_t timed = 0; ///< with a time that counts, the right ones included
    std::size_t refused = 0, wrong = 0, failed = 0;
    std::size_t filtered = 0; ///< refused before they were compiled
};
[[nodiscard]] PointCounts countsOf(const PointModel& model);

/// "softmax.cu: 240 points, 198 of them allowed"
[[nodiscard]] QString spaceSentence(const TuneSubject& subject);
/// "Best 0.81 ms at TILE=16, 1.48× the start (1.2 ms)": what was found so far.
[[nodiscard]] QString bestSentence(const PointModel& model);
/// "confirmed in a fresh process: 1.35× (1.33 to 1.37), 12 pairs"; `ofSize` adds at which size.
[[nodiscard]] QString confirmationSentence(const protocol::Confirmation& confirmation, bool ofSize);
/// "37 of 198, 0.6 points/s, time left: 3 min · 30 timed, ...": how it goes. `rest`: nothingLeft() of SweepRest.h.
[[nodiscard]] QString sweepSentence(const TuneState& state, const PointCounts& counts, std::size_t points,
                                    const QString& rest = {});

} // namespace kernelarium::ui
