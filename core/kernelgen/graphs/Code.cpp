// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Code.h"

#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::kernelgen::graphs {

using mugraph::Operator;
using mugraph::Step;

namespace {

/// What the functions and kernels of a file mean something by.
const char* const ownWords =
    "at size e lane warp from to sum apart piece inside whole part parts row term column batch "
    "steps step stage tiles threads stages bytes begin end left right loop after block out each count "
    "store valueOf rounded placeOf placeOfStep stepsFrom eachSum multiplyTiles multiplyAdd copyChunk "
    "endOfStage waitForCopies take value bits element start free next blocks checked forward options";

} // namespace

Code::Code(KernelFile& file, const Subject& subject, const Plan& plan)
    : m_file(file)
    , m_s(subject)
    , m_plan(plan) {
    nameTensors();
}

void Code::nameTensors() {
    Names names;
    std::istringstream own(ownWords);
    for (std::string word; own >> word;)
        (void)names.take(word);
    for (std::size_t i = 0; i < m_s.tiles.size(); ++i) // of values, in expressions
        (void)names.take(fmt::format("v{}", i));
    for (const Axis& axis : m_s.axes)
        (void)names.take(axis.index);
    for (std::size_t i = 0; i < m_s.tiles.size(); ++i) {
        const std::string wanted = m_s.isInput(i) ? identifier(m_s.problem.inputs[i].name)
                                                  : fmt::format("{}{}", mugraph::name(m_s.step(i).op), i);
        m_names.push_back(names.take(wanted));
    }
}

std::string Code::formula(std::size_t tensor) const {
    if (m_s.isInput(tensor)) return fmt::format("{} = {}", tensor, m_s.problem.inputs[tensor].name);
    const Step& s = m_s.step(tensor);
    const auto axes = [&](mugraph::AxisSet set) {
        std::string all;
        for (const int axis : listed(set))
            all += (all.empty() ? "" : ", ") + m_s.axes[std::size_t(axis)].name;
        return all;
    };
    const auto sign = [&]() -> std::string_view {
        switch (s.op) {
        case Operator::add: return "+";
        case Operator::subtract: return "-";
        case Operator::divide: return "/";
        default: return "*";
        }
    };
    const auto operand = [&](std::size_t k) {
        return m_s.isInput(k) ? m_s.problem.inputs[k].name : fmt::format("({})", k);
    };
    const std::string a = operand(s.turned ? s.b : s.a);
    const std::string b = s.b == Step::none ? std::string() : operand(s.turned ? s.a : s.b);
    std::string text;
    switch (s.op) {
    case Operator::product: text = fmt::format("sum over {} of {} * {}", axes(s.parameter), a, b); break;
    case Operator::multiply:
    case Operator::add:
    case Operator::subtract:
    case Operator::divide: text = fmt::format("{} {} {}", a, sign(), b); break;
    case Operator::scale: text = fmt::format("{} * {}", a, constant(s.parameter)); break;
    case Operator::offset: text = fmt::format("{} + {}", a, constant(s.parameter)); break;
    case Operator::apply:
        text = fmt::format("{}({})", algebra::name(m_s.problem.functions[s.parameter].function), a);
        break;
    case Operator::sum: text = fmt::format("sum over {} of {}", axes(s.parameter), a); break;
    case Operator::accumulate:
        text = fmt::format("sum over the steps along {} of {}", m_s.axes[std::size_t(m_s.graph.roles.loop)].name, a);
        break;
    case Operator::gather:
        text = fmt::format("sum over the parts of {} of {}", m_s.axes[std::size_t(m_s.graph.roles.split)].name, a);
        break;
    default: text = fmt::format("{}({})", mugraph::name(s.op), a); break;
    }
    const std::string result = axes(m_s.tiles[tensor].axes);
    return fmt::format("({}) = {}{}", tensor, text, result.empty() ? "" : fmt::format("   [{}]", result));
}

std::string Code::words(std::size_t tensor) const {
    const std::string text = formula(tensor);
    const std::size_t from = text.find("= ") + 2;
    return text.substr(from, text.find("   [") - from);
}

std::string Code::tileType(std::size_t tensor) const {
    return m_s.isInput(tensor) && tensor::byteSize(m_s.problem.inputs[tensor].dtype) == 2 ? "unsigned short" : "float";
}

std::string Code::inputType(std::size_t tensor) const {
    return typeName(m_s.problem.inputs[tensor].dtype);
}

std::vector<std::string> Code::indices() const {
    std::vector<std::string> all;
    for (const Axis& axis : m_s.axes)
        all.push_back(axis.index);
    return all;
}

std::string Code::tileIndex(std::size_t tensor, const std::vector<std::string>& indices) const {
    const std::vector<int> axes = m_s.axesOf(tensor);
    std::string text;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const auto axis = std::size_t(axes[k]);
        const std::string factor = k + 1 == axes.size() ? lineName(tensor) : m_s.axes[axis].tileName();
        if (k > 0) text = (k > 1 ? "(" + text + ")" : text) + " * " + factor + " + ";
        text += indices[axis];
    }
    return text.empty() ? "0" : text;
}

