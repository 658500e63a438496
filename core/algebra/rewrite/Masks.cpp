// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about parts that are known: diagonals, triangles, masks.
#include "core/algebra/rewrite/Contraction.h"
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

Edit redefined(const Graph& graph, TensorId id, Definition definition, std::string detail) {
    Edit e;
    e.tensor = id;
    e.replacement = graph.at(id);
    e.replacement.origin = std::move(definition);
    e.detail = std::move(detail);
    return e;
}

/// A tensor with one value inside a domain and another outside.
bool isTwoValued(const Tensor& t) {
    const Definition* d = t.definition();
    return d && d->combine == Combine::none && d->body.isLiteral() && !d->domain.empty();
}

/// Constraints of a source's domain where a reader reads it; nothing where one cannot be said.
std::optional<std::vector<Constraint>> domainAt(const std::vector<Constraint>& domain, const std::vector<Index>& map,
                                                const Extents& space) {
    std::vector<Constraint> out;
    for (const Constraint& c : domain) {
        std::optional<Index> i = substituted(c, map, space);
        if (!i) return std::nullopt;
        addConstraint(out, *std::move(i), space);
    }
    return out;
}
bool readsInside(const Read& r, const Extents& source, const Extents& space) {
    if (!r.constraints.empty()) return false;
    for (std::size_t a = 0; a < source.size(); ++a)
        if (r.map[a].divisor != 1 || !rangeOf(r.map[a], space).within(source[a])) return false;
    return true;
}

std::vector<Edit> diagonal(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d || d->combine != Combine::sum) return {};
    const std::optional<Contraction> c = asContraction(graph, t);
    if (!c) return {};
    // A masked operand's equation is the product's: [i == k] a[i] is 0 elsewhere.
    Contraction whole = *c;
    std::string what;
    for (std::size_t i = 0; i < whole.reads.size(); ++i) {
        const Definition* s = graph.at(whole.reads[i].source).definition();
        if (!s || s->combine != Combine::none || s->domain.size() < 2) continue;
        std::optional<Contraction> in = inlined(graph, whole, i);
        if (!in) continue;
        what = graph.at(whole.reads[i].source).name;
        whole = *std::move(in);
        break;
    }
    const Contraction fewer = withoutTiedAxes(whole);
    if (fewer.reduction.size() == whole.reduction.size()) return {};
    return {redefined(graph, id, definitionOf(fewer), what.empty() ? "" : what + " is a diagonal")};
}

/// The body with one operand known, and the other finite: its value, where it does not depend on them.
std::optional<double> valueWith(const Expression& e, std::size_t operand, double value) {
    if (e.isLiteral()) return e.literal;
    if (e.isRead()) return e.operand == operand ? std::optional(value) : std::nullopt;
    if (e.kind != Expression::Kind::apply) return std::nullopt;
    std::vector<std::optional<double>> known;
    std::vector<double> values;
    for (const Expression& a : e.arguments) {
        known.push_back(valueWith(a, operand, value));
        if (known.back()) values.push_back(*known.back());
    }
    if (values.size() == known.size()) {
        const double v = valueOf(e.function, values);
        return std::isnan(v) ? std::nullopt : std::optional(v);
    }
    const auto has = [&](double v) { return std::find(values.begin(), values.end(), v) != values.end(); };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (e.is(Function::mul) && has(0)) return 0.0;
    if (e.is(Function::add) && (has(-infinity) != has(infinity))) return has(infinity) ? infinity : -infinity;
    if (e.is(Function::sub) && known[0] && std::isinf(*known[0])) return known[0];
    if (e.is(Function::sub) && known[1] && std::isinf(*known[1])) return -*known[1];
    if (e.is(Function::div) && known[0] && *known[0] == 0)
        return 0.0; // of a divisor that is a sum with a positive part
    return std::nullopt;
}

/// A mask that is known: select(mask, a, x) becomes x inside its domain and a outside.
std::vector<Edit> constantMask(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d || d->combine != Combine::none || !d->domain.empty()) return {};
    for (std::size_t at = 0; at < d->reads.size(); ++at) {
        const Read& r = d->reads[at];
        const Tensor& mask = graph.at(r.source);
        if (!isTwoValued(mask) || !readsInside(r, mask.extents, t.extents)) continue;
        const auto domain = domainAt(mask.definition()->domain, r.map, t.extents);
        if (!domain) continue;
        const auto with = [&](double v) {
            return simplified(replaced(
                d->body, [&](std::size_t i) { return i == at ? Expression::number(v) : Expression::read(i); }));
        };
        const Expression inside = with(mask.definition()->body.literal), outside = with(mask.definition()->outside);
        if (!outside.isLiteral()) continue;
        Definition out = *d;
        out.domain = *domain;
        out.outside = outside.literal;
        out.body = inside;
        const std::vector<std::size_t> uses = operandUses(out.body, out.reads.size());
        if (uses[at] == 0) {
            out.reads.erase(out.reads.begin() + std::ptrdiff_t(at));
            out.body = replaced(out.body, [&](std::size_t i) { return Expression::read(i > at ? i - 1 : i); });
        }
        if (out.body.isLiteral()) out.reads.clear();
        return {redefined(graph, id, std::move(out), mask.name)};
    }
    return {};
}

