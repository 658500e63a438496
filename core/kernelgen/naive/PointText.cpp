// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <cctype>
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

Each<algebra::Expression> Terms::each() const {
    Each<algebra::Expression> out;
    for (const algebra::Expression& e : bodies)
        out.at.push_back(&e);
    return out;
}

Terms termsOf(const Each<Tensor>& tensor) {
    using algebra::Expression;
    using algebra::Function;
    Terms out;
    for (const Tensor* t : tensor.at)
        out.bodies.push_back(t->definition()->body);
    const Definition& d = *tensor.first().definition();
    // A sum without terms is `outside`, whatever the factor.
    if (d.combine != algebra::Combine::sum || (!d.domain.empty() && d.outside != 0)) return out;
    if (d.body.is(Function::div) && d.body.arguments[1].isLiteral() && !d.body.arguments[0].isLiteral()) {
        for (Expression& e : out.bodies) {
            out.factor.push_back(1 / e.arguments[1].literal);
            e = Expression(e.arguments[0]);
        }
        return out;
    }
    if (!d.body.is(Function::mul)) return out;
    const auto isLiteral = [](const Expression& e) { return e.isLiteral(); };
    const auto& arguments = d.body.arguments;
    if (arguments.size() < 2 || std::count_if(arguments.begin(), arguments.end(), isLiteral) != 1) return out;
    const auto at = std::find_if(arguments.begin(), arguments.end(), isLiteral) - arguments.begin();
    for (Expression& e : out.bodies) {
        out.factor.push_back(e.arguments[std::size_t(at)].literal);
        std::vector<Expression> rest = e.arguments;
        rest.erase(rest.begin() + at);
        e = rest.size() == 1 ? Expression(rest[0]) : Expression::of(Function::mul, rest);
    }
    return out;
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

namespace {

/// Whether a read's offset in its source is f(number of the point) at every point: looked at in corners and at drawn
/// points of every size, since maps are sums of few quotients and rests.
template <class F>
bool offsetIs(const Each<Graph>& graph, const Each<Tensor>& tensor, std::size_t k, bool withReduction, F&& f) {
    std::uint64_t state = 0x9e3779b97f4a7c15u;
    const auto draw = [&state](std::int64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return std::int64_t((state >> 33) % std::uint64_t(below));
    };
    constexpr int points = 40;
    for (std::size_t s = 0; s < tensor.at.size(); ++s) {
        const Tensor& own = *tensor.at[s];
        const Read& r = own.definition()->reads[k];
        if (!r.constraints.empty()) return false;
        const algebra::Extents space = algebra::spaceOf(own);
        const algebra::Extents& extents = graph.at[s]->tensors[r.source].extents;
        for (int n = 0; n < points; ++n) {
            std::vector<std::int64_t> point;
            for (std::int64_t e : space)
                point.push_back(n == 0 ? 0 : n == 1 ? e - 1 : draw(e));
            std::int64_t element = 0, offset = 0;
            for (std::size_t a = 0; a < space.size(); ++a)
                if (a < own.extents.size() || withReduction) element = element * space[a] + point[a];
            for (std::size_t a = 0; a < extents.size(); ++a) {
                const auto at = r.map[a].at(point);
                if (!at || *at < 0 || *at >= extents[a]) return false;
                offset = offset * extents[a] + *at;
            }
            if (offset != f(element, s)) return false;
        }
    }
    return true;
}

} // namespace

bool PointText::isSameElement(std::size_t k) const {
    return offsetIs(m_graph, m_tensor, k, m_atHand.withReduction, [this](std::int64_t point, std::size_t s) {
        if (!m_atHand.layout || !m_atHand.withReduction) return point;
        const std::int64_t length = m_atHand.layout->length[s];
        return m_atHand.layout->element(point / length, point % length, s);
    });
}

bool PointText::isOfRow(std::size_t k) const {
    return m_atHand.layout &&
           offsetIs(m_graph, m_tensor, k, m_atHand.withReduction, [this](std::int64_t point, std::size_t s) {
               return m_atHand.withReduction ? point / m_atHand.layout->length[s] : m_atHand.layout->row(point, s);
           });
}

bool PointText::isOfPlace(std::size_t k) const {
    return m_atHand.layout && !m_atHand.place.empty() &&
           offsetIs(m_graph, m_tensor, k, m_atHand.withReduction, [this](std::int64_t point, std::size_t s) {
               return m_atHand.withReduction ? point % m_atHand.layout->length[s] : m_atHand.layout->place(point, s);
           });
}

bool mentions(const std::string& text, const std::string& word) {
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if ((at == 0 || !isWord(text[at - 1])) && (at + word.size() >= text.size() || !isWord(text[at + word.size()])))
            return true;
    return false;
}

void declareAxes(KernelText& text, const Each<Tensor>& tensor, std::size_t from, std::size_t to,
                 const std::vector<std::string>& axes, const std::string& number, const std::string& used) {
    std::string below;
    for (std::size_t a = to; a-- > from;) {
        if (axes[a] == "0") continue;
        bool isFirst = true, isNeededBefore = false;
        for (std::size_t b = from; b < a; ++b) {
            isFirst = isFirst && axes[b] == "0";
            isNeededBefore = isNeededBefore || (axes[b] != "0" && mentions(used, axes[b]));
        }
        const bool isProduct = below.find(' ') != std::string::npos;
        const std::string name = fmt::format("{}N{}", identifier(tensor.first().name), a);
        if (mentions(used, axes[a])) {
            std::string rest =
                below.empty() ? number : fmt::format("{} / {}", number, isProduct ? "(" + below + ")" : below);
            const std::string cycle = isFirst ? "" : " % " + text.number(spaceExtent(tensor, a), name);
            if (below.empty() && isFirst && number.front() == '(' && number.find(')') + 1 == number.size())
                rest = number.substr(1, number.size() - 2);
            text.line(fmt::format("const Index {} = {}{};", axes[a], rest, cycle));
        }
        if (isNeededBefore) below += (below.empty() ? "" : " * ") + text.number(spaceExtent(tensor, a), name);
    }
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
    if (const auto it = m_atHand.given.find(source); it != m_atHand.given.end()) return it->second;
    if (const auto it = m_atHand.rowValues.find(source); it != m_atHand.rowValues.end() && isOfRow(k))
        return it->second;
    const bool isSame = !m_atHand.element.empty() && isSameElement(k);
    if (isSame)
        if (const auto it = m_atHand.values.find(source); it != m_atHand.values.end()) return it->second;
    const bool isInlined = m_atHand.inlined.contains(source);
    const std::string name = isInlined ? identifier(from.first().name)
                                       : m_text.pointer(source, from.first().dtype, from.first().name, false);
    const auto valueAt = [&](const std::string& at) {
        const std::string element = fmt::format("{}[{}]", name, at);
        return from.first().dtype == DType::Float32 ? element : fmt::format("float({})", element);
    };
    if (isSame && !isInlined) return valueAt(m_atHand.element);
    if (!isInlined && isOfPlace(k)) {
        const auto it = m_atHand.placeValues.find(source);
        return it != m_atHand.placeValues.end() ? it->second : valueAt(m_atHand.place);
    }
    if (!isInlined && !m_atHand.row.empty() && isOfRow(k)) return valueAt(m_atHand.row);

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
            const std::string variable = m_text.fresh(fmt::format("{}At{}", name, axis));
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
    std::string all;
    for (const std::string& c : conditions)
        all += (all.empty() ? "" : " && ") + c;
    if (isInlined) {
        AtHand inner; // what is at hand there, too
        if (isSame && conditions.empty()) {
            inner = m_atHand;
        } else if (conditions.empty() && isOfRow(k)) {
            inner.element = m_atHand.row;
            inner.row = m_atHand.row;
            inner.layout = RowLayout::single(m_atHand.layout->rows);
            inner.rowValues = m_atHand.rowValues;
        }
        inner.inlined = m_atHand.inlined;
        inner.given = m_atHand.given;
        inner.withReduction = false;
        if (conditions.empty()) return inlinedValue(source, std::move(indices), inner);
        const std::string variable = m_text.fresh(name + "Value");
        m_text.line(fmt::format("float {} = {};", variable, floatLiteral(read.first().outside)));
        m_text.open(fmt::format("if ({}) {{", all));
        const std::string value = inlinedValue(source, std::move(indices), inner);
        m_text.line(fmt::format("{} = {};", variable, value));
        m_text.close();
        return variable;
    }
    const std::string value = valueAt(offset(indices, source));
    if (conditions.empty()) return value;
    const std::string variable = m_text.fresh(name + "Value"), inside = m_text.fresh(name + "Inside");
    m_text.line(fmt::format("const bool {} = {};", inside, all));
    m_text.line(
        fmt::format("const float {} = {} ? {} : {};", variable, inside, value, floatLiteral(read.first().outside)));
    return variable;
}

/// The formula of a pointwise map at these indices of it.
std::string PointText::inlinedValue(std::size_t source, std::vector<std::string> indices, const AtHand& inner) {
    const auto from = m_graph.part([source](const Graph& g) -> const Tensor& { return g.tensors[source]; });
    for (std::size_t a = 0; a < indices.size(); ++a)
        if (isAlways(extentOf(from, a), 1))
            indices[a] = "0";
        else if (!isIdentifier(indices[a]) && indices[a].find_first_not_of("0123456789") != std::string::npos) {
            const std::string variable = m_text.fresh(fmt::format("{}At{}", identifier(from.first().name), a));
            m_text.line(fmt::format("const Index {} = {};", variable, indices[a]));
            indices[a] = variable;
        }
    PointText point(m_text, m_graph, from, std::move(indices), inner);
    const std::string condition = point.domain();
    const std::string variable = m_text.fresh(identifier(from.first().name));
    if (condition.empty()) {
        const std::string value = point.body();
        m_text.line(fmt::format("const float {} = {};", variable, value));
        return variable;
    }
    m_text.line(fmt::format("float {} = {};", variable, floatLiteral(from.first().definition()->outside)));
    m_text.open(fmt::format("if ({}) {{", condition));
    const std::string value = point.body();
    m_text.line(fmt::format("{} = {};", variable, value));
    m_text.close();
    return variable;
}

std::string PointText::body() {
    return valueOf(
        definitionOf(m_tensor).part([](const Definition& x) -> const algebra::Expression& { return x.body; }));
}

std::string PointText::valueOf(const Each<algebra::Expression>& expression) {
    std::vector<std::string> operands;
    const Definition& d = *m_tensor.first().definition();
    const auto uses = algebra::operandUses(expression.first(), d.reads.size());
    for (std::size_t k = 0; k < d.reads.size(); ++k)
        operands.push_back(uses[k] > 0 ? read(k) : "");
    return m_text.expression(expression, operands, m_axes);
}

} // namespace kernelarium::kernelgen
