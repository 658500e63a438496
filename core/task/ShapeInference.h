// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/GraphWalk.h"

#include <optional>
#include <vector>

namespace kernelarium::task {

/// Result shapes and types of every node of the graph, floating ones in `precision`; without one, in the card's own
/// types. Error "bad_card" names the node whose arguments do not
/// fit.
Result<std::vector<NodeShape>> inferShapes(const Card& card, const Symbols& symbols,
                                           std::optional<tensor::DType> precision);

} // namespace kernelarium::task
