// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Compare.h"

#include "core/numbers/Median.h"
#include "core/threads/FanOut.h"
#include "core/tuning/strategies/PointProposer.h"
#include "core/tuning/strategies/Strategies.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>

namespace kernelarium::tuning {
namespace {

/// What was recorded, by the name of the look.
struct Recorded {
    std::unordered_map<std::string, const Outcome*> outcomes;
    std::vector<double> efforts; ///< that rise to 1
    std::atomic<std::size_t> missing = 0;

    static std::string nameOf(const std::string& key, double effort) { return fmt::format("{}\n{}", key, effort); }
};

/// The best values after each number of looks, of one search.
std::vector<double> searched(const Space& space, Recorded& recorded, std::unique_ptr<Strategy> strategy,
                             std::uint64_t seed, const std::vector<double>& looks, const std::stop_token& stop) {
    static const Outcome refused{Outcome::Kind::refused, std::nullopt, {}, {}};
    PointOptions options;
    options.seed = seed;
    options.horizon = *std::max_element(looks.begin(), looks.end());
    PointProposer proposer(space, std::move(strategy), options);
    std::vector<double> best(looks.size(), std::numeric_limits<double>::infinity());
    double spent = 0;
    while (spent < options.horizon && !stop.stop_requested()) {
        const auto candidates = proposer.propose(1);
        if (candidates.empty()) break;
        const Candidate& candidate = candidates.front();
        const auto at = recorded.outcomes.find(Recorded::nameOf(candidate.key, candidate.effort));
        if (at == recorded.outcomes.end()) ++recorded.missing;
        const Outcome& outcome = at == recorded.outcomes.end() ? refused : *at->second;
        proposer.hear(candidate, outcome);
        spent += candidate.effort;
        if (candidate.effort < 1 || outcome.kind != Outcome::Kind::valued) continue;
        for (std::size_t i = 0; i < looks.size(); ++i)
            if (spent <= looks[i] + 1e-9) best[i] = std::min(best[i], *outcome.value);
    }
    return best;
}

Result<void> record(const Space& space, const std::vector<Judged>& sweep, Recorded& recorded, Comparison& comparison) {
    std::set<double> efforts{1};
    comparison.optimum = std::numeric_limits<double>::infinity();
    for (const Judged& judged : sweep) {
        const auto point = space.pointOf(judged.candidate.key);
        if (!point || judged.outcome.kind == Outcome::Kind::failed) continue;
        const bool valued = judged.outcome.kind == Outcome::Kind::valued && judged.outcome.value;
        if (valued && !(*judged.outcome.value > 0))
            return Error{"bad_input", fmt::format("The value of `{}` is not positive.", judged.candidate.key),
                         "Strategies are compared by ratios to the optimum."};
        const std::string key = space.key(*point);
        if (!recorded.outcomes.try_emplace(Recorded::nameOf(key, judged.candidate.effort), &judged.outcome).second)
            continue;
        efforts.insert(judged.candidate.effort);
        if (judged.candidate.effort < 1) continue;
        ++comparison.points;
        if (!valued) continue;
        ++comparison.valued;
        if (*judged.outcome.value >= comparison.optimum) continue;
        comparison.optimum = *judged.outcome.value;
        comparison.optimumKey = key;
    }
    if (comparison.valued == 0)
        return Error{"bad_input", "No candidate of the sweep has a value.", "Take the store of an exhaustive search."};
    recorded.efforts.assign(efforts.begin(), efforts.end());
    return {};
}

} // namespace

Result<Comparison> compareStrategies(const Space& space, const std::vector<Judged>& sweep,
                                     const CompareOptions& options, std::stop_token stop) {
    Comparison comparison;
    comparison.looks = options.looks;
    if (options.looks.empty() || options.seeds == 0)
        return Error{"bad_input", "There is nothing to compare: no numbers of looks, or no seeds.", {}};
    std::vector<std::string> names = options.strategies;
    if (names.empty())
        for (const StrategyKind& kind : strategyKinds())
            if (kind.name != "exhaustive") names.emplace_back(kind.name);
    for (const std::string& name : names)
        if (auto made = makeStrategy(name); !made) return made.error();
    Recorded recorded;
    if (auto read = record(space, sweep, recorded, comparison); !read) return read.error();

    std::vector<std::vector<double>> bests(names.size() * options.seeds);
    threads::forEach(bests.size(), options.jobs, [&](std::size_t item, std::size_t) {
        auto strategy = makeStrategy(names[item / options.seeds], recorded.efforts);
        bests[item] =
            searched(space, recorded, std::move(strategy.value()), item % options.seeds + 1, options.looks, stop);
    });
    if (stop.stop_requested()) return Error{"cancelled", "The comparison was stopped."};
    for (std::size_t i = 0; i < names.size(); ++i) {
        Comparison::Line line{names[i], {}};
        for (std::size_t k = 0; k < options.looks.size(); ++k) {
            std::vector<double> ratios;
            for (unsigned seed = 0; seed < options.seeds; ++seed)
                ratios.push_back(bests[i * options.seeds + seed][k] / comparison.optimum);
            line.ratios.push_back(numbers::medianOf(ratios));
        }
        comparison.lines.push_back(std::move(line));
    }
    const std::size_t first = options.looks.size() >= 2 ? options.looks.size() - 2 : 0;
    std::stable_sort(comparison.lines.begin(), comparison.lines.end(), [&](const auto& a, const auto& b) {
        return std::tie(a.ratios[first], a.ratios.back(), a.ratios.front()) <
               std::tie(b.ratios[first], b.ratios.back(), b.ratios.front());
    });
    comparison.missing = recorded.missing;
    return comparison;
}

} // namespace kernelarium::tuning
