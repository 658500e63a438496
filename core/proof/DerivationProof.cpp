// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/DerivationProof.h"

#include "core/algebra/rewrite/Replay.h"

#include <map>

#include <fmt/format.h>

namespace kernelarium::proof {

using algebra::Graph;
using algebra::Rewrite;

Result<std::vector<Stage>> proveDerivation(const task::Card& card, const algebra::Derivation& derivation,
                                           const perf::DeviceSpec& device, const algebra::SearchLimits& limits,
                                           const Options& options,
                                           const std::function<void(std::size_t, std::size_t)>& progress) {
    std::vector<Stage> stages(1);
    const std::vector<Rewrite> chosen = algebra::chosenSteps(derivation);
    for (const Rewrite& step : derivation.steps) {
        if (algebra::isSearched(*step.rule)) stages.push_back({{}, step.details.front(), {}});
        stages.back().rules.emplace_back(step.rule->name);
    }
    std::map<task::Symbols, std::vector<Graph>> bySize;
    for (std::size_t n = 0; n < stages.size(); ++n) {
        const auto upTo = [&](const Graph& lowered, const task::Symbols& symbols) -> Result<Graph> {
            auto at = bySize.find(symbols);
            if (at == bySize.end()) {
                Result<std::vector<Graph>> graphs = algebra::replayed(chosen, lowered, device, limits);
                if (!graphs) return graphs.error();
                at = bySize.emplace(symbols, *std::move(graphs)).first;
            }
            if (n < at->second.size()) return at->second[n];
            const Rewrite& missing = chosen[at->second.size() - 1];
            return Error{"not_offered", fmt::format("the rule {} is not offered for {}.", missing.rule->name,
                                                    missing.details.front())};
        };
        if (progress) progress(n + 1, stages.size());
        Options own = options;
        if (n + 1 < stages.size()) own.mostFloat64Work = std::min(own.mostFloat64Work, 1e7);
        Result<Proof> proof = prove(card, upTo, own);
        if (proof)
            stages[n].proof = *std::move(proof);
        else if (proof.error().code == "not_offered")
            stages[n].proof.leftOut = {"every size: " + proof.error().message};
        else
            return proof.error();
    }
    // Without a rule nothing was done.
    if (stages.front().rules.empty() && stages.size() > 1) stages.erase(stages.begin());
    return stages;
}

} // namespace kernelarium::proof
