// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/PairedTimes.h"

#include "core/perf/Samples.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kernelarium::perf {

namespace {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by Lentz's method.
double betaFraction(double x, double a, double b) {
    constexpr double tiny = 1e-300, enough = 1e-15;
    const auto away = [](double v) { return std::abs(v) < tiny ? tiny : v; };
    double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), value = d;
    for (int m = 1; m < 10'000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away(1 + even * d);
        c = away(1 + even / c);
        value *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away(1 + odd * d);
        c = away(1 + odd / c);
        value *= d * c;
        if (std::abs(d * c - 1) < enough) break;
    }
    return value;
}

} // namespace

double incompleteBeta(double x, double a, double b) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    // The fraction converges fast only on this side of the mean.
    if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
    const double front =
        std::exp(a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b));
    return front * betaFraction(x, a, b) / a;
}

PairedTimes comparePairs(std::span<const TimedPair> pairs, double resolution) {
    PairedTimes out;
    std::vector<double> logs[2];
    for (const TimedPair& pair : pairs) {
        if (!(pair.first > 0) || !(pair.second > 0)) continue;
        ++out.pairs;
        if (std::abs(pair.first - pair.second) <= resolution)
            ++out.ties;
        else if (pair.first < pair.second)
            ++out.firstWins;
        else
            ++out.secondWins;
        logs[pair.firstWentFirst ? 0 : 1].push_back(std::log(pair.first / pair.second));
    }
    if (out.pairs == 0) return out;
    const double leading = medianOf(logs[0]), following = medianOf(logs[1]);
    if (logs[0].empty() || logs[1].empty()) {
        out.ratio = std::exp(leading + following); // one of them is 0
    } else {
        out.ratio = std::exp((leading + following) / 2);
        out.orderEffect = std::exp((following - leading) / 2);
    }
    const double half = double(out.ties) / 2;
    out.secondIsFaster = incompleteBeta(0.5, 1 + double(out.firstWins) + half, 1 + double(out.secondWins) + half);
    out.firstIsFaster = 1 - out.secondIsFaster;
    return out;
}

RatioInterval ratioInterval(std::span<const TimedPair> pairs) {
    std::vector<double> logs[2];
    for (const TimedPair& pair : pairs)
        if (pair.first > 0 && pair.second > 0)
            logs[pair.firstWentFirst ? 0 : 1].push_back(std::log(pair.first / pair.second));
    std::vector<double> all = logs[0];
    const double shift = logs[0].empty() || logs[1].empty() ? 0 : (medianOf(logs[0]) - medianOf(logs[1])) / 2;
    for (double& log : all)
        log -= shift;
    for (const double log : logs[1])
        all.push_back(log + shift);
    if (all.empty()) return {};
    std::sort(all.begin(), all.end());
    const std::size_t n = all.size();
    // P(binomial(n, 1/2) < k) = I_1/2(n - k + 1, k)
    const auto coverage = [n](std::size_t k) { return 1 - 2 * incompleteBeta(0.5, double(n - k + 1), double(k)); };
    constexpr double wanted = 0.95;
    std::size_t k = 1;
    while (2 * (k + 1) <= n && coverage(k + 1) >= wanted)
        ++k;
    return {std::exp(all[k - 1]), std::exp(all[n - k]), std::max(0.0, coverage(k))};
}

} // namespace kernelarium::perf
