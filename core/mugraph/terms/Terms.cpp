// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/terms/Terms.h"

#include <algorithm>
#include <numeric>

namespace kernelarium::mugraph {

namespace {

/// Longer ones are no part of any task's term.
constexpr std::size_t mostMonomials = 64;
constexpr std::int64_t largestCoefficient = std::int64_t(1) << 31;

std::size_t mixedIn(std::size_t seed, std::uint64_t value) {
    return (seed ^ value) * 0x9E3779B97F4A7C15ull + (seed >> 29);
}

std::size_t hashOf(const std::vector<Monomial>& monomials) {
    std::size_t h = monomials.size();
    for (const Monomial& m : monomials) {
        h = mixedIn(h, std::uint64_t(m.coefficient));
        for (std::size_t i = 0; i < m.sums.counts.size(); ++i)
            if (m.sums.counts[i] || m.inverseSums.counts[i])
                h = mixedIn(h, i << 16 | std::uint64_t(m.sums.counts[i]) << 8 | m.inverseSums.counts[i]);
        for (const auto& [atom, power] : m.atoms)
            h = mixedIn(h, std::uint64_t(atom) << 32 | power);
    }
    return h;
}

bool comesBefore(const Monomial& a, const Monomial& b) {
    if (a.atoms != b.atoms) return a.atoms < b.atoms;
    if (a.sums != b.sums) return a.sums < b.sums;
    return a.inverseSums < b.inverseSums;
}

bool equal(const std::vector<Monomial>& a, const std::vector<Monomial>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Monomial& m, const Monomial& n) {
        return m.coefficient == n.coefficient && m.isLike(n);
    });
}

void multiplyBy(Monomial& m, AtomId atom, std::uint32_t power) {
    const auto at = std::lower_bound(m.atoms.begin(), m.atoms.end(), atom,
                                     [](const auto& entry, AtomId id) { return entry.first < id; });
    if (at != m.atoms.end() && at->first == atom)
        at->second += power;
    else
        m.atoms.insert(at, {atom, power});
}

} // namespace

bool Sums::fitsIn(const Sums& other) const {
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > other.counts[i]) return false;
    return true;
}

Sums Sums::operator+(const Sums& other) const {
    Sums s = *this;
    for (std::size_t i = 0; i < counts.size(); ++i)
        s.counts[i] = std::uint8_t(s.counts[i] + other.counts[i]);
    return s;
}

Sums Sums::operator-(const Sums& other) const {
    Sums s = *this;
    for (std::size_t i = 0; i < counts.size(); ++i)
        s.counts[i] = std::uint8_t(s.counts[i] - other.counts[i]);
    return s;
}

Terms::Terms() {
    m_terms.emplace_back(); // noTerm
}

TermId Terms::termOf(std::vector<Monomial> monomials) {
    // Before like ones are added up: one that is too large must not be brought back by another.
    for (const Monomial& m : monomials)
        if (std::abs(m.coefficient) > largestCoefficient) return noTerm;
    std::sort(monomials.begin(), monomials.end(), comesBefore);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < monomials.size();) {
        std::int64_t coefficient = 0;
        std::size_t j = i;
        for (; j < monomials.size() && monomials[j].isLike(monomials[i]); ++j)
            coefficient += monomials[j].coefficient;
        if (coefficient != 0) {
            if (kept != i) monomials[kept] = std::move(monomials[i]);
            monomials[kept++].coefficient = coefficient;
        }
        i = j;
    }
    monomials.resize(kept);
    if (monomials.empty() || monomials.size() > mostMonomials) return noTerm;
    for (const Monomial& m : monomials) {
        if (std::abs(m.coefficient) > largestCoefficient) return noTerm;
        for (std::size_t i = 0; i < m.sums.counts.size(); ++i)
            if (m.sums.counts[i] > 100 || m.inverseSums.counts[i] > 100) return noTerm;
    }
    const std::size_t hash = hashOf(monomials);
    for (auto [at, end] = m_termsByHash.equal_range(hash); at != end; ++at)
        if (equal(m_terms[at->second], monomials)) return at->second;
    const auto id = TermId(m_terms.size());
    m_terms.push_back(std::move(monomials));
    m_termsByHash.emplace(hash, id);
    return id;
}

