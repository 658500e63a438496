// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/target/Reading.h"

#include <fmt/format.h>

namespace kernelarium::mugraph {

namespace {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;

struct Refused {
    std::string what;
};
constexpr const char* notAShift = "a maximum that is no softmax's shift";

bool readsMaximum(const algebra::Graph& graph, const Definition& d, const Expression& e) {
    if (!e.isRead()) return false;
    const Definition* source = graph.at(d.reads[e.operand].source).definition();
    return source && source->combine == Combine::maximum;
}

bool isShifted(const algebra::Graph& graph, const Definition& d, const Expression& e) {
    return e.is(Function::exp) && e.arguments[0].is(Function::sub) &&
           readsMaximum(graph, d, e.arguments[0].arguments[1]);
}

/// Evaluates formulas in terms, or, while the literals have no numbers yet, learns what they are made of.
class Reader {
public:
    Reader(Terms& terms, const Problem& problem, std::vector<double>* values, Closure* closure,
           std::vector<OpaqueFunction>* functions)
        : m_terms(terms)
        , m_problem(problem)
        , m_values(values)
        , m_closure(closure)
        , m_functions(functions) {}

    TermId read() {
        const algebra::Graph& graph = m_problem.graph;
        std::vector<TermId> of(graph.tensors.size(), noTerm);
        for (algebra::TensorId id = 0; id < of.size(); ++id) {
            if (graph.at(id).input()) {
                for (std::size_t k = 0; k < m_problem.inputs.size(); ++k)
                    if (m_problem.inputs[k].name == graph.at(id).name) of[id] = m_terms.variable(std::uint32_t(k));
                continue;
            }
            const Definition& d = *graph.at(id).definition();
            if (d.combine == Combine::maximum) continue;
            of[id] = definition(id, d, of);
        }
        const Definition& last = *graph.at(graph.outputs.front()).definition();
        if (last.combine == Combine::maximum) throw Refused{notAShift};
        return of[graph.outputs.front()];
    }

private:
    TermId definition(algebra::TensorId id, const Definition& d, const std::vector<TermId>& of) {
        m_definition = &d;
        m_of = &of;
        AxisSet reduced = 0;
        const std::vector<int>& axes = m_problem.axesOf[id];
        const std::size_t rank = m_problem.graph.at(id).extents.size();
        for (std::size_t a = rank; a < axes.size(); ++a)
            if (axes[a] >= 0) reduced |= axisBit(axes[a]);
        const bool isProduct = reduced != 0 && d.body.is(Function::mul) && d.body.arguments.size() == 2 &&
                               d.body.arguments[0].isRead() && d.body.arguments[1].isRead();
        TermId term =
            isProduct ? m_terms.multiply(value(d.body.arguments[0]), value(d.body.arguments[1])) : value(d.body);
        if (m_closure) (isProduct ? m_closure->products : m_closure->sums) |= reduced;
        for (int axis = 0; axis < mostAxes; ++axis)
            if (reduced & axisBit(axis)) term = m_terms.sumWhole(term, axis);
        return term;
    }

    int literal(double v) {
        if (m_values) {
            m_values->push_back(v);
            return int(m_values->size() - 1);
        }
        return m_problem.literals[m_next++];
    }
    TermId constant(const Expression& e) { return m_terms.constant(std::uint32_t(literal(e.literal))); }
    TermId value(const Expression& e) {
        switch (e.kind) {
        case Expression::Kind::literal: return constant(e);
        case Expression::Kind::operand: {
            if (readsMaximum(m_problem.graph, *m_definition, e)) throw Refused{notAShift};
            return (*m_of)[m_definition->reads[e.operand].source];
        }
        case Expression::Kind::axis: throw Refused{"an index that is used as a number"};
        case Expression::Kind::apply: return applied(e);
        }
        return noTerm;
    }

