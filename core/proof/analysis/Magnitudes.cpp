// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/analysis/Magnitudes.h"

#include "core/algebra/graph/Interpreter.h"
#include "core/proof/values/Machine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace kernelarium::proof {

namespace {

using algebra::Combine;
using algebra::Expression;
using algebra::Function;

/// A Machine's domain: float64, with the largest summand and result of every sum.
class Sums {
public:
    struct Cell {
        double value = 0;
        double summands = 0; ///< the absolute values of what a reduction added up
    };
    [[nodiscard]] Cell literal(double v) const { return {v, 0}; }
    [[nodiscard]] Cell number(std::int64_t v) const { return {double(v), 0}; }
    void apply(const Expression& e, std::span<const Cell* const> arguments, Cell& out) {
        m_values.clear();
        double largest = 0;
        for (const Cell* c : arguments) {
            m_values.push_back(c->value);
            largest = std::max(largest, std::abs(c->value));
        }
        out = {algebra::valueOf(e.function, m_values), 0};
        if (!e.is(Function::add) && !e.is(Function::sub)) return;
        if (!std::isfinite(largest) || !std::isfinite(out.value)) return;
        std::pair<double, double>& seen = m_sums[&e];
        seen.first = std::max(seen.first, largest);
        seen.second = std::max(seen.second, std::abs(out.value));
    }
    void combine(Combine combine, Cell& running, const Cell& next) {
        const std::array<double, 2> both{running.value, next.value};
        switch (combine) {
        case Combine::sum:
            if (running.summands == 0) running.summands = std::abs(running.value);
            running.summands += std::abs(next.value);
            running.value += next.value;
            break;
        case Combine::product: running.value *= next.value; break;
        case Combine::maximum: running.value = algebra::valueOf(Function::max, both); break;
        case Combine::minimum: running.value = algebra::valueOf(Function::min, both); break;
        default: running = next;
        }
    }
    void place(bool largest, Cell& best, Cell& where, const Cell& next, const Cell& nextWhere) {
        if (largest ? next.value > best.value : next.value < best.value) best = next, where = nextWhere;
    }

    /// Bits that sums of this body lost, at most.
    [[nodiscard]] double lostIn(const Expression& e) const {
        double bits = 0;
        if (const auto at = m_sums.find(&e); at != m_sums.end()) bits = lost(at->second.first, at->second.second);
        for (const Expression& a : e.arguments)
            bits = std::max(bits, lostIn(a));
        return bits;
    }
    [[nodiscard]] static double lost(double summands, double result) {
        constexpr double all = 53;
        if (!(summands > 0)) return 0;
        return result > 0 ? std::clamp(std::log2(summands / result), 0.0, all) : all;
    }

private:
    std::map<const Expression*, std::pair<double, double>> m_sums;
    std::vector<double> m_values;
};

void take(Magnitude& m, std::size_t element, double value) {
    if (!std::isfinite(value)) {
        m.hasInfinite = true;
    } else if (std::abs(value) > m.largest) {
        m.largest = std::abs(value);
        m.largestAt = element;
    }
}

std::vector<Magnitude> withSums(const algebra::Graph& graph, const std::vector<std::vector<double>>& inputs,
                                std::stop_token stop) {
    Sums domain;
    Machine<Sums> machine(domain, std::move(stop));
    const auto data = machine.run(graph, [&](algebra::TensorId id) {
        std::vector<Sums::Cell> cells;
        if (!graph.at(id).input()) return cells;
        for (double v : inputs.at(graph.at(id).input()->cardTensor))
            cells.push_back({v, 0});
        return cells;
    });
    std::vector<Magnitude> all(data.size());
    for (std::size_t id = 0; id < data.size(); ++id) {
        double summands = 0;
        for (std::size_t i = 0; i < data[id].size(); ++i) {
            take(all[id], i, data[id][i].value);
            if (std::isfinite(data[id][i].summands)) summands = std::max(summands, data[id][i].summands);
        }
        const algebra::Definition* d = graph.at(id).definition();
        if (!d) continue;
        all[id].lostBits = domain.lostIn(d->body);
        if (d->combine == Combine::sum)
            all[id].lostBits = std::max(all[id].lostBits, Sums::lost(summands, all[id].largest));
    }
    return all;
}

} // namespace

std::vector<Magnitude> magnitudesOf(const algebra::Graph& graph, const std::vector<std::vector<double>>& inputs,
                                    bool withLoss, std::stop_token stop) {
    if (withLoss) return withSums(graph, inputs, std::move(stop));
    algebra::Graph all = graph;
    all.outputs.clear();
    for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id)
        all.outputs.push_back(id);
    std::vector<Magnitude> magnitudes(graph.tensors.size());
    const auto data = algebra::evaluate(all, inputs, std::move(stop));
    if (!data) throw Stopped{};
    for (std::size_t id = 0; id < data->size(); ++id)
        for (std::size_t i = 0; i < (*data)[id].size(); ++i)
            take(magnitudes[id], i, (*data)[id][i]);
    return magnitudes;
}

} // namespace kernelarium::proof
