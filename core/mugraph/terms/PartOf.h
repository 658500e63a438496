// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/terms/Terms.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::mugraph {

/// Whether a term may occur on the way to one term T: it is a factor of some of T's monomials together, or that of an
/// argument of a function in T, or of the product of a monomial's inverses.
///
///     P is a part of C  if  P * A is among C's monomials for a monomial A,
///
/// where C is T, an argument of an atom of such a C, or the product of what a monomial of such a C has in inverses.
/// What needs cancellation (x = x y / y) is no part, nor what needs 1/(1/x) = x (y/z of x z/y, which is x/(y/z)).
class PartOf {
public:
    PartOf(Terms& terms, TermId whole);
    /// Of T itself, with no function between: what is multiplied with others and summed becomes T, or a summand of it.
    [[nodiscard]] bool isFactor(TermId part);
    /// Of one of the others.
    [[nodiscard]] bool isInside(TermId part);
    [[nodiscard]] bool isPart(TermId part) { return isFactor(part) || isInside(part); }
    [[nodiscard]] TermId whole() const { return m_containers.front(); }

private:
    enum class Known : std::uint8_t { nothing, yes, no };
    void collect(TermId id);
    bool fits(TermId part, TermId container);
    std::optional<Monomial> quotient(const Monomial& whole, const Monomial& part);
    std::optional<TermId> difference(TermId whole, TermId part);
    std::optional<TermId> ratio(TermId whole, TermId part);

    Terms& m_terms;
    std::vector<TermId> m_containers;
    std::vector<Known> m_factor, m_inside;
};

} // namespace kernelarium::mugraph
