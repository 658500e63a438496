// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"

#include <cstddef>
#include <vector>

namespace kernelarium::tuning {

/// A step of the curve of the best so far.
struct BestStep {
    double looks = 0;      ///< spent up to it, itself included: 1 for each full look
    std::int64_t when = 0; ///< as Judged::when
    double value = 0;
    std::string key;
};

/// Each candidate that was better than all before it, in the order of `all`. Only those that may be called best
/// count.
[[nodiscard]] std::vector<BestStep> bestSoFar(const std::vector<Judged>& all);

/// The numbers of those of which no other is at least as good in both values and better in one, the least first value
/// first; of equal ones the first. What has a value that is not a number is left out.
[[nodiscard]] std::vector<std::size_t> paretoFront(const std::vector<double>& first, const std::vector<double>& second);

} // namespace kernelarium::tuning
