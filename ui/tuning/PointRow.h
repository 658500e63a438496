// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"
#include "ui/theme/Palette.h"

#include <QString>
#include <limits>
#include <optional>

namespace kernelarium::ui {

/// A judged point of a sweep as its table and plots show it.
struct PointRow {
    std::string key;
    tuning::Point point;
    tuning::Outcome::Kind kind = tuning::Outcome::Kind::failed;
    double milliseconds = std::numeric_limits<double>::quiet_NaN(); ///< modelled or measured, also of a wrong one
    QString verdict;                                                ///< its machine name; empty: it was not verified
    bool ranks = false;                                             ///< its time counts
    bool leads = false;                                             ///< it may be called best
    bool filtered = false;                                          ///< refused before it was compiled
    int registers = -1;                                             ///< of a thread; -1: unknown
    QString limiter;                                                ///< what the model says that it waits for
    QString said;                                                   ///< why it was refused, or the evidence against it
    QString sameAs;                                                 ///< the point whose outcome it shares
};

/// Empty where the candidate's key is no point of the space.
[[nodiscard]] std::optional<PointRow> pointRowOf(const tuning::Space& space, const tuning::Judged& judged);

/// A shape and a word: "✓ verified", "✗ wrong", "⊘ refused".
[[nodiscard]] QString pointVerdictText(const PointRow& row);
[[nodiscard]] QColor pointVerdictColour(const PointRow& row, const Palette& palette);
/// What it means, a sentence.
[[nodiscard]] QString pointVerdictMeaning(const PointRow& row);

/// Blue for the fastest, orange for the slowest: `share` is 0 for the best time and 1 for one four times as long.
[[nodiscard]] QColor timeColour(double share, const Palette& palette);
/// The share of a time, given the best one.
[[nodiscard]] double timeShare(double milliseconds, double best);

} // namespace kernelarium::ui
