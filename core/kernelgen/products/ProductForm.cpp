// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/ProductForm.h"

#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Definition;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;

namespace {

/// Whether every index of the read is a whole number within the source at every point.
bool isPlainRead(const Graph& graph, const Tensor& tensor, const Read& read) {
    if (!read.constraints.empty()) return false;
    const algebra::Extents space = algebra::spaceOf(tensor);
    const algebra::Extents& extents = graph.tensors[read.source].extents;
    for (std::size_t k = 0; k < read.map.size(); ++k)
        if (read.map[k].divisor != 1 || !algebra::rangeOf(read.map[k], space).within(extents[k])) return false;
    return true;
}

bool usesAxis(const Read& read, int axis) {
    return std::any_of(read.map.begin(), read.map.end(), [axis](const Index& i) { return i.uses(axis); });
}

} // namespace

std::optional<ProductForm> productOf(const Each<Graph>& graph, std::size_t id) {
    const Each<Tensor> t = graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    const Definition* first = t.first().definition();
    if (!first || first->combine != algebra::Combine::sum) return std::nullopt;
    const auto product = algebra::asProduct(first->body);
    if (!product || product->operands.size() != 2 || product->operands[0] == product->operands[1]) return std::nullopt;
    ProductForm f;
    f.tensor = id;
    f.factor = product->factor;
    f.left = product->operands[0], f.right = product->operands[1];
    const int rank = int(t.first().extents.size());
    for (std::size_t s = 0; s < t.at.size(); ++s) {
        const Definition& d = *t.at[s]->definition();
        const auto here = algebra::asProduct(d.body);
        for (const Index& c : d.domain)
            if (std::any_of(c.terms.begin(), c.terms.end(),
                            [&](const algebra::Term& term) { return term.axis >= rank; }))
                return std::nullopt;
        if (!here || here->factor != f.factor) return std::nullopt;
        for (const std::size_t k : {f.left, f.right})
            if (!isPlainRead(*graph.at[s], *t.at[s], d.reads[k])) return std::nullopt;
    }
    const std::size_t axes = algebra::spaceOf(t.first()).size();
    for (std::size_t a = 0; a < axes; ++a) {
        if (isAlways(spaceExtent(t, a), 1)) continue;
        const bool inLeft = usesAxis(first->reads[f.left], int(a)), inRight = usesAxis(first->reads[f.right], int(a));
        const bool isSum = int(a) >= rank;
        if (isSum ? !(inLeft && inRight) : !(inLeft || inRight)) return std::nullopt;
        (isSum ? f.sums : inLeft && inRight ? f.batch : inLeft ? f.rows : f.columns).push_back(a);
    }
    if (f.rows.empty() || f.columns.empty() || f.sums.empty()) return std::nullopt;
    if (f.rows.back() > f.columns.back()) {
        std::swap(f.rows, f.columns);
        std::swap(f.left, f.right);
    }
    if (!f.batch.empty() && f.batch.back() > f.columns.front()) return std::nullopt;
    if (f.rows.back() > f.columns.front()) return std::nullopt;
    return f;
}

Values pointsOf(const Each<Tensor>& tensor, const Group& group) {
    Values out(tensor.at.size(), 1);
    for (const std::size_t a : group) {
        const Values extent = spaceExtent(tensor, a);
        for (std::size_t s = 0; s < out.size(); ++s)
            out[s] *= extent[s];
    }
    return out;
}

Offsets::Offsets(const Each<Graph>& graph, const Each<Tensor>& tensor, std::size_t read)
    : m_constant(tensor.at.size(), 0) {
    for (std::size_t a = 0; a < algebra::spaceOf(tensor.first()).size(); ++a)
        m_extents.push_back(spaceExtent(tensor, a));
    const Read& first = tensor.first().definition()->reads[read];
    for (std::size_t k = 0; k < first.map.size(); ++k) {
        Values stride(tensor.at.size(), 1);
        const auto index = [&](std::size_t s) -> const Index& {
            return tensor.at[s]->definition()->reads[read].map[k];
        };
        for (std::size_t s = 0; s < stride.size(); ++s) {
            const algebra::Extents& extents = graph.at[s]->tensors[first.source].extents;
            for (std::size_t n = k + 1; n < extents.size(); ++n)
                stride[s] *= extents[n];
            m_constant[s] += index(s).offset * stride[s];
        }
        for (std::size_t n = 0; n < first.map[k].terms.size(); ++n) {
            Part part{std::size_t(first.map[k].terms[n].axis), stride, stride, stride};
            for (std::size_t s = 0; s < stride.size(); ++s) {
                const algebra::Term& term = index(s).terms[n];
                part.factor[s] = term.factor * stride[s];
                part.divisor[s] = term.divisor;
                part.modulus[s] = term.modulus;
            }
            m_parts.push_back(std::move(part));
        }
    }
}

