// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Index.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

std::int64_t valueOf(const Term& t, std::int64_t i) {
    std::int64_t v = i / t.divisor;
    if (t.modulus > 0) v %= t.modulus;
    return t.factor * v;
}

/// Largest value of (i / divisor) % modulus.
std::int64_t highOf(const Term& t, const Extents& space) {
    const std::int64_t high = (space.at(std::size_t(t.axis)) - 1) / t.divisor;
    return t.modulus > 0 ? std::min(high, t.modulus - 1) : high;
}

/// (term / divisor) % modulus, as one term: of a term with a positive factor and nothing beside it.
std::optional<Term> quotient(Term t, std::int64_t divisor, std::int64_t modulus) {
    if (t.factor % divisor == 0)
        t.factor /= divisor;
    else if (divisor % t.factor == 0) {
        const std::int64_t d = divisor / t.factor;
        if (t.modulus > 0 && t.modulus % d != 0) return std::nullopt;
        if (t.modulus > 0) t.modulus /= d;
        t.divisor *= d, t.factor = 1;
    } else
        return std::nullopt;
    if (modulus == 0) return t;
    if (modulus % t.factor != 0) return std::nullopt;
    const std::int64_t m = modulus / t.factor;
    if (t.modulus > 0 && t.modulus % m != 0 && m % t.modulus != 0) return std::nullopt;
    t.modulus = t.modulus > 0 ? std::min(t.modulus, m) : m;
    return t;
}

/// (sum / divisor) % modulus of an index without divisor that is nowhere negative: each term either is divided
/// whole, or stays below the divisor together with the rest, or is one that parts by itself.
std::optional<Index> quotient(const Index& sum, std::int64_t divisor, std::int64_t modulus, const Extents& space) {
    if (sum.divisor != 1 || rangeOf(sum, space).low < 0) return std::nullopt;
    if (sum.terms.size() == 1 && sum.offset == 0) {
        const std::optional<Term> t = quotient(sum.terms[0], divisor, modulus);
        return t ? std::optional<Index>(Index{0, {*t}, 1}) : std::nullopt;
    }
    Index whole, rest;
    whole.offset = sum.offset / divisor, rest.offset = sum.offset % divisor;
    for (const Term& t : sum.terms) {
        Index& part = t.factor % divisor == 0 ? whole : rest;
        part.terms.push_back(t);
        if (&part == &whole) part.terms.back().factor /= divisor;
    }
    if (!rangeOf(rest, space).within(divisor)) {
        // One term may reach over the divisor if the others fill what lies below it: (a * i + b) with b < a.
        const auto big = std::max_element(rest.terms.begin(), rest.terms.end(),
                                          [](const Term& a, const Term& b) { return a.factor < b.factor; });
        if (big == rest.terms.end() || big->factor <= 0 || divisor % big->factor != 0) return std::nullopt;
        const Term t = *big;
        rest.terms.erase(big);
        if (!rangeOf(rest, space).within(t.factor)) return std::nullopt;
        const std::optional<Term> q = quotient(t, divisor, 0);
        if (!q) return std::nullopt;
        whole.terms.push_back(*q);
    }
    normalise(whole, space);
    const Range range = rangeOf(whole, space);
    if (modulus == 0 || range.within(modulus)) return whole;
    std::erase_if(whole.terms, [&](const Term& t) { return t.factor % modulus == 0; });
    whole.offset %= modulus;
    if (rangeOf(whole, space).within(modulus)) return whole;
    if (whole.terms.size() == 1 && whole.offset == 0) {
        const std::optional<Term> t = quotient(whole.terms[0], 1, modulus);
        return t ? std::optional<Index>(Index{0, {*t}, 1}) : std::nullopt;
    }
    // All but one term below its factor, and that one cut by the modulus alone.
    const auto big = std::max_element(whole.terms.begin(), whole.terms.end(),
                                      [](const Term& a, const Term& b) { return a.factor < b.factor; });
    const Term t = *big;
    whole.terms.erase(big);
    const std::optional<Term> q = quotient(t, 1, modulus);
    if (!q || !rangeOf(whole, space).within(t.factor)) return std::nullopt;
    whole.terms.push_back(*q);
    normalise(whole, space);
    return whole;
}

} // namespace

std::int64_t pointCount(const Extents& extents) {
    std::int64_t n = 1;
    for (std::int64_t e : extents)
        n *= e;
    return n;
}

bool Index::isAffine() const {
    return std::all_of(terms.begin(), terms.end(), [](const Term& t) { return t.isPlain(); });
}

bool Index::uses(int a) const {
    return std::any_of(terms.begin(), terms.end(), [a](const Term& t) { return t.axis == a; });
}

