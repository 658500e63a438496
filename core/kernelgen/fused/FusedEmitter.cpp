// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/FusedEmitter.h"

#include "core/kernelgen/convolution/ConvolutionEmitter.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/fused/RowKernels.h"
#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Launches of a definition's own kernel, as the naive file has it, with what is written in place.
void addSingle(KernelFile& file, const Plan& plan, TensorId id) {
    const DefinitionKernel kernel = definitionKernel(file, file.graphs().each(), id, plan.inlined);
    const std::string elements = file.variable(id) + ".numel()";
    if (kernel.blockPerElement) {
        file.launch(kernel.name, elements, kernel.text, {}, {});
        return;
    }
    std::string count = elements;
    if (kernel.count == "rows") {
        const Each<Tensor> t = file.tensor(id);
        count = fmt::format("{} / ({})", elements, file.number(extentOf(t, std::size_t(algebra::scanAxis(t.first())))));
    }
    file.launch(kernel.name, fmt::format("blocks({}, threads)", count), kernel.text, {}, {count});
}

/// Whether no output needs any input.
bool isConstant(const algebra::Graph& graph) {
    std::vector<TensorId> left(graph.outputs);
    while (!left.empty()) {
        const Tensor& t = graph.at(left.back());
        left.pop_back();
        if (t.input()) return false;
        for (const TensorId s : algebra::sourcesOf(t))
            left.push_back(s);
    }
    return true;
}

} // namespace

Result<Emitted> emitFused(const task::Card& card) {
    const Result<SizedGraphs> graphs = graphsOf(card, tidied);
    const Result<Emitted> convolution =
        graphs && isConstant(graphs->graphs[graphs->full])
            ? Result<Emitted>(Error{"unsupported", "Its output does not depend on its input."})
            : convolution::emitFile(card);
    if (convolution || convolution.error().code != "unsupported") return convolution;
    if (!graphs) return graphs.error();
    try {
        const Plan plan = planOf(*graphs);
        KernelFile file(card, *graphs);
        file.constant("constexpr int threads = 256; // tune: pow2 64..1024");
        int launches = 0;
        bool rowsDone = !plan.rows;
        const auto addRows = [&] {
            launches += addRowKernels(file, plan);
            rowsDone = true;
        };
        for (const TensorId id : plan.single) {
            const bool isAfter = plan.rows && id > plan.rows->reductions.front();
            if (!rowsDone && isAfter) addRows();
            file.declare(id);
            if (!addFourMap(file, plan, id)) addSingle(file, plan, id);
            ++launches;
        }
        if (!rowsDone) addRows();
        const std::string skeleton = !plan.rows         ? (plan.single.size() == 1 ? "map" : "maps and reductions")
                                     : plan.rows->split ? "split rows"
                                                        : "rows";
        const std::size_t formulas = plan.single.size() + plan.inlined.size() +
                                     (plan.rows ? plan.rows->reductions.size() + plan.rows->maps.size() : 0);
        const std::string why =
            fmt::format("{} formulas in {} {}", formulas, launches, launches == 1 ? "launch" : "launches");
        const std::string idea =
            fmt::format("{}: maps are written where they are read, and what reduces the same rows is one kernel.", why);
        return Emitted{file.finish(skeleton == "split rows" ? "split_rows"
                                   : skeleton == "rows"     ? "rows"
                                                            : "fused",
                                   idea, {}),
                       skeleton, why};
    } catch (const Refusal& r) {
        return Error{
            "unsupported",
            fmt::format("No fused form fits task {}: it has {}. {}", card.key(), r.what(), convolution.error().message),
            "`superopt emit --naive` writes a kernel for each formula."};
    }
}

} // namespace kernelarium::kernelgen
