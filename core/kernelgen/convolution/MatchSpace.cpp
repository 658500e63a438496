// SPDX-License-Identifier: GPL-3.0-or-later
// What combines the values of many places.
#include "core/kernelgen/convolution/Matcher.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

/// Whether factor * value is a mean over so many, a sum (false), or neither.
std::optional<bool> isMean(double factor, std::int64_t count) {
    if (std::abs(factor * double(count) - 1) < 1e-9) return true;
    if (factor == 1) return false;
    return std::nullopt;
}

} // namespace

bool Matcher::overSpace(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const std::size_t n = m_extents.size() - 2;
    const auto product = algebra::asProduct(d.body);
    if (d.combine != Combine::sum || d.reads.size() != 1 || !product || product->operands.size() != 1) return false;
    const TensorId source = d.reads[0].source;
    if (m_d.space != Space::kept) {
        if (product->factor != 1 || algebra::pointCount(d.reduction) != 1 ||
            algebra::pointCount(t.extents) != algebra::pointCount(m_graph.at(source).extents))
            return false;
        m_level[id] = m_level.at(source); // of one place
        return true;
    }
    const bool filtersToo = d.reduction.size() == n + 1 && t.extents == algebra::Extents{m_extents[0]};
    if (!filtersToo && (d.reduction.size() != n || t.extents.size() < 2 || t.extents[0] != m_extents[0] ||
                        t.extents[1] != m_extents[1] || algebra::pointCount(t.extents) != m_extents[0] * m_extents[1]))
        return false;
    std::int64_t places = 1;
    for (std::size_t i = filtersToo ? 1 : 2; i < n + 2; ++i) {
        const Index& at = d.reads[0].map[i];
        const std::size_t axis = i - (filtersToo ? 1 : 2);
        const bool whole =
            at.isAxis() && at.terms[0].axis == int(t.extents.size() + axis) && d.reduction[axis] == m_extents[i];
        if (!whole && !(m_extents[i] == 1 && isConstant(at))) return false;
        places *= m_extents[i];
    }
    const std::optional<bool> mean = isMean(product->factor, places);
    if (!mean || m_d.late.kind != Late::Kind::none) return false;
    const bool isReadBeside = std::ranges::any_of(m_graph.tensors, [&](const Tensor& later) {
        const std::vector<TensorId> sources = algebra::sourcesOf(later);
        return &later > &t && std::ranges::count(sources, source) > 0;
    });
    if (isReadBeside && *mean && !filtersToo) {
        takeAverage(id, d);
        return true;
    }
    if (chain().reads(Operand::Kind::element)) return false;
    needResult(source, t.name);
    if (eachOf(m_level.at(source)) != Each::filter) throw Refusal{fmt::format("{}, a sum of combined filters", t.name)};
    m_d.space = *mean ? Space::mean : Space::sum;
    m_extents.resize(2 + n);
    for (std::size_t i = 0; i < n; ++i)
        m_extents[2 + i] = 1;
    nextLevel(id, Each::filter);
    if (filtersToo) {
        Step step{t.name, algebra::Expression::read(0), {Operand{}}, Combine::sum, *mean, Each::filter, Each::one};
        m_d.summary.steps.push_back(std::move(step));
        m_level[id] = m_d.summary.result();
    }
    return true;
}

void Matcher::takeAverage(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const TensorId source = d.reads[0].source;
    needResult(source, t.name);
    if (!m_d.norm || m_d.pool != Pool::none || !makeLate() || !isAffine(m_d.late.chain))
        throw Refusal{fmt::format("{}, a mean that is read beside its values", t.name)};
    const Operand of = m_level.at(source);
    if (of.kind != Operand::Kind::step) throw Refusal{t.name};
    m_level[id] = {Operand::Kind::average, of.index};
    m_d.rewrites.push_back("the mean of an affine map is that of the mean");
}

bool Matcher::alongLine(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const auto product = algebra::asProduct(d.body);
    if (m_d.space != Space::kept || m_d.pool != Pool::none || m_d.late.kind != Late::Kind::none ||
        d.reduction.size() != 1 || d.reads.size() != 1 || !product || product->operands.size() != 1 ||
        (d.combine != Combine::sum && !d.body.isRead()) ||
        (d.combine != Combine::sum && d.combine != Combine::maximum && d.combine != Combine::minimum))
        return false;
    const TensorId source = d.reads[0].source;
    const Tensor& from = m_graph.at(source);
    const std::size_t rank = from.extents.size(), axis = axesOf(from).places;
    if (rank != m_extents.size() || !isAxis(d.reads[0].map[axis], int(t.extents.size())) ||
        d.reduction[0] != from.extents[axis])
        return false;
    const bool dropped = t.extents.size() + 1 == rank;
    if (!dropped && !(t.extents.size() == rank && t.extents[axis] == 1)) return false;
    for (std::size_t i = 0; i < rank; ++i)
        if (const int at = int(i > axis && dropped ? i - 1 : i);
            i != axis && !isAxis(d.reads[0].map[i], at) && !(from.extents[i] == 1 && isConstant(d.reads[0].map[i])))
            return false;
    const std::optional<bool> mean = isMean(product->factor, d.reduction[0]);
    if (!mean) return false;
    needResult(source, t.name);
    if (chain().reads(Operand::Kind::element)) return false;
    const Each each = eachOf(m_level.at(source));
    if (each == Each::other) return false;
    m_d.space = Space::line;
    m_d.line = d.combine;
    m_d.lineMean = d.combine == Combine::sum && *mean && product->factor != 1;
    m_extents[axis] = 1;
    if (dropped) m_extents.erase(m_extents.begin() + std::ptrdiff_t(axis));
    nextLevel(id, each);
    return true;
}

bool Matcher::overAll(TensorId id, const Definition& d) {
    const Tensor& t = m_graph.at(id);
    const auto product = algebra::asProduct(d.body);
    if (!t.extents.empty() || (m_d.space != Space::sum && m_d.space != Space::mean) || d.combine != Combine::sum ||
        d.reads.size() != 1 || !product || product->operands.size() != 1)
        return false;
    const TensorId source = d.reads[0].source;
    const std::int64_t count = algebra::pointCount(d.reduction);
    const std::optional<bool> mean = isMean(product->factor, count);
    needResult(source, t.name);
    const Each each = eachOf(m_level.at(source));
    if (!mean || each == Each::other || count != m_extents[0] * (each == Each::filter ? m_d.filters : 1)) return false;
    if (each == Each::filter) {
        Step step{t.name,   algebra::Expression::read(0), {m_d.summary.result()}, Combine::sum, *mean, Each::filter,
                  Each::one};
        m_d.summary.steps.push_back(std::move(step));
    }
    m_d.overImages = true;
    m_d.imagesMean = *mean;
    m_level = {{id, m_d.summary.result()}};
    return true;
}

} // namespace kernelarium::kernelgen::convolution
