// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mugraph/target/Problem.h"
#include "core/mugraph/terms/PartOf.h"

#include <array>
#include <vector>

namespace kernelarium::mugraph {

/// What a term has been through, anywhere in it: each of these can be made by an operator of its own alone.
struct Made {
    std::uint32_t variables = 0;                ///< bits: the inputs that it is made of
    std::uint32_t inExp = 0, inSqrt = 0;        ///< those that stand in an exponential, in a root
    std::uint32_t functions = 0, constants = 0; ///< bits
    AxisSet loop = 0, split = 0;                ///< axes whose parts in the loop, over blocks, are summed
    bool hasInverse = false;
    Made& operator|=(const Made& other);
};

/// What is known of a term for good, whatever graph it occurs in.
struct TermFacts {
    bool known = false;
    bool isPart = false;
    /// Axes over which it may still be summed on the way to the task's term, in tiles, in the loop, over blocks.
    AxisSet tile = 0, loop = 0, split = 0;
    Made made; ///< of a part
};

/// By the ids of a Terms, which it makes terms in.
class FactBook {
public:
    FactBook(Terms& terms, const Problem& problem, TermId target);
    [[nodiscard]] const TermFacts& of(TermId id) {
        if (id >= m_facts.size()) m_facts.resize(std::size_t(id) + std::size_t(id) / 2 + 1024);
        return m_facts[id].known ? m_facts[id] : learn(id);
    }
    /// How many operators of one operand it takes at least to get from what was made to the task's term, and whether it
    /// takes a division. Of the loop's and the split axis, -1 where there is none.
    struct Missing {
        std::size_t unary = 0;
        bool division = false, loop = false, split = false; ///< the last two are not counted in `unary`
    };
    [[nodiscard]] Missing missing(const Made& made, int loop, int split) const;

private:
    const TermFacts& learn(TermId id);
    [[nodiscard]] Made madeOf(TermId id) const;
    void collect(TermId id);

    Terms& m_terms;
    PartOf m_parts;
    AxisSet m_axes;
    std::vector<TermFacts> m_facts;
    Made m_target;
    std::vector<std::uint32_t> m_exps, m_roots; ///< of each exponential and root in the target, its variables
    std::vector<std::uint8_t> m_expCover,
        m_rootCover; ///< of a set of variables: operators that it takes to have them all
};

} // namespace kernelarium::mugraph
