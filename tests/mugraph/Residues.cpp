// SPDX-License-Identifier: GPL-3.0-or-later
#include "Residues.h"

#include "core/proof/fields/Arithmetic.h"
#include "core/proof/fields/Keyed.h"

namespace kernelarium::mugraph::test {

namespace {

constexpr Value primes{2297393522393523779, 140136240233837, 8584675339, 524287};
static_assert(primes[0] % primes[1] == 1 && primes[1] % primes[2] == 1 && primes[2] % primes[3] == 1);

std::uint64_t timesModulo(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
    return std::uint64_t(static_cast<proof::Wide>(a) * b % p);
}

std::uint64_t powerModulo(std::uint64_t a, std::uint64_t exponent, std::uint64_t p) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent /= 2, a = timesModulo(a, a, p))
        if (exponent % 2 == 1) result = timesModulo(result, a, p);
    return result;
}

Value raised(Value a, std::uint64_t times) {
    for (std::size_t k = 0; k < a.size(); ++k)
        a[k] = powerModulo(a[k], times, primes[k]);
    return a;
}

} // namespace

Residues::Residues(std::uint64_t seed)
    : m_seed(seed)
    , m_bases(drawn(3, 0))
    , m_rootExponents(drawn(4, 0)) {
    for (std::size_t k = 0; k + 1 < primes.size(); ++k)
        m_bases[k] = powerModulo(m_bases[k], (primes[k] - 1) / primes[k + 1], primes[k]);
}

Value Residues::drawn(std::uint64_t kind, std::uint64_t number) const {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = 2 + proof::mixed(m_seed, kind << 40 | number << 8 | k) % (primes[k] - 2);
    return v;
}

Value Residues::whole(std::int64_t value) {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k) {
        const std::int64_t rest = value % std::int64_t(primes[k]);
        v[k] = rest < 0 ? std::uint64_t(rest + std::int64_t(primes[k])) : std::uint64_t(rest);
    }
    return v;
}

Value Residues::add(const Value& a, const Value& b) {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = (a[k] + b[k]) % primes[k];
    return v;
}

Value Residues::multiply(const Value& a, const Value& b) {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = timesModulo(a[k], b[k], primes[k]);
    return v;
}

Value Residues::inverse(const Value& a) {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = powerModulo(a[k], primes[k] - 2, primes[k]);
    return v;
}

Value Residues::exp(const Value& a) const {
    Value v;
    for (std::size_t k = 0; k + 1 < v.size(); ++k)
        v[k] = powerModulo(m_bases[k], a[k + 1], primes[k]);
    v.back() = 1;
    return v;
}

Value Residues::sqrt(const Value& a) const {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = powerModulo(a[k], m_rootExponents[k], primes[k]);
    return v;
}

Value Residues::opaque(std::uint32_t function, const Value& a) const {
    Value v;
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = proof::mixed(proof::mixed(m_seed, 5ull << 40 | std::uint64_t(function) << 8 | k), a[k]) % primes[k];
    return v;
}

Value Residues::sum(const Value& a, int axis, Part part) const {
    return multiply(a, drawn(6, std::uint64_t(axis) << 2 | std::uint64_t(part)));
}

Value Residues::of(const Sums& sums) const {
    Value v = whole(1);
    Sums counted = sums;
    for (int axis = 0; axis < mostAxes; ++axis)
        for (const Part part : {Part::tile, Part::loop, Part::split})
            for (int n = counted.of(axis, part); n > 0; --n)
                v = sum(v, axis, part);
    return v;
}

Value Residues::of(const Terms& terms, const Atom& atom) const {
    switch (atom.kind) {
    case Atom::Kind::variable: return variable(atom.number);
    case Atom::Kind::constant: return constant(atom.number);
    case Atom::Kind::inverse: return inverse(of(terms, atom.argument));
    case Atom::Kind::exp: return exp(of(terms, atom.argument));
    case Atom::Kind::sqrt: return sqrt(of(terms, atom.argument));
    case Atom::Kind::opaque: return opaque(atom.number, of(terms, atom.argument));
    }
    return {};
}

Value Residues::of(const Terms& terms, TermId id) const {
    Value total{};
    for (const Monomial& m : terms.at(id)) {
        Value one = multiply(whole(m.coefficient), multiply(of(m.sums), inverse(of(m.inverseSums))));
        for (const auto& [atom, power] : m.atoms)
            one = multiply(one, raised(of(terms, terms.atom(atom)), power));
        total = add(total, one);
    }
    return total;
}

} // namespace kernelarium::mugraph::test
