// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/FormulaGraph.h"

#include "core/algebra/cost/Work.h"
#include "core/algebra/explain/Explanation.h"

#include <algorithm>
#include <set>

namespace kernelarium::ui {

namespace {

QString extentsText(const algebra::Extents& extents) {
    QStringList sides;
    for (const std::int64_t extent : extents)
        sides << QString::number(extent);
    return sides.isEmpty() ? QStringLiteral("scalar") : QStringLiteral("[%1]").arg(sides.join(QStringLiteral(", ")));
}

double bytesOfInput(const algebra::Tensor& tensor) {
    double elements = 1;
    for (const std::int64_t extent : tensor.extents)
        elements *= double(extent);
    return elements * double(tensor::byteSize(tensor.dtype));
}

} // namespace

std::vector<FormulaLine> formulaLines(const algebra::Graph& graph, const algebra::Graph& other) {
    const std::vector<std::string> there = algebra::formulas(other);
    const std::set<std::string> known(there.begin(), there.end());
    std::vector<FormulaLine> lines;
    for (const std::string& formula : algebra::formulas(graph))
        lines.push_back({QString::fromStdString(formula), !known.contains(formula)});
    return lines;
}

OperatorGraph formulaGraph(const algebra::Graph& graph, const algebra::Graph& other) {
    OperatorGraph drawing;
    const std::vector<FormulaLine> lines = formulaLines(graph, other);
    for (algebra::TensorId id = 0; id < graph.tensors.size(); ++id) {
        const algebra::Tensor& tensor = graph.at(id);
        GraphNode node;
        node.id = node.title = QString::fromStdString(tensor.name);
        node.shape = extentsText(tensor.extents);
        node.isChanged = lines[id].isChanged;
        if (const algebra::Input* input = tensor.input()) {
            node.kind = input->isParameter ? GraphNode::Kind::parameter : GraphNode::Kind::input;
            if (input->cardTensor != algebra::Input::drawn) node.bytes = bytesOfInput(tensor);
        } else {
            node.flops = algebra::flopsOf(graph, id);
            node.formula = lines[id].text;
        }
        drawing.nodes.push_back(std::move(node));
        std::set<algebra::TensorId> sources;
        for (const algebra::TensorId source : algebra::sourcesOf(tensor))
            if (sources.insert(source).second) drawing.edges.push_back({int(source), int(id), {}});
    }
    GraphNode output;
    output.kind = GraphNode::Kind::output;
    output.id = output.title = QStringLiteral("output");
    for (const algebra::TensorId id : graph.outputs)
        drawing.edges.push_back({int(id), int(drawing.nodes.size()), {}});
    drawing.nodes.push_back(std::move(output));
    return drawing;
}

} // namespace kernelarium::ui
