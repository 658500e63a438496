// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/text/KernelText.h"

#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Expression;
using algebra::Function;
using tensor::DType;

std::string floatLiteral(double value) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
    std::string text = fmt::format("{}", float(value)); // the shortest that reads back as the same float
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + "f";
}

std::string typeName(DType dtype) {
    switch (dtype) {
    case DType::Float32: return "float";
    case DType::Float64: return "double";
    case DType::Int64: return "int64_t";
    case DType::Int32: return "int";
    case DType::Bool: return "bool";
    case DType::Float16: return "at::Half";
    case DType::BFloat16: return "at::BFloat16";
    default: throw Refusal("elements of this type");
    }
}

std::string scalarTypeName(DType dtype) {
    switch (dtype) {
    case DType::Float32: return "torch::kFloat32";
    case DType::Float64: return "torch::kFloat64";
    case DType::Int64: return "torch::kInt64";
    case DType::Int32: return "torch::kInt32";
    case DType::Bool: return "torch::kBool";
    case DType::Float16: return "torch::kFloat16";
    case DType::BFloat16: return "torch::kBFloat16";
    default: throw Refusal("elements of this type");
    }
}

std::string KernelText::taken(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !m_names.insert(name).second; ++n)
        name = fmt::format("{}_{}", wanted, n);
    return name;
}

std::string KernelText::pointer(std::size_t tensor, DType dtype, const std::string& wanted, bool isOut) {
    for (const Parameter& p : m_parameters)
        if (p.tensor == tensor) return p.name;
    const std::string name = taken(isOut ? wanted : identifier(wanted));
    m_parameters.push_back({name, (isOut ? "" : "const ") + typeName(dtype) + "* __restrict__", tensor, {}});
    return name;
}

std::string KernelText::number(const Values& values, const std::string& wanted) {
    const std::optional<Quantity> q = m_quantities->of(values);
    if (!q) throw Refusal(fmt::format("a number ({}) that does not follow from the arguments' sizes", wanted));
    if (q->isConstant) return q->text;
    for (const Parameter& p : m_parameters)
        if (!p.tensor && p.quantity.text == q->text) return p.name;
    const std::string name = taken(q->isName ? q->text : wanted);
    m_parameters.push_back({name, "Index", std::nullopt, *q});
    return name;
}

KernelText::IndexText KernelText::index(const Each<algebra::Index>& index, std::span<const std::string> axes,
                                        const std::string& hint) {
    IndexText out;
    std::size_t parts = 0;
    bool isProduct = false;
    for (std::size_t k = 0; k < index.first().terms.size(); ++k) {
        const auto term = index.part([k](const algebra::Index& i) -> const algebra::Term& { return i.terms[k]; });
        const Values factor = term.values([](const auto& t) { return t.factor; });
        const Values divisor = term.values([](const auto& t) { return t.divisor; });
        const Values modulus = term.values([](const auto& t) { return t.modulus; });
        std::string atom = axes[std::size_t(term.first().axis)];
        const auto one = [](std::int64_t v) { return v == 1; };
        if (!std::all_of(divisor.begin(), divisor.end(), one)) atom += " / " + number(divisor, hint + "Parts");
        if (term.first().modulus > 0) atom += " % " + number(modulus, hint + "Cycle");
        const bool isNegative = std::all_of(factor.begin(), factor.end(), [](std::int64_t v) { return v < 0; });
        Values size = factor;
        if (isNegative)
            for (std::int64_t& v : size)
                v = -v;
        const bool isPlain = atom == axes[std::size_t(term.first().axis)];
        if (!std::all_of(size.begin(), size.end(), one)) {
            atom = fmt::format("{} * {}", isPlain ? atom : "(" + atom + ")", number(size, hint + "Stride"));
            isProduct = true;
        } else if (!isPlain) {
            isProduct = true;
        }
        if (parts++ == 0)
            out.numerator = (isNegative ? "-" : "") + atom;
        else
            out.numerator += (isNegative ? " - " : " + ") + atom;
        if (isNegative) isProduct = true;
    }
    const Values offset = index.values([](const auto& i) { return i.offset; });
    if (!std::all_of(offset.begin(), offset.end(), [](std::int64_t v) { return v == 0; }) || parts == 0) {
        const bool isNegative = std::all_of(offset.begin(), offset.end(), [](std::int64_t v) { return v < 0; });
        Values size = offset;
        if (isNegative)
            for (std::int64_t& v : size)
                v = -v;
        const std::string text = number(size, hint + "Offset");
        out.numerator =
            parts == 0 ? (isNegative ? "-" : "") + text : out.numerator + (isNegative ? " - " : " + ") + text;
        ++parts;
        if (isNegative) isProduct = true;
    }
    out.isAtom = parts == 1 && !isProduct;
    const Values divisor = index.values([](const auto& i) { return i.divisor; });
    if (!std::all_of(divisor.begin(), divisor.end(), [](std::int64_t v) { return v == 1; }))
        out.divisor = number(divisor, hint + "Step");
    return out;
}

