// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Sizing.h"

#include "core/kernelgen/graphs/Products.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::kernelgen::graphs {

using mugraph::Operator;

namespace {

constexpr double lanes = 32, schedulers = 4;
constexpr std::int64_t mostSumRegisters = 96; ///< of a thread, for products' sums
constexpr double otherRegisters = 56;         ///< that threads have beside them, about
/// From asking device memory to having it, and what a barrier and a chain of dependent instructions take besides.
constexpr double loadSeconds = 0.8e-6, stepSeconds = 0.35e-6;

double share(double whole, double parts) {
    return std::ceil(whole / parts);
}

/// Issue slots of an action of one block.
double slotsOf(const Subject& s, const Action& action) {
    const auto points = [&](const std::vector<int>& axes) {
        double count = 1;
        for (const int axis : axes)
            count *= double(s.sizes.tile[std::size_t(axis)]);
        return count;
    };
    const double made = points(listed(s.tiles[action.made].axes));
    switch (action.kind) {
    case Action::Kind::load: return made / 8 / lanes * 12;
    case Action::Kind::product: {
        const Pieces p = piecesOf(s, action.product);
        if (s.usesTensorCores()) return double(p.all) * share(double(p.terms), 8) * (12 + 6 * double(p.wide));
        return share(double(p.all), lanes) * double(p.terms) * 30;
    }
    case Action::Kind::sum: {
        const double terms = points(listed(s.step(action.value).parameter));
        return made * (share(terms, lanes) * 10 + 25);
    }
    default: return share(made, lanes) * 14;
    }
}

} // namespace

std::optional<double> expectedSeconds(const Subject& s, const mugraph::TileModel& model,
                                      const perf::DeviceSpec& device) {
    const Plan plan(s);
    const std::int64_t bytes = std::max(plan.sharedBytes(false), plan.sharedBytes(true));
    if (double(bytes) > double(device.limits.sharedBytesPerBlock)) return std::nullopt;
    std::int64_t registers = 0;
    double once = 0, step = 0;
    for (const Action& action : plan.actions(false)) {
        if (action.kind == Action::Kind::product) {
            const std::int64_t own = piecesOf(s, action.product).registers(s.usesTensorCores());
            if (own > mostSumRegisters) return std::nullopt;
            registers = action.isAdded ? registers + own : std::max(registers, own);
        }
        (action.phase == Phase::during ? step : once) += slotsOf(s, action);
    }
    if (registers > mostSumRegisters) return std::nullopt;
    mugraph::Tiling tiling{s.sizes.tile, 1};
    double blocks = 1;
    for (std::size_t k = 0; k < s.axes.size(); ++k) {
        const double extent = double(s.problem.extents[k]), tile = double(s.sizes.tile[k]);
        const Axis::Kind kind = s.axes[k].kind;
        if (kind == Axis::Kind::grid) blocks *= share(extent, tile);
        if (kind == Axis::Kind::split) tiling.splits = std::int64_t(share(extent, tile));
        if (kind == Axis::Kind::walked) tiling.splits = std::int64_t(share(extent, tile * double(s.sizes.stepsEach)));
        if (kind == Axis::Kind::whole) tiling.tile[k] = s.problem.extents[k];
    }
    blocks *= double(tiling.splits);
    const double steps = double(mugraph::loopSteps(s.problem, s.graph.roles, tiling));
    const double threads = s.sizes.threads, multiprocessors = device.multiprocessors;
    const double resident = std::max(
        1.0, std::floor(std::min({2048 / threads, double(device.limits.sharedBytesPerBlock) / (double(bytes) + 1024),
                                  65536 / (threads * (double(registers) + otherRegisters)), 32.0})));
    const double clock = device.fp32 / (multiprocessors * 256); // FMA units: 128, two FLOPs each
    const double busiest = share(blocks, multiprocessors);
    const double issue = busiest * (once + steps * step) / schedulers / clock;
    const double ahead = s.hasLoop() ? double(s.sizes.stages - 1) : 1;
    const double waits = 2 * loadSeconds + steps * (loadSeconds / ahead + stepSeconds) +
                         (once + steps * step) / std::min(threads / lanes, 16.0) * 2 / clock;
    const double latency = share(blocks, multiprocessors * resident) * waits;
    return model.seconds(s.graph, s.tiles, tiling) + std::max(issue, latency);
}

