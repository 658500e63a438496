// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/target/Problem.h"
#include "core/mugraph/terms/PartOf.h"

#include <vector>

namespace kernelarium::mugraph {

/// What is known of a term for good, whatever graph it occurs in.
struct TermFacts {
    bool known = false;
    bool isPart = false;
    /// Axes over which it may still be summed on the way to the task's term, in tiles, in the loop, over blocks.
    AxisSet tile = 0, loop = 0, split = 0;
};

/// By the ids of a Terms, which it makes terms in.
class FactBook {
public:
    FactBook(Terms& terms, const Problem& problem, TermId target)
        : m_terms(terms)
        , m_parts(terms, target)
        , m_axes(problem.summed()) {}
    [[nodiscard]] const TermFacts& of(TermId id) {
        if (id >= m_facts.size()) m_facts.resize(std::size_t(id) + std::size_t(id) / 2 + 1024);
        return m_facts[id].known ? m_facts[id] : learn(id);
    }

private:
    const TermFacts& learn(TermId id);

    Terms& m_terms;
    PartOf m_parts;
    AxisSet m_axes;
    std::vector<TermFacts> m_facts;
};

} // namespace kernelarium::mugraph
