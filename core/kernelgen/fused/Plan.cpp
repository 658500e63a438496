// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/Plan.h"

#include "core/algebra/rewrite/Rule.h"
#include "core/kernelgen/naive/DefinitionKernel.h"

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
/// Rows fewer than this, of at least that many elements, are split over several blocks.
constexpr std::int64_t fewRows = 264, longRow = 32768;
constexpr std::int64_t shortestRow = 32;

double points(const Tensor& t) {
    return double(algebra::pointCount(algebra::spaceOf(t)));
}

class Planner {
public:
    explicit Planner(const SizedGraphs& graphs)
        : m_each(graphs.each())
        , m_full(graphs.graphs[graphs.full]) {}

    Plan run() {
        refuseProducts();
        chooseInlined();
        matchRows();
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            if (m_full.tensors[id].input() || m_plan.inlined.contains(id) || isRowMember(id)) continue;
            m_plan.single.push_back(id);
        }
        return std::move(m_plan);
    }

private:
    [[nodiscard]] Each<Tensor> tensor(TensorId id) const {
        return m_each.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    }
    [[nodiscard]] bool isOutput(TensorId id) const {
        return std::find(m_full.outputs.begin(), m_full.outputs.end(), id) != m_full.outputs.end();
    }
    [[nodiscard]] bool isRowMember(TensorId id) const {
        if (!m_plan.rows) return false;
        const RowGroup& g = *m_plan.rows;
        return std::count(g.reductions.begin(), g.reductions.end(), id) + std::count(g.maps.begin(), g.maps.end(), id) >
               0;
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

    /// Whether every read of the formula, through those written in place, is of the element, the row or its place, or
    /// does not touch the group: then the group's kernel has it.
    [[nodiscard]] bool fitsRows(TensorId id, const RowGroup& g, bool withReduction) const {
        const Each<Tensor> t = tensor(id);
        Quantities no(t.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        AtHand hand;
        hand.withReduction = withReduction;
        hand.rowLength = g.length;
        PointText point(text, m_each, t, algebra::axisNames(t.first()), hand);
        const auto& reads = t.first().definition()->reads;
        for (std::size_t k = 0; k < reads.size(); ++k) {
            const TensorId s = reads[k].source;
            const bool isStatistic = std::count(g.reductions.begin(), g.reductions.end(), s) > 0;
            if (isStatistic && !point.isOfRow(k)) return false;
            if (!m_plan.inlined.contains(s)) continue;
            if (!dependsOnGroup(s, g)) continue;
            if (point.isSameElement(k)) {
                if (!fitsRows(s, g, false)) return false;
            } else if (point.isOfRow(k)) {
                if (!fitsStatistic(s, g)) return false;
            } else {
                return false;
            }
        }
        return true;
    }
    /// The same of a map of the rows' values: element i of it is row i.
    [[nodiscard]] bool fitsStatistic(TensorId id, const RowGroup& g) const {
        RowGroup one = g;
        one.length.assign(g.length.size(), 1);
        return fitsRows(id, one, false);
    }
    [[nodiscard]] bool dependsOnGroup(TensorId id, const RowGroup& g) const {
        std::set<TensorId> seen{id}; // residual networks have very many ways from one tensor to another
        for (std::vector<TensorId> left{id}; !left.empty();) {
            const TensorId t = left.back();
            left.pop_back();
            if (std::count(g.reductions.begin(), g.reductions.end(), t) + std::count(g.maps.begin(), g.maps.end(), t))
                return true;
            for (const TensorId s : algebra::sourcesOf(m_full.tensors[t]))
                if (seen.insert(s).second) left.push_back(s);
        }
        return false;
    }
    /// Whether it needs something that is made outside of the group from what is made in it.
    [[nodiscard]] bool needsOutsider(TensorId id, const RowGroup& g) const {
        for (const TensorId s : algebra::sourcesOf(m_full.tensors[id])) {
            const bool isMember = std::count(g.reductions.begin(), g.reductions.end(), s) > 0;
            if (isMember || !m_full.tensors[s].definition()) continue;
            if (m_plan.inlined.contains(s) ? needsOutsider(s, g) : dependsOnGroup(s, g)) return true;
        }
        return false;
    }

    void matchRows() {
        RowGroup g;
        Values rows;
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const Tensor& t = m_full.tensors[id];
            const Definition* d = t.definition();
            if (!d || d->combine == Combine::none || d->combine == Combine::argMax || d->combine == Combine::argMin ||
                !d->domain.empty() || algebra::scanAxis(t) >= 0)
                continue;
            const Each<Tensor> each = tensor(id);
            const Values length =
                each.values([](const Tensor& x) { return algebra::pointCount(x.definition()->reduction); });
            const Values count = each.values([](const Tensor& x) { return algebra::pointCount(x.extents); });
            if (algebra::pointCount(d->reduction) < shortestRow) continue;
            if (!g.reductions.empty() && (length != g.length || count != rows)) continue;
            RowGroup trial = g;
            trial.length = length;
            if (!fitsRows(id, trial, true) || needsOutsider(id, trial) || !readsElements(id, trial, true)) continue;
            g = trial, rows = count;
            g.reductions.push_back(id);
        }
        if (g.reductions.empty()) return;
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const Definition* d = m_full.tensors[id].definition();
            if (!d || d->combine != Combine::none || m_plan.inlined.contains(id) || !dependsOnGroup(id, g)) continue;
            Values elements = tensor(id).values([](const Tensor& x) { return algebra::pointCount(x.extents); });
            bool isElements = true, isRows = true;
            for (std::size_t s = 0; s < elements.size(); ++s) {
                isElements = isElements && elements[s] == g.length[s] * rows[s];
                isRows = isRows && elements[s] == rows[s];
            }
            if (!isRows && !isElements) continue;
            if (isRows ? fitsStatistic(id, g) : fitsRows(id, g, false))
                if (!needsOutsider(id, g)) g.maps.push_back(id);
        }
        g.split = algebra::pointCount(m_full.tensors[g.reductions[0]].extents) < fewRows &&
                  algebra::pointCount(m_full.tensors[g.reductions[0]].definition()->reduction) >= longRow;
        m_plan.rows = g;
        // What others read of the rows is stored.
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            if (isRowMember(id)) continue;
            if (m_plan.inlined.contains(id) && !readOutside(id)) continue;
            for (const TensorId s : algebra::sourcesOf(m_full.tensors[id]))
                if (std::count(g.reductions.begin(), g.reductions.end(), s)) m_plan.rows->stored.insert(s);
        }
        for (const TensorId s : g.reductions)
            if (isOutput(s)) m_plan.rows->stored.insert(s);
    }
    /// Whether something outside of the group uses a tensor that is written in place.
    [[nodiscard]] bool readOutside(TensorId id) const {
        for (TensorId reader = 0; reader < m_full.tensors.size(); ++reader)
            for (const TensorId s : algebra::sourcesOf(m_full.tensors[reader]))
                if (s == id && !isRowMember(reader) && (!m_plan.inlined.contains(reader) || readOutside(reader)))
                    return true;
        return false;
    }
    /// Whether it reads at least one tensor element by element.
    [[nodiscard]] bool readsElements(TensorId id, const RowGroup& g, bool withReduction) const {
        const Each<Tensor> t = tensor(id);
        Quantities no(t.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        AtHand hand;
        hand.withReduction = withReduction;
        hand.rowLength = g.length;
        PointText point(text, m_each, t, algebra::axisNames(t.first()), hand);
        const auto& reads = t.first().definition()->reads;
        for (std::size_t k = 0; k < reads.size(); ++k)
            if (point.isSameElement(k)) return true;
        return false;
    }

    Each<Graph> m_each;
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
