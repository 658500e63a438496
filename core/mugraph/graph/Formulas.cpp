// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/graph/Formulas.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::mugraph {

namespace {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;
using algebra::Index;

/// An index of a tile as a tensor.
struct Place {
    enum class Kind {
        part,  ///< which of the blocks that split an axis
        step,  ///< of the loop
        block, ///< along an axis of the grid
        inner, ///< within the tile
    };
    Kind kind = Kind::inner;
    int axis = -1;
    bool operator==(const Place&) const = default;
};
using Places = std::vector<Place>;

class Writer {
public:
    Writer(const Problem& problem, const MuGraph& graph, const Tiling& tiling, std::vector<Tile> tiles)
        : m_problem(problem)
        , m_roles(graph.roles)
        , m_tiling(tiling)
        , m_grid(gridAxes(problem))
        , m_tiles(std::move(tiles)) {}

    algebra::Graph write(const MuGraph& graph) {
        std::vector<algebra::TensorId> inputs;
        for (const Problem::Tensor& t : m_problem.inputs) {
            const auto at = std::find_if(m_problem.graph.tensors.begin(), m_problem.graph.tensors.end(),
                                         [&](const algebra::Tensor& own) { return own.input() && own.name == t.name; });
            inputs.push_back(m_result.tensors.size());
            m_result.tensors.push_back(*at);
        }
        for (std::size_t k = 0; k < inputs.size(); ++k)
            load(k, inputs[k]);
        for (const Step& s : graph.steps)
            step(s);
        store();
        return std::move(m_result);
    }

private:
    Places placesOf(const Tile& tile) const {
        Places places;
        if (tile.partial) places.push_back({Place::Kind::part, -1});
        if (tile.looped) places.push_back({Place::Kind::step, -1});
        for (int axis = 0; axis < int(m_problem.extents.size()); ++axis) {
            if (!(tile.axes & axisBit(axis))) continue;
            if (m_grid & axisBit(axis)) places.push_back({Place::Kind::block, axis});
            places.push_back({Place::Kind::inner, axis});
        }
        return places;
    }
    std::int64_t extentOf(const Place& p) const {
        switch (p.kind) {
        case Place::Kind::part: return m_tiling.splits;
        case Place::Kind::step: return loopSteps(m_problem, m_roles, m_tiling);
        case Place::Kind::block: {
            const std::int64_t extent = m_problem.extents[std::size_t(p.axis)],
                               tile = m_tiling.tile[std::size_t(p.axis)];
            return (extent + tile - 1) / tile;
        }
        case Place::Kind::inner: break;
        }
        return p.axis == m_roles.loop ? m_tiling.tile[std::size_t(p.axis)]
                                      : spanOf(m_problem, m_roles, m_tiling, p.axis);
    }
    algebra::Extents extentsOf(const Places& places) const {
        algebra::Extents extents;
        for (const Place& p : places)
            extents.push_back(extentOf(p));
        return extents;
    }
    static int find(const Places& places, const Place& wanted) {
        const auto at = std::find(places.begin(), places.end(), wanted);
        return at == places.end() ? -1 : int(at - places.begin());
    }

    /// Where in an axis a point of the space lies; `withinPart`: in the block's part of it.
    Index coordinate(const Places& space, int axis, bool withinPart) const {
        Index index;
        const auto plus = [&](const Place& place, std::int64_t factor) {
            if (const int at = find(space, place); at >= 0) index = std::move(index) + Index::axis(at, factor);
        };
        plus({Place::Kind::inner, axis}, 1);
        plus({Place::Kind::block, axis}, m_tiling.tile[std::size_t(axis)]);
        if (axis == m_roles.loop) plus({Place::Kind::step, -1}, m_tiling.tile[std::size_t(axis)]);
        if (axis == m_roles.split && !withinPart)
            plus({Place::Kind::part, -1}, spanOf(m_problem, m_roles, m_tiling, axis));
        normalise(index, extentsOf(space));
        return index;
    }
    /// That it lies within the axis, and within the block's part.
    void keepWithin(Definition& d, const Places& space, int axis) const {
        const auto below = [&](std::int64_t end, const Index& index) {
            algebra::Constraint c = Index::constant(end - 1) - index;
            normalise(c, extentsOf(space));
            if (!algebra::holdsAlways(c, extentsOf(space))) d.domain.push_back(std::move(c));
        };
        below(m_problem.extents[std::size_t(axis)], coordinate(space, axis, false));
        if (axis == m_roles.split) below(spanOf(m_problem, m_roles, m_tiling, axis), coordinate(space, axis, true));
    }

    void add(const std::string& name, algebra::Extents extents, tensor::DType dtype, Definition d) {
        m_result.tensors.push_back({name, std::move(extents), dtype, std::move(d)});
    }
    std::string tileName(std::size_t number) const { return fmt::format("tile {}", number); }

    void load(std::size_t k, algebra::TensorId input) {
        const Places places = placesOf(m_tiles[k]);
        Definition d;
        algebra::Read read;
        read.source = input;
        read.outside = 1;
        for (const int axis : m_problem.inputs[k].axes)
            read.map.push_back(axis < 0 ? Index::constant(0) : coordinate(places, axis, false));
        d.reads.push_back(std::move(read));
        m_ids.push_back(m_result.tensors.size());
        add(tileName(k), extentsOf(places), m_problem.inputs[k].dtype, std::move(d));
    }

