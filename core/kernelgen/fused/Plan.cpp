// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/Plan.h"

#include "core/algebra/rewrite/Rule.h"
#include "core/kernelgen/fused/RowGroups.h"
#include "core/kernelgen/text/KernelText.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Operations for each element touched beyond which a product is no business of these forms.
constexpr double mostReuse = 40;
/// A formula may be computed so much oftener than it has elements, or any number of times if it costs so little.
constexpr double mostRepeats = 4, cheapFlops = 30;

double points(const Tensor& t) {
    return double(algebra::pointCount(algebra::spaceOf(t)));
}

class Planner {
public:
    explicit Planner(const SizedGraphs& graphs)
        : m_graphs(graphs)
        , m_full(graphs.graphs[graphs.full]) {}

    Plan run() {
        refuseProducts();
        chooseInlined();
        m_plan.groups = rowGroups(m_graphs, m_plan.inlined);
        order();
        return std::move(m_plan);
    }

private:
    [[nodiscard]] bool isOutput(TensorId id) const {
        return std::find(m_full.outputs.begin(), m_full.outputs.end(), id) != m_full.outputs.end();
    }

    void refuseProducts() const {
        for (const Tensor& t : m_full.tensors) {
            if (t.recurrence()) throw Refusal(fmt::format("{}, a recurrence", t.name));
            const Definition* d = t.definition();
            if (!d || d->combine == Combine::none || algebra::scanAxis(t) >= 0) continue;
            double touched = double(algebra::pointCount(t.extents));
            std::size_t large = 0;
            for (const algebra::Read& r : d->reads) {
                touched += double(algebra::pointCount(m_full.tensors[r.source].extents));
                large += m_full.tensors[r.source].extents.empty() ? 0 : 1;
            }
            if (points(t) > mostReuse * touched)
                throw Refusal(
                    fmt::format("{}, a product or convolution with {:.0f} terms for each element that it touches",
                                t.name, points(t) / touched));
        }
    }

    void chooseInlined() {
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const Definition* d = m_full.tensors[id].definition();
            if (!d || d->combine != Combine::none || isOutput(id)) continue;
            if (m_full.tensors[id].dtype != tensor::DType::Float32 && m_full.tensors[id].dtype != tensor::DType::Bool)
                continue;
            double evaluations = 0;
            for (const Tensor& reader : m_full.tensors)
                for (const TensorId s : algebra::sourcesOf(reader))
                    if (s == id) evaluations += points(reader);
            if (evaluations <= mostRepeats * points(m_full.tensors[id]) || algebra::flopsOf(d->body) <= cheapFlops)
                m_plan.inlined.insert(id);
        }
    }

    /// Groups and single tensors, the earliest first of those whose sources are made.
    void order() {
        std::vector<Plan::Step> left;
        std::vector<std::set<TensorId>> makes;
        std::set<TensorId> grouped;
        for (std::size_t g = 0; g < m_plan.groups.size(); ++g) {
            const RowGroup& group = m_plan.groups[g];
            std::set<TensorId> all(group.reductions.begin(), group.reductions.end());
            all.insert(group.maps.begin(), group.maps.end());
            all.insert(group.totals.begin(), group.totals.end());
            grouped.insert(all.begin(), all.end());
            left.push_back({g, 0});
            makes.push_back(std::move(all));
        }
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            if (m_full.tensors[id].input() || m_plan.inlined.contains(id) || grouped.contains(id)) continue;
            left.push_back({std::nullopt, id});
            makes.push_back({id});
        }
        const std::vector<std::set<TensorId>> needs = needed();
        std::set<TensorId> made;
        while (!left.empty()) {
            std::size_t next = left.size();
            for (std::size_t k = 0; k < left.size(); ++k) {
                const bool isReady = std::all_of(makes[k].begin(), makes[k].end(), [&](TensorId id) {
                    return std::all_of(needs[id].begin(), needs[id].end(),
                                       [&](TensorId s) { return made.contains(s) || makes[k].contains(s); });
                });
                if (isReady && (next == left.size() || *makes[k].begin() < *makes[next].begin())) next = k;
            }
            if (next == left.size()) throw Refusal("formulas that need one another in a circle");
            made.insert(makes[next].begin(), makes[next].end());
            m_plan.steps.push_back(left[next]);
            left.erase(left.begin() + std::ptrdiff_t(next));
            makes.erase(makes.begin() + std::ptrdiff_t(next));
        }
    }
    /// By tensor: what has to be there before it, through what is written in place.
    [[nodiscard]] std::vector<std::set<TensorId>> needed() const {
        std::vector<std::set<TensorId>> needs(m_full.tensors.size());
        for (TensorId id = 0; id < m_full.tensors.size(); ++id)
            for (const TensorId s : algebra::sourcesOf(m_full.tensors[id])) {
                if (m_plan.inlined.contains(s))
                    needs[id].insert(needs[s].begin(), needs[s].end());
                else if (!m_full.tensors[s].input())
                    needs[id].insert(s);
            }
        return needs;
    }

    const SizedGraphs& m_graphs;
    const Graph& m_full;
    Plan m_plan;
};

} // namespace

algebra::Graph tidied(Graph graph) {
    constexpr int mostEdits = 400;
    int edits = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const algebra::Rule& rule : algebra::tidyingRules()) {
            if (rule.exactness == algebra::Exactness::drawn) continue;
            for (TensorId id = 0; id < graph.tensors.size() && edits < mostEdits; ++id) {
                std::vector<algebra::Edit> found = rule.edits(graph, id);
                if (found.empty()) continue;
                graph = algebra::edited(graph, std::move(found.front()));
                changed = true;
                ++edits;
                break;
            }
        }
    }
    return graph;
}

Plan planOf(const SizedGraphs& graphs) {
    return Planner(graphs).run();
}

} // namespace kernelarium::kernelgen
