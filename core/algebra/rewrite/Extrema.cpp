// SPDX-License-Identifier: GPL-3.0-or-later
// A rule about maxima of maxima.
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

/// A maximum (minimum) of one operand over its whole windows, what lies outside being neutral.
const Read* plainExtremum(const Tensor& t) {
    const Definition* d = t.definition();
    if (!d || (d->combine != Combine::maximum && d->combine != Combine::minimum)) return nullptr;
    if (!d->body.isRead() || !d->domain.empty()) return nullptr;
    const Read& r = d->reads[d->body.operand];
    return r.constraints.empty() ? &r : nullptr;
}

bool outsideIsNeutral(const Graph& graph, const Tensor& t, const Read& r) {
    if (r.outside == neutral(t.definition()->combine)) return true;
    const Extents &space = spaceOf(t), &source = graph.at(r.source).extents;
    for (std::size_t a = 0; a < source.size(); ++a)
        if (r.map[a].divisor != 1 || !rangeOf(r.map[a], space).within(source[a])) return false;
    return true;
}

std::vector<Edit> extremumOfExtremum(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Read* outer = plainExtremum(t);
    if (!outer) return {};
    const Tensor& source = graph.at(outer->source);
    const Read* inner = plainExtremum(source);
    const Definition* d = t.definition();
    if (!inner || source.definition()->combine != d->combine || !outsideIsNeutral(graph, source, *inner)) return {};
    const Extents space = spaceOf(t);
    for (std::size_t a = 0; a < source.extents.size(); ++a)
        if (outer->map[a].divisor != 1 || !rangeOf(outer->map[a], space).within(source.extents[a])) return {};
    Definition whole = *d;
    const Extents& windows = source.definition()->reduction;
    std::vector<Index> replacement = outer->map;
    for (std::size_t k = 0; k < windows.size(); ++k)
        replacement.push_back(Index::axis(int(space.size() + k)));
    whole.reduction.insert(whole.reduction.end(), windows.begin(), windows.end());
    Extents joined = space;
    joined.insert(joined.end(), windows.begin(), windows.end());
    Read read = *inner;
    for (Index& i : read.map) {
        std::optional<Index> m = substituted(i, replacement, joined);
        if (!m) return {};
        i = *std::move(m);
    }
    whole.reads = {std::move(read)};
    whole.body = Expression::read(0);
    Edit e;
    e.tensor = id;
    e.replacement = t;
    e.replacement.origin = std::move(whole);
    e.detail = fmt::format("{} and {}", t.name, source.name);
    return {std::move(e)};
}

} // namespace

Rule extremumRule() {
    return {"extremum_of_extrema",
            "A maximum of maxima is one maximum",
            "Two poolings by the maximum, one after the other, are one over the larger window.",
            "The maximum is associative; all windows of the first lie inside what the second reads.",
            Exactness::floats,
            extremumOfExtremum};
}

} // namespace kernelarium::algebra
