// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/rungs/Rungs.h"
#include "core/proof/values/Draws.h"
#include "core/proof/values/Machine.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace kernelarium::proof {

/// What drawing both graphs' values found.
struct DrawnPair {
    std::size_t draws = 0, voidDraws = 0;
    std::size_t undefined = 0; ///< elements, over all draws, that have no value in one of them
    std::size_t untold = 0;    ///< elements of outputs of which no draw said anything
    bool metLawlessExp = false;
    std::optional<Counterexample> difference;
    bool differsInReals = false; ///< the difference shows in the float64 numbers beside the field's elements as well
};

template <class Field, Order order> class PairRun {
public:
    using Domain = Lanes<Field, order>;
    using Cell = typename Domain::Cell;

    PairRun(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options)
        : m_pair(pair)
        , m_kinds(kinds)
        , m_options(options) {}

    /// Draws until `wanted` draws counted, or three times as many were made in vain; ends at the first difference
    /// (with Order::real: at the first that shows in the reals).
    DrawnPair run(std::size_t wanted) {
        const std::size_t most = 3 * ((wanted + laneCount - 1) / laneCount);
        for (std::size_t batch = 0; batch < most && m_found.draws < wanted; ++batch) {
            runBatch(batch);
            if (m_found.difference && (order == Order::keyed || m_found.differsInReals)) break;
        }
        for (const std::vector<char>& told : m_told)
            m_found.untold += std::size_t(std::count(told.begin(), told.end(), 0));
        return m_found;
    }

private:
    void runBatch(std::size_t batch) {
        Domain domain(m_options.seed, batch);
        const Draws draws(m_options.seed, batch, m_kinds);
        Machine<Domain> machine(domain, m_options.stop);
        const auto inputOf = [&](const algebra::Graph& graph, algebra::TensorId id) {
            return graph.at(id).input() ? draws.cells(domain, graph.at(id)) : std::vector<Cell>();
        };
        const auto outputsOf = [](const algebra::Graph& graph, const std::vector<std::vector<Cell>>& all) {
            std::vector<std::vector<Cell>> outputs;
            for (algebra::TensorId o : graph.outputs)
                outputs.push_back(all[o]);
            return outputs;
        };
        const auto first =
            machine.run(m_pair.original, [&](algebra::TensorId id) { return inputOf(m_pair.original, id); });
        const auto second = machine.run(m_pair.rewritten, [&](algebra::TensorId id) {
            return m_pair.twins[id] ? first[*m_pair.twins[id]] : inputOf(m_pair.rewritten, id);
        });
        const auto expected = outputsOf(m_pair.original, first), got = outputsOf(m_pair.rewritten, second);
        m_found.metLawlessExp = m_found.metLawlessExp || domain.metLawlessExp();
        m_told.resize(expected.size());
        for (std::size_t o = 0; o < expected.size(); ++o)
            m_told[o].resize(expected[o].size(), 0);
        for (std::size_t l = 0; l < laneCount; ++l)
            compareLane(batch, l, expected, got);
    }

    void compareLane(std::size_t batch, std::size_t l, const std::vector<std::vector<Cell>>& expected,
                     const std::vector<std::vector<Cell>>& got) {
        std::size_t dropped = 0, all = 0;
        for (std::size_t o = 0; o < expected.size(); ++o)
            for (std::size_t i = 0; i < expected[o].size(); ++i, ++all)
                dropped += isDropped(expected[o][i], l) || isDropped(got[o][i], l);
        // A draw of which much is void says little; in a field all of it has to count.
        if (order == Order::keyed ? dropped > 0 : 2 * dropped > all) {
            ++m_found.voidDraws;
            if (order == Order::keyed) return;
        } else {
            ++m_found.draws;
        }
        for (std::size_t o = 0; o < expected.size(); ++o) {
            const double tolerance = 1e-9 * largest(expected[o], l);
            for (std::size_t i = 0; i < expected[o].size(); ++i)
                compareElement(batch, l, o, i, expected[o][i], got[o][i], tolerance);
        }
    }

    static bool isDropped(const Cell& c, std::size_t l) { return c.state[l] == LaneState::dropped; }

    static double largest(const std::vector<Cell>& cells, std::size_t l) {
        double most = 0;
        if constexpr (order == Order::real)
            for (const Cell& c : cells)
                if (c.state[l] == LaneState::finite && std::isfinite(c.real[l]))
                    most = std::max(most, std::abs(c.real[l]));
        return most;
    }

    void compareElement(std::size_t batch, std::size_t l, std::size_t output, std::size_t element, const Cell& expected,
                        const Cell& got, double tolerance) {
        const LaneState p = expected.state[l], q = got.state[l];
        if (p == LaneState::dropped || q == LaneState::dropped) return;
        if (p == LaneState::undefined || q == LaneState::undefined) {
            ++m_found.undefined;
            return;
        }
        m_told[output][element] = 1;
        const bool same = p == q && (p != LaneState::finite || Field::same(expected.value[l], got.value[l]));
        if (same) return;
        bool inReals = false;
        if constexpr (order == Order::real)
            inReals = p != q || !(std::abs(expected.real[l] - got.real[l]) <= tolerance);
        if (m_found.difference && (m_found.differsInReals || !inReals)) return;
        m_found.differsInReals = inReals;
        Counterexample c;
        c.output = output;
        c.element = placeOf(element, m_pair.original.at(m_pair.original.outputs[output]).extents);
        c.expected = textOf(expected, l);
        c.got = textOf(got, l);
        c.seed = m_options.seed;
        c.draw = batch * laneCount + l;
        m_found.difference = c;
    }

    static std::string textOf(const Cell& c, std::size_t l) {
        if (c.state[l] == LaneState::plusInfinity) return "infinity";
        if (c.state[l] == LaneState::minusInfinity) return "-infinity";
        const std::string element = fmt::format("{:#x}", Field::identity(c.value[l]));
        if constexpr (order == Order::real) return fmt::format("{:.17g}", c.real[l]);
        return element;
    }

    const Pair& m_pair;
    const std::vector<InputKind>& m_kinds;
    const Options& m_options;
    DrawnPair m_found;
    std::vector<std::vector<char>> m_told; ///< by output and element
};

} // namespace kernelarium::proof
