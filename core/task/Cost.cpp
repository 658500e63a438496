// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Cost.h"

#include "core/task/Binding.h"
#include "core/task/OperatorCost.h"
#include "core/task/ShapeInference.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kernelarium::task {

namespace {

double bytesOf(const std::vector<tensor::Value>& values) {
    std::vector<tensor::Tensor> tensors;
    for (const tensor::Value& v : values)
        collectTensors(v, tensors);
    double bytes = 0;
    for (const tensor::Tensor& t : tensors)
        bytes += double(t.byteCount());
    return bytes;
}

void tensorsIn(const Argument& argument, std::set<std::size_t>& used) {
    if (const auto* t = std::get_if<CardTensorRef>(&argument.kind)) used.insert(t->index);
    if (const auto* list = std::get_if<ArgumentList>(&argument.kind))
        for (const Argument& a : *list)
            tensorsIn(a, used);
}

/// Bytes of the card's tensors that any operator takes.
double usedTensorBytes(const Card& card, const std::vector<tensor::Shape>& shapes) {
    std::set<std::size_t> used;
    for (const Node& node : card.graph) {
        for (const Argument& a : node.arguments)
            tensorsIn(a, used);
        for (const auto& [key, a] : node.keywords)
            tensorsIn(a, used);
    }
    double bytes = 0;
    for (std::size_t i : used)
        bytes += double(tensor::elementCount(shapes.at(i))) * double(byteSize(card.tensors.at(i).dtype));
    return bytes;
}

/// The widest floating type among what an operator takes and gives; float32 where there is none.
tensor::DType workType(const NodeShape& shape) {
    std::vector<tensor::Tensor> tensors;
    for (const tensor::Value& v : shape.arguments)
        collectTensors(v, tensors);
    for (const auto& [key, v] : shape.keywords)
        collectTensors(v, tensors);
    for (const tensor::Value& v : shape.results)
        collectTensors(v, tensors);
    std::optional<tensor::DType> widest;
    for (const tensor::Tensor& t : tensors)
        if (isFloating(t.dtype()) && (!widest || byteSize(t.dtype()) > byteSize(*widest))) widest = t.dtype();
    return widest.value_or(tensor::DType::Float32);
}

void addByType(std::vector<std::pair<tensor::DType, double>>& sums, tensor::DType type, double flops) {
    if (flops == 0) return;
    const auto found = std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == type; });
    if (found == sums.end())
        sums.emplace_back(type, flops);
    else
        found->second += flops;
}

/// Bytes of what forward returns.
double outputBytes(const Card& card, const std::vector<NodeShape>& nodes) {
    double bytes = 0;
    forNodes(card.output, [&](const std::string& name) {
        for (std::size_t i = 0; i < card.graph.size(); ++i)
            if (card.graph[i].name == name) bytes += bytesOf(nodes[i].results);
    });
    return bytes;
}

} // namespace

Result<Cost> costOf(const Card& card, const Symbols& symbols) {
    const auto shapes = tensorShapes(card, symbols);
    if (!shapes) return shapes.error();
    const auto nodes = inferShapes(card, symbols, std::nullopt);
    if (!nodes) return nodes.error();
    Cost cost;
    for (std::size_t i = 0; i < nodes->size(); ++i) {
        const Node& node = card.graph[i];
        const NodeShape& shape = (*nodes)[i];
        OperatorCost c;
        c.node = node.name;
        c.op = node.op;
        if (const auto* t = shape.results.empty() ? nullptr : shape.results[0].as<tensor::Tensor>())
            c.output = t->shape();
        c.flops = flopsOf(node, shape);
        c.type = workType(shape);
        addByType(cost.flopsByType, c.type, c.flops);
        c.torchFlops = torchFlopsOf(node, shape);
        c.isView = isView(node, shape);
        if (!c.isView) {
            c.bytes = bytesOf(shape.arguments) + bytesOf(shape.results);
            for (const auto& [key, value] : shape.keywords)
                c.bytes += bytesOf({value});
        }
        cost.flops += c.flops;
        cost.torchFlops += c.torchFlops;
        cost.unfusedBytes += c.bytes;
        cost.operators.push_back(std::move(c));
    }
    std::sort(cost.flopsByType.begin(), cost.flopsByType.end(),
              [](const auto& a, const auto& b) { return a.second > b.second; });
    cost.compulsoryBytes = usedTensorBytes(card, *shapes) + outputBytes(card, *nodes);
    return cost;
}

} // namespace kernelarium::task