KernelText::Piece KernelText::literal(const std::vector<double>& values) {
    const double v = values[0];
    if (std::all_of(values.begin(), values.end(), [v](double x) { return x == v || (std::isnan(x) && std::isnan(v)); }))
        return {floatLiteral(v), std::signbit(v) ? 1 : 3};
    // It depends on the size: n, c / n, 1 / sqrt n or sqrt n of a whole number n.
    const auto whole = [&](auto&& f) -> std::optional<std::string> {
        Values n;
        for (double x : values) {
            const double y = f(x);
            if (!(y > 0 && y < 1e15) || std::abs(y - std::round(y)) > 1e-9 * std::max(1.0, std::abs(y)))
                return std::nullopt;
            n.push_back(std::llround(y));
        }
        if (!m_quantities->of(n)) return std::nullopt;
        return number(n, "elements");
    };
    if (const auto n = whole([](double x) { return x; })) return {fmt::format("float({})", *n), 3};
    for (const double c : {1.0, 2.0, 0.5, 0.1, 0.25, 3.0, -1.0})
        if (const auto n = whole([c](double x) { return c / x; }))
            return {fmt::format("{} / float({})", floatLiteral(c), *n), 1}; // not x * c / n: once, not for each x
    if (const auto n = whole([](double x) { return 1 / (x * x); })) return {fmt::format("rsqrtf(float({}))", *n), 3};
    if (const auto n = whole([](double x) { return x * x; })) return {fmt::format("sqrtf(float({}))", *n), 3};
    if (const auto f = m_quantities->fraction(values)) {
        if (m_quantities->of(f->denominator))
            return {fmt::format("{} / float({})", floatLiteral(f->numerator), number(f->denominator, "elements")), 1};
    }
    throw Refusal(fmt::format("the number {}, which depends on the size in no way that is known", v));
}

std::string KernelText::factor(const std::vector<double>& values) {
    const Piece p = literal(values);
    return p.text.find(' ') == std::string::npos ? p.text : "(" + p.text + ")";
}

