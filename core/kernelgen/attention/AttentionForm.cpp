// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionForm.h"

#include "core/algebra/rewrite/Rule.h"
#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;
using algebra::TensorId;
using products::Group;
using products::ProductForm;
using products::ProductUnit;

namespace {

/// Which axis of the reader each axis of the source is, or -1 where it is one element; nothing of other reads.
std::optional<std::vector<int>> plainAxes(const Read& read) {
    if (!read.constraints.empty()) return std::nullopt;
    std::vector<int> out;
    for (const Index& i : read.map) {
        const bool isOne = i.terms.empty() && i.offset == 0;
        if (!isOne && !i.isAxis()) return std::nullopt;
        out.push_back(isOne ? -1 : i.terms[0].axis);
    }
    return out;
}

bool readsTwo(const Definition* d, Function f) {
    return d && d->combine == Combine::none && d->domain.empty() && d->body.is(f) && d->body.arguments.size() == 2 &&
           d->body.arguments[0].isRead() && d->body.arguments[1].isRead();
}

class AttentionFinder {
public:
    explicit AttentionFinder(const SizedGraphs& graphs)
        : m_each(graphs.each())
        , m_full(graphs.graphs[graphs.full]) {}

    std::vector<AttentionUnit> run() {
        std::vector<AttentionUnit> out;
        for (TensorId id = 0; id < m_full.tensors.size(); ++id)
            if (auto unit = at(id)) out.push_back(*std::move(unit));
        return out;
    }

private:
    [[nodiscard]] const Definition* definition(TensorId id) const { return m_full.tensors[id].definition(); }
    [[nodiscard]] TensorId source(const Definition& d, const Expression& e) const { return d.reads[e.operand].source; }
    [[nodiscard]] bool isPrivate(TensorId id, const std::set<TensorId>& members) const {
        if (std::count(m_full.outputs.begin(), m_full.outputs.end(), id)) return false;
        for (TensorId reader = 0; reader < m_full.tensors.size(); ++reader) {
            const auto sources = algebra::sourcesOf(m_full.tensors[reader]);
            if (std::count(sources.begin(), sources.end(), id) && !members.contains(reader)) return false;
        }
        return true;
    }
    /// Whether a tensor reduces this one over its last axis.
    [[nodiscard]] bool reducesRows(TensorId id, TensorId of, Combine combine) const {
        const Definition* d = definition(id);
        if (!d || d->combine != combine || !d->domain.empty() || d->reads.size() != 1 || d->reads[0].source != of ||
            !d->body.isRead() || d->reduction.size() != 1)
            return false;
        const auto axes = plainAxes(d->reads[0]);
        return axes && axes->back() == int(m_full.tensors[id].extents.size());
    }

