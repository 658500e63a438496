// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about single formulas: copies, fused maps, folded functions, reductions of one element.
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

Edit replacing(const Graph& graph, TensorId id, Definition definition, std::string detail) {
    Edit e;
    e.tensor = id;
    e.replacement = graph.at(id);
    e.replacement.origin = std::move(definition);
    e.detail = std::move(detail);
    return e;
}

/// Operands that nothing uses are dropped, those that read the same are made one.
void tidyReads(Definition& d) {
    const std::vector<std::size_t> uses = operandUses(d.body, d.reads.size());
    std::vector<Read> reads;
    std::vector<std::size_t> place(d.reads.size(), 0);
    for (std::size_t i = 0; i < d.reads.size(); ++i) {
        if (uses[i] == 0) continue;
        const auto same = std::find(reads.begin(), reads.end(), d.reads[i]);
        place[i] = std::size_t(same - reads.begin());
        if (same == reads.end()) reads.push_back(d.reads[i]);
    }
    d.body = replaced(d.body, [&](std::size_t i) { return Expression::read(place[i]); });
    d.reads = std::move(reads);
}

/// Indices of an operand's own axes put in for the axes of its formula: the formula at the reader's points.
std::optional<Read> through(const Read& inner, const std::vector<Index>& map, const Extents& space) {
    Read out = inner;
    for (auto* list : {&out.map, &out.constraints})
        for (Index& i : *list) {
            std::optional<Index> m = substituted(i, map, space);
            if (!m) return std::nullopt;
            i = *std::move(m);
        }
    std::erase_if(out.constraints, [&](const Constraint& c) { return holdsAlways(c, space); });
    return out;
}

bool staysInside(const Read& r, const Extents& source, const Extents& space) {
    if (!r.constraints.empty()) return false;
    for (std::size_t a = 0; a < source.size(); ++a)
        if (r.map[a].divisor != 1 || !rangeOf(r.map[a], space).within(source[a])) return false;
    return true;
}

std::vector<Edit> singleElement(const Graph& graph, TensorId id) {
    const Definition* d = graph.at(id).definition();
    if (!d || d->combine == Combine::none) return {};
    const std::size_t rank = graph.at(id).extents.size();
    std::vector<int> place(rank + d->reduction.size(), 0);
    std::iota(place.begin(), place.begin() + std::ptrdiff_t(rank), 0);
    Definition out = *d;
    out.reduction.clear();
    for (std::size_t i = 0; i < d->reduction.size(); ++i) {
        place[rank + i] = d->reduction[i] == 1 ? -1 : int(rank + out.reduction.size());
        if (d->reduction[i] != 1) out.reduction.push_back(d->reduction[i]);
    }
    if (out.reduction.size() == d->reduction.size()) return {};
    const auto move = [&](std::vector<Index>& indices) {
        for (Index& i : indices) {
            std::erase_if(i.terms, [&](const Term& t) { return place[std::size_t(t.axis)] < 0; });
            i = renumbered(std::move(i), place);
        }
    };
    move(out.domain);
    for (Read& r : out.reads)
        move(r.map), move(r.constraints);
    out.body = replaced(out.body, Expression::read, [&](int a) {
        return place[std::size_t(a)] < 0 ? Expression::number(0) : Expression::ofAxis(place[std::size_t(a)]);
    });
    if (out.reduction.empty()) {
        if (d->combine == Combine::argMax || d->combine == Combine::argMin) out.body = Expression::number(0);
        if (!d->domain.empty() && d->combine != Combine::sum) return {};
        out.combine = Combine::none;
        tidyReads(out);
    }
    return {replacing(graph, id, std::move(out), "an axis of one element")};
}

/// Reads of a tensor that only shows another one's elements go to that one.
std::vector<Edit> copies(const Graph& graph, TensorId id) {
    const Definition* d = graph.at(id).definition();
    if (!d) return {};
    const auto showsAnother = [&](const Read& r) {
        const Definition* s = graph.at(r.source).definition();
        return s && s->combine == Combine::none && s->domain.empty() && s->body.isRead() && s->reads.size() == 1;
    };
    if (std::none_of(d->reads.begin(), d->reads.end(), showsAnother)) return {};
    Definition out = *d;
    const Extents space = spaceOf(graph.at(id));
    bool changed = false;
    for (Read& r : out.reads) {
        if (!showsAnother(r) || !staysInside(r, graph.at(r.source).extents, space)) continue;
        const Definition* s = graph.at(r.source).definition();
        std::optional<Read> direct = through(s->reads[0], r.map, space);
        if (!direct) continue;
        r = *std::move(direct);
        changed = true;
    }
    if (!changed) return {};
    tidyReads(out);
    return {replacing(graph, id, std::move(out), "")};
}

