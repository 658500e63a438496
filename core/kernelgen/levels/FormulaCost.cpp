// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/levels/FormulaCost.h"

#include <algorithm>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;

FormulaCost& FormulaCost::operator+=(const FormulaCost& more) {
    flops += more.flops;
    fp32 += more.fp32;
    special += more.special;
    addressing += more.addressing;
    slots += more.slots;
    return *this;
}

namespace {

/// Plain instructions of float32, each an operation.
FormulaCost plain(double n) {
    return {n, n, 0, 0, n};
}
/// A function of CUDA's library: FLOPs, instructions, those of the special function unit.
FormulaCost library(double flops, double instructions, double special) {
    return {flops, instructions, special, 0, instructions + special};
}

FormulaCost costOfFunction(Function f, std::size_t arguments) {
    const double n = double(arguments);
    switch (f) {
    case Function::add:
    case Function::mul:
    case Function::max:
    case Function::min:
    case Function::join: return plain(std::max(0.0, n - 1));
    case Function::sub:
    case Function::neg:
    case Function::abs:
    case Function::square:
    case Function::relu:
    case Function::trunc:
    case Function::equal:
    case Function::less:
    case Function::logicalNot:
    case Function::select: return plain(1);
    case Function::clamp:
    case Function::leakyRelu: return plain(2);
    case Function::div: return library(1, 8, 1);
    case Function::sqrt: return library(1, 6, 1);
    case Function::exp: return library(8, 7, 1);
    case Function::log:
    case Function::xlogy: return library(22, 20, 0);
    case Function::tanh: return library(20, 16, 2);
    case Function::erf: return library(24, 18, 1);
    case Function::pow: return library(50, 45, 2);
    case Function::sigmoid: return library(10, 15, 2);
    case Function::silu: return library(11, 16, 2);
    case Function::gelu: return library(28, 22, 1);
    case Function::geluTanh: return library(28, 22, 2);
    case Function::softplus: return library(34, 32, 1);
    case Function::mish: return library(55, 50, 3);
    case Function::elu:
    case Function::selu: return library(11, 12, 1);
    case Function::hardsigmoid: return library(4, 12, 1);
    case Function::hardswish: return library(5, 13, 1);
    case Function::softsign: return library(3, 10, 1);
    }
    return plain(1);
}

bool isConstant(const Expression& e) {
    return e.kind == Expression::Kind::literal ||
           (e.kind == Expression::Kind::apply && std::all_of(e.arguments.begin(), e.arguments.end(), isConstant));
}

} // namespace

FormulaCost costOf(const Expression& e) {
    if (e.kind != Expression::Kind::apply || isConstant(e)) return {};
    // A division by a literal is one by the machine too: 1 / n is not exact. By a power of two it is a product.
    FormulaCost cost = costOfFunction(e.function, e.arguments.size());
    double products = 0;
    for (const Expression& a : e.arguments) {
        cost += costOf(a);
        products += a.is(Function::mul) || a.is(Function::square);
    }
    // A product that is added to something is one instruction with it.
    if (e.is(Function::add) || e.is(Function::sub)) {
        const double joined = std::min(products, double(e.arguments.size()) - 1);
        cost.fp32 -= joined;
        cost.slots -= joined;
    }
    return cost;
}

FormulaCost costOfPoint(const algebra::Graph& graph, algebra::TensorId id, const std::set<std::size_t>& inlined) {
    const Definition& d = *graph.tensors[id].definition();
    FormulaCost cost = costOf(d.body);
    for (const algebra::Read& r : d.reads) {
        if (inlined.contains(r.source) && graph.tensors[r.source].definition()) {
            cost += costOfPoint(graph, r.source, inlined);
            continue;
        }
        double terms = 1;
        for (const algebra::Index& index : r.map) {
            for (const algebra::Term& t : index.terms)
                terms += t.isPlain() ? 1 : 12; // a quotient of whole numbers
            terms += index.divisor > 1 ? 12 : 0;
        }
        cost.addressing += terms + 2 * double(r.constraints.size());
    }
    if (d.combine == Combine::none) return cost;
    const bool fused = d.combine == Combine::sum && (d.body.is(Function::mul) || d.body.is(Function::square));
    cost.flops += 1;
    cost.fp32 += fused ? 0 : 1;
    cost.slots += fused ? 0 : 1;
    return cost;
}

} // namespace kernelarium::kernelgen
