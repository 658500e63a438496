// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"

#include <stop_token>
#include <vector>

namespace kernelarium::algebra {

/// Evaluates a graph in float64, formula by formula, exactly as Graph.h says what a formula means; sums in the order of
/// their points. It is the meaning of the algebra, not a fast way to compute: a definition takes a few nanoseconds for
/// each point of its space (a prefix combination, `scanAxis`, for each of its elements).
///
/// `inputs`: elements of the card's tensors in row-major order, by Input::cardTensor; those that the graph does not
/// read may be empty. The result has the elements of each output. Errors: "bad_argument" (an input is missing or has
/// another number of elements), "cancelled".
[[nodiscard]] Result<std::vector<std::vector<double>>>
evaluate(const Graph& graph, const std::vector<std::vector<double>>& inputs, std::stop_token stop = {});

/// Points that an evaluation visits: its time is proportional.
[[nodiscard]] double evaluationWork(const Graph& graph);

} // namespace kernelarium::algebra