    Expression bodyOf(const Step& s) const {
        const Expression a = Expression::read(0), b = Expression::read(1);
        const auto constant = [&] { return Expression::number(m_problem.constants[s.parameter]); };
        switch (s.op) {
        case Operator::product:
        case Operator::multiply: return Expression::of(Function::mul, {a, b});
        case Operator::add: return Expression::of(Function::add, {a, b});
        case Operator::subtract: return Expression::of(Function::sub, s.turned ? std::vector{b, a} : std::vector{a, b});
        case Operator::divide: return Expression::of(Function::div, s.turned ? std::vector{b, a} : std::vector{a, b});
        case Operator::square: return Expression::of(Function::square, {a});
        case Operator::sqrt: return Expression::of(Function::sqrt, {a});
        case Operator::exp: return Expression::of(Function::exp, {a});
        case Operator::scale: return Expression::of(Function::mul, {a, constant()});
        case Operator::offset: return Expression::of(Function::add, {a, constant()});
        case Operator::apply: {
            const OpaqueFunction& f = m_problem.functions[s.parameter];
            std::vector<Expression> arguments{a};
            for (const int c : f.constants)
                arguments.push_back(Expression::number(m_problem.constants[std::size_t(c)]));
            return Expression::of(f.function, std::move(arguments));
        }
        case Operator::sum:
        case Operator::accumulate:
        case Operator::gather: break;
        }
        return a;
    }

    void step(const Step& s) {
        const std::size_t number = m_ids.size();
        const Places own = placesOf(m_tiles[number]);
        Places space = own;
        Definition d;
        d.body = bodyOf(s);
        std::vector<int> bounded; // axes whose ends matter to the sum
        if (s.op == Operator::product || s.op == Operator::sum) {
            for (int axis = 0; axis < int(m_problem.extents.size()); ++axis)
                if (s.parameter & axisBit(axis)) {
                    space.push_back({Place::Kind::inner, axis});
                    bounded.push_back(axis);
                }
        } else if (s.op == Operator::accumulate || s.op == Operator::gather) {
            const bool isLoop = s.op == Operator::accumulate;
            space.push_back({isLoop ? Place::Kind::step : Place::Kind::part, -1});
            const int axis = isLoop ? m_roles.loop : m_roles.split;
            if (m_tiles[s.a].axes & axisBit(axis)) bounded.push_back(axis);
        }
        if (space.size() > own.size()) {
            d.combine = Combine::sum;
            for (std::size_t r = own.size(); r < space.size(); ++r)
                d.reduction.push_back(extentOf(space[r]));
        }
        for (const int axis : bounded)
            keepWithin(d, space, axis);
        for (const std::uint8_t operand : {s.a, s.b}) {
            if (operand == Step::none) continue;
            algebra::Read read;
            read.source = m_ids[operand];
            for (const Place& p : placesOf(m_tiles[operand]))
                read.map.push_back(Index::axis(find(space, p)));
            d.reads.push_back(std::move(read));
        }
        m_ids.push_back(m_result.tensors.size());
        add(tileName(number), extentsOf(own), tensor::DType::Float32, std::move(d));
    }

    void store() {
        const Problem::Tensor& out = m_problem.output;
        Definition d;
        algebra::Read read;
        read.source = m_ids.back();
        for (const Place& p : placesOf(m_tiles.back())) {
            const auto at = std::find(out.axes.begin(), out.axes.end(), p.axis);
            const std::int64_t tile = m_tiling.tile[std::size_t(p.axis)];
            Index index = Index::axis(int(at - out.axes.begin()));
            if (m_grid & axisBit(p.axis)) {
                algebra::Term& term = index.terms.front();
                (p.kind == Place::Kind::block ? term.divisor : term.modulus) = tile;
                if (p.kind == Place::Kind::inner && tile == 1) index = Index::constant(0);
            }
            normalise(index, out.extents);
            read.map.push_back(std::move(index));
        }
        d.reads.push_back(std::move(read));
        m_result.outputs.push_back(m_result.tensors.size());
        add("stored", out.extents, out.dtype, std::move(d));
    }

    const Problem& m_problem;
    Roles m_roles;
    const Tiling& m_tiling;
    AxisSet m_grid;
    std::vector<Tile> m_tiles;
    std::vector<algebra::TensorId> m_ids; ///< of the tiles
    algebra::Graph m_result;
};

} // namespace

Result<algebra::Graph> formulasOf(const Problem& problem, const MuGraph& graph, const Tiling& tiling) {
    if (Result<void> sound = checkGraph(problem, graph); !sound) return sound.error();
    if (tiling.tile.size() != problem.extents.size() || tiling.splits < 1 ||
        std::any_of(tiling.tile.begin(), tiling.tile.end(), [](std::int64_t size) { return size < 1; }))
        return Error{"bad_graph", "The sizes of the tiles are none of this problem's."};
    algebra::Graph written = Writer(problem, graph, tiling, *tilesOf(problem, graph)).write(graph);
    if (Result<void> sound = algebra::checkGraph(written); !sound) return sound.error();
    return written;
}

Tiling raggedTiling(const Problem& problem, const Roles& roles) {
    Tiling tiling{problem.extents, 1};
    const auto more = [](std::int64_t extent) { return extent > 2 ? extent / 2 + 1 : std::int64_t(1); };
    if (roles.split >= 0) {
        const std::int64_t extent = problem.extents[std::size_t(roles.split)];
        tiling.splits = extent < 6 ? 2 : 3;
        tiling.tile[std::size_t(roles.split)] = (extent + tiling.splits - 1) / tiling.splits;
    }
    if (roles.loop >= 0) {
        std::int64_t& tile = tiling.tile[std::size_t(roles.loop)];
        tile = more(spanOf(problem, roles, tiling, roles.loop));
    }
    for (std::size_t axis = 0; axis < problem.extents.size(); ++axis)
        if (gridAxes(problem) & axisBit(int(axis))) tiling.tile[axis] = more(problem.extents[axis]);
    return tiling;
}

} // namespace kernelarium::mugraph
