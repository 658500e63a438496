// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::tuning {

/// The candidates of a sweep as a table: a column for each parameter.
struct SweepTable {
    struct Line {
        std::size_t candidate = 0; ///< its number among all
        Point point;
        /// From 1, by the value; of equal values the first is first. The first may be called best (Judged::leads), so
        /// that what may not and has a lesser value is unranked.
        std::optional<std::size_t> rank;
        std::optional<double> ratio; ///< of the value to the best one, where that is positive
    };
    std::vector<Line> lines; ///< in the order of the candidates
    std::size_t foreign = 0; ///< candidates whose keys are no points of the space: left out
};

[[nodiscard]] SweepTable tableOf(const Space& space, const std::vector<Judged>& all);

} // namespace kernelarium::tuning
