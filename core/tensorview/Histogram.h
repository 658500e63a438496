// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Elements.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace kernelarium::tensorview {

/// How elements are to be counted by their values.
struct HistogramRequest {
    static constexpr int mostBins = 1024;

    int bins = 64; ///< 1 to mostBins
    /// Empty: from the smallest to the largest finite value.
    std::optional<double> low = {};
    std::optional<double> high = {};
};

/// Finite elements by their values, in bins of one width. The last bin holds `high` as well. Of whole numbers that are
/// fewer than the bins that were asked for, each has its own, from value - 1/2 to value + 1/2.
struct Histogram {
    double low = 0;
    double high = 0;
    std::vector<std::int64_t> counts; ///< empty where no element is finite
    std::int64_t below = 0;           ///< finite elements under `low`
    std::int64_t above = 0;
    std::int64_t notFinite = 0;
};

/// `low` and `high` of all finite elements, where the request leaves them open, are of statisticsOf().
[[nodiscard]] Histogram histogramOf(const Elements& elements, const HistogramRequest& request,
                                    std::stop_token stop = {});

} // namespace kernelarium::tensorview
