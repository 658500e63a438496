// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/Profile.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::worker {

namespace {

using verify::ArgumentPlan;

/// Elements of a tile: a multiple of a page for every element size.
constexpr std::int64_t tileElements = 1 << 19;

void tensorsOf(const ArgumentPlan& plan, std::vector<std::size_t>& indices) {
    if (const auto* t = std::get_if<ArgumentPlan::Tensor>(&plan.kind)) indices.push_back(t->index);
    if (const auto* l = std::get_if<ArgumentPlan::List>(&plan.kind))
        for (const ArgumentPlan& item : l->items) tensorsOf(item, indices);
    if (const auto* d = std::get_if<ArgumentPlan::Dict>(&plan.kind))
        for (const auto& [key, item] : d->items) tensorsOf(item, indices);
}

/// Elements like the tensor's own, without what structure they have as a whole.
tensor::Tensor tileOf(const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed) {
    using Kind = verify::Distribution::Kind;
    verify::TensorPlan tile = plan;
    tile.shape = {std::min(tensor::elementCount(plan.shape), tileElements)};
    switch (plan.distribution.kind) {
    case Kind::upperTriangular: case Kind::lowerTriangular: case Kind::symmetric: case Kind::varied:
        tile.distribution.kind = Kind::normal;
        break;
    case Kind::probabilities: case Kind::variedProbabilities: tile.distribution = {Kind::uniform, 0, 1}; break;
    case Kind::causalMask: tile.distribution = {Kind::boolean, 0.5, 0}; break;
    default: break;
    }
    return verify::drawTensor(tile, index, seed);
}

verify::RunRequest requestOf(const verify::InputPlan& plan, const ProfileParameters& p, std::stop_token stop) {
    verify::RunRequest run;
    run.checks = false;
    run.counters = true;
    run.guardBytes = 0;
    run.timeLimit = p.run.timeLimit;
    run.stop = stop;
    std::vector<tensor::Tensor> shapes;
    for (const verify::TensorPlan& t : plan.tensors) shapes.push_back(tensor::Tensor::shapeOnly(t.dtype, t.shape));
    run.arguments = verify::argumentsOf(plan, shapes);
    verify::ProfileOptions options;
    options.waves = p.waves;
    options.instructionBudget = p.instructionBudget;
    std::vector<std::size_t> indices;
    for (const ArgumentPlan& argument : plan.arguments) tensorsOf(argument, indices);
    for (const std::size_t index : indices) options.tiles.push_back(tileOf(plan.tensors[index], index, p.run.seed));
    run.profile = std::move(options);
    return run;
}

std::vector<std::string> notesOf(const ProfileSummary& s) {
    std::vector<std::string> notes;
    double blocks = 0, executed = 0;
    std::size_t repeated = 0;
    for (const perf::LaunchCounters& c : s.counters) {
        repeated += c.sampling.repeated;
        if (c.sampling.repeated) continue;
        blocks += c.sampling.blocks;
        executed += c.sampling.executed;
    }
    if (executed < blocks)
        notes.push_back(fmt::format("{:.0f} of {:.0f} blocks were executed, spread evenly over each grid; figures are "
                                    "scaled to whole grids.",
                                    executed, blocks));
    if (repeated)
        notes.push_back(fmt::format("{} launches repeat earlier ones and have their figures.", repeated));
    if (!s.libraryCalls.empty())
        notes.push_back(fmt::format("{} library calls were not executed: their time follows from their bytes and "
                                    "operations.",
                                    s.libraryCalls.size()));
    notes.emplace_back("Tensors hold a repeated pattern: where a kernel's way depends on its data, the counts are those "
                       "of the pattern.");
    return notes;
}

} // namespace

Result<ProfileSummary> profile(host::EmulatorRunner& runner, const verify::InputPlan& plan,
                               const ProfileParameters& parameters, const perf::DeviceSpec& device, std::stop_token stop) {
    Result<verify::RunResult> result = runner.run(requestOf(plan, parameters, stop));
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    ProfileSummary summary;
    summary.end = std::string(name(result->end));
    summary.reason = result->reason;
    summary.size = parameters.run.size;
    summary.counters = std::move(result->counters);
    summary.libraryCalls = std::move(result->libraryCosts);
    summary.time = perf::modelRun(summary.counters, summary.libraryCalls, device);
    summary.notes = notesOf(summary);
    summary.peakBytes = result->peakBytes;
    summary.seconds = result->seconds;
    return summary;
}

} // namespace kernelarium::worker
