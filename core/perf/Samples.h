// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kernelarium::perf {

/// One timed call.
struct Sample {
    double seconds = 0;
    double clockMHz = 0; ///< of the multiprocessors while it ran; 0: not known
};

/// A sample counts unless the clock was below this share of the highest one: the GPU was throttled or still asleep.
inline constexpr double leastClockShare = 0.75;

/// What samples say together. Quantiles interpolate linearly between order statistics (Hyndman and Fan 1996, type 7).
struct SampleSummary {
    std::size_t count = 0;   ///< that count
    std::size_t dropped = 0; ///< for their clock
    double median = 0;       ///< seconds, as all below
    double lowerQuartile = 0;
    double upperQuartile = 0;
    double smallest = 0;
    double largest = 0;
    double mean = 0;
    /// Standard error of the median over the median: sqrt(pi / 2) * sigma / sqrt(count) / median, where sigma is the
    /// interquartile range / 1.349 (both as for normal samples; the range does not see outliers). 0 for fewer than two.
    double relativeNoise = 0;
    /// Distribution-free interval of the true median, between the order statistics k and count + 1 - k, k the largest
    /// with
    ///     sum over i < k of C(count, i) / 2^count  <=  0.025;
    /// from the smallest to the largest where there are fewer than six samples.
    double confidentFrom = 0;
    double confidentTo = 0;
    double confidence = 0;     ///< of that interval, at least 0.95 from six samples on
    double medianClockMHz = 0; ///< of samples that count; 0: not known
};

/// `highestClockMHz` 0: not known, nothing is dropped.
[[nodiscard]] SampleSummary summarise(std::span<const Sample> samples, double highestClockMHz);

/// At a share from 0 to 1 of sorted values; 0 without any.
[[nodiscard]] double quantile(std::span<const double> sorted, double share);
/// The quantile at a half of values in any order; 0 without any.
[[nodiscard]] double medianOf(std::vector<double> values);

/// When to stop sampling.
struct StopRule {
    std::size_t least = 10;
    double relativeNoise = 0.005;
    double secondsAtMost = 5;
    std::size_t most = 100'000;
    [[nodiscard]] bool isMet(const SampleSummary& summary, double secondsSoFar) const;
};

} // namespace kernelarium::perf