AtomId Terms::atomOf(const Atom& atom) {
    const std::size_t hash = mixedIn(mixedIn(std::size_t(atom.kind), atom.number), atom.argument);
    for (auto [at, end] = m_atomsByHash.equal_range(hash); at != end; ++at)
        if (m_atoms[at->second] == atom) return at->second;
    m_atoms.push_back(atom);
    m_atomsByHash.emplace(hash, AtomId(m_atoms.size() - 1));
    return AtomId(m_atoms.size() - 1);
}

TermId Terms::ofAtom(Atom::Kind kind, std::uint32_t number, TermId argument) {
    Monomial m;
    m.atoms.emplace_back(atomOf({kind, number, argument}), 1);
    return termOf({std::move(m)});
}

template <class Make> TermId Terms::cached(Step step, TermId a, std::uint64_t b, const Make& make) {
    if (a == noTerm) return noTerm;
    const std::uint64_t key = std::uint64_t(step) << 60 | std::uint64_t(a) << 30 | b;
    if (const auto known = m_cache.find(key)) return *known;
    const TermId id = make();
    m_cache.put(key, id);
    return id;
}

TermId Terms::variable(std::uint32_t number) {
    return ofAtom(Atom::Kind::variable, number, noTerm);
}

TermId Terms::constant(std::uint32_t number) {
    return ofAtom(Atom::Kind::constant, number, noTerm);
}

TermId Terms::whole(std::int64_t value) {
    Monomial m;
    m.coefficient = value;
    return termOf({std::move(m)});
}

TermId Terms::add(TermId a, TermId b) {
    if (a > b) std::swap(a, b);
    return cached(Step::add, a, b, [&] {
        std::vector<Monomial> all = m_terms[a];
        all.insert(all.end(), m_terms[b].begin(), m_terms[b].end());
        return termOf(std::move(all));
    });
}

TermId Terms::subtract(TermId a, TermId b) {
    if (b == noTerm) return noTerm;
    return cached(Step::subtract, a, b, [&] {
        std::vector<Monomial> all = m_terms[a];
        for (Monomial m : m_terms[b]) {
            m.coefficient = -m.coefficient;
            all.push_back(std::move(m));
        }
        return termOf(std::move(all));
    });
}

TermId Terms::multiply(TermId a, TermId b) {
    if (a > b) std::swap(a, b);
    return cached(Step::multiply, a, b, [&] {
        if (m_terms[a].size() * m_terms[b].size() > mostMonomials) return noTerm;
        std::vector<Monomial> all;
        for (std::size_t i = 0; i < m_terms[a].size(); ++i)
            for (std::size_t j = 0; j < m_terms[b].size(); ++j) {
                const Monomial first = m_terms[a][i], second = m_terms[b][j]; // product() may move the vectors
                all.push_back(product(first, second));
            }
        return termOf(std::move(all));
    });
}

TermId Terms::divide(TermId a, TermId b) {
    if (b == noTerm) return noTerm;
    return cached(Step::divide, a, b, [&] { return multiply(a, inverse(b)); });
}

TermId Terms::exp(TermId a) {
    return cached(Step::exp, a, 0, [&] { return ofAtom(Atom::Kind::exp, 0, a); });
}

TermId Terms::sqrt(TermId a) {
    return cached(Step::sqrt, a, 0, [&] { return ofAtom(Atom::Kind::sqrt, 0, a); });
}

TermId Terms::opaque(std::uint32_t function, TermId a) {
    return cached(Step::opaque, a, function, [&] { return ofAtom(Atom::Kind::opaque, function, a); });
}

TermId Terms::sum(TermId a, int axis, Part part) {
    return cached(Step::sum, a, std::uint64_t(3 * axis + int(part)), [&] {
        std::vector<Monomial> all = m_terms[a];
        for (Monomial& m : all)
            ++m.sums.of(axis, part);
        return termOf(std::move(all));
    });
}

