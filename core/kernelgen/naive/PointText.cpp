// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Definition;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;
using tensor::DType;

namespace {

/// Sums of more terms than this are added in double: float would lose more than 1e-4 of positive terms.
constexpr std::int64_t mostFloatTerms = 8192;

Each<Definition> definitionOf(const Each<Tensor>& t) {
    return t.part([](const Tensor& x) -> const Definition& { return *x.definition(); });
}

/// A property of an index that has to hold at every size: f(index, space, extent).
template <class F>
bool everywhere(const Each<Index>& index, const Each<Tensor>& tensor, const Each<Tensor>* source, std::size_t axis,
                F&& f) {
    for (std::size_t s = 0; s < index.at.size(); ++s)
        if (!f(*index.at[s], algebra::spaceOf(*tensor.at[s]), source ? source->at[s]->extents[axis] : 0)) return false;
    return true;
}

} // namespace

Values extentOf(const Each<Tensor>& tensor, std::size_t axis) {
    return tensor.values([axis](const Tensor& t) { return t.extents[axis]; });
}

Values spaceExtent(const Each<Tensor>& tensor, std::size_t axis) {
    return tensor.values([axis](const Tensor& t) { return algebra::spaceOf(t)[axis]; });
}

bool isAlways(const Values& values, std::int64_t number) {
    return std::all_of(values.begin(), values.end(), [number](std::int64_t v) { return v == number; });
}

std::string stored(const std::string& value, DType dtype) {
    switch (dtype) {
    case DType::Bool: return fmt::format("({}) != 0.0f", value);
    case DType::Int64: return fmt::format("int64_t({})", value);
    case DType::Int32: return fmt::format("int({})", value);
    default: return value;
    }
}

std::string accumulatorOf(const Each<Tensor>& tensor) {
    const Definition& d = *tensor.first().definition();
    if (d.combine != algebra::Combine::sum && d.combine != algebra::Combine::product) return "float";
    const bool isLong =
        !tensor.all([](const Tensor& t) { return algebra::pointCount(t.definition()->reduction) <= mostFloatTerms; });
    return isLong ? "double" : "float";
}

std::string PointText::condition(const Each<Index>& constraint, const std::string& hint) {
    const auto text = m_text.index(constraint, m_axes, hint);
    std::string out;
    if (!everywhere(constraint, m_tensor, nullptr, 0, [](const Index& i, const algebra::Extents& space, std::int64_t) {
            return algebra::rangeOf(i, space).low >= 0;
        }))
        out = text.numerator + " >= 0";
    if (!text.divisor.empty())
        out += fmt::format("{}({}) % {} == 0", out.empty() ? "" : " && ", text.numerator, text.divisor);
    return out;
}

std::string PointText::domain() {
    std::string out;
    const auto d = definitionOf(m_tensor);
    for (std::size_t k = 0; k < d.first().domain.size(); ++k) {
        const std::string c =
            condition(d.part([k](const Definition& x) -> const Index& { return x.domain[k]; }), "domain");
        if (!c.empty()) out += (out.empty() ? "" : " && ") + c;
    }
    return out;
}

bool PointText::isSameElement(const Each<Read>& read) const {
    for (std::size_t s = 0; s < read.at.size(); ++s) {
        const Read& r = *read.at[s];
        const Tensor& own = *m_tensor.at[s];
        const algebra::Extents& extents = m_graph.at[s]->tensors[r.source].extents;
        if (!r.constraints.empty()) return false;
        // The maps may leave out axes of extent 1.
        std::vector<std::size_t> ownAxes;
        for (std::size_t k = 0; k < own.extents.size(); ++k)
            if (own.extents[k] != 1) ownAxes.push_back(k);
        std::size_t next = 0;
        for (std::size_t k = 0; k < r.map.size(); ++k) {
            if (extents[k] == 1) {
                if (r.map[k].offset != 0 || !r.map[k].terms.empty()) return false;
                continue;
            }
            if (next >= ownAxes.size() || !r.map[k].isAxis() || std::size_t(r.map[k].terms[0].axis) != ownAxes[next] ||
                extents[k] != own.extents[ownAxes[next]])
                return false;
            ++next;
        }
        if (next != ownAxes.size()) return false;
    }
    return true;
}