constexpr std::size_t longestBody = 40;
std::size_t sizeOf(const Expression& e) {
    std::size_t n = 1;
    for (const Expression& a : e.arguments)
        n += sizeOf(a);
    return n;
}

/// A pointwise map reads another that nobody else reads: one map.
std::vector<Edit> fusion(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d || d->combine != Combine::none) return {};
    for (std::size_t at = 0; at < d->reads.size(); ++at) {
        const Read& r = d->reads[at];
        const Tensor& source = graph.at(r.source);
        const Definition* s = source.definition();
        if (!s || s->combine != Combine::none || !s->domain.empty()) continue;
        const bool isConstant = s->body.isLiteral();
        if (!isConstant && (pointCount(t.extents) > pointCount(source.extents) || sizeOf(s->body) > longestBody))
            continue;
        if (!staysInside(r, source.extents, t.extents)) continue;
        std::size_t readers = 0;
        for (const Tensor& other : graph.tensors)
            readers += readCount(other, r.source);
        if (!isConstant && (readers > 1 || operandUses(d->body, d->reads.size())[at] > 1)) continue;
        if (std::find(graph.outputs.begin(), graph.outputs.end(), r.source) != graph.outputs.end() && !isConstant)
            continue;
        Definition out = *d;
        const std::size_t first = out.reads.size();
        bool moves = true;
        for (const Read& inner : s->reads) {
            std::optional<Read> m = through(inner, r.map, t.extents);
            moves = moves && m;
            if (m) out.reads.push_back(*std::move(m));
        }
        bool usesAxes = false;
        const Expression body = replaced(
            s->body, [&](std::size_t i) { return Expression::read(first + i); },
            [&](int a) {
                usesAxes = true;
                return Expression::ofAxis(a);
            });
        if (!moves || usesAxes) continue;
        out.body = replaced(out.body, [&](std::size_t i) { return i == at ? body : Expression::read(i); });
        tidyReads(out);
        return {replacing(graph, id, std::move(out), fmt::format("{} into {}", source.name, t.name))};
    }
    return {};
}

/// Limits of a clamp-like function: f(x) = min(max(x, low), high).
struct Limits {
    Expression of;
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};
std::optional<Limits> limitsOf(const Expression& e) {
    Limits l;
    if (e.is(Function::relu))
        l.low = 0;
    else if (e.is(Function::clamp))
        l.low = e.arguments[1].literal, l.high = e.arguments[2].literal;
    else if ((e.is(Function::max) || e.is(Function::min)) && e.arguments.size() == 2 && e.arguments[1].isLiteral())
        (e.is(Function::max) ? l.low : l.high) = e.arguments[1].literal;
    else
        return std::nullopt;
    l.of = e.arguments[0];
    return l;
}

Expression folded(const Expression& e) {
    Expression out = e;
    for (Expression& a : out.arguments)
        a = folded(a);
    if ((out.is(Function::sub) || out.is(Function::div)) && out.arguments[0] == out.arguments[1] &&
        !out.arguments[0].isLiteral())
        return Expression::number(out.is(Function::sub) ? 0 : 1);
    if (out.is(Function::mul) &&
        std::any_of(out.arguments.begin(), out.arguments.end(), [](const Expression& a) { return a.isLiteral(0); }))
        return Expression::number(0);
    // (x - a) - (x - b) and the like are left to whoever reads; here only limits are folded.
    const std::optional<Limits> outer = limitsOf(out);
    const std::optional<Limits> inner = outer ? limitsOf(outer->of) : std::nullopt;
    if (!inner) return simplified(out);
    const double low = std::min(std::max(inner->low, outer->low), outer->high);
    const double high = std::max(std::min(inner->high, outer->high), outer->low);
    if (low >= high) return Expression::number(std::min(std::max(inner->low, outer->low), outer->high));
    if (low == 0 && high == std::numeric_limits<double>::infinity())
        return folded(Expression::of(Function::relu, {inner->of}));
    return folded(Expression::of(Function::clamp, {inner->of, Expression::number(low), Expression::number(high)}));
}

