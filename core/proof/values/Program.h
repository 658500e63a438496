// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Expression.h"

#include <span>
#include <vector>

namespace kernelarium::proof {

/// A formula's body with a place for every value, so that no value is made anew at every point. Its parts stand in the
/// order in which they are computed.
template <class Domain> class Program {
public:
    using Cell = typename Domain::Cell;

    Program(Domain& domain, const algebra::Expression& body)
        : m_domain(domain) {
        add(body);
        m_at.assign(m_steps.size(), nullptr);
        m_values.resize(m_steps.size());
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            const algebra::Expression& e = *m_steps[i].expression;
            if (e.isLiteral()) m_values[i] = m_domain.literal(e.literal);
            m_at[i] = &m_values[i];
        }
    }

    const Cell& run(std::span<const Cell* const> operands, std::span<const std::int64_t> point) {
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            const Step& s = m_steps[i];
            switch (s.expression->kind) {
            case algebra::Expression::Kind::literal: break;
            case algebra::Expression::Kind::operand: m_at[i] = operands[s.expression->operand]; break;
            case algebra::Expression::Kind::axis:
                m_values[i] = m_domain.number(point[std::size_t(s.expression->axis)]);
                break;
            case algebra::Expression::Kind::apply:
                m_arguments.clear();
                for (std::size_t a : s.arguments)
                    m_arguments.push_back(m_at[a]);
                m_domain.apply(*s.expression, m_arguments, m_values[i]);
                break;
            }
        }
        return *m_at.back();
    }

private:
    struct Step {
        const algebra::Expression* expression;
        std::vector<std::size_t> arguments;
    };
    std::size_t add(const algebra::Expression& e) {
        Step s{&e, {}};
        for (const algebra::Expression& a : e.arguments)
            s.arguments.push_back(add(a));
        m_steps.push_back(std::move(s));
        return m_steps.size() - 1;
    }

    Domain& m_domain;
    std::vector<Step> m_steps;
    std::vector<Cell> m_values;
    std::vector<const Cell*> m_at;
    std::vector<const Cell*> m_arguments;
};

} // namespace kernelarium::proof
