// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"
#include "core/task/operators/OperatorContext.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kernelarium::task {

/// What a node took and gave: its values, or shapes alone (Tensor::shapeOnly).
struct NodeShape {
    std::vector<tensor::Value> arguments;
    tensor::Dict keywords;
    std::vector<tensor::Value> results;
};

/// Sees every node after it was evaluated, by its index; it may let go of the values.
using AfterNode = std::function<void(std::size_t, NodeShape&)>;

/// Evaluates the graph's operators in order on these tensors, floating types that it names replaced by `precision`.
/// Values are dropped after their last use. The result is what forward returns. Errors are evaluateOperator's, with
/// the node's name before them; "bad_card" where arguments do not fit or a result would be larger than tensors can be.
[[nodiscard]] Result<tensor::Value> walkGraph(const Card& card, const Symbols& symbols,
                                              std::span<const tensor::Tensor> tensors,
                                              std::optional<tensor::DType> precision, const OperatorContext& context,
                                              const AfterNode& after);

} // namespace kernelarium::task
