// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/rewrite/Contraction.h"

#include <algorithm>
#include <numeric>

namespace kernelarium::algebra {

Extents Contraction::space() const {
    Extents s = out;
    s.insert(s.end(), reduction.begin(), reduction.end());
    return s;
}

void addConstraint(std::vector<Constraint>& list, Constraint c, const Extents& space) {
    normalise(c, space);
    if (holdsAlways(c, space) || std::find(list.begin(), list.end(), c) != list.end()) return;
    list.push_back(std::move(c));
}

namespace {

bool canBeOutside(const Read& r, const Extents& source, const Extents& space) {
    if (!r.constraints.empty()) return true;
    for (std::size_t a = 0; a < source.size(); ++a)
        if (r.map[a].divisor != 1 || !rangeOf(r.map[a], space).within(source[a])) return true;
    return false;
}

} // namespace

std::optional<Contraction> asContraction(const Graph& graph, const Tensor& tensor) {
    const Definition* d = tensor.definition();
    if (!d || (d->combine != Combine::sum && d->combine != Combine::none)) return std::nullopt;
    if (!d->domain.empty() && d->outside != 0) return std::nullopt;
    const std::optional<Product> product = asProduct(d->body);
    if (!product) return std::nullopt;
    Contraction c;
    c.out = tensor.extents;
    c.reduction = d->reduction;
    c.factor = product->factor;
    c.domain = d->domain;
    const Extents space = c.space();
    for (std::size_t i : product->operands) {
        Read r = d->reads[i];
        if (r.outside != 0 && canBeOutside(r, graph.at(r.source).extents, space)) return std::nullopt;
        for (Constraint& k : r.constraints)
            addConstraint(c.domain, std::move(k), space);
        r.constraints.clear();
        r.outside = 0;
        c.reads.push_back(std::move(r));
    }
    return c;
}

Definition definitionOf(const Contraction& c) {
    Definition d;
    d.reduction = c.reduction;
    d.combine = c.reduction.empty() ? Combine::none : Combine::sum;
    d.reads = c.reads;
    d.domain = c.domain;
    std::vector<Expression> factors;
    if (c.factor != 1) factors.push_back(Expression::number(c.factor));
    for (std::size_t i = 0; i < c.reads.size(); ++i)
        factors.push_back(Expression::read(i));
    if (factors.empty()) factors.push_back(Expression::number(1));
    d.body = factors.size() == 1 ? factors[0] : Expression::of(Function::mul, std::move(factors));
    return d;
}

std::optional<Contraction> inlined(const Graph& graph, const Contraction& outer, std::size_t at) {
    const Read& read = outer.reads.at(at);
    const Tensor& source = graph.at(read.source);
    const std::optional<Contraction> inner = asContraction(graph, source);
    if (!inner) return std::nullopt;
    Contraction c = outer;
    c.reads.erase(c.reads.begin() + std::ptrdiff_t(at));
    c.factor *= inner->factor;
    std::vector<Index> replacement = read.map;
    for (std::size_t i = 0; i < inner->reduction.size(); ++i)
        replacement.push_back(Index::axis(int(outer.out.size() + outer.reduction.size() + i)));
    c.reduction.insert(c.reduction.end(), inner->reduction.begin(), inner->reduction.end());
    const Extents space = c.space();
    for (std::size_t a = 0; a < source.extents.size(); ++a) { // outside the source it was 0, whatever its formula says
        const Index& i = read.map[a];
        if (i.divisor != 1) return std::nullopt;
        addConstraint(c.domain, i, space);
        addConstraint(c.domain, Index::constant(source.extents[a] - 1) - i, space);
    }
    for (const Constraint& k : inner->domain) {
        std::optional<Index> moved = substituted(k, replacement, space);
        if (!moved) return std::nullopt;
        addConstraint(c.domain, *std::move(moved), space);
    }
    for (const Read& r : inner->reads) {
        Read moved = r;
        for (Index& i : moved.map) {
            std::optional<Index> m = substituted(i, replacement, space);
            if (!m) return std::nullopt;
            i = *std::move(m);
        }
        c.reads.push_back(std::move(moved));
    }
    return c;
}

namespace {

/// The index with `axis` replaced by `value`, over the space without that axis (later axes move down by one).
std::optional<Index> without(const Index& index, int axis, const Index& value, const Extents& space) {
    std::vector<Index> replacement;
    for (int a = 0; a < int(space.size()); ++a)
        replacement.push_back(a == axis ? value : Index::axis(a));
    std::optional<Index> i = substituted(index, replacement, space);
    if (!i) return std::nullopt;
    std::vector<int> places(space.size());
    for (int a = 0; a < int(space.size()); ++a)
        places[std::size_t(a)] = a > axis ? a - 1 : a;
    return renumbered(*std::move(i), places);
}

std::optional<Contraction> withoutAxis(const Contraction& c, std::size_t constraint, int axis) {
    const Extents space = c.space();
    // factor * axis + rest == 0
    Index rest = c.domain[constraint];
    std::int64_t factor = 0;
    for (const Term& t : rest.terms)
        if (t.axis == axis && t.isPlain()) factor = t.factor;
    if (std::abs(factor) != 1 || rest.divisor != 1) return std::nullopt;
    std::erase_if(rest.terms, [axis](const Term& t) { return t.axis == axis; });
    if (rest.uses(axis)) return std::nullopt;
    const Index value = rest * -factor;
    Contraction out = c;
    out.reduction.erase(out.reduction.begin() + (axis - int(c.out.size())));
    const Extents left = out.space();
    out.domain.clear();
    for (const Constraint& k : c.domain) {
        std::optional<Index> moved = without(k, axis, value, space);
        if (!moved) return std::nullopt;
        addConstraint(out.domain, *std::move(moved), left);
    }
    const auto inside = without(Index::axis(axis), axis, value, space);
    if (!inside) return std::nullopt;
    addConstraint(out.domain, *inside, left);
    addConstraint(out.domain, Index::constant(space[std::size_t(axis)] - 1) - *inside, left);
    for (Read& r : out.reads)
        for (Index& i : r.map) {
            std::optional<Index> moved = without(i, axis, value, space);
            if (!moved) return std::nullopt;
            i = *std::move(moved);
        }
    return out;
}

} // namespace

Contraction withoutTiedAxes(Contraction c) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < c.domain.size() && !changed; ++i) {
            if (c.domain[i].divisor != 1) continue;
            Constraint opposite = c.domain[i] * -1;
            if (std::find(c.domain.begin(), c.domain.end(), opposite) == c.domain.end()) continue;
            for (const Term& t : c.domain[i].terms) {
                if (t.axis < int(c.out.size())) continue;
                std::optional<Contraction> fewer = withoutAxis(c, i, t.axis);
                if (!fewer) continue;
                c = *std::move(fewer);
                changed = true;
                break;
            }
        }
    }
    return c;
}

} // namespace kernelarium::algebra
