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
    if (normStatistics(id, *d)) return;
    for (const Read& r : d->reads)
        if (m_left.contains(r.source)) throw Refusal{fmt::format("{}, which reads what stands before a pool", t.name)};
    if (d->combine == Combine::none || d->reduction.size() == 1) return pointwise(id, *d);
    if (!overSpace(id, *d)) pool(id, *d);
}

Matcher::Axes Matcher::axesOf(const Tensor& t) const {
    const std::size_t n = m_d.axes.size();
    Axes a;
    if (m_d.space != Space::kept) return summaryAxesOf(t);
    a.hasFilters = t.extents.size() == n + 2;
    a.places = a.hasFilters ? 2 : 1;
    a.perFilter = a.hasFilters && t.extents[1] == m_extents[1];
    bool same = t.extents.size() >= n + 1 && t.extents.size() <= n + 2 && t.extents[0] == m_extents[0] &&
                (!a.hasFilters || a.perFilter || t.extents[1] == 1);
    for (std::size_t i = 0; same && i < n; ++i)
        same = t.extents[a.places + i] == m_extents[2 + i];
    if (!same) throw Refusal{fmt::format("{}, which changes the shape", t.name)};
    return a;
}

Matcher::Axes Matcher::summaryAxesOf(const Tensor& t) const {
    const std::int64_t images = m_extents[0], points = algebra::pointCount(t.extents);
    Axes a;
    a.perFilter = t.extents.size() >= 2 && t.extents[1] == m_d.filters && points == images * m_d.filters;
    a.hasFilters = a.perFilter || (t.extents.size() >= 2 && points == images);
    a.places = t.extents.size();
    if (t.extents.empty() || t.extents[0] != images || !(a.hasFilters || points == images))
        throw Refusal{fmt::format("{}, which changes the shape", t.name)};
    return a;
}

bool Matcher::overSpace(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const std::size_t n = m_d.axes.size();
    const auto product = algebra::asProduct(d.body);
    if (m_d.space != Space::kept && d.combine == Combine::sum && d.reads.size() == 1 && product &&
        product->operands.size() == 1 && product->factor == 1 && algebra::pointCount(d.reduction) == 1 &&
        algebra::pointCount(t.extents) == algebra::pointCount(m_graph.at(d.reads[0].source).extents)) {
        m_level[id] = m_level.at(d.reads[0].source); // of one place
        return true;
    }
    if (m_d.space != Space::kept || d.combine != Combine::sum || d.reduction.size() != n || d.reads.size() != 1 ||
        !product || product->operands.size() != 1 || t.extents.size() < 2 || t.extents[0] != m_extents[0] ||
        t.extents[1] != m_extents[1] || algebra::pointCount(t.extents) != m_extents[0] * m_extents[1])
        return false;
    std::int64_t places = 1;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t extent = m_extents[i + 2];
        const Index& at = d.reads[0].map[i + 2];
        const bool whole = at.isAxis() && at.terms[0].axis == int(t.extents.size() + i) && d.reduction[i] == extent;
        if (!whole && !(extent == 1 && isConstant(at))) return false;
        places *= extent;
    }
    const bool mean = std::abs(product->factor * double(places) - 1) < 1e-12;
    if (!mean && product->factor != 1) return false;
    const Chain& chain = m_d.last();
    if (chain.combinesFilters() || chain.reads(Operand::Kind::element)) return false;
    if (!(m_level.at(d.reads[0].source) ==
          (chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1})))
        return false;
    m_d.space = mean ? Space::mean : Space::sum;
    for (const auto& [left, operand] : m_level)
        m_left.emplace(left, operand);
    m_level = {{id, {}}};
    m_extents.resize(2 + n);
    for (std::size_t i = 0; i < n; ++i)
        m_extents[2 + i] = 1;
    return true;
}

void Matcher::pointwise(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const Axes axes = axesOf(t);
    const bool combines = d.combine != Combine::none;
    if (combines && (axes.perFilter || d.reduction != algebra::Extents{m_extents[1]} ||
                     (d.combine != Combine::sum && d.combine != Combine::maximum && d.combine != Combine::minimum)))
        throw Refusal{t.name};
    Chain& chain = m_d.space != Space::kept ? m_d.summary : m_d.pool == Pool::none ? m_d.before : m_d.after;
    Step step{t.name, d.body, {}, d.combine, axes.perFilter};
    const int filterAxis = combines ? int(t.extents.size()) : axes.perFilter ? 1 : -1;
    for (const Read& r : d.reads)
        step.operands.push_back(operandOf(r, t, axes, filterAxis));
    chain.steps.push_back(std::move(step));
    m_level[id] = {Operand::Kind::step, chain.steps.size() - 1};
}

Operand Matcher::operandOf(const Read& r, const Tensor& reader, const Axes& axes, int filterAxis) {
    if (!r.constraints.empty()) throw Refusal{fmt::format("{}, which reads in part", reader.name)};
    if (const auto it = m_level.find(r.source); it != m_level.end()) {
        if (it->second.kind == Operand::Kind::mean || it->second.kind == Operand::Kind::scale) {
            if (!readsNorm(r, filterAxis)) throw Refusal{fmt::format("{}, which reads a norm by place", reader.name)};
            return it->second;
        }
        const Tensor& source = m_graph.at(r.source);
        const Axes of = axesOf(source);
        bool same = isAxis(r.map[0], 0) || (m_extents[0] == 1 && isConstant(r.map[0]));
        if (of.hasFilters)
            same = same && (of.perFilter ? filterAxis >= 0 && isAxis(r.map[1], filterAxis) : isConstant(r.map[1]));
        for (std::size_t i = 0; m_d.space == Space::kept && i < m_d.axes.size(); ++i)
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
    bool byFilter = false;
    for (const Index& i : r.map) {
        if (isConstant(i)) continue;
        if (filterAxis < 0 || !isAxis(i, filterAxis) || byFilter)
            throw Refusal{fmt::format("{}, which reads {} by place", reader.name, source.name)};
        byFilter = true;
    }
    if (algebra::pointCount(source.extents) != (byFilter ? m_d.filters : 1))
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
        if (at.divisor != 1 || at.offset != 0 || factorOf(at, int(i) + 2) != size ||
            (size > 1 && factorOf(at, int(n + 2 + i)) != 1) || t.extents[i + 2] != m_extents[i + 2] / size)
            throw Refusal{fmt::format("{}, whose windows overlap, are padded or are the whole", t.name)};
        windows.push_back(size);
        elements *= size;
    }
    const Pool kind = maximum ? Pool::maximum : Pool::mean;
    if (!maximum && std::abs(product->factor * double(elements) - 1) > 1e-12) throw Refusal{t.name};
    const auto level = m_level.find(d.reads[0].source);
    const Chain& chain = m_d.last();
    if (chain.combinesFilters()) throw Refusal{fmt::format("{}, a pool of what combines filters", t.name)};
    if (chain.reads(Operand::Kind::element))
        throw Refusal{fmt::format("{}, a pool of what reads a whole tensor", t.name)};
    if (!(level->second == (chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1})))
        throw Refusal{t.name};
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
    for (const auto& [left, operand] : m_level)
        m_left.emplace(left, operand);
    m_level = {{id, {}}};
}

} // namespace kernelarium::kernelgen::convolution
