// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/ShapeInference.h"

namespace kernelarium::task {

using tensor::DType;
using tensor::Tensor;
using tensor::Value;

namespace {

std::vector<Tensor> shapesOf(const Card& card, const std::vector<tensor::Shape>& shapes,
                             std::optional<DType> precision) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        tensors.push_back(Tensor::shapeOnly(
            isFloating(card.tensors[i].dtype) ? precision.value_or(card.tensors[i].dtype) : card.tensors[i].dtype,
            shapes[i]));
    return tensors;
}

} // namespace

Result<std::vector<NodeShape>> inferShapes(const Card& card, const Symbols& symbols, std::optional<DType> precision) {
    const auto shapes = tensorShapes(card, symbols);
    if (!shapes) return shapes.error();
    OperatorContext context;
    context.shapesOnly = true;
    std::vector<NodeShape> nodes;
    const Result<Value> result = walkGraph(card, symbols, shapesOf(card, *shapes, precision), precision, context,
                                           [&](std::size_t, NodeShape& node) { nodes.push_back(node); });
    if (!result) return result.error();
    return nodes;
}

} // namespace kernelarium::task
