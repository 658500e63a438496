// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Facts.h"

#include <algorithm>
#include <bit>

namespace kernelarium::mugraph {

namespace {

/// Of each set of variables, how many of `sets` it takes at least to have them all. A function's argument has the
/// variables of one atom of the task at most, whatever laws join atoms: they are joined in the task's term already.
std::vector<std::uint8_t> coverOf(const std::vector<std::uint32_t>& sets, std::size_t variables) {
    std::vector<std::uint8_t> cover(std::size_t(1) << variables, 0);
    for (std::uint32_t wanted = 1; wanted < cover.size(); ++wanted) {
        cover[wanted] = 1;
        std::uint8_t best = 0xff;
        for (const std::uint32_t set : sets)
            if (wanted & set) best = std::min(best, std::uint8_t(1 + cover[wanted & ~set]));
        if (best != 0xff) cover[wanted] = best;
    }
    return cover;
}

} // namespace

Made& Made::operator|=(const Made& other) {
    variables |= other.variables;
    inExp |= other.inExp;
    inSqrt |= other.inSqrt;
    functions |= other.functions;
    constants |= other.constants;
    loop |= other.loop;
    split |= other.split;
    hasInverse = hasInverse || other.hasInverse;
    return *this;
}

FactBook::FactBook(Terms& terms, const Problem& problem, TermId target)
    : m_terms(terms)
    , m_parts(terms, target)
    , m_axes(problem.summed())
    , m_target(madeOf(target)) {
    collect(target);
    const std::size_t variables = std::min<std::size_t>(problem.inputs.size(), 10);
    m_expCover = coverOf(m_exps, variables);
    m_rootCover = coverOf(m_roots, variables);
}

void FactBook::collect(TermId id) {
    const std::vector<Monomial> monomials = m_terms.at(id);
    for (const Monomial& m : monomials)
        for (const auto& [number, power] : m.atoms) {
            const Atom atom = m_terms.atom(number);
            if (atom.argument == noTerm) continue;
            if (atom.kind == Atom::Kind::exp) m_exps.push_back(madeOf(atom.argument).variables);
            if (atom.kind == Atom::Kind::sqrt) m_roots.push_back(madeOf(atom.argument).variables);
            collect(atom.argument);
        }
}

Made FactBook::madeOf(TermId id) const {
    Made made;
    for (const Monomial& m : m_terms.at(id)) {
        for (int axis = 0; axis < mostAxes; ++axis) {
            const auto has = [&](Part part) {
                const auto at = std::size_t(3 * axis + int(part));
                return m.sums.counts[at] > 0 || m.inverseSums.counts[at] > 0;
            };
            if (has(Part::loop)) made.loop |= axisBit(axis);
            if (has(Part::split)) made.split |= axisBit(axis);
        }
        for (const auto& [number, power] : m.atoms) {
            const Atom& atom = m_terms.atom(number);
            if (atom.kind == Atom::Kind::variable) made.variables |= std::uint32_t(1) << atom.number;
            if (atom.kind == Atom::Kind::constant) made.constants |= std::uint32_t(1) << (atom.number & 31);
            if (atom.kind == Atom::Kind::opaque) made.functions |= std::uint32_t(1) << (atom.number & 31);
            if (atom.kind == Atom::Kind::inverse) made.hasInverse = true;
            if (atom.argument == noTerm) continue;
            const Made inner = madeOf(atom.argument);
            made |= inner;
            if (atom.kind == Atom::Kind::exp) made.inExp |= inner.variables;
            if (atom.kind == Atom::Kind::sqrt) made.inSqrt |= inner.variables;
        }
    }
    return made;
}

FactBook::Missing FactBook::missing(const Made& made, int loop, int split) const {
    Missing missing;
    missing.unary = std::size_t(std::popcount(m_target.functions & ~made.functions)) +
                    std::size_t(std::popcount(m_target.constants & ~made.constants)) +
                    m_expCover[m_target.inExp & ~made.inExp & (m_expCover.size() - 1)] +
                    m_rootCover[m_target.inSqrt & ~made.inSqrt & (m_rootCover.size() - 1)];
    missing.division = m_target.hasInverse && !made.hasInverse;
    missing.loop = loop >= 0 && (m_target.loop & ~made.loop & axisBit(loop)) != 0;
    missing.split = split >= 0 && (m_target.split & ~made.split & axisBit(split)) != 0;
    return missing;
}

const TermFacts& FactBook::learn(TermId id) {
    TermFacts facts;
    facts.known = true;
    facts.isPart = m_parts.isPart(id);
    if (facts.isPart) {
        // Within a function's argument a sum may stand outside of the function.
        const bool isInside = m_parts.isInside(id);
        const auto canSum = [&](int axis, Part part) {
            return isInside || m_parts.isPart(m_terms.sum(id, axis, part));
        };
        for (AxisSet rest = m_axes; rest != 0; rest &= rest - 1) {
            const int axis = std::countr_zero(rest);
            if (canSum(axis, Part::tile)) facts.tile |= axisBit(axis);
            if (canSum(axis, Part::loop)) facts.loop |= axisBit(axis);
            if (canSum(axis, Part::split)) facts.split |= axisBit(axis);
        }
        facts.made = madeOf(id);
    }
    if (id >= m_facts.size()) m_facts.resize(std::size_t(id) + 1024);
    return m_facts[id] = facts;
}

} // namespace kernelarium::mugraph