std::optional<std::int64_t> Index::at(std::span<const std::int64_t> point) const {
    std::int64_t v = offset;
    for (const Term& t : terms)
        v += valueOf(t, point[std::size_t(t.axis)]);
    if (divisor == 1) return v;
    if (v % divisor != 0) return std::nullopt;
    return v / divisor;
}

Range rangeOf(const Index& index, const Extents& space) {
    Range r{index.offset, index.offset};
    for (const Term& t : index.terms) {
        const std::int64_t high = t.factor * highOf(t, space);
        (t.factor > 0 ? r.high : r.low) += high;
    }
    return r;
}

bool holdsAlways(const Constraint& c, const Extents& space) {
    return c.divisor == 1 && rangeOf(c, space).low >= 0;
}

bool holdsNever(const Constraint& c, const Extents& space) {
    return rangeOf(c, space).high < 0;
}

void normalise(Index& index, const Extents& space) {
    for (Term& t : index.terms) {
        const std::int64_t extent = space.at(std::size_t(t.axis));
        if (t.modulus > 0 && (extent - 1) / t.divisor < t.modulus) t.modulus = 0;
        if (t.divisor > 1 && t.divisor >= extent) t.factor = 0;
        if (extent == 1 || t.modulus == 1) t.factor = 0;
    }
    std::stable_sort(index.terms.begin(), index.terms.end(), [](const Term& a, const Term& b) {
        return std::tie(a.axis, a.divisor, a.modulus) < std::tie(b.axis, b.divisor, b.modulus);
    });
    std::vector<Term> joined;
    for (const Term& t : index.terms)
        if (!joined.empty() && joined.back().axis == t.axis && joined.back().divisor == t.divisor &&
            joined.back().modulus == t.modulus)
            joined.back().factor += t.factor;
        else
            joined.push_back(t);
    std::erase_if(joined, [](const Term& t) { return t.factor == 0; });
    index.terms = std::move(joined);
    if (index.divisor == 1) return;
    bool divides = index.offset % index.divisor == 0;
    for (const Term& t : index.terms)
        divides = divides && t.factor % index.divisor == 0;
    if (!divides) return;
    index.offset /= index.divisor;
    for (Term& t : index.terms)
        t.factor /= index.divisor;
    index.divisor = 1;
}

Index operator+(Index a, const Index& b) {
    a.offset += b.offset;
    a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
    return a;
}

Index operator*(Index a, std::int64_t factor) {
    a.offset *= factor;
    for (Term& t : a.terms)
        t.factor *= factor;
    return a;
}

std::optional<Index> substituted(const Index& index, std::span<const Index> replacement, const Extents& space) {
    Index out = Index::constant(index.offset);
    std::int64_t divisor = 1;
    for (const Term& t : index.terms) {
        const Index& r = replacement[std::size_t(t.axis)];
        if (r.divisor != 1) { // (a / d) only alone: sums would need a common divisor and exactness of each part
            if (index.terms.size() != 1 || !t.isPlain() || t.factor != 1 || index.divisor != 1) return std::nullopt;
            out = r;
            out.divisor = 1;
            out.offset += index.offset * r.divisor;
            divisor = r.divisor;
            continue;
        }
        if (t.isPlain()) {
            out = std::move(out) + r * t.factor;
            continue;
        }
        const std::optional<Index> q = quotient(r, t.divisor, t.modulus, space);
        if (!q) return std::nullopt;
        out = std::move(out) + *q * t.factor;
    }
    out.divisor = index.divisor * divisor;
    normalise(out, space);
    return out;
}

Index renumbered(Index index, std::span<const int> axes) {
    for (Term& t : index.terms)
        t.axis = axes[std::size_t(t.axis)];
    std::stable_sort(index.terms.begin(), index.terms.end(), [](const Term& a, const Term& b) {
        return std::tie(a.axis, a.divisor, a.modulus) < std::tie(b.axis, b.divisor, b.modulus);
    });
    return index;
}

std::string toString(const Index& index, std::span<const std::string> names) {
    std::string text;
    for (const Term& t : index.terms) {
        std::string atom = names[std::size_t(t.axis)];
        if (t.divisor != 1) atom = fmt::format("{} div {}", atom, t.divisor);
        if (t.modulus != 0) atom = fmt::format("{} mod {}", atom, t.modulus);
        if (!t.isPlain() && std::abs(t.factor) != 1) atom = "(" + atom + ")";
        if (std::abs(t.factor) != 1) atom = fmt::format("{}*{}", std::abs(t.factor), atom);
        text += text.empty() ? (t.factor < 0 ? "-" : "") : (t.factor < 0 ? " - " : " + ");
        text += atom;
    }
    if (text.empty())
        text = std::to_string(index.offset);
    else if (index.offset != 0)
        text += fmt::format(" {} {}", index.offset < 0 ? "-" : "+", std::abs(index.offset));
    return index.divisor == 1 ? text : fmt::format("({}) / {}", text, index.divisor);
}

} // namespace kernelarium::algebra
