// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/DerivationProof.h"

#include <algorithm>
#include <map>

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

/// The graphs after the tidying and after each chosen step at one size. Several edits of a rule may be called the same:
/// of these, those are taken after which the steps to come are offered as well.
class Replay {
public:
    Replay(const std::vector<Rewrite>& chosen, const perf::DeviceSpec& device, const algebra::SearchLimits& limits)
        : m_chosen(chosen)
        , m_device(device)
        , m_limits(limits) {}

    Result<std::vector<Graph>> run(const Graph& lowered) {
        Result<Graph> first = tidied(lowered, m_device, m_limits);
        if (!first) return first.error();
        m_path = {*first};
        m_longest = m_path;
        m_tried = 0;
        if (Result<bool> r = follow(); !r) return r.error();
        return m_longest;
    }

private:
    static constexpr int mostTried = 200;

    /// Whether the rest could be done from where the path ends.
    Result<bool> follow() {
        const std::size_t done = m_path.size() - 1;
        if (m_path.size() > m_longest.size()) m_longest = m_path;
        if (done == m_chosen.size()) return true;
        const Rewrite& step = m_chosen[done];
        const Graph here = m_path.back();
        for (algebra::TensorId id = 0; id < here.tensors.size(); ++id)
            for (algebra::Edit& e : step.rule->edits(here, id)) {
                if (e.detail != step.details.front() || ++m_tried > mostTried) continue;
                Result<Graph> next = tidied(algebra::edited(here, std::move(e)), m_device, m_limits);
                if (!next) return next.error();
                m_path.push_back(*std::move(next));
                Result<bool> rest = follow();
                if (!rest || *rest) return rest;
                m_path.pop_back();
            }
        return false;
    }

    const std::vector<Rewrite>& m_chosen;
    const perf::DeviceSpec& m_device;
    const algebra::SearchLimits& m_limits;
    std::vector<Graph> m_path, m_longest;
    int m_tried = 0;
};

} // namespace

Result<std::vector<Stage>> proveDerivation(const task::Card& card, const algebra::Derivation& derivation,
                                           const perf::DeviceSpec& device, const algebra::SearchLimits& limits,
                                           const Options& options,
                                           const std::function<void(std::size_t, std::size_t)>& progress) {
    std::vector<Stage> stages(1);
    std::vector<Rewrite> chosen;
    for (const Rewrite& step : derivation.steps) {
        if (isSearched(step.rule)) {
            chosen.push_back(step);
            stages.push_back({{}, step.details.front(), {}});
        }
        stages.back().rules.emplace_back(step.rule->name);
    }
    std::map<task::Symbols, std::vector<Graph>> bySize;
    for (std::size_t n = 0; n < stages.size(); ++n) {
        const auto upTo = [&](const Graph& lowered, const task::Symbols& symbols) -> Result<Graph> {
            auto at = bySize.find(symbols);
            if (at == bySize.end()) {
                Result<std::vector<Graph>> graphs = Replay(chosen, device, limits).run(lowered);
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