std::string PointText::offset(const std::vector<std::string>& indices, std::size_t id) {
    const auto t = m_graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    std::string out;
    bool isSum = false;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const Values extent = extentOf(t, k);
        const bool isZero = indices[k] == "0" || isAlways(extent, 1);
        if (!out.empty() && !isAlways(extent, 1)) {
            const std::string name = m_text.number(extent, fmt::format("{}N{}", identifier(t.first().name), k));
            out = (isSum ? "(" + out + ")" : out) + " * " + name;
            isSum = false;
        }
        if (isZero) continue;
        const bool isNew = out.empty();
        const bool atom = isIdentifier(indices[k]);
        out = isNew ? indices[k] : out + " + " + indices[k];
        isSum = !isNew || !atom;
    }
    return out.empty() ? "0" : out;
}

std::string PointText::read(std::size_t k) {
    const auto read = definitionOf(m_tensor).part([k](const Definition& d) -> const Read& { return d.reads[k]; });
    const std::size_t source = read.first().source;
    const auto from = m_graph.part([source](const Graph& g) -> const Tensor& { return g.tensors[source]; });
    const bool isSame = !m_element.empty() && isSameElement(read);
    if (isSame)
        if (const auto it = m_known.find(source); it != m_known.end()) return it->second;
    const std::string name = m_text.pointer(source, from.first().dtype, from.first().name, false);
    const auto valueAt = [&](const std::string& at) {
        const std::string element = fmt::format("{}[{}]", name, at);
        return from.first().dtype == DType::Float32 ? element : fmt::format("float({})", element);
    };
    if (isSame) return valueAt(m_element);

    std::vector<std::string> indices, conditions;
    for (std::size_t axis = 0; axis < read.first().map.size(); ++axis) {
        const auto index = read.part([axis](const Read& r) -> const Index& { return r.map[axis]; });
        const std::string hint = fmt::format("{}{}", name, axis);
        const auto text = m_text.index(index, m_axes, hint);
        const auto within = [&](auto&& f) { return everywhere(index, m_tensor, &from, axis, f); };
        const bool isLow = within([](const Index& i, const algebra::Extents& space, std::int64_t) {
            return algebra::rangeOf(i, space).low >= 0;
        });
        const bool isHigh = within([](const Index& i, const algebra::Extents& space, std::int64_t extent) {
            return algebra::rangeOf(i, space).high < extent * i.divisor;
        });
        std::string at = text.numerator;
        if (text.divisor.empty() && isLow && isHigh) {
            indices.push_back(at);
            continue;
        }
        if (!isIdentifier(at)) {
            const std::string variable = fmt::format("{}At{}_{}", name, axis, k);
            m_text.line(fmt::format("const Index {} = {};", variable, at));
            at = variable;
        }
        if (!isLow) conditions.push_back(at + " >= 0");
        if (!text.divisor.empty()) {
            conditions.push_back(fmt::format("{} % {} == 0", at, text.divisor));
            at = fmt::format("{} / {}", at, text.divisor);
        }
        if (!isHigh)
            conditions.push_back(fmt::format("{} < {}", at, m_text.number(extentOf(from, axis), hint + "Extent")));
        indices.push_back(at);
    }
    for (std::size_t c = 0; c < read.first().constraints.size(); ++c) {
        const std::string text =
            condition(read.part([c](const Read& r) -> const Index& { return r.constraints[c]; }), name + "Part");
        if (!text.empty()) conditions.push_back(text);
    }
    const std::string value = valueAt(offset(indices, source));
    if (conditions.empty()) return value;
    std::string all;
    for (const std::string& c : conditions)
        all += (all.empty() ? "" : " && ") + c;
    const std::string variable = fmt::format("{}Value{}", name, k), inside = fmt::format("{}Inside{}", name, k);
    m_text.line(fmt::format("const bool {} = {};", inside, all));
    m_text.line(
        fmt::format("const float {} = {} ? {} : {};", variable, inside, value, floatLiteral(read.first().outside)));
    return variable;
}

std::string PointText::body() {
    std::vector<std::string> operands;
    const Definition& d = *m_tensor.first().definition();
    const auto uses = algebra::operandUses(d.body, d.reads.size());
    for (std::size_t k = 0; k < d.reads.size(); ++k)
        operands.push_back(uses[k] > 0 ? read(k) : "");
    return m_text.expression(
        definitionOf(m_tensor).part([](const Definition& x) -> const algebra::Expression& { return x.body; }), operands,
        m_axes);
}

} // namespace kernelarium::kernelgen
