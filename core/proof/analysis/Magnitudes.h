// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"

#include <stop_token>
#include <vector>

namespace kernelarium::proof {

/// What a tensor of a graph held.
struct Magnitude {
    double largest = 0;        ///< |value|, of finite ones
    bool hasInfinite = false;  ///< infinite or not a number
    std::size_t largestAt = 0; ///< element
    /// How far the largest summand of its sums and differences stands over the largest of their results, as bits: what
    /// rounding to a type of fewer bits loses. 0 where nothing is lost, or not looked at.
    double lostBits = 0;
};

/// Of every tensor, inputs as given by Input::cardTensor. `withLoss` looks at every sum: ten times slower.
[[nodiscard]] std::vector<Magnitude> magnitudesOf(const algebra::Graph& graph,
                                                  const std::vector<std::vector<double>>& inputs, bool withLoss,
                                                  std::stop_token stop = {});

} // namespace kernelarium::proof
