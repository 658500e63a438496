// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/terms/Terms.h"

#include <array>
#include <cstdint>

namespace kernelarium::mugraph::test {

/// Residues modulo four primes p0 > p1 > p2 > p3, each of which divides the one before it less 1.
using Value = std::array<std::uint64_t, 4>;

/// A model of the axioms in which they hold exactly, without rounding: numbers are residues. exp of x is a power of an
/// element of order p(k+1) in the field modulo p(k), its exponent x modulo p(k+1), so exp x exp y = exp(x+y); sqrt is a
/// fixed power, for which sqrt x sqrt y = sqrt(x y) and little else holds; other functions, variables, constants and
/// sums are drawn. 1/0 is 0, which contradicts none of them. Exponentials nest three deep, deeper ones are 1.
class Residues {
public:
    explicit Residues(std::uint64_t seed);

    [[nodiscard]] Value variable(std::uint32_t number) const { return drawn(1, number); }
    [[nodiscard]] Value constant(std::uint32_t number) const { return drawn(2, number); }
    [[nodiscard]] static Value whole(std::int64_t value);
    [[nodiscard]] static Value add(const Value& a, const Value& b);
    [[nodiscard]] static Value multiply(const Value& a, const Value& b);
    [[nodiscard]] static Value subtract(const Value& a, const Value& b) { return add(a, multiply(whole(-1), b)); }
    [[nodiscard]] static Value inverse(const Value& a);
    [[nodiscard]] Value exp(const Value& a) const;
    [[nodiscard]] Value sqrt(const Value& a) const;
    [[nodiscard]] Value opaque(std::uint32_t function, const Value& a) const;
    [[nodiscard]] Value sum(const Value& a, int axis, Part part) const;

    /// What the normal form says, monomial by monomial.
    [[nodiscard]] Value of(const Terms& terms, TermId id) const;

private:
    [[nodiscard]] Value drawn(std::uint64_t kind, std::uint64_t number) const;
    [[nodiscard]] Value of(const Terms& terms, const Atom& atom) const;
    [[nodiscard]] Value of(const Sums& sums) const;

    std::uint64_t m_seed;
    Value m_bases, m_rootExponents;
};

} // namespace kernelarium::mugraph::test
