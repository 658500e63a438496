// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// What a whole number of a graph is at each of the sizes at which the card was lowered.
using Values = std::vector<std::int64_t>;

/// A whole number as C++ of names that the host function has.
struct Quantity {
    std::string text;
    bool isConstant = false;
    std::int64_t constant = 0; ///< where isConstant
    bool isName = false;       ///< an identifier alone
    bool isAtom = false;       ///< needs no parentheses beside * and /
};

/// Finds for a number that depends on the size an expression of named numbers that gives it at every size looked at:
/// a constant, a name, a * name + b, (name + b) / c, products and sums of two or three names. An expression that fits
/// all of a dozen sizes (primes and powers of two among them) is taken for the right one; what was emitted with it is
/// verified at sizes of its own.
class Quantities {
public:
    explicit Quantities(std::size_t sizes)
        : m_sizes(sizes) {}

    [[nodiscard]] std::size_t sizes() const { return m_sizes; }
    void add(std::string name, Values values);
    [[nodiscard]] bool isKnown(const Values& values) const { return m_byValues.contains(values); }
    /// Nothing where no such expression is found.
    [[nodiscard]] std::optional<Quantity> of(const Values& values) const;

    /// c / n of a whole number n: for a literal that depends on the size, such as the factor of a mean.
    struct Fraction {
        double numerator = 1;
        Values denominator;
        std::string text; ///< of the denominator
    };
    [[nodiscard]] std::optional<Fraction> fraction(const std::vector<double>& values) const;

private:
    struct Named {
        std::string name;
        Values values;
    };
    [[nodiscard]] std::optional<Quantity> search(const Values& values) const;
    /// The few names of which sums and products of three and four are tried.
    [[nodiscard]] std::vector<const Named*> leading() const;

    std::size_t m_sizes;
    std::vector<Named> m_named;
    std::map<Values, std::string> m_byValues;
    mutable std::map<Values, std::optional<Quantity>> m_found;
};

} // namespace kernelarium::kernelgen
