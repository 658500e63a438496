// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Matcher.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

bool isIdentity(const std::vector<Index>& map, std::size_t rank) {
    if (map.size() != rank) return false;
    for (std::size_t i = 0; i < rank; ++i)
        if (!map[i].isAxis() || map[i].terms[0].axis != int(i)) return false;
    return true;
}

} // namespace

void Matcher::follow(TensorId id) {
    const Tensor& t = m_graph.at(id);
    const Definition* d = t.definition();
    if (!d || !d->domain.empty()) throw Refusal{t.name};
    if (m_d.isLine) throw Refusal{fmt::format("{}, behind a convolution in one direction", t.name)};
    if (m_d.convolutionGroups > 1) throw Refusal{fmt::format("{}, behind a convolution in groups", t.name)};
    if (m_d.overImages) throw Refusal{fmt::format("{}, after a sum over the images", t.name)};
    if (normStatistics(id, *d)) return;
    for (const Read& r : d->reads)
        if (m_left.contains(r.source)) throw Refusal{fmt::format("{}, which reads what stands before a pool", t.name)};
    if (d->combine == Combine::none) return pointwise(id, *d);
    if (alongLine(id, *d) || overAll(id, *d) || overSpace(id, *d)) return;
    if (d->reduction.size() == 1) return combination(id, *d, axesOf(t));
    pool(id, *d);
}

Each Matcher::eachOf(const Operand& operand) {
    if (operand.kind == Operand::Kind::step) return chain().steps.at(operand.index).each;
    return operand.kind == Operand::Kind::value ? m_value : Each::filter;
}

Matcher::Axes Matcher::axesOf(const Tensor& t) const {
    const std::size_t n = m_extents.size() - 2;
    Axes a;
    if (m_d.space == Space::sum || m_d.space == Space::mean) return summaryAxesOf(t);
    a.hasFilters = t.extents.size() == n + 2;
    a.places = a.hasFilters ? 2 : 1;
    bool same = t.extents.size() >= n + 1 && t.extents.size() <= n + 2 && t.extents[0] == m_extents[0];
    for (std::size_t i = 0; same && i < n; ++i)
        same = t.extents[a.places + i] == m_extents[2 + i];
    if (!same) throw Refusal{fmt::format("{}, which changes the shape", t.name)};
    return a;
}

Matcher::Axes Matcher::summaryAxesOf(const Tensor& t) const {
    const std::int64_t images = m_extents[0], points = algebra::pointCount(t.extents);
    Axes a;
    a.hasFilters = t.extents.size() >= 2 && points == images * t.extents[1];
    a.places = t.extents.size();
    if (t.extents.empty() || t.extents[0] != images || !(a.hasFilters || points == images))
        throw Refusal{fmt::format("{}, which changes the shape", t.name)};
    return a;
}

void Matcher::pointwise(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const Axes axes = axesOf(t);
    Each each = Each::one;
    bool byFilter = false; // of some operand
    for (const Read& r : d.reads) {
        const auto it = m_level.find(r.source);
        if (it != m_level.end())
            each = std::min(each, eachOf(it->second));
        else
            byFilter =
                byFilter || (axes.hasFilters && std::ranges::any_of(r.map, [](const Index& i) { return i.uses(1); }));
    }
    if (each == Each::one && byFilter) each = Each::other;
    const std::int64_t range = axes.hasFilters ? t.extents[1] : 1;
    if (each == Each::filter ? range != m_d.filters : each == Each::one && range != 1)
        throw Refusal{fmt::format("{}, which changes the shape", t.name)};
    if (each == Each::other) {
        if (m_others != 0 && m_others != range) throw Refusal{fmt::format("{}, a third extent of filters", t.name)};
        m_others = range;
    }
    Step step{t.name, d.body, {}, Combine::none, false, each, each};
    for (const Read& r : d.reads)
        step.operands.push_back(operandOf(r, t, axes, each == Each::one ? -1 : 1, range));
    if (each == Each::other && !m_d.others)
        for (const Operand& o : step.operands)
            if (o.kind == Operand::Kind::channel) m_d.others = o.index;
    Chain& chain = this->chain();
    chain.steps.push_back(std::move(step));
    m_level[id] = chain.result();
}

