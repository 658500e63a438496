// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/naive/DefinitionLevels.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Tensor;

void describeDefinition(KernelFile& file, const Each<Graph>& graph, std::size_t id,
                        const std::set<std::size_t>& inlined, const DefinitionKernel& kernel,
                        const FormulaLevels::NodeOf& nodeOf) {
    const Each<Tensor> each = graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    const Graph& shown = *graph.at[file.graphs().shown];
    const Tensor& t = shown.tensors[id];
    FormulaLevels levels(file, graph, inlined, nodeOf);
    const std::int64_t threads = levels.launch().block[0].value;
    const std::string detail = algebra::toString(shown, id);
    if (kernel.count == "rows") {
        const auto axis = std::size_t(algebra::scanAxis(t));
        levels.describe(t.name, detail, fmt::format("{} rows of {}", threads, t.name),
                        "one row, from its beginning on");
        const std::string loop =
            levels.addLoop(algebra::axisNames(t)[axis], "along the row, each value added to those before",
                           file.amount(extentOf(each, axis)));
        levels.add(id, {Walk::Lanes::rows}, loop);
    } else if (kernel.blockPerElement) {
        levels.describe(t.name, detail, fmt::format("one element of {}", t.name),
                        "every so many terms; then halves are added to halves");
        const std::int64_t terms = algebra::pointCount(t.definition()->reduction);
        std::string total;
        for (std::size_t a = t.extents.size(); a < algebra::spaceOf(t).size(); ++a) {
            const Amount extent = file.amount(spaceExtent(each, a));
            if (extent.formula != "1") total += (total.empty() ? "" : " * ") + extent.formula;
        }
        const std::string loop =
            levels.addLoop("term", "a thread's share of the terms",
                           {fmt::format("({} + threads - 1) / threads", total), (terms + threads - 1) / threads});
        levels.add(id, {Walk::Lanes::terms}, loop);
        const double steps = std::log2(double(threads));
        const std::string tile = levels.addTile({{},
                                                 "parts",
                                                 "of the block's threads: halves are added to halves",
                                                 Place::shared,
                                                 t.name,
                                                 std::string(accumulatorOf(each) == "double" ? "float64" : "float32"),
                                                 {{"threads", threads}}});
        levels.addEdge(levels.valueNode(id), tile);
        levels.counters().addBlockSteps(steps + 1);
        levels.launch().counters.staticSharedBytes = 0;
    } else {
        levels.describe(t.name, detail, fmt::format("{} neighbouring elements of {}", threads, t.name), "one element");
        const bool isMap = t.definition()->combine == algebra::Combine::none;
        levels.add(id, {}, isMap ? std::string() : levels.addReductionLoops(id));
    }
    levels.finish();
    if (kernel.blockPerElement)
        levels.launch().counters.staticSharedBytes = std::uint32_t(threads * (accumulatorOf(each) == "double" ? 8 : 4));
}

std::string bodyNode(KernelFile& file, const Each<Graph>& body, std::size_t recurrence, std::size_t tensor) {
    const std::string node = fmt::format("t{}b{}", recurrence, tensor);
    if (file.levels().tensor(node)) return node;
    const Each<Tensor> each = body.part([tensor](const Graph& g) -> const Tensor& { return g.tensors[tensor]; });
    const Tensor& t = body.at[file.graphs().shown]->tensors[tensor];
    Tile tile{node,
              t.name,
              "left for a later launch of the same step",
              Place::device,
              t.name,
              std::string(tensor::name(t.dtype)),
              {}};
    for (std::size_t k = 0; k < t.extents.size(); ++k)
        tile.extents.push_back(file.amount(extentOf(each, k)));
    file.levels().tensors.push_back(std::move(tile));
    return node;
}

} // namespace kernelarium::kernelgen
