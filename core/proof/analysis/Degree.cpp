// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/analysis/Degree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace kernelarium::proof {

namespace {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;

Degree sumOf(const std::vector<Degree>& parts) {
    Degree out;
    for (const Degree& d : parts)
        out.denominator += d.denominator;
    for (const Degree& d : parts)
        out.numerator = std::max(out.numerator, d.numerator + out.denominator - d.denominator);
    return out;
}
Degree productOf(const Degree& a, const Degree& b) {
    return {a.numerator + b.numerator, a.denominator + b.denominator};
}
double largerOf(const Degree& d) {
    return std::max(d.numerator, d.denominator);
}

class Counter {
public:
    explicit Counter(Degrees& totals)
        : m_totals(totals) {}

    /// The graph's tensors, with the degrees of its inputs as given.
    std::vector<Degree> run(const algebra::Graph& graph, const std::function<Degree(algebra::TensorId)>& inputs) {
        std::vector<Degree> degrees(graph.tensors.size());
        std::vector<double> combined(graph.tensors.size(), 1);
        for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id) {
            const algebra::Tensor& t = graph.tensors[id];
            if (t.input()) degrees[id] = inputs(id);
            if (const algebra::Recurrence* r = t.recurrence()) degrees[id] = ofRecurrence(*r, degrees);
            if (const Definition* d = t.definition()) {
                degrees[id] = ofDefinition(t, *d, degrees);
                const bool isOrder = d->combine >= Combine::maximum || containsOrder(d->body);
                if (isOrder) {
                    for (const algebra::Read& r : d->reads)
                        combined[id] = std::max(combined[id], combined[r.source]);
                    combined[id] *= d->combine >= Combine::maximum ? double(algebra::pointCount(d->reduction)) : 2;
                }
                m_totals.mostCombined = std::max(m_totals.mostCombined, combined[id]);
            }
        }
        return degrees;
    }

private:
    static bool containsOrder(const Expression& e) {
        if (e.is(Function::max) || e.is(Function::min) || e.is(Function::relu) || e.is(Function::clamp)) return true;
        return std::any_of(e.arguments.begin(), e.arguments.end(), containsOrder);
    }

    Degree ofRecurrence(const algebra::Recurrence& r, const std::vector<Degree>& degrees) {
        std::vector<Degree> states;
        for (algebra::TensorId id : r.initial)
            states.push_back(degrees[id]);
        Degree most;
        for (std::int64_t step = 0; step < r.steps; ++step) {
            const auto given = [&](algebra::TensorId id) {
                const std::size_t n = r.body->at(id).input()->cardTensor;
                if (n < states.size()) return states[n];
                if (n < states.size() + r.sequences.size()) return degrees[r.sequences[n - states.size()]];
                return degrees[r.constants[n - states.size() - r.sequences.size()]];
            };
            const std::vector<Degree> after = run(*r.body, given);
            for (std::size_t s = 0; s < states.size(); ++s) {
                states[s] = after[r.body->outputs[s]];
                most.numerator = std::max(most.numerator, states[s].numerator);
                most.denominator = std::max(most.denominator, states[s].denominator);
            }
        }
        return most;
    }

    Degree ofDefinition(const algebra::Tensor& t, const Definition& d, const std::vector<Degree>& degrees) {
        m_points = double(algebra::pointCount(algebra::spaceOf(t)));
        const Degree value = ofBody(d.body, d, degrees);
        const double count = double(algebra::pointCount(d.reduction));
        switch (d.combine) {
        case Combine::sum: return {value.numerator + (count - 1) * value.denominator, count * value.denominator};
        case Combine::product: return {count * value.numerator, count * value.denominator};
        case Combine::argMax:
        case Combine::argMin: return {0, 0};
        default: return value;
        }
    }

    Degree ofBody(const Expression& e, const Definition& d, const std::vector<Degree>& degrees) {
        if (e.isRead()) return degrees[d.reads[e.operand].source];
        if (e.kind != Expression::Kind::apply) return {};
        std::vector<Degree> parts;
        for (const Expression& a : e.arguments)
            parts.push_back(ofBody(a, d, degrees));
        Degree out = parts[0];
        switch (e.function) {
        case Function::add:
        case Function::join:
        case Function::sub: return sumOf(parts);
        case Function::mul:
            for (std::size_t i = 1; i < parts.size(); ++i)
                out = productOf(out, parts[i]);
            return out;
        case Function::div: return productOf(out, {parts[1].denominator, parts[1].numerator});
        case Function::square: return productOf(out, out);
        case Function::neg:
        case Function::relu: return out;
        case Function::clamp:
        case Function::max:
        case Function::min:
        case Function::select:
            for (const Degree& p : parts)
                out = {std::max(out.numerator, p.numerator), std::max(out.denominator, p.denominator)};
            return out;
        case Function::equal:
        case Function::less:
        case Function::logicalNot: return {};
        case Function::pow: {
            const double p = e.arguments[1].literal, size = std::abs(p);
            if (p == std::floor(p) && size <= 64)
                return p < 0 ? Degree{size * out.denominator, size * out.numerator}
                             : Degree{size * out.numerator, size * out.denominator};
            break;
        }
        case Function::silu:
        case Function::hardswish: // x times an opaque factor
            noteOpaque(out);
            return productOf(out, {1, 0});
        default: break;
        }
        for (const Degree& p : parts)
            noteOpaque(p);
        return {1, 0};
    }

    void noteOpaque(const Degree& argument) {
        m_totals.within = std::max(m_totals.within, largerOf(argument));
        m_totals.opaqueValues += m_points;
    }

    Degrees& m_totals;
    double m_points = 0;
};

} // namespace

Degrees degreesOf(const algebra::Graph& graph) {
    Degrees totals;
    const std::vector<Degree> degrees = Counter(totals).run(graph, [](algebra::TensorId) { return Degree{1, 0}; });
    for (algebra::TensorId o : graph.outputs) {
        totals.outputs.numerator = std::max(totals.outputs.numerator, degrees[o].numerator);
        totals.outputs.denominator = std::max(totals.outputs.denominator, degrees[o].denominator);
    }
    return totals;
}

double degreeOfDifference(const Degree& a, const Degree& b) {
    return std::max(a.numerator + b.denominator, b.numerator + a.denominator);
}

} // namespace kernelarium::proof