TermId Terms::sumWhole(TermId a, int axis) {
    return sum(sum(sum(a, axis, Part::tile), axis, Part::loop), axis, Part::split);
}

Monomial Terms::product(const Monomial& a, const Monomial& b) {
    Monomial m;
    // Beyond what a term keeps: termOf() refuses it.
    const bool fits = std::abs(a.coefficient) <= largestCoefficient && std::abs(b.coefficient) <= largestCoefficient;
    m.coefficient = fits ? a.coefficient * b.coefficient : largestCoefficient + 1;
    m.sums = a.sums + b.sums;
    m.inverseSums = a.inverseSums + b.inverseSums;
    m.atoms = a.atoms;
    for (const auto& [atom, power] : b.atoms)
        multiplyBy(m, atom, power);
    join(m);
    return m;
}

TermId Terms::joined(AtomId id, Atom::Kind kind, bool isInverse) const {
    const Atom* atom = &m_atoms[id];
    if (isInverse) {
        if (atom->kind != Atom::Kind::inverse) return noTerm;
        const std::vector<Monomial>& inner = m_terms[atom->argument];
        if (inner.size() != 1 || inner[0].coefficient != 1 || inner[0].atoms.size() != 1 ||
            inner[0].atoms[0].second != 1 || inner[0].sums != Sums{} || inner[0].inverseSums != Sums{})
            return noTerm;
        atom = &m_atoms[inner[0].atoms[0].first];
    }
    return atom->kind == kind ? atom->argument : noTerm;
}

void Terms::joinKind(Monomial& m, Atom::Kind kind, bool isInverse) {
    std::size_t found = 0;
    for (const auto& [atom, power] : m.atoms)
        if (joined(atom, kind, isInverse) != noTerm) found += power;
    if (found < 2) return;
    TermId together = noTerm;
    std::vector<std::pair<AtomId, std::uint32_t>> rest;
    for (const auto& [atom, power] : m.atoms) {
        const TermId argument = joined(atom, kind, isInverse);
        if (argument == noTerm) {
            rest.emplace_back(atom, power);
            continue;
        }
        for (std::uint32_t i = 0; i < power; ++i)
            together = together == noTerm        ? argument
                       : kind == Atom::Kind::exp ? add(together, argument)
                                                 : multiply(together, argument);
    }
    m.atoms = std::move(rest);
    if (together == noTerm) { // the arguments cancel, or are too long to tell: exp 0 = 1 is not among the axioms
        m.coefficient = largestCoefficient + 1;
        return;
    }
    TermId one = kind == Atom::Kind::exp ? exp(together) : sqrt(together);
    const AtomId base = m_terms[one][0].atoms[0].first;
    multiplyBy(m, isInverse ? atomOf({Atom::Kind::inverse, 0, one}) : base, 1);
}

void Terms::join(Monomial& m) {
    for (const Atom::Kind kind : {Atom::Kind::exp, Atom::Kind::sqrt})
        for (const bool isInverse : {false, true})
            joinKind(m, kind, isInverse);
}

TermId Terms::inverseOfMonomial(const Monomial& m) {
    Monomial turned;
    turned.sums = m.inverseSums;
    turned.inverseSums = m.sums;
    turned.coefficient = m.coefficient < 0 ? -1 : 1;
    // By primes: 1/2 times 1/3 is 1/6.
    std::int64_t rest = std::abs(m.coefficient);
    for (std::int64_t prime = 2; rest > 1; ++prime) {
        if (prime * prime > rest) prime = rest;
        for (; rest % prime == 0; rest /= prime)
            multiplyBy(turned, atomOf({Atom::Kind::inverse, 0, whole(prime)}), 1);
    }
    TermId result = termOf({std::move(turned)});
    for (const auto& [id, power] : m.atoms) {
        const Atom atom = m_atoms[id];
        TermId factor = atom.argument;
        if (atom.kind != Atom::Kind::inverse) {
            Monomial one;
            one.atoms.emplace_back(id, 1);
            factor = ofAtom(Atom::Kind::inverse, 0, termOf({std::move(one)}));
        }
        for (std::uint32_t i = 0; i < power; ++i)
            result = multiply(result, factor);
    }
    return result;
}

