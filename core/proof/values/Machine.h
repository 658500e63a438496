// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/proof/values/Places.h"
#include "core/proof/values/Program.h"

#include <stop_token>
#include <utility>
#include <vector>

namespace kernelarium::proof {

/// Thrown where an evaluation was stopped.
struct Stopped {};

/// Evaluates a graph as core/algebra/graph/Graph.h says what it means, in whatever values a Domain computes with:
///   Cell                                       a value
///   Cell literal(double), Cell number(int64)   what a formula writes, and what an axis or a place is as a number
///   void apply(Function, parameters as given in the text (span of Cell*), Cell& out)
///   void combine(Combine, Cell& running, const Cell& next)
///   void place(bool largest, Cell& best, Cell& where, const Cell& next, const Cell& nextWhere)
/// Every point is visited in row-major order; the first value begins a combination.
template <class Domain> class Machine {
public:
    using Cell = typename Domain::Cell;
    using Cells = std::vector<Cell>;

    Machine(Domain& domain, std::stop_token stop)
        : m_domain(domain)
        , m_stop(std::move(stop)) {}

    /// The cells of every tensor. `given(id)` gives those of an input, and of any other tensor what is known of it
    /// already; empty cells are computed.
    template <class Given> std::vector<Cells> run(const algebra::Graph& graph, const Given& given) {
        std::vector<Cells> data(graph.tensors.size());
        for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id) {
            const algebra::Tensor& t = graph.tensors[id];
            data[id] = given(id);
            if (t.input() || !data[id].empty()) continue;
            if (t.recurrence())
                data[id] = runRecurrence(t, data);
            else
                data[id] = runDefinition(graph, t, data);
        }
        return data;
    }

private:
    Cells runRecurrence(const algebra::Tensor& tensor, const std::vector<Cells>& data) {
        const algebra::Recurrence& r = *tensor.recurrence();
        const std::size_t states = r.initial.size(), steps = std::size_t(r.steps);
        const std::size_t total = std::size_t(algebra::pointCount(tensor.extents));
        Cells out(total);
        if (total == 0) return out;
        const std::size_t size = total / (states * steps);
        std::vector<Cells> current;
        for (algebra::TensorId id : r.initial)
            current.push_back(data[id]);
        for (std::size_t step = 0; step < steps; ++step) {
            const std::size_t t = r.backwards ? steps - 1 - step : step;
            const auto given = [&](algebra::TensorId id) -> Cells {
                if (!r.body->at(id).input()) return {};
                const std::size_t n = r.body->at(id).input()->cardTensor;
                if (n < states) return current[n];
                if (n >= states + r.sequences.size()) return data[r.constants[n - states - r.sequences.size()]];
                const Cells& all = data[r.sequences[n - states]];
                const auto each = std::ptrdiff_t(all.size() / steps), from = std::ptrdiff_t(t) * each;
                return Cells(all.begin() + from, all.begin() + from + each);
            };
            const std::vector<Cells> after = run(*r.body, given);
            for (std::size_t s = 0; s < states; ++s) {
                current[s] = after[r.body->outputs[s]];
                std::copy(current[s].begin(), current[s].end(), out.begin() + std::ptrdiff_t((s * steps + t) * size));
            }
        }
        return out;
    }

    Cells runDefinition(const algebra::Graph& graph, const algebra::Tensor& tensor, const std::vector<Cells>& data) {
        const algebra::Definition& d = *tensor.definition();
        const bool isPlace = d.combine == algebra::Combine::argMax || d.combine == algebra::Combine::argMin;
        const auto count = std::size_t(algebra::pointCount(tensor.extents));
        const std::int64_t inner = algebra::pointCount(d.reduction);
        // A product of reads that are all 0 outside adds 0 there: most taps of a transposed convolution.
        const bool skips = d.combine == algebra::Combine::sum && d.domain.empty() && vanishesOutside(d);
        Cells out(count, m_domain.literal(skips ? 0 : d.outside)), best(isPlace ? count : 0);
        std::vector<char> seen(count, 0);
        Places places(graph, tensor);
        Program<Domain> program(m_domain, d.body);
        Cells outside;
        for (const algebra::Read& r : d.reads)
            outside.push_back(m_domain.literal(r.outside));
        std::vector<const Cell*> operands(d.reads.size());
        std::uint64_t visits = 0;
        for (bool more = places.start(); more;) {
            if ((++visits & 4095) == 0 && m_stop.stop_requested()) throw Stopped{};
            if (skips) {
                if (const std::optional<std::size_t> axis = places.outsideFrom()) {
                    more = places.nextAfter(*axis);
                    continue;
                }
            } else if (!places.isInDomain()) {
                more = places.next();
                continue;
            }
            const std::int64_t point = places.number();
            const auto element = std::size_t(point / inner);
            for (std::size_t k = 0; k < operands.size(); ++k) {
                const std::int64_t at = places.elementOf(k);
                operands[k] = at < 0 ? &outside[k] : &data[d.reads[k].source][std::size_t(at)];
            }
            const Cell& value = program.run(operands, places.point());
            const bool first = !std::exchange(seen[element], 1);
            if (isPlace) {
                const Cell where = m_domain.number(point % inner);
                if (first)
                    best[element] = value, out[element] = where;
                else
                    m_domain.place(d.combine == algebra::Combine::argMax, best[element], out[element], value, where);
            } else if (first) {
                out[element] = value;
            } else {
                m_domain.combine(d.combine, out[element], value);
            }
            more = places.next();
        }
        return out;
    }

    /// A product in which every read stands once, and is 0 outside.
    static bool vanishesOutside(const algebra::Definition& d) {
        const auto product = algebra::asProduct(d.body);
        if (!product) return false;
        for (const algebra::Read& r : d.reads)
            if (r.outside != 0) return false;
        return algebra::operandUses(d.body, d.reads.size()) == std::vector<std::size_t>(d.reads.size(), 1);
    }

    Domain& m_domain;
    std::stop_token m_stop;
};

} // namespace kernelarium::proof
