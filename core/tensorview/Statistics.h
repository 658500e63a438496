// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Elements.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace kernelarium::tensorview {

/// A tensor in figures. What is said of values is said of the finite ones.
struct Statistics {
    std::int64_t elements = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0; ///< positive
    std::int64_t negativeInfinities = 0;
    std::int64_t zeros = 0;
    /// Empty where no element is finite.
    struct Finite {
        double smallest = 0;
        double largest = 0;
        std::int64_t smallestAt = 0; ///< row-major number of the first such element
        std::int64_t largestAt = 0;
        double mean = 0;
        double deviation = 0; ///< root of the mean squared distance from the mean
        double rms = 0;
    };
    std::optional<Finite> finite;
};

/// One pass, on several threads where it is long; the same bits whatever their number. A stopped one is worth nothing.
[[nodiscard]] Statistics statisticsOf(const Elements& elements, std::stop_token stop = {});

} // namespace kernelarium::tensorview
