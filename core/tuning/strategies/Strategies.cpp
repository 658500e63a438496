// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Strategies.h"

#include "core/tuning/strategies/Evolution.h"
#include "core/tuning/strategies/Exhaustive.h"
#include "core/tuning/strategies/GaussianProcess.h"
#include "core/tuning/strategies/LocalSearch.h"
#include "core/tuning/strategies/ModelBased.h"
#include "core/tuning/strategies/Sampling.h"
#include "core/tuning/strategies/SuccessiveHalving.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::tuning {
namespace {

template <class T> std::unique_ptr<Strategy> makeOf(const std::vector<double>&) {
    return std::make_unique<T>();
}
template <class T> std::unique_ptr<Strategy> makeModelled(const std::vector<double>&) {
    return std::make_unique<ModelBased>(std::make_unique<T>());
}
std::unique_ptr<Strategy> makeHalving(const std::vector<double>& efforts) {
    return std::make_unique<SuccessiveHalving>(efforts);
}

constexpr std::array kinds{
    StrategyKind{"gaussian-process", "Gaussian process",
                 "The fewest looks: takes what is dear to look at, up to some hundreds of looks."},
    StrategyKind{"forest", "Random forest",
                 "Few looks where many parameters are words, values jump, or some thousands are looked at."},
    StrategyKind{"local-search", "Local search", "Improves on the text as it stands, step by step."},
    StrategyKind{"annealing", "Simulated annealing", "As local search, but leaves a hollow that is not the deepest."},
    StrategyKind{"genetic", "Genetic algorithm", "Large spaces whose parameters matter mostly by themselves."},
    StrategyKind{"differential-evolution", "Differential evolution", "Large spaces of numbers, and many looks."},
    StrategyKind{"successive-halving", "Successive halving",
                 "Where a cheap look ranks: many of them, and dear ones for the best."},
    StrategyKind{"latin-hypercube", "Latin hypercube", "An even picture of the whole space from few looks."},
    StrategyKind{"random", "Random", "What the others are compared with; divides among shards."},
    StrategyKind{"exhaustive", "Exhaustive", "Every point: small spaces, and tables to compare strategies on."},
};

using Make = std::unique_ptr<Strategy> (*)(const std::vector<double>&);
constexpr std::array<Make, kinds.size()> makers{makeModelled<GaussianProcess>,
                                                makeModelled<Forest>,
                                                makeOf<LocalSearch>,
                                                makeOf<Annealing>,
                                                makeOf<Genetic>,
                                                makeOf<DifferentialEvolution>,
                                                makeHalving,
                                                makeOf<LatinHypercube>,
                                                makeOf<RandomPoints>,
                                                makeOf<Exhaustive>};

} // namespace

std::span<const StrategyKind> strategyKinds() {
    return kinds;
}

Result<std::unique_ptr<Strategy>> makeStrategy(std::string_view name, std::vector<double> efforts) {
    double last = 0;
    for (const double effort : efforts) {
        if (!(effort > last)) last = 2;
        last = std::max(last, effort);
    }
    if (last != 1) return Error{"bad_input", "The efforts of a search do not rise to 1.", {}};
    const auto at =
        std::find_if(kinds.begin(), kinds.end(), [&](const StrategyKind& kind) { return kind.name == name; });
    if (at != kinds.end()) return makers[std::size_t(at - kinds.begin())](efforts);
    std::string names;
    for (const StrategyKind& kind : kinds)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
    return Error{"bad_input", fmt::format("`{}` is not a strategy.", name), fmt::format("Take one of {}.", names)};
}

} // namespace kernelarium::tuning