/// The domain that an input's stated structure gives at a read: where its elements may be other than 0.
std::optional<Constraint> structureAt(const Input& input, const Read& r, const Extents& space) {
    if (r.map.size() < 2) return std::nullopt;
    const Index row = r.map[r.map.size() - 2], column = r.map[r.map.size() - 1];
    if (row.divisor != 1 || column.divisor != 1) return std::nullopt;
    Index c = input.structure == Input::Structure::upperTriangle ? column - row : row - column;
    normalise(c, space);
    return c;
}

std::vector<Edit> statedStructure(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d) return {};
    const Extents space = spaceOf(t);
    const std::optional<Product> product = d->combine == Combine::sum ? asProduct(d->body) : std::nullopt;
    for (std::size_t at = 0; at < d->reads.size(); ++at) {
        const Read& r = d->reads[at];
        const Input* in = graph.at(r.source).input();
        if (!in) continue;
        const bool triangle =
            in->structure == Input::Structure::upperTriangle || in->structure == Input::Structure::lowerTriangle;
        const bool mask = in->structure == Input::Structure::lowerMask;
        if ((!triangle && !mask) || !readsInside(r, graph.at(r.source).extents, space)) continue;
        const std::optional<Constraint> c = structureAt(*in, r, space);
        if (!c) continue;
        Definition out = *d;
        addConstraint(out.domain, *c, space);
        if (out.domain == d->domain) continue;
        if (triangle && product &&
            std::find(product->operands.begin(), product->operands.end(), at) != product->operands.end())
            return {redefined(graph, id, std::move(out), graph.at(r.source).name + " is 0 outside its triangle")};
        if (!mask || d->combine != Combine::none || !d->domain.empty()) continue;
        const auto with = [&](double v) {
            return simplified(replaced(
                d->body, [&](std::size_t i) { return i == at ? Expression::number(v) : Expression::read(i); }));
        };
        const Expression outside = with(0);
        if (!outside.isLiteral()) continue;
        out.outside = outside.literal;
        out.body = replaced(with(1), [&](std::size_t i) { return Expression::read(i > at ? i - 1 : i); });
        out.reads.erase(out.reads.begin() + std::ptrdiff_t(at));
        return {redefined(graph, id, std::move(out), graph.at(r.source).name + " is a mask of the lower triangle")};
    }
    return {};
}

/// What is known outside an operand's domain is known of the result: terms that are 0 are left out of a sum, -infinity
/// out of a maximum, and a map of a known value is known.
std::vector<Edit> maskedOperand(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const Definition* d = t.definition();
    if (!d) return {};
    const Extents space = spaceOf(t);
    for (std::size_t at = 0; at < d->reads.size(); ++at) {
        const Read& r = d->reads[at];
        const Tensor& source = graph.at(r.source);
        const Definition* s = source.definition();
        if (!s || s->domain.empty() || !readsInside(r, source.extents, space)) continue;
        std::vector<Constraint> outer; // constraints over the source's own axes alone say which elements are `outside`
        for (const Constraint& c : s->domain)
            if (std::all_of(c.terms.begin(), c.terms.end(),
                            [&](const Term& x) { return x.axis < int(source.extents.size()); }))
                outer.push_back(c);
        const auto domain = domainAt(outer, r.map, space);
        if (!domain || domain->empty()) continue;
        Definition out = *d;
        for (const Constraint& c : *domain)
            addConstraint(out.domain, c, space);
        if (out.domain == d->domain) continue;
        const std::optional<double> value = valueWith(d->body, at, s->outside);
        if (!value) continue;
        if (d->combine == Combine::none) {
            if (!d->domain.empty() && d->outside != *value) continue;
            out.outside = *value;
        } else {
            if (*value != neutral(d->combine) || d->combine == Combine::argMax || d->combine == Combine::argMin)
                continue;
            if (d->domain.empty()) out.outside = neutral(d->combine);
        }
        return {redefined(graph, id, std::move(out), source.name)};
    }
    return {};
}

} // namespace

Rule diagonalRule() {
    return {"diagonal",
            "A diagonal picks one summand",
            "A product with a diagonal matrix scales rows or columns: of each sum only one term is not 0.",
            "The sum over k of [k == i] f(k) is f(i); the operand is 0 off its diagonal by its own formula.",
            Exactness::floats,
            diagonal};
}
Rule constantMaskRule() {
    return {"known_mask",
            "A mask that is known becomes a condition",
            "Where a mask is made of nothing but places (a triangle of ones), it is not read: the place decides.",
            "The mask's formula has no operand.",
            Exactness::floats,
            constantMask};
}
Rule statedStructureRule() {
    return {"stated_structure",
            "Zeros that the task states are skipped",
            "An input that the task draws as a triangle, or a buffer that is a causal mask, is not read where it is 0.",
            "The card's fill says so for every input that it draws; a kernel that relies on it is wrong for other "
            "matrices. Values of weights are never used.",
            Exactness::drawn,
            statedStructure};
}
Rule maskedOperandRule() {
    return {
        "skip_masked",
        "What is masked is skipped",
        "Terms that are 0 are left out of a sum, what is minus infinity out of a maximum; exp of minus infinity is 0.",
        "0 is neutral to sums, minus infinity to maxima; the other operands are finite.",
        Exactness::floats,
        maskedOperand};
}

} // namespace kernelarium::algebra
