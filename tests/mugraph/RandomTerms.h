// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "Residues.h"

#include <span>
#include <vector>

namespace kernelarium::mugraph::test {

/// An expression as it was written: its normal form, and its value by the operations as they were made.
struct Written {
    TermId id = noTerm;
    Value value{};
    std::vector<TermId> operands; ///< at every depth
};

/// What random expressions are made of.
enum class Wealth {
    everything,  ///< any operation on anything
    cancelsNone, ///< as every operand stays visible: what is subtracted is new, divisors have no inverses
    /// As equal values mean equal by the axioms: besides, no subtraction, and numerators, divisors and radicands have
    /// no atom in common; divisors are products.
    tellsApart,
};

/// Random expressions over four variables (those from 4 on stand in divisors, from 10 on in what is subtracted).
class RandomTerms {
public:
    RandomTerms(Terms& terms, const Residues& model, Wealth wealth, std::uint64_t seed)
        : m_terms(terms)
        , m_model(model)
        , m_wealth(wealth)
        , m_seed(seed) {}

    /// One that is not noTerm, with up to `depth` operations above another and two exponentials.
    [[nodiscard]] Written next(int depth);
    [[nodiscard]] std::size_t below(std::size_t n);

private:
    Written any(int depth, int exponentials);
    Written leaf();
    Written polynomial(int depth);
    Written divisor(int depth, int exponentials);
    Written subtrahend();
    Written variable(std::uint32_t number);
    Written whole(std::int64_t number);
    Written made(TermId id, const Value& value, std::initializer_list<const Written*> operands) const;
    Written add(const Written& a, const Written& b);
    Written subtract(const Written& a, const Written& b);
    Written multiply(const Written& a, const Written& b);
    Written divide(const Written& a, const Written& b);
    Written sum(const Written& a, std::size_t axis);
    Written exp(const Written& a);
    Written sqrt(const Written& a);
    Written opaque(std::uint32_t function, const Written& a);

    Terms& m_terms;
    const Residues& m_model;
    Wealth m_wealth;
    std::uint64_t m_seed, m_drawn = 0;
    std::uint32_t m_new = 10;
};

} // namespace kernelarium::mugraph::test