/// What divides all of them.
Monomial Terms::contentOf(const std::vector<Monomial>& monomials) const {
    Monomial content = monomials[0];
    for (const Monomial& m : monomials) {
        content.coefficient = std::gcd(content.coefficient, m.coefficient);
        for (std::size_t i = 0; i < m.sums.counts.size(); ++i) {
            content.sums.counts[i] = std::min(content.sums.counts[i], m.sums.counts[i]);
            content.inverseSums.counts[i] = std::min(content.inverseSums.counts[i], m.inverseSums.counts[i]);
        }
        std::vector<std::pair<AtomId, std::uint32_t>> common;
        for (const auto& [atom, power] : content.atoms)
            for (const auto& [other, otherPower] : m.atoms)
                if (other == atom) common.emplace_back(atom, std::min(power, otherPower));
        content.atoms = std::move(common);
    }
    return content;
}

TermId Terms::inverse(TermId a) {
    if (a == noTerm) return noTerm;
    if (m_terms[a].size() == 1) return inverseOfMonomial(Monomial(m_terms[a][0]));
    std::vector<Monomial> rest = m_terms[a];
    Monomial content = contentOf(rest);
    for (Monomial& m : rest) {
        m.coefficient /= content.coefficient;
        m.sums = m.sums - content.sums;
        m.inverseSums = m.inverseSums - content.inverseSums;
        for (const auto& [atom, power] : content.atoms)
            for (auto& entry : m.atoms)
                if (entry.first == atom) entry.second -= power;
        std::erase_if(m.atoms, [](const auto& entry) { return entry.second == 0; });
    }
    TermId core = termOf(std::move(rest));
    // 1/(-x - y) is -1/(x + y); which of them is written is told by the first monomial.
    if (m_terms[core].front().coefficient < 0) {
        core = multiply(core, whole(-1));
        content.coefficient = -content.coefficient;
    }
    return multiply(inverseOfMonomial(content), ofAtom(Atom::Kind::inverse, 0, core));
}

std::string Terms::toString(TermId id) const {
    if (id == noTerm) return "none";
    const auto power = [](std::uint32_t p) { return p == 1 ? std::string() : "^" + std::to_string(p); };
    const auto sums = [](const Sums& s, const char* before) {
        constexpr std::array<const char*, 3> parts{"t", "l", "s"};
        std::string text;
        for (int axis = 0; axis < mostAxes; ++axis) {
            const auto at = std::size_t(3 * axis);
            const bool whole = s.counts[at] == s.counts[at + 1] && s.counts[at] == s.counts[at + 2];
            for (std::size_t k = 0; k < (whole ? 1 : 3); ++k)
                for (int n = 0; n < s.counts[at + k]; ++n)
                    text += before + std::string("S") + std::to_string(axis) + (whole ? "" : parts[k]);
        }
        return text;
    };
    std::string text;
    for (const Monomial& m : m_terms[id]) {
        std::string one = m.coefficient == 1 && !m.atoms.empty() ? "" : std::to_string(m.coefficient);
        one += sums(m.sums, " ") + sums(m.inverseSums, " /");
        for (const auto& [number, p] : m.atoms) {
            const Atom& a = m_atoms[number];
            switch (a.kind) {
            case Atom::Kind::variable: one += " x" + std::to_string(a.number); break;
            case Atom::Kind::constant: one += " c" + std::to_string(a.number); break;
            case Atom::Kind::inverse: one += " /(" + toString(a.argument) + ")"; break;
            case Atom::Kind::exp: one += " exp(" + toString(a.argument) + ")"; break;
            case Atom::Kind::sqrt: one += " sqrt(" + toString(a.argument) + ")"; break;
            case Atom::Kind::opaque: one += " f" + std::to_string(a.number) + "(" + toString(a.argument) + ")"; break;
            }
            one += power(p);
        }
        if (one.starts_with(' ')) one.erase(0, 1);
        text += (text.empty() ? "" : " + ") + one;
    }
    return text;
}

} // namespace kernelarium::mugraph