void Matcher::combination(TensorId id, const Definition& d, const Axes& axes) {
    const Tensor& t = m_graph.at(id);
    Each over = Each::one;
    for (const Read& r : d.reads)
        if (const auto it = m_level.find(r.source); it != m_level.end()) over = std::min(over, eachOf(it->second));
    const std::int64_t range = over == Each::filter ? m_d.filters : m_others;
    if (over == Each::one || (axes.hasFilters && t.extents[1] != 1) || d.reduction[0] != range ||
        (d.combine != Combine::sum && d.combine != Combine::maximum && d.combine != Combine::minimum))
        throw Refusal{t.name};
    Step step{t.name, d.body, {}, d.combine, false, over, Each::one};
    const auto product = algebra::asProduct(d.body);
    if (d.combine == Combine::sum && product && product->operands.size() == 1 &&
        std::abs(product->factor * double(range) - 1) < 1e-12) {
        step.mean = true;
        step.body = algebra::Expression::read(product->operands[0]);
    }
    for (const Read& r : d.reads)
        step.operands.push_back(operandOf(r, t, axes, int(t.extents.size()), range));
    Chain& chain = this->chain();
    chain.steps.push_back(std::move(step));
    m_level[id] = chain.result();
}

Operand Matcher::operandOf(const Read& r, const Tensor& reader, const Axes& axes, int filterAxis, std::int64_t range) {
    if (!r.constraints.empty()) throw Refusal{fmt::format("{}, which reads in part", reader.name)};
    if (const auto it = m_level.find(r.source); it != m_level.end()) {
        if (it->second.kind == Operand::Kind::mean || it->second.kind == Operand::Kind::scale) {
            if (!readsNorm(r, filterAxis)) throw Refusal{fmt::format("{}, which reads a norm by place", reader.name)};
            return it->second;
        }
        const Tensor& source = m_graph.at(r.source);
        bool same = isAxis(r.map[0], 0) || (m_extents[0] == 1 && isConstant(r.map[0]));
        if (it->second.kind == Operand::Kind::average) {
            same = same && r.map.size() > 1 && (isAxis(r.map[1], filterAxis) || (range == 1 && isConstant(r.map[1])));
            for (std::size_t i = 2; i < r.map.size(); ++i)
                same = same && isConstant(r.map[i]);
            if (!same) throw Refusal{fmt::format("{}, which reads other places", reader.name)};
            return it->second;
        }
        const Axes of = axesOf(source);
        const Each each = eachOf(it->second);
        if (of.hasFilters)
            same = same && (each != Each::one && range > 1 ? filterAxis >= 0 && isAxis(r.map[1], filterAxis)
                                                           : isConstant(r.map[1]) || isAxis(r.map[1], filterAxis));
        const bool kept = m_d.space == Space::kept || m_d.space == Space::line;
        for (std::size_t i = 0; kept && i + 2 < m_extents.size(); ++i)
            same = same && (isAxis(r.map[of.places + i], int(axes.places + i)) ||
                            (m_extents[2 + i] == 1 && isConstant(r.map[of.places + i])));
        if (!same) throw Refusal{fmt::format("{}, which reads other places", reader.name)};
        return it->second;
    }
    const Tensor& source = m_graph.at(r.source);
    if (!source.input() || source.dtype != tensor::DType::Float32)
        throw Refusal{fmt::format("{}, which reads {}", reader.name, source.name)};
    Operand o{Operand::Kind::scalar, parameter(source.name)};
    if (m_d.space == Space::kept && filterAxis == 1 && isIdentity(r.map, m_extents.size()) &&
        source.extents == m_extents) {
        o.kind = Operand::Kind::element;
        return o;
    }
    const bool inRows = m_d.late.kind == Late::Kind::lastAxis && m_d.late.pool == Pool::none;
    if (inRows && r.map.size() == 1 && isAxis(r.map[0], int(reader.extents.size()) - 1) &&
        source.extents[0] == m_extents.back()) {
        o.kind = Operand::Kind::last;
        return o;
    }
    bool byFilter = false;
    for (const Index& i : r.map) {
        if (isConstant(i)) continue;
        if (filterAxis < 0 || !isAxis(i, filterAxis) || byFilter)
            throw Refusal{fmt::format("{}, which reads {} by place", reader.name, source.name)};
        byFilter = true;
    }
    if (algebra::pointCount(source.extents) != (byFilter ? range : 1))
        throw Refusal{fmt::format("{}, which reads {} in part", reader.name, source.name)};
    if (byFilter) o.kind = Operand::Kind::channel;
    return o;
}

