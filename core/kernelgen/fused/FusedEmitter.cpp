// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/FusedEmitter.h"

#include "core/kernelgen/fused/FourMap.h"
#include "core/kernelgen/fused/FusedLevels.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/fused/RowKernels.h"
#include "core/kernelgen/fused/ScanKernel.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/naive/DefinitionLevels.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Launches of a definition's own kernel, as the naive file has it, with what is written in place.
void addSingle(KernelFile& file, const Plan& plan, TensorId id) {
    const DefinitionKernel kernel = definitionKernel(file, file.graphs().each(), id, plan.inlined);
    const std::string elements = file.variable(id) + ".numel()";
    if (kernel.blockPerElement) {
        file.launch(kernel.name, elements, kernel.text, {}, {});
        describeDefinition(file, file.graphs().each(), id, plan.inlined, kernel,
                           [&file](TensorId k) { return file.tensorNode(k); });
        return;
    }
    std::string count = elements;
    if (kernel.count == "rows") {
        const Each<Tensor> t = file.tensor(id);
        count = fmt::format("{} / ({})", elements, file.number(extentOf(t, std::size_t(algebra::scanAxis(t.first())))));
    }
    file.launch(kernel.name, fmt::format("blocks({}, threads)", count), kernel.text, {}, {count});
    describeDefinition(file, file.graphs().each(), id, plan.inlined, kernel,
                       [&file](TensorId k) { return file.tensorNode(k); });
}

std::size_t membersOf(const RowGroup& g) {
    return g.reductions.size() + g.maps.size() + g.totals.size();
}

std::string skeletonOf(const Plan& plan, const algebra::Graph& graph) {
    const bool isScan = std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Plan::Step& s) {
        return !s.group && algebra::scanAxis(graph.tensors[s.tensor]) >= 0;
    });
    if (isScan && plan.groups.empty()) return "prefix scan";
    if (plan.groups.empty()) return plan.steps.size() == 1 ? "map" : "maps and reductions";
    const RowGroup& g = plan.groups.front();
    switch (g.layout.kind) {
    case RowLayout::Kind::columns: return g.split ? "split columns" : "columns";
    case RowLayout::Kind::channels: return g.split ? "split channels" : "channels";
    default: return g.split ? "split rows" : "rows";
    }
}

} // namespace

Result<Emitted> emitFused(const task::Card& card, const EmitOptions& options) {
    const auto rewritten = [&](Graph graph) -> Result<Graph> {
        if (!options.rewriting) return tidied(std::move(graph));
        Result<Graph> changed = options.rewriting(std::move(graph));
        if (!changed) return changed;
        return tidied(*std::move(changed));
    };
    const Result<SizedGraphs> graphs = graphsOf(card, rewritten, options.size);
    if (!graphs) return graphs.error();
    try {
        const Plan plan = planOf(*graphs);
        KernelFile file(card, *graphs);
        file.constant("constexpr int threads = 256; // tune: pow2 64..1024");
        int launches = 0;
        std::set<TensorId> done; // by the kernel of another
        for (const Plan::Step& step : plan.steps) {
            if (step.group) {
                const std::size_t first = file.levels().launches.size();
                launches += addRowKernels(file, plan, *step.group);
                describeRows(file, plan, *step.group, first);
                continue;
            }
            if (done.contains(step.tensor)) continue;
            if (addScanKernel(file, plan, step.tensor, done)) {
                ++launches;
                continue;
            }
            file.declare(step.tensor);
            if (addFourMap(file, plan, step.tensor))
                describeFourMap(file, plan, step.tensor);
            else
                addSingle(file, plan, step.tensor);
            ++launches;
        }
        const std::string skeleton = skeletonOf(plan, file.full());
        std::size_t formulas = plan.inlined.size();
        for (const Plan::Step& step : plan.steps)
            formulas += step.group ? membersOf(plan.groups[*step.group]) : 1;
        const std::string why =
            fmt::format("{} formulas in {} {}", formulas, launches, launches == 1 ? "launch" : "launches");
        const std::string idea =
            fmt::format("{}: maps are written where they are read, and what reduces the same rows is one kernel.", why);
        std::string fileName = skeleton.starts_with("map") ? "fused" : skeleton;
        std::replace(fileName.begin(), fileName.end(), ' ', '_');
        std::string text = file.finish(fileName, idea, options.rewrites);
        return Emitted{std::move(text), skeleton, why, file.finishedLevels()};
    } catch (const Refusal& r) {
        return Error{"unsupported", fmt::format("No fused form fits task {}: it has {}.", card.key(), r.what()),
                     "`superopt emit --naive` writes a kernel for each formula."};
    }
}

} // namespace kernelarium::kernelgen
