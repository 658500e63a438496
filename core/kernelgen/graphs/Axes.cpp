// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Axes.h"

#include <algorithm>
#include <bit>

namespace kernelarium::kernelgen::graphs {

std::vector<int> listed(mugraph::AxisSet set) {
    std::vector<int> all;
    for (; set != 0; set &= set - 1)
        all.push_back(std::countr_zero(set));
    return all;
}

Axis::Kind kindOf(const mugraph::Problem& problem, const mugraph::Roles& roles, int axis) {
    if (axis == roles.split) return axis == roles.loop ? Axis::Kind::walked : Axis::Kind::split;
    if (axis == roles.loop) return Axis::Kind::loop;
    return (mugraph::gridAxes(problem) & mugraph::axisBit(axis)) != 0 ? Axis::Kind::grid : Axis::Kind::whole;
}

std::vector<int> Subject::axesOf(std::size_t tensor) const {
    if (!isInput(tensor)) return listed(tiles[tensor].axes);
    std::vector<int> all = problem.inputs[tensor].axes;
    std::erase(all, -1);
    return all;
}

const Axis* Subject::loopAxis() const {
    return hasLoop() ? &axes[std::size_t(graph.roles.loop)] : nullptr;
}
const Axis* Subject::splitAxis() const {
    return hasSplit() ? &axes[std::size_t(graph.roles.split)] : nullptr;
}
const Axis* Subject::walkedAxis() const {
    const Axis* loop = loopAxis();
    return loop && loop->kind == Axis::Kind::walked ? loop : nullptr;
}

bool Subject::usesTensorCores() const {
    return std::all_of(problem.inputs.begin(), problem.inputs.end(),
                       [](const mugraph::Problem::Tensor& t) { return tensor::byteSize(t.dtype) == 2; });
}

std::int64_t Subject::elements(std::size_t tensor) const {
    std::int64_t count = 1;
    for (const int axis : listed(tiles[tensor].axes))
        count *= sizes.tile[std::size_t(axis)];
    return count;
}

} // namespace kernelarium::kernelgen::graphs