namespace {

/// `small`: also tiles that leave most of a tensor core idle, where others do not fit.
std::optional<Sizes> bestOf(Subject s, const perf::DeviceSpec& device, const std::vector<std::int64_t>& most,
                            bool small) {
    mugraph::AxisSet inProducts = 0, notBatch = 0;
    for (std::size_t i = s.inputs(); i < s.tiles.size(); ++i) {
        if (s.step(i).op != Operator::product) continue;
        const ProductShape shape = shapeOf(s, i);
        for (const auto* axes : {&shape.rows, &shape.columns, &shape.terms})
            for (const int axis : *axes)
                notBatch |= mugraph::axisBit(axis);
        inProducts |= s.tiles[shape.left].axes | s.tiles[shape.right].axes;
    }
    std::vector<std::vector<std::int64_t>> choices;
    for (std::size_t k = 0; k < s.axes.size(); ++k) {
        const mugraph::AxisSet bit = mugraph::axisBit(int(k));
        const bool isBatch = (inProducts & bit) != 0 && (notBatch & bit) == 0;
        std::vector<std::int64_t> all;
        switch (s.axes[k].kind) {
        case Axis::Kind::whole: all = {(most[k] + 7) / 8 * 8}; break;
        case Axis::Kind::grid:
            if (isBatch)
                all = {1};
            else if ((inProducts & bit) != 0)
                all = small ? std::vector<std::int64_t>{1, 2, 4, 8, 16} : std::vector<std::int64_t>{8, 16, 32, 64, 128};
            else
                all = {1, 2, 4, 8, 16, 32, 64, 128, 256};
            break;
        case Axis::Kind::loop:
        case Axis::Kind::walked:
            all = (inProducts & bit) != 0 ? std::vector<std::int64_t>{8, 16, 32, 64, 128}
                                          : std::vector<std::int64_t>{8, 64, 256, 1024};
            break;
        case Axis::Kind::split: all = {8, 16, 32, 64, 128, 256}; break;
        }
        const std::int64_t smallest = all.front();
        std::erase_if(all, [&](std::int64_t tile) { return tile > smallest && tile >= 2 * s.problem.extents[k]; });
        choices.push_back(std::move(all));
    }
    const bool isWalked = s.hasLoop() && s.graph.roles.loop == s.graph.roles.split;
    const std::vector<std::int64_t> stepsEach =
        isWalked ? std::vector<std::int64_t>{1, 2, 4, 8, 16, 32} : std::vector<std::int64_t>{1};
    const mugraph::TileModel model(s.problem, device);
    std::optional<Sizes> best;
    double least = 0;
    std::vector<std::size_t> at(choices.size(), 0);
    for (bool more = true; more;) {
        s.sizes.tile.clear();
        for (std::size_t k = 0; k < choices.size(); ++k)
            s.sizes.tile.push_back(choices[k][at[k]]);
        for (const std::int64_t each : stepsEach)
            for (const int threads : small ? std::vector<int>{256, 512} : std::vector<int>{128, 256})
                for (const int stages : s.hasLoop() ? std::vector<int>{2, 3} : std::vector<int>{2}) {
                    s.sizes.stepsEach = each, s.sizes.threads = threads, s.sizes.stages = stages;
                    const auto seconds = expectedSeconds(s, model, device);
                    if (seconds && (!best || *seconds < least)) best = s.sizes, least = *seconds;
                }
        more = false;
        for (std::size_t k = 0; k < choices.size() && !more; ++k) {
            more = ++at[k] < choices[k].size();
            if (!more) at[k] = 0;
        }
    }
    return best;
}

} // namespace

std::optional<Sizes> sizesFor(Subject s, const perf::DeviceSpec& device, const std::vector<std::int64_t>& most) {
    const std::optional<Sizes> best = bestOf(s, device, most, false);
    return best ? best : bestOf(std::move(s), device, most, true);
}

} // namespace kernelarium::kernelgen::graphs
