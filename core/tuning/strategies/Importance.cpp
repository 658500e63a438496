// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Importance.h"

#include "core/tuning/strategies/Axes.h"
#include "core/tuning/strategies/Forest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelarium::tuning {
namespace {

constexpr std::size_t leastPoints = 10;
constexpr std::size_t mostPoints = 2000;
constexpr int dealings = 5;

double squaredError(const Forest& forest, const std::vector<Row>& rows, const std::vector<double>& targets) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        sum += std::pow(forest.predict(rows[i]).mean - targets[i], 2);
    return sum / double(rows.size());
}

double varianceOf(const std::vector<double>& targets) {
    const double mean = std::accumulate(targets.begin(), targets.end(), 0.0) / double(targets.size());
    double sum = 0;
    for (const double target : targets)
        sum += (target - mean) * (target - mean);
    return sum / double(targets.size());
}

/// The share of the variance that forests explain on the rows that each has not seen: every fourth in turn.
double explainedBy(const std::vector<Row>& rows, const std::vector<double>& targets, const std::vector<bool>& ordered) {
    constexpr std::size_t parts = 4;
    double error = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        std::vector<Row> seen, unseen;
        std::vector<double> seenTargets, unseenTargets;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            (i % parts == part ? unseen : seen).push_back(rows[i]);
            (i % parts == part ? unseenTargets : seenTargets).push_back(targets[i]);
        }
        Forest forest;
        forest.fit(seen, seenTargets, ordered, Random(1, part));
        error += squaredError(forest, unseen, unseenTargets) * double(unseen.size());
    }
    const double variance = varianceOf(targets);
    return variance > 0 ? std::clamp(1 - error / double(rows.size()) / variance, 0.0, 1.0) : 0;
}

} // namespace

std::optional<Importance> importanceOf(const Space& space, const std::vector<Judged>& all) {
    const Axes axes(space);
    std::vector<Row> rows;
    std::vector<double> targets;
    for (const Judged& judged : all) {
        if (!judged.ranks()) continue;
        const auto point = space.pointOf(judged.candidate.key);
        if (!point) continue;
        rows.push_back(axes.places(*point));
        targets.push_back(*judged.outcome.value);
    }
    if (rows.size() < leastPoints) return std::nullopt;
    const double largest = std::abs(*std::max_element(targets.begin(), targets.end(),
                                                      [](double a, double b) { return std::abs(a) < std::abs(b); }));
    const bool positive = std::all_of(targets.begin(), targets.end(), [](double target) { return target > 0; });
    for (double& target : targets)
        target = positive ? std::log(target) : largest > 0 ? target / largest : 0;

    // Dealt first: a sweep comes in the order of its points, and what is left out below must not be a corner.
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    Random random(1);
    random.shuffle(order);
    order.resize(std::min(order.size(), mostPoints));
    std::vector<Row> chosen;
    std::vector<double> chosenTargets;
    for (const std::size_t i : order) {
        chosen.push_back(std::move(rows[i]));
        chosenTargets.push_back(targets[i]);
    }

    std::vector<bool> ordered;
    for (std::size_t i = 0; i < axes.count(); ++i)
        ordered.push_back(axes[i].ordered);
    Forest forest(60, 2);
    forest.fit(chosen, chosenTargets, ordered, Random(2));
    const double base = squaredError(forest, chosen, chosenTargets);

    Importance importance;
    importance.points = chosen.size();
    importance.shares.assign(axes.count(), 0);
    for (std::size_t i = 0; i < axes.count(); ++i) {
        for (int k = 0; k < dealings; ++k) {
            std::vector<double> column;
            for (const Row& row : chosen)
                column.push_back(row[i]);
            random.shuffle(column);
            std::vector<Row> dealt = chosen;
            for (std::size_t row = 0; row < dealt.size(); ++row)
                dealt[row][i] = column[row];
            importance.shares[i] += std::max(squaredError(forest, dealt, chosenTargets) - base, 0.0);
        }
    }
    const double sum = std::accumulate(importance.shares.begin(), importance.shares.end(), 0.0);
    if (sum > 1e-15)
        for (double& share : importance.shares)
            share /= sum;
    else
        std::fill(importance.shares.begin(), importance.shares.end(), 0.0);
    importance.explained = explainedBy(chosen, chosenTargets, ordered);
    return importance;
}

} // namespace kernelarium::tuning
