// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/graph/Tiling.h"

#include "core/algebra/cost/Work.h"

#include <algorithm>

namespace kernelarium::mugraph {

namespace {

constexpr std::int64_t mostSplits = 64;
constexpr std::int64_t largestTile = 256;

std::int64_t shareOf(std::int64_t whole, std::int64_t parts) {
    return (whole + parts - 1) / parts;
}

bool has(AxisSet set, int axis) {
    return (set & axisBit(axis)) != 0;
}

/// 1, 8, 16, ..., and the axis itself where it is no longer than the largest.
std::vector<std::int64_t> sizesOf(std::int64_t extent) {
    std::vector<std::int64_t> sizes{1};
    for (std::int64_t size = 8; size <= std::min(largestTile, extent); size *= 2)
        sizes.push_back(size);
    if (extent <= largestTile && sizes.back() != extent) sizes.push_back(extent);
    return sizes;
}

} // namespace

AxisSet gridAxes(const Problem& problem) {
    return problem.output.axisSet() & ~problem.summed();
}

std::int64_t spanOf(const Problem& problem, const Roles& roles, const Tiling& tiling, int axis) {
    const auto a = std::size_t(axis);
    if (axis == roles.split) return shareOf(problem.extents[a], tiling.splits);
    return has(gridAxes(problem), axis) ? tiling.tile[a] : problem.extents[a];
}

std::int64_t loopSteps(const Problem& problem, const Roles& roles, const Tiling& tiling) {
    if (roles.loop < 0) return 1;
    return shareOf(spanOf(problem, roles, tiling, roles.loop), tiling.tile[std::size_t(roles.loop)]);
}

TileModel::TileModel(const Problem& problem, const perf::DeviceSpec& device)
    : m_problem(problem)
    , m_device(device)
    , m_grid(gridAxes(problem))
    , m_shared(device.limits.sharedBytesPerBlock) {
    for (algebra::TensorId id = 0; id < problem.graph.tensors.size(); ++id) {
        const algebra::Tensor& t = problem.graph.at(id);
        if (t.input()) continue;
        double bytes = double(algebra::pointCount(t.extents)) * double(tensor::byteSize(t.dtype));
        for (const algebra::TensorId source : algebra::sourcesOf(t)) {
            const algebra::Tensor& s = problem.graph.at(source);
            bytes += double(algebra::pointCount(s.extents)) * double(tensor::byteSize(s.dtype));
        }
        const bool isProduct = algebra::formOf(t) == algebra::Form::contraction;
        const double rate = isProduct ? productRate() : device.fp32;
        m_formulaSeconds +=
            device.launchSeconds + std::max(bytes / device.memoryBandwidth, algebra::flopsOf(problem.graph, id) / rate);
    }
}

double TileModel::productRate() const {
    const auto isHalf = [](const Problem::Tensor& t) { return tensor::byteSize(t.dtype) <= 2; };
    const bool half = std::all_of(m_problem.inputs.begin(), m_problem.inputs.end(), isHalf);
    return half && m_device.tensor.fp16 > 0 ? m_device.tensor.fp16 : m_device.fp32;
}

double TileModel::elementBytes(std::size_t number) const {
    return number < m_problem.inputs.size() ? double(tensor::byteSize(m_problem.inputs[number].dtype)) : 4;
}

double TileModel::leastBytes(const Roles& roles, std::size_t number, const Tile& tile) const {
    double count = 1;
    for (int axis = 0; axis < int(m_problem.extents.size()); ++axis) {
        if (!has(tile.axes, axis) || axis == roles.loop || has(m_grid, axis)) continue;
        const std::int64_t extent = m_problem.extents[std::size_t(axis)];
        count *= double(axis == roles.split ? shareOf(extent, mostSplits) : extent);
    }
    return count * elementBytes(number);
}

double TileModel::leastSeconds(const Roles& roles, std::span<const Tile> before, const Step& step) const {
    const Tile& a = before[step.a];
    AxisSet axes = a.axes;
    bool whole = a.looped;
    if (step.b != Step::none) {
        axes |= before[step.b].axes;
        whole = whole || before[step.b].looped;
    }
    double count = 1;
    for (int axis = 0; axis < int(m_problem.extents.size()); ++axis)
        // After the loop an axis that is left has a tile's indices, of which there may be one.
        if (has(axes, axis) && (axis != roles.loop || whole)) count *= double(m_problem.extents[std::size_t(axis)]);
    return step.op == Operator::product ? 2 * count / productRate() : count / m_device.fp32;
}

std::int64_t TileModel::elements(const Roles& roles, const Tile& tile, const Tiling& tiling) const {
    std::int64_t count = 1;
    for (int axis = 0; axis < int(m_problem.extents.size()); ++axis)
        if (has(tile.axes, axis))
            count *= axis == roles.loop ? tiling.tile[std::size_t(axis)] : spanOf(m_problem, roles, tiling, axis);
    return count;
}

bool TileModel::fits(const MuGraph& graph, std::span<const Tile> tiles, const Tiling& tiling) const {
    const std::size_t inputs = m_problem.inputs.size();
    const auto bytes = [&](std::size_t number) {
        return double(elements(graph.roles, tiles[number], tiling)) * elementBytes(number);
    };
    double lasting = 0, largest = 0;
    for (std::size_t i = 0; i < graph.steps.size(); ++i) {
        const Step& s = graph.steps[i];
        if (s.op == Operator::accumulate) {
            lasting += bytes(inputs + i);
            continue;
        }
        double own = bytes(s.a);
        if (s.b != Step::none && s.b != s.a) own += bytes(s.b);
        if (s.op == Operator::product || s.op == Operator::sum) own += bytes(inputs + i);
        largest = std::max(largest, own);
    }
    return lasting + largest <= m_shared;
}

double TileModel::seconds(const MuGraph& graph, std::span<const Tile> tiles, const Tiling& tiling) const {
    const std::size_t inputs = m_problem.inputs.size();
    const double multiprocessors = m_device.multiprocessors;
    double blocks = double(tiling.splits);
    for (int axis = 0; axis < int(m_problem.extents.size()); ++axis)
        if (has(m_grid, axis))
            blocks *= double(shareOf(m_problem.extents[std::size_t(axis)], tiling.tile[std::size_t(axis)]));
    const double waves = double(std::int64_t((blocks + multiprocessors - 1) / multiprocessors));
    const double steps = double(loopSteps(m_problem, graph.roles, tiling));
    double memory =
        double(algebra::pointCount(m_problem.output.extents)) * double(tensor::byteSize(m_problem.output.dtype));
    double read = 0, products = 0, others = 0, gathered = 0;
    for (std::size_t k = 0; k < inputs; ++k) {
        memory += double(algebra::pointCount(m_problem.inputs[k].extents)) * elementBytes(k);
        read += double(elements(graph.roles, tiles[k], tiling)) * elementBytes(k) * (tiles[k].looped ? steps : 1);
    }
    bool hasGather = false;
    for (std::size_t i = 0; i < graph.steps.size(); ++i) {
        const Step& s = graph.steps[i];
        Tile all = tiles[inputs + i];
        all.axes |= tiles[s.a].axes;
        if (s.b != Step::none) all.axes |= tiles[s.b].axes;
        const bool isLooped = tiles[s.a].looped || (s.b != Step::none && tiles[s.b].looped);
        const double count = double(elements(graph.roles, all, tiling)) * (isLooped ? steps : 1);
        if (s.op == Operator::gather) {
            hasGather = true;
            gathered += count * 4 * blocks;
        } else if (!tiles[inputs + i].gathered) {
            (s.op == Operator::product ? products : others) += s.op == Operator::product ? 2 * count : count;
        }
    }
    double seconds = std::max({memory / m_device.memoryBandwidth,
                               waves * (read + gathered / blocks) * multiprocessors / m_device.l2Bandwidth,
                               waves * products * multiprocessors / productRate(),
                               waves * others * multiprocessors / m_device.fp32}) +
                     m_device.launchSeconds;
    if (hasGather) seconds += m_device.launchSeconds + gathered / m_device.l2Bandwidth;
    return seconds;
}

std::optional<TileModel::Best> TileModel::best(const MuGraph& graph, std::span<const Tile> tiles) const {
    const Roles& roles = graph.roles;
    std::vector<std::pair<int, std::vector<std::int64_t>>> choices;
    Tiling tiling{m_problem.extents, 1};
    for (int axis = 0; axis < int(m_problem.extents.size()); ++axis)
        if (axis == roles.loop || has(m_grid, axis))
            choices.emplace_back(axis, sizesOf(m_problem.extents[std::size_t(axis)]));
    std::vector<std::int64_t> splits{1};
    if (roles.split >= 0) {
        const std::int64_t extent = m_problem.extents[std::size_t(roles.split)];
        splits.clear();
        for (std::int64_t n = 2; n <= std::min(mostSplits, extent); n *= 2)
            splits.push_back(n);
    }
    std::optional<Best> best;
    std::vector<std::size_t> at(choices.size(), 0);
    for (bool more = true; more;) {
        for (std::size_t c = 0; c < choices.size(); ++c)
            tiling.tile[std::size_t(choices[c].first)] = choices[c].second[at[c]];
        for (const std::int64_t n : splits) {
            tiling.splits = n;
            if (roles.split >= 0 && roles.split != roles.loop)
                tiling.tile[std::size_t(roles.split)] = spanOf(m_problem, roles, tiling, roles.split);
            if (!fits(graph, tiles, tiling)) continue;
            const double time = seconds(graph, tiles, tiling);
            if (!best || time < best->seconds) best = Best{tiling, time};
        }
        more = false;
        for (std::size_t c = 0; c < choices.size() && !more; ++c) {
            more = ++at[c] < choices[c].second.size();
            if (!more) at[c] = 0;
        }
    }
    return best;
}

} // namespace kernelarium::mugraph