    std::optional<AttentionUnit> at(TensorId id) const {
        const auto output = products::productOf(m_each, id);
        if (!output || output->sums.size() != 1) return std::nullopt;
        AttentionUnit unit;
        unit.weight = definition(id)->reads[output->left].source;
        const auto axes = plainAxes(definition(id)->reads[output->left]);
        if (!axes || axes->back() != int(output->sums[0])) return std::nullopt;
        unit.share = unit.weight;
        const Definition* w = definition(unit.weight);
        if (readsTwo(w, Function::mul)) unit.share = source(*w, w->body.arguments[0]);
        const Definition* p = definition(unit.share);
        if (!readsTwo(p, Function::div)) return std::nullopt;
        const TensorId exponential = source(*p, p->body.arguments[0]), sum = source(*p, p->body.arguments[1]);
        const Definition* e = definition(exponential);
        if (!e || e->combine != Combine::none || !e->body.is(Function::exp) ||
            !reducesRows(sum, exponential, Combine::sum))
            return std::nullopt;
        const Expression& shifted = e->body.arguments[0];
        if (!shifted.is(Function::sub) || !shifted.arguments[0].isRead() || !shifted.arguments[1].isRead())
            return std::nullopt;
        const TensorId logit = source(*e, shifted.arguments[0]), maximum = source(*e, shifted.arguments[1]);
        if (!reducesRows(maximum, logit, Combine::maximum)) return std::nullopt;
        if (!scores(unit, logit)) return std::nullopt;
        const ProductForm& score = unit.logits.first();
        if (score.columns.size() != 1 || pointsOfGroups(score) != pointsOfGroups(*output)) return std::nullopt;
        if (!output->batch.empty() && output->batch.back() > output->rows.front()) return std::nullopt;
        unit.output.forms = {*output};
        unit.output.members = {id};
        products::addMaps(m_each, unit.output);
        unit.members = unit.output.members;
        unit.members.insert(unit.logits.members.begin(), unit.logits.members.end());
        unit.members.insert({unit.weight, unit.share, exponential, sum, logit, maximum});
        for (const TensorId m : unit.members)
            if (!unit.output.members.contains(m) && !isPrivate(m, unit.members)) return std::nullopt;
        products::chooseStored(m_each, unit.output);
        const std::vector<Group> ofRows{score.batch, score.rows}, ofKeys{score.batch, score.columns};
        unit.ofQueries = statistics(unit, score, score.left, {score.batch, score.rows, score.sums}, ofRows);
        unit.ofValues =
            statistics(unit, *output, output->right, {output->batch, output->sums, output->columns}, ofKeys);
        return unit;
    }
    /// Axes one group after another, without those of one element.
    [[nodiscard]] static std::vector<int> inOrder(const std::vector<Group>& groups) {
        std::vector<int> out;
        for (const Group& g : groups)
            out.insert(out.end(), g.begin(), g.end());
        return out;
    }
    [[nodiscard]] static std::optional<std::vector<int>> longAxes(const Read& read) {
        auto axes = plainAxes(read);
        if (axes) std::erase(*axes, -1);
        return axes;
    }
    [[nodiscard]] Values countOf(TensorId id) const {
        return m_each.values([id](const Graph& g) { return algebra::pointCount(g.tensors[id].extents); });
    }
    /// Sums over the elements of a factor's lines, where the factor is read whole, in order, and the members alone read
    /// them, or maps of them, at the line of each element of the scores.
    AttentionUnit::Statistics statistics(AttentionUnit& unit, const ProductForm& form, std::size_t read,
                                         const std::vector<Group>& order, const std::vector<Group>& lines) const {
        AttentionUnit::Statistics out;
        const Read& factor = definition(form.tensor)->reads[read];
        const TensorId from = factor.source;
        Values count = products::pointsOf(tensor(form.tensor), order[0]);
        for (std::size_t g = 1; g < order.size(); ++g) {
            const Values more = products::pointsOf(tensor(form.tensor), order[g]);
            for (std::size_t s = 0; s < count.size(); ++s)
                count[s] *= more[s];
        }
        if (longAxes(factor) != inOrder(order) || countOf(from) != count) return out;
        const Values length = products::pointsOf(tensor(form.tensor), order.back());
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const Definition* d = definition(id);
            if (!d || d->combine != Combine::sum || !d->domain.empty() || unit.members.contains(id)) continue;
            const auto product = algebra::asProduct(d->body); // of nothing but zeros: 0
            const Values terms =
                tensor(id).values([](const Tensor& t) { return algebra::pointCount(t.definition()->reduction); });
            if (!product || product->operands.empty() || terms != length || !readsInOrder(id, from)) continue;
            AttentionUnit::Statistics grown = out;
            grown.sums.push_back(id);
            if (!addMapsOf(id, unit, lines, grown)) continue;
            out = std::move(grown);
            unit.members.insert(id);
            unit.members.insert(out.maps.begin(), out.maps.end());
        }
        return out;
    }
    [[nodiscard]] Each<Tensor> tensor(TensorId id) const {
        return m_each.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    }
    /// Whether all that a sum reads is the element of the point's own number.
    [[nodiscard]] bool readsInOrder(TensorId id, TensorId from) const {
        Quantities no(m_each.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        AtHand hand;
        hand.withReduction = true;
        const PointText point(text, m_each, tensor(id), algebra::axisNames(m_full.tensors[id]), hand);
        const auto& reads = definition(id)->reads;
        for (std::size_t k = 0; k < reads.size(); ++k)
            if (reads[k].source != from || !point.isSameElement(k)) return false;
        return true;
    }
    bool addMapsOf(TensorId id, const AttentionUnit& unit, const std::vector<Group>& lines,
                   AttentionUnit::Statistics& to) const {
        std::vector<TensorId> open{id};
        std::set<TensorId> family{id};
        while (!open.empty()) {
            const TensorId now = open.back();
            open.pop_back();
            if (std::count(m_full.outputs.begin(), m_full.outputs.end(), now)) return false;
            bool isRead = false;
            for (TensorId reader = now + 1; reader < m_full.tensors.size(); ++reader) {
                const Definition* d = definition(reader);
                const auto sources = algebra::sourcesOf(m_full.tensors[reader]);
                if (!std::count(sources.begin(), sources.end(), now)) continue;
                if (!d || d->combine != Combine::none) return false;
                if (unit.members.contains(reader)) {
                    if (m_full.tensors[reader].extents != m_full.tensors[unit.share].extents) return false;
                    for (const Read& r : d->reads)
                        if (r.source == now && longAxes(r) != inOrder(lines)) return false;
                    isRead = true;
                    continue;
                }
                if (countOf(reader) != countOf(id) || !readsInOrder(reader, now)) return false;
                if (family.insert(reader).second) open.push_back(reader), to.maps.push_back(reader);
            }
            if (isRead) to.read.push_back(now);
        }
        return true;
    }
    /// Rows, keys and pairs of batches are the same in both products.
    [[nodiscard]] std::vector<Values> pointsOfGroups(const ProductForm& f) const {
        const Each<Tensor> t = m_each.part([&](const Graph& g) -> const Tensor& { return g.tensors[f.tensor]; });
        return {products::pointsOf(t, f.batch), products::pointsOf(t, f.rows)};
    }
    /// From the logit back to the product of queries and keys.
    bool scores(AttentionUnit& unit, TensorId logit) const {
        std::vector<TensorId> chain{logit};
        while (const Definition* d = definition(chain.back())) {
            if (const auto form = products::productOf(m_each, chain.back())) {
                unit.logits.forms = {*form};
                unit.logits.members = {chain.begin(), chain.end()};
                unit.logits.stored = {logit};
                ProductUnit grown;
                grown.forms = {*form};
                grown.members = {form->tensor};
                products::addMaps(m_each, grown);
                return std::all_of(chain.begin(), chain.end(), [&](TensorId c) { return grown.members.contains(c); });
            }
            if (d->combine != Combine::none) return false;
            // One of its reads is the score's: the one that has as many elements.
            std::optional<TensorId> next;
            for (const Read& r : d->reads)
                if (m_full.tensors[r.source].definition() &&
                    m_full.tensors[r.source].extents == m_full.tensors[logit].extents)
                    next = r.source;
            if (!next) return false;
            chain.push_back(*next);
        }
        return false;
    }

    Each<Graph> m_each;
    const Graph& m_full;
};

/// sum over s of w[.., s] * (v[s, d] * f[s]): the factor goes to the weight.
std::optional<algebra::Edit> factorMoved(const Graph& graph, TensorId id) {
    const Tensor& t = graph.tensors[id];
    const Definition* d = t.definition();
    if (!d || d->combine != Combine::sum || d->reduction.size() != 1) return std::nullopt;
    const auto product = algebra::asProduct(d->body);
    if (!product || product->operands.size() != 2) return std::nullopt;
    const int sum = int(t.extents.size());
    for (int k = 0; k < 2; ++k) {
        const std::size_t value = product->operands[std::size_t(k)], weight = product->operands[std::size_t(1 - k)];
        const Tensor& w = graph.tensors[d->reads[weight].source];
        const Tensor& v = graph.tensors[d->reads[value].source];
        const auto weightAxes = plainAxes(d->reads[weight]), valueAxes = plainAxes(d->reads[value]);
        const Definition* map = v.definition();
        if (!weightAxes || !valueAxes || !w.definition() || !w.definition()->body.is(Function::div) || !map ||
            map->combine != Combine::none)
            continue;
        const auto factors = algebra::asProduct(map->body);
        if (!factors || factors->operands.size() != 2 || factors->factor != 1) continue;
        for (int n = 0; n < 2; ++n) {
            const Read& factor = map->reads[factors->operands[std::size_t(n)]];
            const Read& rest = map->reads[factors->operands[std::size_t(1 - n)]];
            const auto factorAxes = plainAxes(factor), restAxes = plainAxes(rest);
            if (!factorAxes || !restAxes || weightAxes->back() != sum) continue;
            Read moved{factor.source, {}, {}, 0}, plain{rest.source, {}, {}, 0};
            bool fits = true;
            for (const int a : *factorAxes) {
                const int own = a < 0 ? -1 : (*valueAxes)[std::size_t(a)];
                const auto at = std::find(weightAxes->begin(), weightAxes->end(), own);
                if (own >= 0 && at == weightAxes->end()) fits = false;
                moved.map.push_back(own < 0 ? Index::constant(0) : Index::axis(int(at - weightAxes->begin())));
            }
            for (const int a : *restAxes) {
                const int own = a < 0 ? -1 : (*valueAxes)[std::size_t(a)];
                plain.map.push_back(own < 0 ? Index::constant(0) : Index::axis(own));
            }
            if (!fits) continue;
            algebra::Edit edit;
            edit.tensor = id;
            Tensor weighted = w;
            weighted.name = w.name + ".weight";
            Read share{d->reads[weight].source, {}, {}, 0};
            for (std::size_t a = 0; a < w.extents.size(); ++a)
                share.map.push_back(w.extents[a] == 1 ? Index::constant(0) : Index::axis(int(a)));
            Definition scaled;
            scaled.reads = {std::move(share), std::move(moved)};
            scaled.body = Expression::of(Function::mul, {Expression::read(0), Expression::read(1)});
            weighted.origin = std::move(scaled);
            edit.added.push_back(std::move(weighted));
            edit.replacement = t;
            edit.replacement.definition()->reads[weight].source = graph.tensors.size();
            edit.replacement.definition()->reads[value] = std::move(plain);
            edit.detail = fmt::format("the factor of {} goes to the weights: it is one number for each key", v.name);
            return edit;
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<AttentionUnit> attentionsOf(const SizedGraphs& graphs) {
    return AttentionFinder(graphs).run();
}

Graph factorsAtWeights(Graph graph, std::vector<std::string>* moved) {
    constexpr int mostEdits = 16;
    int edits = 0;
    for (TensorId id = 0; id < graph.tensors.size() && edits < mostEdits; ++id)
        if (auto edit = factorMoved(graph, id)) {
            if (moved) moved->push_back(edit->detail);
            graph = algebra::edited(graph, *std::move(edit));
            ++edits;
            id = TensorId(-1);
        }
    return graph;
}

} // namespace kernelarium::kernelgen::attention
