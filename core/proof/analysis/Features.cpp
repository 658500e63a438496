// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/analysis/Features.h"

#include "core/proof/fields/Rational.h"

#include <cmath>

namespace kernelarium::proof {

namespace {

using algebra::Combine;
using algebra::Expression;
using algebra::Function;

void addLiteral(double value, Features& features) {
    if (std::isfinite(value) && rationalOf(value).isRounded) features.rounded.insert(value);
}

bool isRationalPower(const Expression& e) {
    const double p = e.arguments[1].literal;
    return p == std::floor(p) && std::abs(p) <= 64;
}

void addExpression(const Expression& e, Features& features) {
    if (e.isLiteral()) addLiteral(e.literal, features);
    if (e.kind != Expression::Kind::apply) return;
    for (const Expression& a : e.arguments)
        addExpression(a, features);
    const std::string name(algebra::name(e.function));
    switch (e.function) {
    case Function::add:
    case Function::sub:
    case Function::mul:
    case Function::div:
    case Function::join:
    case Function::neg:
    case Function::square:
    case Function::equal: // decided exactly
    case Function::logicalNot:
    case Function::select: return;
    case Function::exp: features.hasExp = true; return;
    case Function::elu:
    case Function::selu:
        features.hasExp = true;
        features.ordered.insert(name);
        return;
    case Function::max:
    case Function::min:
    case Function::relu:
    case Function::clamp:
    case Function::abs:
    case Function::leakyRelu:
    case Function::hardsigmoid:
    case Function::hardswish:
    case Function::softsign:
    case Function::less: features.ordered.insert(name); return;
    case Function::pow:
        if (!isRationalPower(e)) features.opaque.insert(name);
        return;
    default: features.opaque.insert(name);
    }
}

} // namespace

void Features::add(const Features& other) {
    hasExp = hasExp || other.hasExp;
    ordered.insert(other.ordered.begin(), other.ordered.end());
    opaque.insert(other.opaque.begin(), other.opaque.end());
    rounded.insert(other.rounded.begin(), other.rounded.end());
}

Features featuresOf(const algebra::Graph& graph) {
    Features features;
    for (const algebra::Tensor& t : graph.tensors) {
        if (const algebra::Recurrence* r = t.recurrence()) features.add(featuresOf(*r->body));
        const algebra::Definition* d = t.definition();
        if (!d) continue;
        addExpression(d->body, features);
        addLiteral(d->outside, features);
        for (const algebra::Read& r : d->reads)
            addLiteral(r.outside, features);
        if (d->combine != Combine::none && d->combine != Combine::sum && d->combine != Combine::product)
            features.ordered.insert(std::string(algebra::name(d->combine)));
    }
    return features;
}

std::string listed(const std::set<std::string>& names) {
    std::string text;
    std::size_t i = 0;
    for (const std::string& name : names) {
        text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
        text += name;
        ++i;
    }
    return text;
}

} // namespace kernelarium::proof
