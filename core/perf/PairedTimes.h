// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace kernelarium::perf {

/// One after the other, nothing in between: drifting clocks and neighbours touch both alike.
struct TimedPair {
    double first = 0;           ///< seconds of the one kernel
    double second = 0;          ///< seconds of the other
    bool firstWentFirst = true; ///< pairs alternate, since whoever goes second finds the GPU warmer
};

/// Which of two kernels is faster, from pairs of alternating order.
///
/// A pair in which the two differ by no more than `resolution` is a tie, and counts half for either. With w wins of the
/// first, l of the second and t ties, and every chance p of winning a pair equally likely beforehand, p has the
/// distribution Beta(1 + w + t / 2, 1 + l + t / 2); `firstIsFaster` is the probability that p is over one half.
///
/// The ratio of times is the geometric mean of two medians, that of the pairs in which the first kernel went first and
/// that of the others, so that what an order adds to one of them cancels; the order effect is their quotient's square
/// root (1: none; 1.02: whoever goes second takes 2% longer). Where only one order was taken the ratio is that order's
/// median.
struct PairedTimes {
    std::size_t pairs = 0;
    std::size_t firstWins = 0;
    std::size_t secondWins = 0;
    std::size_t ties = 0;
    double ratio = 1; ///< time of the first / time of the second: under 1, the first is faster
    double orderEffect = 1;
    double firstIsFaster = 0.5; ///< probability
    double secondIsFaster = 0.5;
};

/// Without pairs nothing is known: both probabilities are one half.
[[nodiscard]] PairedTimes comparePairs(std::span<const TimedPair> pairs, double resolution);

/// Where the ratio of comparePairs() lies: the distribution-free interval of a median over all pairs' ratios, those of
/// each order moved so that the two orders' medians agree. It is between the order statistics k and n + 1 - k, k the
/// largest with a coverage of 0.95; of fewer than six pairs it is their range, with less (`coverage`). Without pairs it
/// is everything.
struct RatioInterval {
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double coverage = 0;
};
[[nodiscard]] RatioInterval ratioInterval(std::span<const TimedPair> pairs);

/// Regularised incomplete beta function I_x(a, b): the probability that a Beta(a, b) variable is below x.
[[nodiscard]] double incompleteBeta(double x, double a, double b);

} // namespace kernelarium::perf
