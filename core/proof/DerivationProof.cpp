// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/DerivationProof.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::proof {

namespace {

using algebra::Graph;
using algebra::Rewrite;
using algebra::Rule;

bool isSearched(const Rule* rule) {
    const std::vector<Rule>& rules = algebra::searchedRules();
    return std::any_of(rules.begin(), rules.end(), [rule](const Rule& r) { return &r == rule; });
}

/// A search that may look at nothing only tidies up.
Result<Graph> tidied(const Graph& graph, const perf::DeviceSpec& device, algebra::SearchLimits limits) {
    limits.variants = 0;
    limits.tensors = 0;
    Result<algebra::Derivation> d = algebra::derive(graph, device, limits);
    if (!d) return d.error();
    return std::move(d->rewritten);
}

Result<Graph> applied(const Graph& graph, const Rewrite& step) {
    for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id)
        for (algebra::Edit& e : step.rule->edits(graph, id))
            if (e.detail == step.details.front()) return algebra::edited(graph, std::move(e));
    return Error{"not_offered",
                 fmt::format("The rule {} does not fit {} there.", step.rule->name, step.details.front())};
}

} // namespace

Result<std::vector<Stage>> proveDerivation(const task::Card& card, const algebra::Derivation& derivation,
                                           const perf::DeviceSpec& device, const algebra::SearchLimits& limits,
                                           const Options& options) {
    std::vector<Stage> stages(1);
    std::vector<Rewrite> chosen;
    for (const Rewrite& step : derivation.steps) {
        if (isSearched(step.rule)) {
            chosen.push_back(step);
            stages.push_back({{}, step.details.front(), {}});
        }
        stages.back().rules.emplace_back(step.rule->name);
    }
    for (std::size_t n = 0; n < stages.size(); ++n) {
        const auto upTo = [&](const Graph& lowered, const task::Symbols&) -> Result<Graph> {
            Result<Graph> graph = tidied(lowered, device, limits);
            for (std::size_t i = 0; i < n && graph; ++i) {
                graph = applied(*graph, chosen[i]);
                if (graph) graph = tidied(*graph, device, limits);
            }
            return graph;
        };
        Result<Proof> proof = prove(card, upTo, options);
        if (!proof) return proof.error();
        stages[n].proof = *std::move(proof);
    }
    // Without a rule nothing was done.
    if (stages.front().rules.empty() && stages.size() > 1) stages.erase(stages.begin());
    return stages;
}

} // namespace kernelarium::proof