Offsets::Offsets(const Each<Tensor>& tensor)
    : m_constant(tensor.at.size(), 0) {
    Values stride(tensor.at.size(), 1);
    for (std::size_t a = 0; a < algebra::spaceOf(tensor.first()).size(); ++a)
        m_extents.push_back(spaceExtent(tensor, a));
    for (std::size_t a = tensor.first().extents.size(); a-- > 0;) {
        m_parts.push_back({a, stride, Values(stride.size(), 1), Values(stride.size(), 0)});
        for (std::size_t s = 0; s < stride.size(); ++s)
            stride[s] *= m_extents[a][s];
    }
}

std::vector<const Offsets::Part*> Offsets::partsOf(std::size_t axis) const {
    std::vector<const Part*> out;
    for (const Part& p : m_parts)
        if (p.axis == axis) out.push_back(&p);
    return out;
}

bool Offsets::uses(std::size_t axis) const {
    return !partsOf(axis).empty();
}

/// Whether the group's number times one stride is the offset.
bool Offsets::collapses(const Group& group) const {
    Values next;
    for (std::size_t k = group.size(); k-- > 0;) {
        const auto parts = partsOf(group[k]);
        if (parts.size() != 1 || !isAlways(parts[0]->divisor, 1) || !isAlways(parts[0]->modulus, 0)) return false;
        if (k + 1 < group.size() && parts[0]->factor != next) return false;
        next = parts[0]->factor;
        for (std::size_t s = 0; s < next.size(); ++s)
            next[s] *= m_extents[group[k]][s];
    }
    return !group.empty();
}

std::string Offsets::part(KernelText& text, const Group& group, const std::string& at) const {
    std::string out;
    const auto add = [&](const std::string& number, const Values& factor) {
        const std::string term =
            isAlways(factor, 1) ? number : fmt::format("{} * {}", number, text.number(factor, "stride"));
        out += (out.empty() ? "" : " + ") + term;
    };
    if (collapses(group)) {
        add(at, partsOf(group.back())[0]->factor);
        return out;
    }
    Values below(m_constant.size(), 1);
    for (std::size_t k = group.size(); k-- > 0;) {
        std::string number = at;
        const bool isQuotient = !isAlways(below, 1);
        if (isQuotient) number = fmt::format("{} / {}", number, text.number(below, "below"));
        if (k > 0 && group.size() > 1)
            number = fmt::format("{} % {}", number, text.number(m_extents[group[k]], "extent"));
        for (const Part* p : partsOf(group[k])) {
            std::string term = number;
            if (!isAlways(p->divisor, 1)) term = fmt::format("{} / {}", term, text.number(p->divisor, "each"));
            if (!isAlways(p->modulus, 0)) term = fmt::format("{} % {}", term, text.number(p->modulus, "cycle"));
            add(term, p->factor);
        }
        for (std::size_t s = 0; s < below.size(); ++s)
            below[s] *= m_extents[group[k]][s];
    }
    return out;
}

std::string Offsets::constant(KernelText& text) const {
    return isAlways(m_constant, 0) ? "" : text.number(m_constant, "begin");
}

bool Offsets::isContiguous(const Group& group) const {
    if (group.empty()) return false;
    for (const Part* p : partsOf(group.back()))
        if (isAlways(p->factor, 1) && isAlways(p->divisor, 1)) return true;
    return false;
}

std::vector<Values> Offsets::borders(const Group& contiguous) const {
    std::vector<Values> out{m_constant};
    const auto add = [&](const Values& v) {
        if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    const std::size_t last = contiguous.back();
    Values run = collapses(contiguous) ? Values() : m_extents[last];
    for (const Part& p : m_parts) {
        if (p.axis == last && isAlways(p.factor, 1)) {
            if (!isAlways(p.modulus, 0)) run = p.modulus;
            continue;
        }
        const bool isInside = run.empty() && std::count(contiguous.begin(), contiguous.end(), p.axis) > 0;
        if (!isInside) add(p.factor);
    }
    if (run.empty()) { // the group is one run
        run.assign(m_constant.size(), 1);
        for (const std::size_t a : contiguous)
            for (std::size_t s = 0; s < run.size(); ++s)
                run[s] *= m_extents[a][s];
    }
    add(run);
    return out;
}

std::string sumOf(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& p : parts)
        if (!p.empty()) out += (out.empty() ? "" : " + ") + p;
    return out.empty() ? "0" : out;
}

} // namespace kernelarium::kernelgen::products
