// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Units.h"

#include "core/mugraph/search/Walk.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::mugraph {

namespace {

constexpr int mostOperators = 24; ///< a Walk has room for some more

Result<const perf::DeviceSpec*> deviceOf(const Problem& problem, const Limits& limits) {
    if (limits.operators <= int(problem.inputs.size()) || limits.operators > mostOperators)
        return Error{"bad_input",
                     fmt::format("A search takes from {} to {} operators, the task's inputs counted, and not {}.",
                                 problem.inputs.size() + 1, mostOperators, limits.operators)};
    if (limits.unitDepth < 0 || limits.unitDepth > mostOperators)
        return Error{"bad_input",
                     fmt::format("A unit prescribes 0 to {} operators, not {}.", mostOperators, limits.unitDepth)};
    const perf::DeviceSpec* device = perf::findDeviceSpec(limits.device);
    if (!device) return Error{"bad_input", fmt::format("There is no device \"{}\".", limits.device)};
    return device;
}

struct Stopped {};

} // namespace

Result<std::vector<Unit>> units(const Problem& problem, const Limits& limits) {
    const Result<const perf::DeviceSpec*> device = deviceOf(problem, limits);
    if (!device) return device.error();
    Ground ground(problem, limits, **device);
    std::vector<Unit> all;
    for (const Roles& roles : ground.roles()) {
        Walk walk(ground, roles);
        walk.visitAll([&](const Walk& at, bool isComplete) {
            const bool isUnit = isComplete || at.steps() == std::size_t(limits.unitDepth);
            if (isUnit) all.push_back({keyOf(at.graph())});
            return !isUnit;
        });
    }
    return all;
}

struct Explorer::Parts {
    Parts(const Problem& problem, const Limits& limits, const perf::DeviceSpec& device)
        : ground(problem, limits, device) {}
    Ground ground;
};

Explorer::Explorer(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts)) {}
Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&&) noexcept = default;
Explorer::~Explorer() = default;

Result<Explorer> Explorer::of(const Problem& problem, const Limits& limits) {
    const Result<const perf::DeviceSpec*> device = deviceOf(problem, limits);
    if (!device) return device.error();
    return Explorer(std::make_unique<Parts>(problem, limits, **device));
}

Result<UnitResult> Explorer::explore(const Unit& unit, std::stop_token stop,
                                     const std::function<void(const Counts&)>& progress) {
    Ground& ground = m_parts->ground;
    const Error none{"bad_input", fmt::format("\"{}\" is no unit of this search.", unit.key.substr(0, 200))};
    const Result<MuGraph> prefix = graphFromKey(unit.key);
    if (!prefix) return prefix.error();
    const std::vector<Roles> roles = ground.roles();
    if (std::find(roles.begin(), roles.end(), prefix->roles) == roles.end() || keyOf(*prefix) != unit.key) return none;
    Walk walk(ground, prefix->roles);
    for (const Step& step : prefix->steps)
        if (!walk.enter(step)) return none;
    if (walk.steps() != std::size_t(ground.limits.unitDepth) && !walk.isComplete()) return none;

    UnitResult result{unit.key, {}, {}};
    auto told = std::chrono::steady_clock::now();
    try {
        walk.visitAll([&](const Walk& at, bool isComplete) {
            if (isComplete) {
                const MuGraph graph = at.graph();
                if (const auto best = ground.model.best(graph, at.tiles()))
                    result.found.push_back({toJson(ground.problem, graph).dump(), hashOf(ground.problem, graph),
                                            unit.key, at.counts().states, best->seconds});
            }
            if (at.counts().states % 1024 == 0) {
                if (stop.stop_requested()) throw Stopped{};
                const auto now = std::chrono::steady_clock::now();
                if (progress && now - told > std::chrono::milliseconds(100)) {
                    told = now;
                    progress(at.counts());
                }
            }
            return true;
        });
    } catch (const Stopped&) {
        return Error{"cancelled", "The search was stopped."};
    }
    result.counts = walk.counts();
    return result;
}

Result<UnitResult> explore(const Problem& problem, const Unit& unit, const Limits& limits, std::stop_token stop,
                           const std::function<void(const Counts&)>& progress) {
    Result<Explorer> explorer = Explorer::of(problem, limits);
    if (!explorer) return explorer.error();
    return explorer->explore(unit, std::move(stop), progress);
}

} // namespace kernelarium::mugraph
