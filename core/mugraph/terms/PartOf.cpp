// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/terms/PartOf.h"

#include <algorithm>

namespace kernelarium::mugraph {

namespace {

/// An order of monomials that multiplying both by a third keeps: lexicographic by exponents.
bool hasSmallerExponents(const Monomial& a, const Monomial& b) {
    if (a.sums != b.sums) return a.sums < b.sums;
    if (a.inverseSums != b.inverseSums) return a.inverseSums < b.inverseSums;
    for (std::size_t i = 0;; ++i) {
        if (i == b.atoms.size()) return false;
        if (i == a.atoms.size()) return true;
        if (a.atoms[i].first != b.atoms[i].first) return a.atoms[i].first > b.atoms[i].first;
        if (a.atoms[i].second != b.atoms[i].second) return a.atoms[i].second < b.atoms[i].second;
    }
}

} // namespace

PartOf::PartOf(Terms& terms, TermId whole)
    : m_terms(terms) {
    collect(whole);
}

void PartOf::collect(TermId id) {
    if (id == noTerm || std::find(m_containers.begin(), m_containers.end(), id) != m_containers.end()) return;
    m_containers.push_back(id);
    const std::vector<Monomial> monomials = m_terms.at(id); // collecting makes terms
    for (const Monomial& m : monomials) {
        Monomial sums;
        sums.sums = m.inverseSums;
        TermId below = m_terms.termOf({sums});
        bool hasInverse = m.inverseSums != Sums{};
        for (const auto& [number, power] : m.atoms) {
            const Atom atom = m_terms.atom(number);
            if (atom.argument != noTerm) collect(atom.argument);
            if (atom.kind != Atom::Kind::inverse) continue;
            hasInverse = true;
            for (std::uint32_t i = 0; i < power; ++i)
                below = m_terms.multiply(below, atom.argument);
        }
        if (hasInverse) collect(below);
    }
}

bool PartOf::isFactor(TermId part) {
    if (part == noTerm) return false;
    if (m_factor.size() <= part) m_factor.resize(m_terms.size() + 256, Known::nothing);
    if (m_factor[part] == Known::nothing) {
        const bool does = fits(part, m_containers.front());
        m_factor[part] = does ? Known::yes : Known::no;
    }
    return m_factor[part] == Known::yes;
}

bool PartOf::isInside(TermId part) {
    if (part == noTerm) return false;
    if (m_inside.size() <= part) m_inside.resize(m_terms.size() + 256, Known::nothing);
    if (m_inside[part] == Known::nothing) {
        const bool does = std::any_of(m_containers.begin() + 1, m_containers.end(),
                                      [&](TermId container) { return fits(part, container); });
        m_inside[part] = does ? Known::yes : Known::no;
    }
    return m_inside[part] == Known::yes;
}

bool PartOf::fits(TermId part, TermId container) {
    const std::vector<Monomial> wanted = m_terms.at(part), all = m_terms.at(container);
    if (wanted.size() > all.size()) return false;
    for (const Monomial& t : all) {
        std::optional<Monomial> factor = quotient(t, wanted.front());
        if (!factor) continue;
        factor->coefficient = (t.coefficient < 0) == (wanted.front().coefficient < 0) ? 1 : -1;
        const bool fitsHere = std::all_of(wanted.begin(), wanted.end(), [&](const Monomial& w) {
            const Monomial there = m_terms.product(w, *factor);
            return std::any_of(all.begin(), all.end(), [&](const Monomial& m) {
                return m.isLike(there) && (m.coefficient < 0) == (there.coefficient < 0) &&
                       std::abs(there.coefficient) <= std::abs(m.coefficient);
            });
        });
        if (fitsHere) return true;
    }
    return false;
}

/// What is left of an exponent when some of its summands are taken out; noTerm where nothing is.
std::optional<TermId> PartOf::difference(TermId whole, TermId part) {
    std::vector<Monomial> rest = m_terms.at(whole);
    for (const Monomial& p : m_terms.at(part)) {
        const auto at = std::find_if(rest.begin(), rest.end(), [&](const Monomial& m) { return m.isLike(p); });
        if (at == rest.end() || (at->coefficient < 0) != (p.coefficient < 0) ||
            std::abs(p.coefficient) > std::abs(at->coefficient))
            return std::nullopt;
        at->coefficient -= p.coefficient;
    }
    return m_terms.termOf(std::move(rest));
}

/// What is left of a radicand when a factor is taken out, by long division; noTerm where nothing is.
std::optional<TermId> PartOf::ratio(TermId whole, TermId part) {
    if (whole == part) return noTerm;
    const auto leading = [&](TermId term) {
        const std::vector<Monomial>& all = m_terms.at(term);
        return *std::max_element(all.begin(), all.end(), hasSmallerExponents);
    };
    const Monomial first = leading(part);
    std::vector<Monomial> result;
    for (TermId rest = whole; rest != noTerm;
         rest = m_terms.subtract(rest, m_terms.multiply(m_terms.termOf({result.back()}), part))) {
        const Monomial t = leading(rest);
        std::optional<Monomial> q = quotient(t, first);
        if (!q || t.coefficient % first.coefficient != 0 || result.size() > m_terms.at(whole).size())
            return std::nullopt;
        q->coefficient = t.coefficient / first.coefficient;
        result.push_back(*std::move(q));
    }
    // The rest may have become too long instead of 0.
    const TermId left = m_terms.termOf(std::move(result));
    return m_terms.multiply(left, part) == whole ? std::optional(left) : std::nullopt;
}

/// whole / part without its coefficient, or nothing where it does not divide.
std::optional<Monomial> PartOf::quotient(const Monomial& whole, const Monomial& part) {
    if (!part.sums.fitsIn(whole.sums) || !part.inverseSums.fitsIn(whole.inverseSums)) return std::nullopt;
    Monomial rest = whole;
    rest.coefficient = 1;
    rest.sums = whole.sums - part.sums;
    rest.inverseSums = whole.inverseSums - part.inverseSums;
    for (const auto& [number, power] : part.atoms) {
        const auto same = std::find_if(rest.atoms.begin(), rest.atoms.end(),
                                       [n = number](const auto& entry) { return entry.first == n; });
        if (same != rest.atoms.end() && same->second >= power) {
            same->second -= power;
            if (same->second == 0) rest.atoms.erase(same);
            continue;
        }
        // Exponentials and roots stand once in a monomial, joined with others of their kind.
        const auto baseOf = [&](AtomId id) {
            Atom a = m_terms.atom(id);
            const bool isInverse = a.kind == Atom::Kind::inverse;
            if (isInverse) {
                const std::vector<Monomial>& inner = m_terms.at(a.argument);
                if (inner.size() != 1 || inner[0].atoms.size() != 1) return std::pair(Atom{}, false);
                a = m_terms.atom(inner[0].atoms[0].first);
            }
            return std::pair(a, isInverse);
        };
        const auto [wanted, wantedInverse] = baseOf(number);
        if (wanted.kind != Atom::Kind::exp && wanted.kind != Atom::Kind::sqrt) return std::nullopt;
        bool done = false;
        for (std::size_t i = 0; i < rest.atoms.size() && !done; ++i) {
            const auto [there, thereInverse] = baseOf(rest.atoms[i].first);
            if (there.kind != wanted.kind || thereInverse != wantedInverse) continue;
            const bool isExp = wanted.kind == Atom::Kind::exp;
            const std::optional<TermId> left =
                isExp ? difference(there.argument, wanted.argument) : ratio(there.argument, wanted.argument);
            if (!left) return std::nullopt;
            rest.atoms.erase(rest.atoms.begin() + std::ptrdiff_t(i));
            done = true;
            if (*left == noTerm) break;
            TermId atom = isExp ? m_terms.exp(*left) : m_terms.sqrt(*left);
            if (thereInverse) atom = m_terms.inverse(atom);
            Monomial one;
            one.atoms = m_terms.at(atom).front().atoms;
            rest = m_terms.product(rest, one);
        }
        if (!done) return std::nullopt;
    }
    return rest;
}

} // namespace kernelarium::mugraph
