// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/target/Problem.h"
#include "core/mugraph/terms/Terms.h"

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kernelarium::mugraph::test {

/// A term with the operators of mathematics, of one Terms.
struct Formula {
    Terms* terms = nullptr;
    TermId id = noTerm;
};
inline Formula operator+(Formula a, Formula b) {
    return {a.terms, a.terms->add(a.id, b.id)};
}
inline Formula operator*(Formula a, Formula b) {
    return {a.terms, a.terms->multiply(a.id, b.id)};
}
inline Formula operator/(Formula a, Formula b) {
    return {a.terms, a.terms->divide(a.id, b.id)};
}
inline Formula exp(Formula a) {
    return {a.terms, a.terms->exp(a.id)};
}
inline Formula sqrt(Formula a) {
    return {a.terms, a.terms->sqrt(a.id)};
}

/// A task written down once more: axes are letters, and every step is one that a search has to allow.
class Writing {
public:
    Writing(Terms& terms, const Problem& problem, const std::map<char, int>& axes)
        : m_terms(terms)
        , m_problem(problem)
        , m_axes(axes) {}
    Formula input(const std::string& name) const {
        for (std::size_t k = 0; k < m_problem.inputs.size(); ++k)
            if (m_problem.inputs[k].name == name) return {&m_terms, m_terms.variable(std::uint32_t(k))};
        return {&m_terms, noTerm};
    }
    Formula constant(double value) const {
        for (std::size_t k = 0; k < m_problem.constants.size(); ++k)
            if (std::abs(m_problem.constants[k] - value) <= 1e-15 * std::abs(value))
                return {&m_terms, m_terms.constant(std::uint32_t(k))};
        return {&m_terms, noTerm};
    }
    Formula sum(char axis, Formula a) const {
        const int number = m_axes.at(axis);
        return number < 0 ? a : Formula{&m_terms, m_terms.sumWhole(a.id, number)};
    }
    Formula function(algebra::Function f, Formula a) const {
        for (std::size_t k = 0; k < m_problem.functions.size(); ++k)
            if (m_problem.functions[k] == OpaqueFunction{f, {}})
                return {&m_terms, m_terms.opaque(std::uint32_t(k), a.id)};
        return {&m_terms, noTerm};
    }
    /// One over an axis's extent.
    Formula share(char axis) const { return constant(1.0 / double(m_problem.extents[std::size_t(m_axes.at(axis))])); }
    Formula normalised(Formula x, char axis) const { return x / sqrt(sum(axis, x * x) * share(axis)); }

private:
    Terms& m_terms;
    const Problem& m_problem;
    const std::map<char, int>& m_axes;
};

/// What a card says, in words of a search.
struct Said {
    std::map<std::string, std::string> inputs; ///< the axes of each
    std::string output, products, sums;        ///< axes
    std::string operators;                     ///< of the closure
    std::size_t constants = 0;
    std::function<std::vector<Formula>(const Writing&)> steps; ///< the last is the target
};

/// By the card's name.
const std::map<std::string, Said>& sayings();

} // namespace kernelarium::mugraph::test
