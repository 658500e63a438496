// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/ShareOfBlocks.h"

#include "core/quantities/Quantities.h"
#include "core/verify/Comparison.h"
#include "core/verify/Runner.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace kernelarium::verify {

namespace {

constexpr double aMinute =
    0.8e9; ///< warp instructions; two runs are needed, and slow kernels take 30e6 of them a second
constexpr double aRun = 0.3e9;

/// The level that costs are cut off at so that they add up to the budget.
double levelFor(std::vector<double> costs, double budget) {
    std::sort(costs.begin(), costs.end());
    double spent = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double level = (budget - spent) / double(costs.size() - i);
        if (costs[i] >= level) return level;
        spent += costs[i];
    }
    return costs.empty() ? budget : costs.back();
}

void replaceUnknown(tensor::Tensor& output, const tensor::Tensor& expected, const std::vector<std::uint8_t>& known) {
    for (std::size_t i = 0; i < known.size(); ++i)
        if (!known[i]) output.set(std::int64_t(i), expected.at(std::int64_t(i)));
}

} // namespace

std::string describe(const ComparedShare& share) {
    return fmt::format(
        "{} of {} of the long launches were executed; {} of {} output elements depend on these alone and were compared.",
        quantities::count(share.executed), quantities::counted(share.blocks, "block"), share.known, share.elements);
}

std::optional<std::uint64_t> instructionsToSampleAbove(std::span<const perf::LaunchCounters> launches) {
    std::vector<double> costs;
    for (const perf::LaunchCounters& launch : launches)
        costs.push_back(launch.totals.warpInstructions);
    if (std::accumulate(costs.begin(), costs.end(), 0.0) <= aMinute) return std::nullopt;
    return std::uint64_t(std::max(1.0, levelFor(std::move(costs), aRun)));
}

ComparedShare takeUnknownElements(RunResult& run, const tensor::Value& expected) {
    const LeftOut& left = *run.leftOut;
    ComparedShare share{left.blocks, left.executed, 0, 0};
    std::vector<tensor::Tensor> outputs = flatten(run.output); // share their elements with the value's
    const std::vector<tensor::Tensor> references = flatten(expected);
    for (std::size_t o = 0; o < outputs.size() && o < references.size() && o < left.known.size(); ++o) {
        const std::vector<std::uint8_t>& known = left.known[o];
        share.elements += outputs[o].count();
        if (outputs[o].count() != references[o].count() || std::int64_t(known.size()) != outputs[o].count()) continue;
        share.known += std::count(known.begin(), known.end(), std::uint8_t(1));
        replaceUnknown(outputs[o], references[o], known);
    }
    return share;
}

Comparison ofShare(Comparison c, const ComparedShare& share) {
    if (share.known == 0 || c.elements == 0) return c;
    c.rmsError *= std::sqrt(double(c.elements) / double(share.known));
    c.elements = share.known;
    return c;
}

} // namespace kernelarium::verify