std::vector<Edit> folding(const Graph& graph, TensorId id) {
    const Definition* d = graph.at(id).definition();
    if (!d) return {};
    Expression body = folded(d->body);
    if (body == d->body) return {};
    Definition out = *d;
    out.body = std::move(body);
    tidyReads(out);
    return {replacing(graph, id, std::move(out), "")};
}

/// max over r of f(x[r]) = f(max over r of x[r]), the f of one operand and literals.
std::vector<Edit> monotone(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d || (d->combine != Combine::maximum && d->combine != Combine::minimum) || !d->body.isRead() ||
        !d->domain.empty())
        return {};
    const Read& r = d->reads[d->body.operand];
    const Tensor& source = graph.at(r.source);
    const Definition* s = source.definition();
    if (!s || s->combine != Combine::none || !s->domain.empty() || s->reads.size() != 1) return {};
    const auto uses = useCounts(graph);
    if (uses[r.source] != 1 || r.outside != neutral(d->combine)) return {};
    if (pointCount(t.extents) >= pointCount(source.extents)) return {};
    for (const Expression* e = &s->body; !e->isRead(); e = &e->arguments[0]) {
        if (e->kind != Expression::Kind::apply || !isMonotone(e->function)) return {};
        if (e->function == Function::max || e->function == Function::min || e->function == Function::sqrt ||
            e->function == Function::log)
            return {};
        for (std::size_t i = 1; i < e->arguments.size(); ++i)
            if (!e->arguments[i].isLiteral()) return {};
        if (e->is(Function::leakyRelu) && e->arguments[1].literal < 0) return {};
        if (e->is(Function::softplus) && e->arguments[1].literal <= 0) return {};
    }
    std::optional<Read> direct = through(s->reads[0], r.map, spaceOf(t));
    const Read& inner = s->reads[0];
    if (!direct || !staysInside(inner, graph.at(inner.source).extents, source.extents)) return {};
    // What lies outside the windows' operand must lie outside the operand's operand, too: the same axes and extents.
    if (inner.map.size() != r.map.size() || graph.at(inner.source).extents != source.extents) return {};
    for (std::size_t a = 0; a < inner.map.size(); ++a)
        if (!inner.map[a].isAxis() && source.extents[a] != 1) return {};
    direct->outside = r.outside;
    direct->constraints = r.constraints;
    direct->map = r.map;
    Definition first = *d;
    first.reads = {*std::move(direct)};
    first.body = Expression::read(0);
    Edit e;
    e.tensor = id;
    e.added = {{t.name + ".extremum", t.extents, t.dtype, std::move(first)}};
    Definition second;
    Read whole;
    whole.source = graph.tensors.size();
    for (std::size_t a = 0; a < t.extents.size(); ++a)
        whole.map.push_back(Index::axis(int(a)));
    second.reads = {std::move(whole)};
    second.body = s->body;
    e.replacement = t;
    e.replacement.origin = std::move(second);
    e.detail = fmt::format("{} after {}", source.name, t.name);
    return {std::move(e)};
}

} // namespace

Rule singleElementRule() {
    return {"single_element",
            "A reduction of one element is that element",
            "A sum, maximum or product over an axis of extent 1 is left out.",
            "There is nothing to combine; the axis's extent is 1.",
            Exactness::floats,
            singleElement};
}
Rule copyRule() {
    return {"read_through_copies",
            "Read through copies",
            "Who reads a tensor that only shows another one's elements reads that other one.",
            "Both indices are affine, and one put into the other is, too.",
            Exactness::floats,
            copies};
}
Rule fusionRule() {
    return {
        "fuse_pointwise",
        "Fuse pointwise maps",
        "Two maps that work element by element, one after the other, become one: what is between them is never stored.",
        "g(f(x)) at each element; nobody else reads f's result.",
        Exactness::floats,
        fusion};
}
Rule foldingRule() {
    return {"fold_limits",
            "Fold limits and constants",
            "Limits of limits are one pair of limits; x - x is 0, x / x is 1, and numbers alone are computed now.",
            "min(max(., a), b) is closed under composition; the others are identities for finite numbers.",
            Exactness::reals,
            folding};
}
Rule monotoneRule() {
    return {
        "monotone_past_extremum",
        "A monotone map moves past the maximum",
        "The largest of f(x) is f of the largest x, so f is computed once for each maximum instead of for each element.",
        "f never decreases (checked by its name and parameters), and no value is made by rounding alone.",
        Exactness::floats,
        monotone};
}

} // namespace kernelarium::algebra
