// SPDX-License-Identifier: GPL-3.0-or-later
// A sum of products over a pointwise map: terms apart, and out of the sum what does not change along it.
#include "core/algebra/rewrite/Contraction.h"
#include "core/algebra/rewrite/RuleMakers.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

constexpr std::size_t mostTerms = 6;

/// factor * product of atoms; an atom is whatever is no sum and no product.
struct Monomial {
    double factor = 1;
    std::vector<Expression> atoms;
};
using Polynomial = std::vector<Monomial>;

std::optional<Polynomial> expanded(const Expression& e) {
    if (e.isLiteral()) return Polynomial{{e.literal, {}}};
    if (e.is(Function::add) || e.is(Function::sub)) {
        Polynomial sum;
        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            const std::optional<Polynomial> part = expanded(e.arguments[i]);
            if (!part) return std::nullopt;
            for (Monomial m : *part) {
                if (i > 0 && e.is(Function::sub)) m.factor = -m.factor;
                sum.push_back(std::move(m));
            }
        }
        return sum.size() > mostTerms ? std::nullopt : std::optional(std::move(sum));
    }
    if (e.is(Function::neg)) {
        std::optional<Polynomial> p = expanded(e.arguments[0]);
        if (p)
            for (Monomial& m : *p)
                m.factor = -m.factor;
        return p;
    }
    if (e.is(Function::mul) || e.is(Function::div)) {
        Polynomial product{{}};
        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            std::optional<Polynomial> part;
            if (i == 1 && e.is(Function::div)) {
                const Expression& divisor = e.arguments[1];
                part = divisor.isLiteral()
                           ? Polynomial{{1 / divisor.literal, {}}}
                           : Polynomial{{1, {Expression::of(Function::div, {Expression::number(1), divisor})}}};
            } else
                part = expanded(e.arguments[i]);
            if (!part || product.size() * part->size() > mostTerms) return std::nullopt;
            Polynomial next;
            for (const Monomial& a : product)
                for (const Monomial& b : *part) {
                    Monomial m{a.factor * b.factor, a.atoms};
                    m.atoms.insert(m.atoms.end(), b.atoms.begin(), b.atoms.end());
                    next.push_back(std::move(m));
                }
            product = std::move(next);
        }
        return product;
    }
    return Polynomial{{1, {e}}};
}

/// The pointwise map as the sum sees it: its operands at the sum's points.
struct Seen {
    std::vector<Read> reads; ///< of the map, over the sum's space
    std::vector<bool> fixed; ///< do not change along the reduction
};
std::optional<Seen> seenFrom(const Definition& map, const Read& r, const Contraction& sum) {
    Seen seen;
    const Extents space = sum.space();
    for (const Read& inner : map.reads) {
        Read m = inner;
        bool fixed = true;
        for (auto* list : {&m.map, &m.constraints})
            for (Index& i : *list) {
                std::optional<Index> at = substituted(i, r.map, space);
                if (!at) return std::nullopt;
                i = *std::move(at);
                for (const Term& t : i.terms)
                    fixed = fixed && t.axis < int(sum.out.size());
            }
        seen.reads.push_back(std::move(m));
        seen.fixed.push_back(fixed);
    }
    return seen;
}

bool isFixed(const Expression& atom, const Seen& seen) {
    const std::vector<std::size_t> uses = operandUses(atom, seen.reads.size());
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (uses[i] > 0 && !seen.fixed[i]) return false;
    return true;
}

Expression product(double factor, std::vector<Expression> factors) {
    if (factor != 1 || factors.empty()) factors.push_back(Expression::number(factor));
    return factors.size() == 1 ? factors[0] : Expression::of(Function::mul, std::move(factors));
}