std::size_t Matcher::parameter(const std::string& name) {
    const auto it = std::ranges::find(m_d.parameters, name);
    if (it != m_d.parameters.end()) return std::size_t(it - m_d.parameters.begin());
    m_d.parameters.push_back(name);
    return m_d.parameters.size() - 1;
}

void Matcher::pool(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const std::size_t n = m_d.axes.size();
    const auto product = algebra::asProduct(d.body);
    const bool maximum = d.combine == Combine::maximum && d.body.isRead();
    if (t.extents.size() != n + 2 || d.reduction.size() != n || d.reads.size() != 1 || !product ||
        product->operands.size() != 1 || !(maximum || d.combine == Combine::sum) || t.extents[1] != m_extents[1])
        throw Refusal{t.name};
    std::int64_t elements = 1;
    std::vector<std::int64_t> windows;
    for (std::size_t i = 0; i < n; ++i) {
        const Index& at = d.reads[0].map[i + 2];
        const std::int64_t size = d.reduction[i];
        const std::int64_t step = factorOf(at, int(i) + 2); // 0 where there is one window and it does not show
        if (at.divisor != 1 || at.offset != 0 || (step != size && !(step == 0 && t.extents[i + 2] == 1)) ||
            (size > 1 && factorOf(at, int(n + 2 + i)) != 1) || t.extents[i + 2] != m_extents[i + 2] / size)
            throw Refusal{fmt::format("{}, whose windows overlap, are padded or are the whole", t.name)};
        windows.push_back(size);
        elements *= size;
    }
    const Pool kind = maximum ? Pool::maximum : Pool::mean;
    if (!maximum && std::abs(product->factor * double(elements) - 1) > 1e-12) throw Refusal{t.name};
    Chain& chain = this->chain();
    needResult(d.reads[0].source, t.name);
    if (chain.reads(Operand::Kind::element))
        throw Refusal{fmt::format("{}, a pool of what reads a whole tensor", t.name)};
    if (eachOf(m_level.at(d.reads[0].source)) != Each::filter)
        throw Refusal{fmt::format("{}, a pool of combined filters", t.name)};
    if (m_d.late.kind == Late::Kind::lastAxis && m_d.late.pool == Pool::none) {
        m_d.late.pool = kind;
        m_d.late.windows = windows;
        m_extents = t.extents;
        return nextLevel(id, Each::filter);
    }
    if (m_d.late.kind != Late::Kind::none) throw Refusal{fmt::format("{}, a pool after a norm", t.name)};
    if (m_windows.empty()) m_windows.assign(n, 1);
    if (m_d.pool != Pool::none) {
        const bool passes = kind == Pool::mean ? isAffine(m_d.after) : isRising(m_d.after);
        if (kind != m_d.pool || !passes) throw Refusal{fmt::format("{}, another pool after a pool", t.name)};
        m_after = joined(std::move(m_after), m_d.after);
        m_d.after = {};
        m_d.rewrites.push_back("two pools are one");
    }
    for (std::size_t i = 0; i < n; ++i)
        m_windows[i] *= windows[i];
    m_d.pool = kind;
    m_extents = t.extents;
    nextLevel(id, Each::filter);
}

} // namespace kernelarium::kernelgen::convolution
