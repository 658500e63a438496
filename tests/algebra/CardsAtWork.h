// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/task/Card.h"

#include <cstdint>
#include <string>
#include <vector>

/// Fails the test with the error's words.
#define VERIFY_OK(expression)                                                                                          \
    do {                                                                                                               \
        const auto& checked = (expression);                                                                            \
        QVERIFY2(checked.ok(), checked.ok() ? "" : checked.error().text().c_str());                                    \
    } while (false)

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

/// How far a graph's outputs move if each of its inputs moves by a few units of the last place: what rounding does to a
/// badly conditioned one (50 batch norms of three samples, one after the other).
double sensitivity(const Graph& graph, const std::vector<std::vector<double>>& inputs,
                   const std::vector<std::vector<double>>& outputs);
/// 1e-9; of a badly conditioned graph 100 times its sensitivity.
double allowed(const Graph& graph, const std::vector<std::vector<double>>& inputs,
               const std::vector<std::vector<double>>& outputs, double apart);

} // namespace kernelarium::algebra::test
