// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/ProfileRequest.h"

#include <algorithm>

namespace kernelarium::verify {

namespace {

/// Elements of a tile: a multiple of a page for every element size.
constexpr std::int64_t tileElements = 1 << 19;

void tensorsOf(const ArgumentPlan& plan, std::vector<std::size_t>& indices) {
    if (const auto* t = std::get_if<ArgumentPlan::Tensor>(&plan.kind)) indices.push_back(t->index);
    if (const auto* l = std::get_if<ArgumentPlan::List>(&plan.kind))
        for (const ArgumentPlan& item : l->items)
            tensorsOf(item, indices);
    if (const auto* d = std::get_if<ArgumentPlan::Dict>(&plan.kind))
        for (const auto& [key, item] : d->items)
            tensorsOf(item, indices);
}

/// Elements like the tensor's own, without what structure they have as a whole.
tensor::Tensor tileOf(const TensorPlan& plan, std::size_t index, std::uint64_t seed) {
    using Kind = Distribution::Kind;
    TensorPlan tile = plan;
    tile.shape = {std::min(tensor::elementCount(plan.shape), tileElements)};
    switch (plan.distribution.kind) {
    case Kind::upperTriangular:
    case Kind::lowerTriangular:
    case Kind::symmetric:
    case Kind::varied: tile.distribution.kind = Kind::normal; break;
    case Kind::probabilities:
    case Kind::variedProbabilities: tile.distribution = {Kind::uniform, 0, 1}; break;
    case Kind::causalMask: tile.distribution = {Kind::boolean, 0.5, 0}; break;
    default: break;
    }
    return drawTensor(tile, index, seed);
}

} // namespace

RunRequest profileRequest(const InputPlan& plan, std::uint64_t seed, ProfileOptions options) {
    RunRequest run;
    run.checks = false;
    run.counters = true;
    run.guardBytes = 0;
    std::vector<tensor::Tensor> shapes;
    for (const TensorPlan& t : plan.tensors)
        shapes.push_back(tensor::Tensor::shapeOnly(t.dtype, t.shape));
    run.arguments = argumentsOf(plan, shapes);
    run.outputs = outputsOf(plan);
    std::vector<std::size_t> indices;
    for (const ArgumentPlan& argument : plan.arguments)
        tensorsOf(argument, indices);
    for (const std::size_t index : indices)
        options.tiles.push_back(tileOf(plan.tensors[index], index, seed));
    run.profile = std::move(options);
    return run;
}

} // namespace kernelarium::verify
