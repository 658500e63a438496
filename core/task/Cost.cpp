// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Cost.h"

#include "core/task/Binding.h"
#include "core/task/OperatorCost.h"

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
    if (const auto* t = std::get_if<TensorRef>(&argument.kind)) used.insert(t->index);
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
    const auto nodes = inferShapes(card, symbols, tensor::DType::Float32);
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
    cost.compulsoryBytes = usedTensorBytes(card, *shapes) + outputBytes(card, *nodes);
    return cost;
}

} // namespace kernelarium::task
