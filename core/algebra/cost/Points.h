// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <vector>

namespace kernelarium::algebra {

/// A point satisfies it where the index divides exactly and lies from low to high.
struct Condition {
    Index index;
    std::int64_t low = 0, high = 0;
};

/// Points of a space that satisfy all conditions: exact. Axes that no condition ties together are counted apart and
/// multiplied; of those that are tied, all but the longest are walked through. Nothing where that would be more than
/// some ten million steps.
[[nodiscard]] std::optional<double> countPoints(const Extents& space, const std::vector<Condition>& conditions);

/// What has to hold for a point of a definition to matter: its domain; and where a sum of products (a maximum, a
/// minimum) reads what lies outside an operand, the point adds nothing (is neutral), so it need not be visited.
[[nodiscard]] std::vector<Condition> conditionsOf(const Graph& graph, const Tensor& tensor);

} // namespace kernelarium::algebra
