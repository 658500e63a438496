// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Statistics.h"

#include "core/verify/Chunks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::tensorview {

namespace {

/// Sums are long doubles: squares of doubles overflow doubles.
struct StatisticsPart {
    Statistics counts;
    std::int64_t finite = 0;
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    std::int64_t smallestAt = 0, largestAt = 0;
    long double sum = 0;
    long double squares = 0;

    void take(std::int64_t element, double value) {
        if (std::isnan(value)) {
            ++counts.nans;
            return;
        }
        if (std::isinf(value)) {
            ++(value > 0 ? counts.infinities : counts.negativeInfinities);
            return;
        }
        ++finite;
        counts.zeros += value == 0;
        if (value < smallest) smallest = value, smallestAt = element;
        if (value > largest) largest = value, largestAt = element;
        sum += value;
        squares += (long double)(value)*value;
    }
    void add(const StatisticsPart& later) {
        counts.nans += later.counts.nans;
        counts.infinities += later.counts.infinities;
        counts.negativeInfinities += later.counts.negativeInfinities;
        counts.zeros += later.counts.zeros;
        finite += later.finite;
        if (later.smallest < smallest) smallest = later.smallest, smallestAt = later.smallestAt;
        if (later.largest > largest) largest = later.largest, largestAt = later.largestAt;
        sum += later.sum;
        squares += later.squares;
    }
};

} // namespace

Statistics statisticsOf(const Elements& elements, std::stop_token stop) {
    StatisticsPart all;
    const auto part = [&](std::int64_t from, std::int64_t to) {
        StatisticsPart found;
        for (std::int64_t i = from; i < to && !stop.stop_requested(); ++i)
            found.take(i, elements.at(i));
        return found;
    };
    for (const StatisticsPart& found : verify::chunkwise<StatisticsPart>(elements.count(), part))
        all.add(found);
    Statistics statistics = all.counts;
    statistics.elements = elements.count();
    if (all.finite == 0) return statistics;
    const long double n = (long double)(all.finite), mean = all.sum / n;
    const long double variance = std::max(0.0L, all.squares / n - mean * mean);
    statistics.finite = {all.smallest,
                         all.largest,
                         all.smallestAt,
                         all.largestAt,
                         double(mean),
                         double(std::sqrt(variance)),
                         double(std::sqrt(all.squares / n))};
    return statistics;
}

} // namespace kernelarium::tensorview
