// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/task/Card.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::algebra::test {

/// A card's tensors as drawn at one size, and what task::evaluate makes of them in float64.
struct CardAtWork {
    std::vector<std::vector<double>> inputs;  ///< one for each of the card's tensors
    std::vector<std::vector<double>> outputs; ///< forward's, laid out flat
};
Result<CardAtWork> atWork(const task::Card& card, const std::string& size, std::uint64_t seed = 1);

/// The largest difference of two outputs over the largest absolute value of the first (1 where that is smaller than
/// 1e-30); infinite where they have other shapes or one has a NaN that the other lacks.
double distance(const std::vector<std::vector<double>>& expected, const std::vector<std::vector<double>>& got);

} // namespace kernelarium::algebra::test
