// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Matcher.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

bool Matcher::isMeanOfNorm(TensorId mean, TensorId source) const {
    return std::ranges::any_of(m_graph.tensors, [&](const Tensor& t) {
        const Definition* d = t.definition();
        return d && d->combine == Combine::sum && d->reads.size() == 2 && d->reads[0].source == source &&
               d->reads[1].source == mean && d->body.is(algebra::Function::square) &&
               d->body.arguments[0].is(algebra::Function::sub);
    });
}

bool Matcher::normStatistics(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const Tensor& x = m_graph.at(d.reads[0].source);
    if (m_mean && d.reads.size() == 2 && d.reads[1].source == *m_mean && d.combine == Combine::sum) {
        m_squares = id;
        return true;
    }
    if (m_squares && d.reads.size() == 1 && d.reads[0].source == *m_squares && d.combine == Combine::none) {
        takeScale(t, d.body);
        m_level[id] = {Operand::Kind::scale, 0};
        return true;
    }
    if (d.combine != Combine::sum || d.reads.size() != 1 || !m_level.contains(d.reads[0].source) ||
        !isMeanOfNorm(id, d.reads[0].source))
        return false;
    const Chain& chain = m_d.before;
    if (m_d.norm || m_d.pool != Pool::none || m_d.space != Space::kept || chain.combinesFilters() ||
        chain.reads(Operand::Kind::element) ||
        !(m_level.at(d.reads[0].source) ==
          (chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1})))
        throw Refusal{fmt::format("{}, a norm at this place", t.name)};
    const std::int64_t images = x.extents[0], filters = m_d.filters, units = algebra::pointCount(t.extents);
    m_perNorm = algebra::pointCount(d.reduction);
    if (m_perNorm * units != algebra::pointCount(x.extents)) throw Refusal{t.name};
    Norm norm;
    norm.steps = chain.steps.size();
    const std::int64_t places = algebra::pointCount(x.extents) / images / filters;
    if (units == filters && m_perNorm == images * places)
        norm.over = Norm::Over::images;
    else if (units == images * filters && m_perNorm == places)
        norm.over = Norm::Over::space;
    else if (units % images == 0 && units < images * filters && t.extents[0] == images && m_perNorm % places == 0) {
        norm.over = Norm::Over::filtersOfGroup;
        norm.groups = units / images;
    } else
        throw Refusal{fmt::format("{}, which is over other axes", t.name)};
    m_d.norm = norm;
    m_d.normed = chain;
    m_mean = id;
    m_level[id] = {Operand::Kind::mean, 0};
    return true;
}

void Matcher::takeScale(const Tensor& t, const algebra::Expression& e) {
    using algebra::Function;
    const auto* root = e.is(Function::div) && e.arguments[0].isLiteral(1) && e.arguments[1].is(Function::sqrt)
                           ? &e.arguments[1].arguments[0]
                           : nullptr;
    if (!root || !root->is(Function::add) || root->arguments.size() != 2) throw Refusal{t.name};
    const bool first = root->arguments[0].isLiteral();
    const algebra::Expression &epsilon = root->arguments[first ? 0 : 1], &variance = root->arguments[first ? 1 : 0];
    const auto product = algebra::asProduct(variance);
    if (!epsilon.isLiteral() || !product || product->operands.size() != 1 ||
        std::abs(product->factor * double(m_perNorm) - 1) > 1e-9)
        throw Refusal{t.name};
    m_d.norm->epsilon = epsilon.literal;
}

bool Matcher::readsNorm(const Read& r, int filterAxis) const {
    bool image = false, filter = false;
    const std::int64_t each = m_d.filters / m_d.norm->groups;
    for (const Index& i : r.map) {
        if (isConstant(i)) continue;
        if (i.terms.size() != 1 || i.offset != 0 || i.divisor != 1 || i.terms[0].factor != 1) return false;
        const algebra::Term& term = i.terms[0];
        if (term.axis == 0 && term.isPlain())
            image = true;
        else if (term.axis == filterAxis &&
                 (m_d.norm->over == Norm::Over::filtersOfGroup ? term.divisor == each : term.isPlain()))
            filter = true;
        else
            return false;
    }
    if (m_d.norm->over == Norm::Over::filtersOfGroup && m_d.norm->groups == 1) filter = true;
    return filter && image == (m_d.norm->over != Norm::Over::images);
}

} // namespace kernelarium::kernelgen::convolution
