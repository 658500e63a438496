// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Facts.h"

#include <bit>

namespace kernelarium::mugraph {

const TermFacts& FactBook::learn(TermId id) {
    TermFacts facts;
    facts.known = true;
    facts.isPart = m_parts.isPart(id);
    if (facts.isPart) {
        // Within a function's argument a sum may stand outside of the function.
        const bool isInside = m_parts.isInside(id);
        const auto canSum = [&](int axis, Part part) {
            return isInside || m_parts.isPart(m_terms.sum(id, axis, part));
        };
        for (AxisSet rest = m_axes; rest != 0; rest &= rest - 1) {
            const int axis = std::countr_zero(rest);
            if (canSum(axis, Part::tile)) facts.tile |= axisBit(axis);
            if (canSum(axis, Part::loop)) facts.loop |= axisBit(axis);
            if (canSum(axis, Part::split)) facts.split |= axisBit(axis);
        }
    }
    if (id >= m_facts.size()) m_facts.resize(std::size_t(id) + 1024);
    return m_facts[id] = facts;
}

} // namespace kernelarium::mugraph