std::optional<Edit> distributedOver(const Graph& graph, TensorId id, const Contraction& sum, std::size_t at) {
    const Tensor& t = graph.at(id);
    const Read& r = sum.reads[at];
    const Tensor& source = graph.at(r.source);
    const Definition* map = source.definition();
    if (!map || map->combine != Combine::none || !map->domain.empty()) return std::nullopt;
    const Extents space = sum.space();
    for (std::size_t a = 0; a < source.extents.size(); ++a) // f(0) need not be 0: only where f is read everywhere
        if (r.map[a].divisor != 1 || !rangeOf(r.map[a], space).within(source.extents[a])) return std::nullopt;
    const std::optional<Polynomial> terms = expanded(map->body);
    const std::optional<Seen> seen = terms ? seenFrom(*map, r, sum) : std::nullopt;
    if (!seen) return std::nullopt;
    bool anyFixed = terms->size() > 1;
    for (const Monomial& m : *terms)
        for (const Expression& a : m.atoms)
            anyFixed = anyFixed || isFixed(a, *seen);
    if (!anyFixed) return std::nullopt;

    Edit e;
    e.tensor = id;
    Definition last; // over the sum's result
    last.reads = seen->reads;
    std::vector<Expression> parts;
    for (const Monomial& m : *terms) {
        std::vector<Expression> outer, inner;
        for (const Expression& a : m.atoms)
            (isFixed(a, *seen) ? outer : inner).push_back(a);
        std::vector<Read> others = sum.reads;
        others.erase(others.begin() + std::ptrdiff_t(at));
        double factor = m.factor * sum.factor;
        if (inner.empty() && others.empty() && sum.domain.empty()) {
            factor *= double(pointCount(sum.reduction));
            parts.push_back(product(factor, std::move(outer)));
            continue;
        }
        Contraction part = sum;
        part.factor = 1;
        part.reads = std::move(others);
        for (const Expression& a : inner) {
            if (a.isRead()) {
                part.reads.push_back(seen->reads[a.operand]);
                if (part.reads.back().outside != 0) return std::nullopt;
                continue;
            }
            Definition own; // the atom as a tensor of its own, of the map's extents
            const std::vector<std::size_t> uses = operandUses(a, map->reads.size());
            std::vector<std::size_t> place(uses.size(), 0);
            for (std::size_t i = 0; i < uses.size(); ++i) {
                if (uses[i] == 0) continue;
                place[i] = own.reads.size();
                own.reads.push_back(map->reads[i]);
            }
            own.body = replaced(a, [&](std::size_t i) { return Expression::read(place[i]); });
            Read read = r;
            read.source = graph.tensors.size() + e.added.size();
            e.added.push_back({fmt::format("{}.atom{}", source.name, e.added.size() + 1), source.extents, source.dtype,
                               std::move(own)});
            part.reads.push_back(std::move(read));
        }
        for (Read& x : part.reads) {
            for (Constraint& c : x.constraints)
                addConstraint(part.domain, c, space);
            x.constraints.clear();
        }
        Read read;
        read.source = graph.tensors.size() + e.added.size();
        for (std::size_t a = 0; a < t.extents.size(); ++a)
            read.map.push_back(Index::axis(int(a)));
        e.added.push_back(
            {fmt::format("{}.sum{}", t.name, e.added.size() + 1), t.extents, t.dtype, definitionOf(part)});
        outer.push_back(Expression::read(last.reads.size()));
        last.reads.push_back(std::move(read));
        parts.push_back(product(factor, std::move(outer)));
    }
    last.body = simplified(parts.size() == 1 ? parts[0] : Expression::of(Function::add, std::move(parts)));
    const std::vector<std::size_t> uses = operandUses(last.body, last.reads.size());
    std::vector<std::size_t> place(uses.size(), 0);
    std::vector<Read> reads;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (uses[i] == 0) continue;
        place[i] = reads.size();
        reads.push_back(last.reads[i]);
    }
    last.body = replaced(last.body, [&](std::size_t i) { return Expression::read(place[i]); });
    last.reads = std::move(reads);
    e.replacement = t;
    e.replacement.origin = std::move(last);
    e.detail = fmt::format("{} of {}", t.name, source.name);
    return e;
}

std::vector<Edit> distribution(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    const std::optional<Contraction> sum = asContraction(graph, t);
    std::vector<Edit> edits;
    if (!sum || sum->reduction.empty()) return edits;
    for (std::size_t at = 0; at < sum->reads.size(); ++at)
        if (std::optional<Edit> e = distributedOver(graph, id, *sum, at)) edits.push_back(*std::move(e));
    return edits;
}

} // namespace

Rule distributionRule() {
    return {
        "affine_past_sum",
        "What does not change along a sum moves out of it",
        "A sum over an affine map (scale, bias, normalisation, softmax's division) is the affine map of the sum: "
        "factors that are the same for all terms are multiplied once, at the end, and addends are summed apart. "
        "Softmax's denominator is divided out after the product.",
        "The distributive law; the factor's indices do not use the reduction's axes, and every term lies inside the "
        "operand (no padding, whose 0 an affine map would move).",
        Exactness::reals,
        distribution};
}

} // namespace kernelarium::algebra