namespace {

std::string asFactor(const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

/// Of a tensor that is left for the second launch: along the split and the loop's axis it has a tile.
bool isTiled(const Axis& axis) {
    return axis.isPlaced() && axis.kind != Axis::Kind::grid;
}

} // namespace

std::string Code::deviceIndex(const mugraph::Problem::Tensor& tensor, const std::vector<std::string>& indices) const {
    std::string text;
    for (const int axis : tensor.axes) {
        if (axis < 0) continue;
        const Axis& a = m_s.axes[std::size_t(axis)];
        if (!text.empty()) text = fmt::format("{} * {} + ", asFactor(text), a.extent());
        text += a.position(indices[std::size_t(axis)]);
    }
    return text.empty() ? "0" : text;
}

std::string Code::passedIndex(std::size_t tensor, const std::vector<std::string>& indices) const {
    std::string text;
    for (const int axis : listed(m_s.tiles[tensor].axes)) {
        const Axis& a = m_s.axes[std::size_t(axis)];
        if (!text.empty()) text = fmt::format("{} * {} + ", asFactor(text), isTiled(a) ? a.tileName() : a.extent());
        text += isTiled(a) ? indices[std::size_t(axis)] : a.position(indices[std::size_t(axis)]);
    }
    return text.empty() ? "0" : text;
}

std::string Code::passedCount(std::size_t tensor, bool onHost) const {
    std::string text;
    for (const int axis : listed(m_s.tiles[tensor].axes)) {
        const Axis& a = m_s.axes[std::size_t(axis)];
        std::string one = isTiled(a) ? a.tileName() : onHost ? m_file.number(a.extents) : a.extent();
        if (one.find(' ') != std::string::npos) one = "(" + one + ")";
        text += (text.empty() ? "" : " * ") + one;
    }
    return text.empty() ? "1" : text;
}

std::string Code::isInside(const std::vector<int>& axes, const std::vector<std::string>& indices) const {
    std::string text;
    for (const int axis : axes)
        text += fmt::format("{}{} < {}", text.empty() ? "" : " && ", indices[std::size_t(axis)],
                            m_s.axes[std::size_t(axis)].count());
    return text.empty() ? "true" : text;
}

std::string Code::elements(const std::vector<int>& axes) const {
    std::string text;
    for (const int axis : axes)
        text += (text.empty() ? "" : " * ") + m_s.axes[std::size_t(axis)].tileName();
    return text.empty() ? "1" : text;
}

std::string Code::declared(const std::vector<int>& axes, const std::string& number, const std::string& indent) const {
    std::string text;
    std::string rest = number;
    for (std::size_t k = axes.size(); k-- > 0;) {
        const Axis& a = m_s.axes[std::size_t(axes[k])];
        text = fmt::format("{}const int {} = {}{};\n", indent, a.index, rest,
                           k > 0 ? fmt::format(" % {}", a.tileName()) : "") +
               text;
        rest += fmt::format(" / {}", a.tileName());
    }
    return text;
}

std::string Code::applied(const Step& s, const std::string& a, const std::string& b) const {
    using algebra::Expression;
    const Expression x = Expression::read(0), y = Expression::read(1), literal = Expression::read(2);
    Expression e;
    switch (s.op) {
    case Operator::multiply: e = Expression::of(algebra::Function::mul, {x, y}); break;
    case Operator::add: e = Expression::of(algebra::Function::add, {x, y}); break;
    case Operator::subtract:
        e = Expression::of(algebra::Function::sub, s.turned ? std::vector{y, x} : std::vector{x, y});
        break;
    case Operator::divide:
        e = Expression::of(algebra::Function::div, s.turned ? std::vector{y, x} : std::vector{x, y});
        break;
    case Operator::square: return fmt::format("{0} * {0}", a);
    case Operator::sqrt: e = Expression::of(algebra::Function::sqrt, {x}); break;
    case Operator::exp: e = Expression::of(algebra::Function::exp, {x}); break;
    case Operator::scale: e = Expression::of(algebra::Function::mul, {x, literal}); break;
    case Operator::offset: e = Expression::of(algebra::Function::add, {x, literal}); break;
    case Operator::apply: {
        const mugraph::OpaqueFunction& f = m_s.problem.functions[s.parameter];
        std::vector<Expression> arguments{x};
        for (const int c : f.constants) {
            if (constant(std::size_t(c)).starts_with("size."))
                throw Refusal("a function whose constant depends on the size");
            arguments.push_back(Expression::number(m_s.problem.constants[std::size_t(c)]));
        }
        e = Expression::of(f.function, std::move(arguments));
        break;
    }
    default: throw Refusal("an operator that is none of elements");
    }
    KernelText text = m_file.kernel(); // for its words alone
    Each<Expression> each;
    each.at.assign(m_file.graphs().sizes.size(), &e);
    const bool hasLiteral = s.op == Operator::scale || s.op == Operator::offset;
    const std::vector<std::string> operands{a, b, hasLiteral ? constant(s.parameter) : std::string()};
    return text.expression(each, operands, {});
}

void Code::write(std::size_t tensor, Phase reader, const std::vector<std::string>& indices,
                 std::map<std::size_t, std::string>& known, const std::string& indent, std::string& statements,
                 std::size_t loading) const {
    if (known.contains(tensor)) return;
    const std::string variable = fmt::format("v{}", tensor);
    const bool isTile = reader != Phase::second || (m_plan.isLoadedAgain(tensor) && tensor != loading);
    const auto say = [&](const std::string& text) {
        statements += fmt::format("{}const float {} = {};\n", indent, variable, text);
        known[tensor] = variable;
    };
    if (reader == Phase::second && m_plan.isPassed(tensor) && !m_s.tiles[tensor].gathered && !isTile)
        return say(fmt::format("{}[{}]", name(tensor), passedIndex(tensor, indices)));
    if (m_plan.isLeaf(tensor, reader)) {
        const std::string from = name(tensor);
        if (m_s.isInput(tensor) && !m_plan.isShared(tensor))
            return say(fmt::format("float({}[{}])", from, deviceIndex(m_s.problem.inputs[tensor], indices)));
        const std::string element = fmt::format("{}[{}]", from, tileIndex(tensor, indices));
        return say(tileType(tensor) == "float" ? element : fmt::format("valueOf({})", element));
    }
    const Step& s = m_s.step(tensor);
    write(s.a, reader, indices, known, indent, statements, loading);
    if (s.b != Step::none) write(s.b, reader, indices, known, indent, statements, loading);
    say(applied(s, known.at(s.a), s.b == Step::none ? std::string() : known.at(s.b)));
}

Code::Value Code::value(std::size_t tensor, Phase reader, const std::vector<std::string>& indices,
                        const std::map<std::size_t, std::string>& known, const std::string& indent, bool mayBeLeaf,
                        bool isLoading) const {
    Value result;
    std::map<std::size_t, std::string> values = known;
    if (!mayBeLeaf && !values.contains(tensor)) { // it has a tile, which is made here
        const Step& s = m_s.step(tensor);
        write(s.a, reader, indices, values, indent, result.statements, isLoading ? tensor : none);
        if (s.b != Step::none)
            write(s.b, reader, indices, values, indent, result.statements, isLoading ? tensor : none);
        result.name = applied(s, values.at(s.a), s.b == Step::none ? std::string() : values.at(s.b));
        return result;
    }
    write(tensor, reader, indices, values, indent, result.statements, isLoading ? tensor : none);
    result.name = values.at(tensor);
    return result;
}

std::string Code::tilePlace(std::size_t tensor, bool isSecond, const std::string& stage) const {
    if (isSecond) return "tiles." + name(tensor);
    switch (m_plan.spanOf(tensor)) {
    case Plan::Span::loop:
        return fmt::format("tiles.loop.{}{}", name(tensor), m_s.isInput(tensor) ? fmt::format("[{}]", stage) : "");
    case Plan::Span::after: return "tiles.after." + name(tensor);
    default: return "tiles." + name(tensor);
    }
}

std::vector<Code::Parameter> Code::reads(const Action& action, bool isSecond) const {
    std::vector<Parameter> all;
    for (const std::size_t leaf : m_plan.leaves(action)) {
        if (m_plan.isReadInPlace(action, leaf))
            all.push_back({fmt::format("const float* {}", name(leaf)), partsName(leaf)});
        else if (m_plan.isShared(leaf) || m_plan.isLoadedAgain(leaf))
            all.push_back({fmt::format("const {}* {}", tileType(leaf), name(leaf)), tilePlace(leaf, isSecond)});
        else
            all.push_back({fmt::format("const {}* {}", inputType(leaf), name(leaf)), name(leaf)});
    }
    return all;
}

void Code::setConstants(const std::vector<std::vector<double>>& bySize) {
    for (std::size_t c = 0; c < m_s.problem.constants.size(); ++c) {
        std::vector<double> values;
        for (const std::vector<double>& at : bySize)
            values.push_back(at[c]);
        if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); })) {
            m_constants.push_back({floatLiteral(values.front())});
            continue;
        }
        KernelText text = m_file.kernel();
        std::string onHost = text.factor(values);
        // The kernel's parameters are the host's numbers there.
        for (const kernelgen::Parameter& p : text.parameters()) {
            std::string number = p.quantity.text;
            if (!p.quantity.isAtom) number = "(" + number + ")";
            if (const std::size_t at = onHost.find(p.name); at != std::string::npos)
                onHost.replace(at, p.name.size(), number);
        }
        if (onHost.front() == '(' && onHost.back() == ')') onHost = onHost.substr(1, onHost.size() - 2);
        if (const std::size_t at = onHost.find("rsqrtf("); at != std::string::npos)
            onHost.replace(at, 7, "1.0f / std::sqrt(");
        else if (const std::size_t root = onHost.find("sqrtf("); root != std::string::npos)
            onHost.replace(root, 6, "std::sqrt(");
        const std::string member = fmt::format("factor{}", c);
        m_sized.emplace_back(member, onHost);
        m_constants.push_back({"size." + member});
    }
}

} // namespace kernelarium::kernelgen::graphs
