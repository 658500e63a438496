// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace kernelarium::perf {

namespace {

constexpr double interquartileOfNormal = 1.3489795003921634; ///< in standard deviations

/// Order statistic (from 1) where the interval of the median begins, and how sure it is.
struct MedianInterval {
    std::size_t from = 1;
    double confidence = 0;
};

MedianInterval medianInterval(std::size_t n) {
    // P(fewer than k of n below the median) = sum over i < k of C(n, i) / 2^n, in logarithms: 2^-n underflows.
    const double logTotal = std::lgamma(double(n) + 1) - double(n) * std::numbers::ln2;
    const auto term = [&](std::size_t i) {
        return std::exp(logTotal - std::lgamma(double(i) + 1) - std::lgamma(double(n - i) + 1));
    };
    std::size_t k = 1;
    double tail = term(0);
    while (k < (n + 1) / 2) {
        const double next = tail + term(k);
        if (next > 0.025) break;
        tail = next;
        ++k;
    }
    return {k, 1 - 2 * tail};
}

} // namespace

double quantile(std::span<const double> sorted, double share) {
    if (sorted.empty()) return 0;
    const double place = std::clamp(share, 0.0, 1.0) * double(sorted.size() - 1);
    const auto below = std::size_t(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return quantile(values, 0.5);
}

SampleSummary summarise(std::span<const Sample> samples, double highestClockMHz) {
    SampleSummary out;
    std::vector<double> kept, clocks;
    for (const Sample& sample : samples) {
        if (sample.clockMHz > 0 && sample.clockMHz < leastClockShare * highestClockMHz) {
            ++out.dropped;
            continue;
        }
        kept.push_back(sample.seconds);
        if (sample.clockMHz > 0) clocks.push_back(sample.clockMHz);
    }
    out.count = kept.size();
    if (kept.empty()) return out;
    std::sort(kept.begin(), kept.end());
    out.median = quantile(kept, 0.5);
    out.lowerQuartile = quantile(kept, 0.25);
    out.upperQuartile = quantile(kept, 0.75);
    out.smallest = kept.front();
    out.largest = kept.back();
    out.mean = std::accumulate(kept.begin(), kept.end(), 0.0) / double(kept.size());
    if (kept.size() > 1 && out.median > 0) {
        const double sigma = (out.upperQuartile - out.lowerQuartile) / interquartileOfNormal;
        out.relativeNoise = std::sqrt(std::numbers::pi / 2) * sigma / std::sqrt(double(kept.size())) / out.median;
    }
    const MedianInterval interval = medianInterval(kept.size());
    out.confidentFrom = kept[interval.from - 1];
    out.confidentTo = kept[kept.size() - interval.from];
    out.confidence = std::max(0.0, interval.confidence);
    out.medianClockMHz = medianOf(std::move(clocks));
    return out;
}

bool StopRule::isMet(const SampleSummary& summary, double secondsSoFar) const {
    if (summary.count >= least && summary.relativeNoise <= relativeNoise) return true;
    return secondsSoFar >= secondsAtMost || summary.count + summary.dropped >= most;
}

} // namespace kernelarium::perf
