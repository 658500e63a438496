// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/ProductOrder.h"

#include <algorithm>

namespace kernelarium::kernelgen::products {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::TensorId;

namespace {

std::set<TensorId> allMembers(const std::vector<ProductUnit>& units,
                              const std::vector<attention::AttentionUnit>& attentions) {
    std::set<TensorId> all;
    for (const ProductUnit& u : units)
        all.insert(u.members.begin(), u.members.end());
    for (const attention::AttentionUnit& a : attentions)
        all.insert(a.members.begin(), a.members.end());
    return all;
}

} // namespace

ProductOrder::ProductOrder(const SizedGraphs& graphs, const std::vector<ProductUnit>& units,
                           const std::vector<attention::AttentionUnit>& attentions)
    : m_full(graphs.graphs[graphs.full])
    , m_members(allMembers(units, attentions))
    , m_plan(planOf(withoutUnits(graphs, attentions))) {
    dissolveRows();
}

SizedGraphs ProductOrder::withoutUnits(const SizedGraphs& graphs,
                                       const std::vector<attention::AttentionUnit>& attentions) const {
    SizedGraphs out = graphs;
    for (Graph& g : out.graphs) {
        std::set<std::pair<TensorId, bool>> seen;
        for (const TensorId id : m_members) {
            const Definition* d = m_full.tensors[id].definition();
            const bool isWeighted =
                std::any_of(attentions.begin(), attentions.end(), [id](const auto& a) { return a.weight == id; });
            for (const algebra::Read& r : d->reads)
                addNeeded(g, seen, r.source, d->combine == Combine::sum || isWeighted);
        }
        for (const TensorId id : m_members)
            g.tensors[id].origin = algebra::Input{algebra::Input::drawn};
        std::erase_if(g.outputs, [&](TensorId id) { return g.tensors[id].input() != nullptr; });
    }
    return out;
}

void ProductOrder::addNeeded(Graph& g, std::set<std::pair<TensorId, bool>>& seen, TensorId id,
                             bool mustBeStored) const {
    const Definition* d = m_full.tensors[id].definition();
    if (!d || m_members.contains(id) || !seen.insert({id, mustBeStored}).second) return;
    if (mustBeStored || d->combine != Combine::none) {
        if (!std::count(g.outputs.begin(), g.outputs.end(), id)) g.outputs.push_back(id);
        return;
    }
    for (const algebra::Read& r : d->reads)
        addNeeded(g, seen, r.source, false);
}

void ProductOrder::dissolveRows() {
    for (const Plan::Step& step : m_plan.steps) {
        if (!step.group) {
            m_singles.insert(step.tensor);
            continue;
        }
        const std::set<TensorId> rows = rowMembers(*step.group), needRows = needing(rows);
        std::set<TensorId> between;
        for (const TensorId id : m_members)
            if (needRows.contains(id)) between.insert(id);
        const std::set<TensorId> needBetween = needing(between);
        if (std::none_of(rows.begin(), rows.end(), [&](TensorId id) { return needBetween.contains(id); }))
            m_groups.insert(*step.group);
        else
            m_singles.insert(rows.begin(), rows.end());
    }
}

std::set<TensorId> ProductOrder::needing(std::set<TensorId> some) const {
    if (some.empty()) return some;
    for (TensorId id = *some.begin(); id < m_full.tensors.size(); ++id) {
        const auto sources = algebra::sourcesOf(m_full.tensors[id]);
        if (std::any_of(sources.begin(), sources.end(), [&](TensorId s) { return some.contains(s); })) some.insert(id);
    }
    return some;
}

std::set<TensorId> ProductOrder::rowMembers(std::size_t group) const {
    const RowGroup& g = m_plan.groups[group];
    std::set<TensorId> all(g.reductions.begin(), g.reductions.end());
    all.insert(g.maps.begin(), g.maps.end());
    all.insert(g.totals.begin(), g.totals.end());
    return all;
}

bool ProductOrder::isReady(const std::set<TensorId>& members) const {
    std::map<TensorId, bool> known;
    return std::all_of(members.begin(), members.end(), [&](TensorId id) { return hasSources(id, members, known); });
}

bool ProductOrder::hasSources(TensorId id, const std::set<TensorId>& members, std::map<TensorId, bool>& known) const {
    const auto sources = algebra::sourcesOf(m_full.tensors[id]);
    return std::all_of(sources.begin(), sources.end(), [&](TensorId s) {
        if (members.contains(s) || m_full.tensors[s].input() || m_done.contains(s)) return true;
        if (!m_plan.inlined.contains(s)) return false;
        if (const auto it = known.find(s); it != known.end()) return it->second;
        return known[s] = hasSources(s, members, known);
    });
}

} // namespace kernelarium::kernelgen::products