    TermId applied(const Expression& e) {
        switch (e.function) {
        case Function::add:
        case Function::mul: return series(e);
        case Function::sub: {
            if (e.arguments[0].isLiteral() || e.arguments[1].isLiteral())
                throw Refused{"a difference of a tensor and a literal"};
            const TermId a = value(e.arguments[0]), b = value(e.arguments[1]);
            if (m_closure) m_closure->subtract = true;
            return m_terms.subtract(a, b);
        }
        case Function::div: {
            if (e.arguments[1].isLiteral()) throw Refused{"a division by a literal"};
            // 1/x, with which something is multiplied later on, is what a division of tensors makes.
            const bool isInverse = e.arguments[0].isLiteral(1);
            if (e.arguments[0].isLiteral() && !isInverse) throw Refused{"a literal that is divided by a tensor"};
            const TermId a = isInverse ? m_terms.whole(1) : value(e.arguments[0]), b = value(e.arguments[1]);
            if (m_closure) m_closure->divide = true;
            return m_terms.divide(a, b);
        }
        case Function::square: {
            if (m_closure) m_closure->square = true;
            const TermId a = value(e.arguments[0]);
            return m_terms.multiply(a, a);
        }
        case Function::sqrt: {
            if (m_closure) m_closure->sqrt = true;
            return m_terms.sqrt(value(e.arguments[0]));
        }
        case Function::exp: {
            if (m_closure) m_closure->exp = true;
            const bool shifted = isShifted(m_problem.graph, *m_definition, e);
            return m_terms.exp(value(shifted ? e.arguments[0].arguments[0] : e.arguments[0]));
        }
        default: return opaque(e);
        }
    }

    TermId series(const Expression& e) {
        TermId result = noTerm;
        std::size_t tensors = 0;
        for (const Expression& a : e.arguments)
            tensors += a.isLiteral() ? 0 : 1;
        for (const Expression& a : e.arguments) {
            const TermId v = value(a);
            if (m_closure && a.isLiteral())
                (e.is(Function::mul) ? m_closure->scales : m_closure->offsets).insert(int(m_values->size() - 1));
            result = result == noTerm ? v : e.is(Function::add) ? m_terms.add(result, v) : m_terms.multiply(result, v);
        }
        if (m_closure && tensors > 1) (e.is(Function::add) ? m_closure->add : m_closure->multiply) = true;
        return result;
    }

    TermId opaque(const Expression& e) {
        OpaqueFunction f{e.function, {}};
        for (std::size_t k = 1; k < e.arguments.size(); ++k) {
            if (!e.arguments[k].isLiteral())
                throw Refused{fmt::format("the function {} of several tensors", name(e.function))};
            f.constants.push_back(literal(e.arguments[k].literal));
        }
        const TermId argument = value(e.arguments[0]);
        std::size_t number = 0;
        const std::vector<OpaqueFunction>& known = m_functions ? *m_functions : m_problem.functions;
        while (number < known.size() && !(known[number] == f))
            ++number;
        if (m_functions && number == m_functions->size()) m_functions->push_back(f);
        return m_terms.opaque(std::uint32_t(number), argument);
    }

    Terms& m_terms;
    const Problem& m_problem;
    std::vector<double>* m_values;
    Closure* m_closure;
    std::vector<OpaqueFunction>* m_functions;
    const Definition* m_definition = nullptr;
    const std::vector<TermId>* m_of = nullptr;
    std::size_t m_next = 0;
};

} // namespace

TermId targetTerm(Terms& terms, const Problem& problem) {
    return Reader(terms, problem, nullptr, nullptr, nullptr).read();
}

Result<std::vector<double>> readFormulas(Problem& problem) {
    Terms terms;
    std::vector<double> values;
    Closure closure;
    std::vector<OpaqueFunction> functions;
    try {
        if (Reader(terms, problem, &values, &closure, &functions).read() == noTerm)
            return Error{"unsupported", "The task's formula is 0, or too long for the search."};
    } catch (const Refused& refused) {
        return Error{"unsupported",
                     fmt::format("The search has no operator for {}, which {} has.", refused.what, problem.name)};
    }
    problem.closure = closure;
    problem.functions = functions;
    return values;
}

} // namespace kernelarium::mugraph
