// SPDX-License-Identifier: GPL-3.0-or-later
#include "RandomTerms.h"

#include "core/proof/fields/Keyed.h"

namespace kernelarium::mugraph::test {

std::size_t RandomTerms::below(std::size_t n) {
    return std::size_t(proof::mixed(m_seed, m_drawn++) % n);
}

Written RandomTerms::next(int depth) {
    for (;;) {
        m_new = 10;
        Written w = any(depth, 2);
        if (w.id != noTerm) return w;
    }
}

Written RandomTerms::any(int depth, int exponentials) {
    if (depth == 0) return leaf();
    --depth;
    switch (below(12)) {
    case 0:
    case 1:
    case 2: return add(any(depth, exponentials), any(depth, exponentials));
    case 3:
    case 4:
    case 5: return multiply(any(depth, exponentials), any(depth, exponentials));
    case 6: return sum(any(depth, exponentials), below(2));
    case 7: return exponentials == 0 ? leaf() : exp(any(depth, exponentials - 1));
    case 8: return sqrt(m_wealth == Wealth::everything ? any(depth, exponentials) : polynomial(depth));
    case 9: return opaque(0, any(depth, exponentials));
    case 10: return divide(any(depth, exponentials), divisor(depth, exponentials));
    default: break;
    }
    const Written a = any(depth, exponentials);
    switch (m_wealth) {
    case Wealth::everything: return subtract(a, any(depth, exponentials));
    case Wealth::cancelsNone: return subtract(a, subtrahend());
    case Wealth::tellsApart: break;
    }
    return multiply(a, a);
}

Written RandomTerms::leaf() {
    const std::size_t n = below(8);
    if (n == 6) return made(m_terms.constant(0), m_model.constant(0), {});
    return n == 7 ? whole(2 + std::int64_t(below(2))) : variable(std::uint32_t(n % 4));
}

Written RandomTerms::polynomial(int depth) {
    if (depth == 0) return variable(std::uint32_t(below(4)));
    --depth;
    switch (below(4)) {
    case 0: return add(polynomial(depth), polynomial(depth));
    case 1: return sum(polynomial(depth), below(2));
    default: return multiply(polynomial(depth), polynomial(depth));
    }
}

Written RandomTerms::divisor(int depth, int exponentials) {
    if (m_wealth == Wealth::everything) return any(depth, exponentials);
    const std::size_t n = below(m_wealth == Wealth::tellsApart ? 4 : 8);
    if (depth == 0 || n == 0) return variable(4 + std::uint32_t(below(2)));
    --depth;
    switch (n) {
    case 1: return multiply(divisor(depth, exponentials), divisor(depth, exponentials));
    case 2: return sum(divisor(depth, exponentials), 2);
    case 3: return opaque(1, any(depth, exponentials));
    case 4: return add(divisor(depth, exponentials), divisor(depth, exponentials));
    case 5: return sqrt(polynomial(depth));
    case 6: return exponentials == 0 ? whole(6) : exp(any(depth, exponentials - 1));
    default: return whole(2 + std::int64_t(below(5)));
    }
}

Written RandomTerms::subtrahend() {
    return multiply(variable(m_new++), leaf());
}

Written RandomTerms::variable(std::uint32_t number) {
    return made(m_terms.variable(number), m_model.variable(number), {});
}

Written RandomTerms::whole(std::int64_t number) {
    return made(m_terms.whole(number), Residues::whole(number), {});
}

Written RandomTerms::made(TermId id, const Value& value, std::initializer_list<const Written*> operands) const {
    Written w{id, value, {}};
    for (const Written* o : operands) {
        w.operands.push_back(o->id);
        w.operands.insert(w.operands.end(), o->operands.begin(), o->operands.end());
    }
    return w;
}

Written RandomTerms::add(const Written& a, const Written& b) {
    return made(m_terms.add(a.id, b.id), Residues::add(a.value, b.value), {&a, &b});
}

Written RandomTerms::subtract(const Written& a, const Written& b) {
    return made(m_terms.subtract(a.id, b.id), Residues::subtract(a.value, b.value), {&a, &b});
}

Written RandomTerms::multiply(const Written& a, const Written& b) {
    return made(m_terms.multiply(a.id, b.id), Residues::multiply(a.value, b.value), {&a, &b});
}

Written RandomTerms::divide(const Written& a, const Written& b) {
    return made(m_terms.divide(a.id, b.id), Residues::multiply(a.value, Residues::inverse(b.value)), {&a, &b});
}

Written RandomTerms::sum(const Written& a, std::size_t axis) {
    const auto part = Part(below(3));
    return made(m_terms.sum(a.id, int(axis), part), m_model.sum(a.value, int(axis), part), {&a});
}

Written RandomTerms::exp(const Written& a) {
    return made(m_terms.exp(a.id), m_model.exp(a.value), {&a});
}

Written RandomTerms::sqrt(const Written& a) {
    return made(m_terms.sqrt(a.id), m_model.sqrt(a.value), {&a});
}

Written RandomTerms::opaque(std::uint32_t function, const Written& a) {
    return made(m_terms.opaque(function, a.id), m_model.opaque(function, a.value), {&a});
}

} // namespace kernelarium::mugraph::test
