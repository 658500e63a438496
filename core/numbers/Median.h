// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace kernelarium::numbers {

/// The value in the middle, or the mean of the two there; NaN of none. Changes their order, in linear time. The median
/// of timings is perf::medianOf(), which rounds as the quantiles shown beside it do.
[[nodiscard]] inline double medianOf(std::vector<double>& values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

} // namespace kernelarium::numbers
