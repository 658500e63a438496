// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/search/Judged.h"
#include "core/tuning/space/Space.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::tuning {

struct CompareOptions {
    std::vector<std::string> strategies = {}; ///< names; empty: all but "exhaustive"
    std::vector<double> looks = {20, 40, 60, 120};
    unsigned seeds = 20; ///< searches of each strategy
    std::size_t jobs = 1;
};

struct Comparison {
    struct Line {
        std::string strategy;
        /// The best value after each number of looks by the optimum, the median of the seeds; infinite where half of
        /// them had found nothing.
        std::vector<double> ratios;
    };
    std::vector<Line> lines; ///< the best first: by the last ratio but one, then by the others
    std::vector<double> looks;
    double optimum = 0;
    std::string optimumKey;
    std::size_t points = 0;  ///< recorded at full effort
    std::size_t valued = 0;  ///< of those
    std::size_t missing = 0; ///< that searches asked for and nobody had recorded: taken for refused ones
};

/// Lets strategies search a recorded sweep of a space, the more complete the better, in place of looking: what Kernel
/// Tuner calls its simulation mode. A look costs its effort; successive halving makes use of the efforts that were
/// recorded. Errors: "bad_input" (no strategy of that name, no valued point, a value that is not positive),
/// "cancelled".
[[nodiscard]] Result<Comparison> compareStrategies(const Space& space, const std::vector<Judged>& sweep,
                                                   const CompareOptions& options = {}, std::stop_token stop = {});

} // namespace kernelarium::tuning
