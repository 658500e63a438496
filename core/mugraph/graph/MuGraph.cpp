// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/graph/MuGraph.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace kernelarium::mugraph {

namespace {

Error badGraph(std::string what) {
    return {"bad_graph", "This is no µGraph of the problem: " + std::move(what)};
}

bool isWithin(AxisSet part, AxisSet whole) {
    return (part & ~whole) == 0;
}

/// What is known in another place or at another time than the other.
bool meet(const Tile& a, const Tile& b) {
    if (a.looped && (b.accumulated || b.gathered)) return false;
    if (b.looped && (a.accumulated || a.gathered)) return false;
    return !(a.partial && b.gathered) && !(b.partial && a.gathered);
}

} // namespace

Tile loaded(const Problem& problem, const Roles& roles, std::size_t input) {
    Tile tile;
    tile.axes = problem.inputs[input].axisSet();
    tile.looped = roles.loop >= 0 && (tile.axes & axisBit(roles.loop)) != 0;
    tile.partial = roles.split >= 0 && (tile.axes & axisBit(roles.split)) != 0;
    return tile;
}

std::optional<Tile> resultOf(const Problem& problem, std::span<const Tile> before, const Step& step) {
    Tile tile = before[step.a];
    if (isBinary(step.op)) {
        const Tile& other = before[step.b];
        if (!meet(tile, other)) return std::nullopt;
        if (step.op == Operator::product) {
            if (step.a == step.b || step.parameter == 0 || !isWithin(step.parameter, tile.axes & other.axes))
                return std::nullopt;
        } else if (!isWithin(tile.axes, other.axes) && !isWithin(other.axes, tile.axes)) {
            return std::nullopt;
        }
        tile.axes |= other.axes;
        if (step.op == Operator::product) tile.axes &= ~step.parameter;
        tile.looped = tile.looped || other.looped;
        tile.accumulated = tile.accumulated || other.accumulated;
        tile.partial = tile.partial || other.partial;
        tile.gathered = tile.gathered || other.gathered;
        return tile;
    }
    switch (step.op) {
    case Operator::sum:
        if (std::popcount(step.parameter) != 1 || !isWithin(step.parameter, tile.axes)) return std::nullopt;
        tile.axes &= ~step.parameter;
        return tile;
    case Operator::accumulate:
        if (!tile.looped) return std::nullopt;
        tile.looped = false;
        tile.accumulated = true;
        return tile;
    case Operator::gather:
        if (!tile.partial || tile.looped) return std::nullopt;
        tile.partial = false;
        tile.gathered = true;
        return tile;
    case Operator::scale:
    case Operator::offset: return step.parameter < problem.constants.size() ? std::optional(tile) : std::nullopt;
    case Operator::apply: return step.parameter < problem.functions.size() ? std::optional(tile) : std::nullopt;
    default: return tile;
    }
}

TermId termOf(Terms& terms, const Roles& roles, std::span<const TermId> before, const Step& step) {
    const TermId a = before[step.a];
    const auto summed = [&](TermId term, AxisSet axes) {
        for (; axes != 0; axes &= axes - 1) {
            const int axis = std::countr_zero(axes);
            term = terms.sum(term, axis, Part::tile);
            if (axis != roles.loop) term = terms.sum(term, axis, Part::loop);
            if (axis != roles.split) term = terms.sum(term, axis, Part::split);
        }
        return term;
    };
    switch (step.op) {
    case Operator::product: return summed(terms.multiply(a, before[step.b]), step.parameter);
    case Operator::multiply: return terms.multiply(a, before[step.b]);
    case Operator::add: return terms.add(a, before[step.b]);
    case Operator::subtract: return step.turned ? terms.subtract(before[step.b], a) : terms.subtract(a, before[step.b]);
    case Operator::divide: return step.turned ? terms.divide(before[step.b], a) : terms.divide(a, before[step.b]);
    case Operator::square: return terms.multiply(a, a);
    case Operator::sqrt: return terms.sqrt(a);
    case Operator::exp: return terms.exp(a);
    case Operator::scale: return terms.multiply(a, terms.constant(step.parameter));
    case Operator::offset: return terms.add(a, terms.constant(step.parameter));
    case Operator::apply: return terms.opaque(step.parameter, a);
    case Operator::sum: return summed(a, step.parameter);
    case Operator::accumulate: return terms.sum(a, roles.loop, Part::loop);
    case Operator::gather: return terms.sum(a, roles.split, Part::split);
    }
    return noTerm;
}

