// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about sums of products of sums of products.
#include "core/algebra/rewrite/Contraction.h"
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

/// The contraction in its best order, its taps joined first where that is possible.
Edit stepwise(const Graph& graph, TensorId id, const Contraction& whole, bool joined, std::string detail) {
    const Tensor& t = graph.at(id);
    Contraction last = whole;
    Edit e;
    e.tensor = id;
    e.detail = std::move(detail);
    const TensorId n = graph.tensors.size();
    while (joined && e.added.size() < 8) {
        std::optional<Steps> taps = withJoinedTaps(last, graph, n + e.added.size(), t.name, t.dtype);
        if (!taps) break;
        for (Tensor& a : taps->added)
            e.added.push_back(std::move(a));
        last = std::move(taps->last);
    }
    Steps order = inBestOrder(last, n + e.added.size(), t.name, t.dtype);
    for (Tensor& a : order.added)
        e.added.push_back(std::move(a));
    e.replacement = t;
    e.replacement.origin = definitionOf(order.last);
    return e;
}

std::vector<Edit> composition(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const std::optional<Contraction> outer = asContraction(graph, t);
    if (!outer || outer->reads.size() > 4) return {};
    std::vector<Edit> edits;
    for (std::size_t at = 0; at < outer->reads.size(); ++at) {
        const Tensor& source = graph.at(outer->reads[at].source);
        if (!source.definition() || (outer->reduction.empty() && source.definition()->reduction.empty())) continue;
        const std::optional<Contraction> in = inlined(graph, *outer, at);
        if (!in) continue;
        const Contraction whole = withoutTiedAxes(*in);
        const std::string detail = fmt::format("{} and {}", t.name, source.name);
        edits.push_back(stepwise(graph, id, whole, true, detail));
        edits.push_back(stepwise(graph, id, whole, false, detail));
    }
    return edits;
}

std::vector<Edit> order(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const std::optional<Contraction> c = asContraction(graph, t);
    if (!c || c->reduction.empty()) return {};
    Edit e = stepwise(graph, id, *c, true, t.name);
    if (e.added.empty()) return {};
    std::vector<Edit> edits;
    edits.push_back(std::move(e));
    return edits;
}

} // namespace

Rule compositionRule() {
    return {
        "linear_maps_compose",
        "Linear maps compose",
        "A linear map of a linear map (pooling of a convolution, a mean of a product, a product of products) is one "
        "linear map, whose weights are combined beforehand and which may need far fewer operations.",
        "Sums may be exchanged and products regrouped (distributive and associative law); all indices stay inside "
        "the inner result, so that no border is summed twice or forgotten.",
        Exactness::reals,
        composition};
}
Rule orderRule() {
    return {"reassociate",
            "Sum first what stands alone, and multiply in the cheapest order",
            "A sum of products is taken in another order: what belongs to one operand alone is summed first, and of "
            "several factors those are multiplied first that leave the least to do.",
            "The distributive and the associative law; the cheapest order of up to five factors is found exactly.",
            Exactness::reals,
            order};
}

} // namespace kernelarium::algebra
