// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/rewrite/Replay.h"

#include <algorithm>

namespace kernelarium::algebra {

bool isSearched(const Rule& rule) {
    const std::vector<Rule>& rules = searchedRules();
    return std::any_of(rules.begin(), rules.end(), [&rule](const Rule& r) { return &r == &rule; });
}

std::vector<Rewrite> chosenSteps(const Derivation& derivation) {
    std::vector<Rewrite> chosen;
    for (const Rewrite& step : derivation.steps)
        if (isSearched(*step.rule)) chosen.push_back(step);
    return chosen;
}

namespace {

/// A search that may look at nothing only tidies up.
Result<Graph> onlyTidied(const Graph& graph, const perf::DeviceSpec& device, SearchLimits limits) {
    limits.variants = 0;
    limits.tensors = 0;
    Result<Derivation> d = derive(graph, device, limits);
    if (!d) return d.error();
    return std::move(d->rewritten);
}

/// The graphs after the tidying and after each chosen step at one size. Several edits of a rule may be called the same:
/// of these, those are taken after which the steps to come are offered as well.
class Replay {
public:
    Replay(const std::vector<Rewrite>& chosen, const perf::DeviceSpec& device, const SearchLimits& limits)
        : m_chosen(chosen)
        , m_device(device)
        , m_limits(limits) {}

    Result<std::vector<Graph>> run(const Graph& lowered) {
        Result<Graph> first = onlyTidied(lowered, m_device, m_limits);
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
        for (TensorId id = 0; id < here.tensors.size(); ++id)
            for (Edit& e : step.rule->edits(here, id)) {
                if (e.detail != step.details.front() || ++m_tried > mostTried) continue;
                Result<Graph> next = onlyTidied(edited(here, std::move(e)), m_device, m_limits);
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
    const SearchLimits& m_limits;
    std::vector<Graph> m_path, m_longest;
    int m_tried = 0;
};

} // namespace

Result<std::vector<Graph>> replayed(const std::vector<Rewrite>& chosen, const Graph& lowered,
                                    const perf::DeviceSpec& device, const SearchLimits& limits) {
    return Replay(chosen, device, limits).run(lowered);
}

} // namespace kernelarium::algebra
