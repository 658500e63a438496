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
    if (m_mean && d.reads.size() == 2 && d.reads[1].source == *m_mean && d.combine == Combine::sum) {
        m_squares = id;
        return true;
    }
    if (m_squares && d.reads.size() == 1 && d.reads[0].source == *m_squares && d.combine == Combine::none) {
        takeScale(t, d.body);
        m_level[id] = {Operand::Kind::scale, 0};
        m_mean.reset(), m_squares.reset();
        return true;
    }
    if (d.combine != Combine::sum || d.reads.size() != 1 || !m_level.contains(d.reads[0].source) ||
        !isMeanOfNorm(id, d.reads[0].source))
        return false;
    const TensorId source = d.reads[0].source;
    needResult(source, t.name);
    if (m_d.space != Space::kept || m_d.late.kind != Late::Kind::none || eachOf(m_level.at(source)) != Each::filter)
        throw Refusal{fmt::format("{}, a norm at this place", t.name)};
    const Norm norm = normOf(id, d);
    const bool early = !m_d.norm && m_d.pool == Pool::none && norm.over != Norm::Over::lastAxis &&
                       !m_d.before.combinesFilters() && !m_d.before.reads(Operand::Kind::element);
    if (early) {
        m_d.norm = norm;
        m_d.normed = m_d.before;
    } else {
        if (norm.over == Norm::Over::lastAxis && m_d.pool != Pool::none)
            throw Refusal{fmt::format("{}, a norm of rows after a pool", t.name)};
        m_d.lateNorm = norm;
        m_d.lateNorm->steps = 0;
        m_d.late.kind = norm.over == Norm::Over::lastAxis ? Late::Kind::lastAxis : Late::Kind::norm;
        nextLevel(source, Each::filter);
    }
    m_mean = id;
    m_level[id] = {Operand::Kind::mean, 0};
    return true;
}

Norm Matcher::normOf(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const Tensor& x = m_graph.at(d.reads[0].source);
    const std::vector<Index>& map = d.reads[0].map;
    const std::int64_t images = x.extents[0], filters = m_d.filters, units = algebra::pointCount(t.extents);
    const int rank = int(t.extents.size());
    const auto isSummed = [&](std::size_t axis) { // over the whole axis of x
        return std::ranges::any_of(map[axis].terms, [&](const algebra::Term& term) { return term.axis >= rank; });
    };
    m_perNorm = algebra::pointCount(d.reduction);
    if (m_perNorm * units != algebra::pointCount(x.extents)) throw Refusal{t.name};
    Norm norm;
    norm.steps = chain().steps.size();
    const std::int64_t places = algebra::pointCount(x.extents) / images / filters;
    bool onlyLast = isSummed(map.size() - 1) && m_perNorm == x.extents.back();
    for (std::size_t i = 0; i + 1 < map.size(); ++i)
        onlyLast = onlyLast && !isSummed(i);
    const bool overImages =
        isSummed(0) || (images == 1 && m_like && m_like->norm && m_like->norm->over == Norm::Over::images);
    if (onlyLast && map.size() > 3)
        norm.over = Norm::Over::lastAxis;
    else if (overImages && units == filters && m_perNorm == images * places)
        norm.over = Norm::Over::images;
    else if (!overImages && units == images * filters && m_perNorm == places)
        norm.over = Norm::Over::space;
    else if (!overImages && units % images == 0 && units < images * filters && t.extents[0] == images &&
             m_perNorm % places == 0) {
        norm.over = Norm::Over::filtersOfGroup;
        norm.groups = units / images;
    } else
        throw Refusal{fmt::format("{}, which is over other axes", t.name)};
    return norm;
}

bool Matcher::makeLate() {
    const std::size_t first = m_d.norm->steps;
    Chain late;
    late.steps.assign(m_d.before.steps.begin() + std::ptrdiff_t(first), m_d.before.steps.end());
    const auto moved = [&](Operand& o) {
        if (o.kind == Operand::Kind::value) return first == 0;
        if (o.kind != Operand::Kind::step && o.kind != Operand::Kind::average) return true;
        if (o.index + 1 < first) return false;
        o = o.index + 1 == first ? Operand{} : Operand{o.kind, o.index - first};
        return true;
    };
    for (Step& step : late.steps)
        for (Operand& o : step.operands)
            if (!moved(o)) return false;
    for (auto& [id, operand] : m_level)
        if (!moved(operand)) operand = {Operand::Kind::value, std::size_t(-1)}; // nothing may read it
    m_d.before.steps.resize(first);
    m_d.late.kind = Late::Kind::norm;
    m_d.late.chain = std::move(late);
    m_d.lateNorm = m_d.norm;
    m_d.lateNorm->steps = 0;
    m_d.norm.reset();
    m_d.normed = {};
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
    norm().epsilon = epsilon.literal;
}

bool Matcher::readsNorm(const Read& r, int filterAxis) {
    const Norm& norm = this->norm();
    bool image = m_extents[0] == 1, filter = m_d.filters == 1;
    if (norm.over == Norm::Over::lastAxis) {
        for (std::size_t i = 0; i + 1 < r.map.size(); ++i)
            if (!isAxis(r.map[i], int(i)) && !(m_extents[i] == 1 && isConstant(r.map[i]))) return false;
        return isConstant(r.map.back());
    }
    const std::int64_t each = m_d.filters / norm.groups;
    for (const Index& i : r.map) {
        if (isConstant(i)) continue;
        if (i.terms.size() != 1 || i.offset != 0 || i.divisor != 1 || i.terms[0].factor != 1) return false;
        const algebra::Term& term = i.terms[0];
        if (term.axis == 0 && term.isPlain())
            image = true;
        else if (term.axis == filterAxis &&
                 (norm.over == Norm::Over::filtersOfGroup ? term.divisor == each : term.isPlain()))
            filter = true;
        else
            return false;
    }
    if (norm.over == Norm::Over::filtersOfGroup && norm.groups == 1) filter = true;
    return filter && (m_extents[0] == 1 || image == (norm.over != Norm::Over::images));
}

} // namespace kernelarium::kernelgen::convolution