Result<std::vector<Tile>> tilesOf(const Problem& problem, const MuGraph& graph) {
    for (const int axis : {graph.roles.loop, graph.roles.split})
        if (axis < -1 || axis >= int(problem.extents.size())) return badGraph(fmt::format("it has no axis {}.", axis));
    std::vector<Tile> tiles;
    for (std::size_t k = 0; k < problem.inputs.size(); ++k)
        tiles.push_back(loaded(problem, graph.roles, k));
    if (tiles.size() + graph.steps.size() >= Step::none) return badGraph("it has too many tensors.");
    for (const Step& s : graph.steps) {
        const bool binary = isBinary(s.op);
        const bool canTurn = s.op == Operator::subtract || s.op == Operator::divide;
        if (s.a >= tiles.size() || (binary ? s.b > s.a : s.b != Step::none) || (s.turned && !canTurn))
            return badGraph(fmt::format("the operands of tensor {} are none.", tiles.size()));
        const std::optional<Tile> tile = resultOf(problem, tiles, s);
        if (!tile) return badGraph(fmt::format("tensor {} cannot be made: {}.", tiles.size(), name(s.op)));
        tiles.push_back(*tile);
    }
    return tiles;
}

Result<void> checkGraph(const Problem& problem, const MuGraph& graph) {
    const Result<std::vector<Tile>> tiles = tilesOf(problem, graph);
    if (!tiles) return tiles.error();
    if (graph.steps.empty()) return badGraph("it has no steps.");
    std::vector<bool> used(tiles->size(), false);
    for (const Step& s : graph.steps) {
        used[s.a] = true;
        if (s.b != Step::none) used[s.b] = true;
    }
    used.back() = true;
    if (const auto idle = std::find(used.begin(), used.end(), false); idle != used.end())
        return badGraph(fmt::format("tensor {} is not used.", idle - used.begin()));
    const Tile& out = tiles->back();
    if (out.looped || out.partial) return badGraph("its result is not the same in all steps of the loop and blocks.");
    if (out.axes != problem.output.axisSet()) return badGraph("its result has other axes than the output.");
    for (const int axis : {graph.roles.loop, graph.roles.split})
        if (axis >= 0 && (out.axes & axisBit(axis))) return badGraph("of its result, a part is computed.");
    return {};
}

MuGraph canonical(const Problem& problem, const MuGraph& graph) {
    const std::size_t inputs = problem.inputs.size();
    std::vector<int> numbers(inputs + graph.steps.size(), -1);
    for (std::size_t k = 0; k < inputs; ++k)
        numbers[k] = int(k);
    MuGraph sorted{graph.roles, {}};
    std::vector<bool> done(graph.steps.size(), false);
    while (sorted.steps.size() < graph.steps.size()) {
        std::optional<std::pair<Step, std::size_t>> next;
        for (std::size_t i = 0; i < graph.steps.size(); ++i) {
            Step s = graph.steps[i];
            if (done[i] || numbers[s.a] < 0 || (s.b != Step::none && numbers[s.b] < 0)) continue;
            s.a = std::uint8_t(numbers[s.a]);
            if (s.b != Step::none) {
                s.b = std::uint8_t(numbers[s.b]);
                if (s.b > s.a) {
                    std::swap(s.a, s.b);
                    if (s.op == Operator::subtract || s.op == Operator::divide) s.turned = !s.turned;
                }
            }
            if (!next || s < next->first) next = {s, i};
        }
        if (!next) break; // a step before its operands: no graph whose steps fit
        numbers[inputs + next->second] = int(inputs + sorted.steps.size());
        done[next->second] = true;
        sorted.steps.push_back(next->first);
    }
    return sorted;
}

} // namespace kernelarium::mugraph