KernelText::Piece KernelText::piece(const Each<Expression>& e, std::span<const std::string> operands,
                                    std::span<const std::string> axes) {
    const Expression& f = e.first();
    switch (f.kind) {
    case Expression::Kind::literal: {
        std::vector<double> values;
        for (const Expression* x : e.at)
            values.push_back(x->literal);
        return literal(values);
    }
    case Expression::Kind::operand: {
        const std::string& text = operands[f.operand];
        return {text, text.find_first_of(" ?") == std::string::npos || text.back() == ']' ? 3 : 0};
    }
    case Expression::Kind::axis: return {fmt::format("float({})", axes[std::size_t(f.axis)]), 3};
    case Expression::Kind::apply: break;
    }
    std::vector<Piece> a;
    for (std::size_t k = 0; k < f.arguments.size(); ++k)
        a.push_back(
            piece(e.part([k](const Expression& x) -> const Expression& { return x.arguments[k]; }), operands, axes));
    const auto at = [&](std::size_t k, int level) { return a[k].level >= level ? a[k].text : "(" + a[k].text + ")"; };
    const auto joined = [&](const char* by, int level) {
        std::string text = at(0, level);
        for (std::size_t k = 1; k < a.size(); ++k)
            text += by + at(k, level + (by[1] == '-' || by[1] == '/' ? 1 : 0));
        return Piece{text, level};
    };
    const auto nested = [&](const char* call) {
        std::string text = a[0].text;
        for (std::size_t k = 1; k < a.size(); ++k)
            text = fmt::format("{}({}, {})", call, text, a[k].text);
        return Piece{text, 3};
    };
    const auto call = [&](std::string name) {
        for (std::size_t k = 0; k < a.size(); ++k)
            name += (k == 0 ? "(" : ", ") + a[k].text;
        return Piece{name + ")", 3};
    };
    switch (f.function) {
    case Function::add:
        if (f.arguments.size() == 2 && f.arguments[0].is(Function::tanh) && f.arguments[1].isLiteral(1)) {
            m_functions->insert("tanh_plus_1");
            const std::string& call = a[0].text; // "tanhf(...)"
            return {"tanh_plus_1" + call.substr(call.find('(')), 3};
        }
        return joined(" + ", 1);
    case Function::join: return joined(" + ", 1);
    case Function::sub: return joined(" - ", 1);
    case Function::mul: return joined(" * ", 2);
    case Function::div: {
        // One instruction in place of two and what makes them exact.
        const auto isOne = [](const Expression* x) { return x->arguments[0].isLiteral(1); };
        if (f.arguments[1].is(Function::sqrt) && std::all_of(e.at.begin(), e.at.end(), isOne))
            return {"r" + a[1].text, 3}; // "sqrtf(...)"
        const auto inverse = m_inverses.find(a[1].text);
        if (inverse == m_inverses.end()) {
            if (f.arguments[1].isRead() && isIdentifier(a[1].text)) m_divisors.insert(a[1].text);
            return joined(" / ", 2);
        }
        if (f.arguments[0].isLiteral(1)) return {inverse->second, 3};
        return {fmt::format("{} * {}", at(0, 2), inverse->second), 2};
    }
    case Function::max: return nested("fmaxf");
    case Function::min: return nested("fminf");
    case Function::neg: return {"-" + at(0, 3), 1};
    case Function::abs: return call("fabsf");
    case Function::sqrt: return call("sqrtf");
    case Function::exp: return call("expf");
    case Function::log: return call("logf");
    case Function::tanh: return call("tanhf");
    case Function::erf: return call("erff");
    case Function::pow:
        for (const auto& [exponent, name] : {std::pair(2.0, "square"), std::pair(3.0, "cube")})
            if (f.arguments[1].isLiteral(exponent)) {
                m_functions->insert(name);
                return {fmt::format("{}({})", name, a[0].text), 3};
            }
        return call("powf");
    case Function::equal: return {fmt::format("{} == {} ? 1.0f : 0.0f", at(0, 1), at(1, 1)), 0};
    case Function::less: return {fmt::format("{} < {} ? 1.0f : 0.0f", at(0, 1), at(1, 1)), 0};
    case Function::logicalNot: return {fmt::format("{} == 0.0f ? 1.0f : 0.0f", at(0, 1)), 0};
    case Function::select: return {fmt::format("{} != 0.0f ? {} : {}", at(0, 1), at(1, 1), at(2, 1)), 0};
    case Function::clamp: {
        std::string text = a[0].text;
        if (f.arguments[1].literal != -INFINITY) text = fmt::format("fmaxf({}, {})", text, a[1].text);
        if (f.arguments[2].literal != INFINITY) text = fmt::format("fminf({}, {})", text, a[2].text);
        return {text, 3};
    }
    default: {
        const std::string name(algebra::name(f.function));
        m_functions->insert(name);
        return call(name);
    }
    }
}

std::string KernelText::expression(const Each<Expression>& e, std::span<const std::string> operands,
                                   std::span<const std::string> axes) {
    return piece(e, operands, axes).text;
}

} // namespace kernelarium::kernelgen
