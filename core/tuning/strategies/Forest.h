// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Surrogate.h"

#include <cstdint>

namespace kernelarium::tuning {

/// Extremely randomised trees (Geurts, Ernst, Wehenkel 2006): the mean of trees that split at the best of a few places
/// drawn at random. As a model of a search (Hutter, Hoos, Leyton-Brown 2011) it is quick and takes words, cliffs and
/// plateaus as they are; the variance is that among the trees and within their leaves.
class Forest : public Surrogate {
public:
    explicit Forest(std::size_t trees = 40, std::size_t leafRows = 2)
        : m_trees(trees)
        , m_leafRows(leafRows) {}

    void fit(const std::vector<Row>& rows, const std::vector<double>& targets, const std::vector<bool>& ordered,
             Random random) override;
    [[nodiscard]] Prediction predict(const Row& row) const override;

private:
    struct Node {
        std::int32_t place = -1; ///< that it splits at; -1: a leaf
        bool ordered = true;     ///< left is what is at most `at`, or what is equal to it
        double at = 0;
        std::uint32_t left = 0, right = 0;
        double mean = 0, variance = 0; ///< of a leaf
    };
    class Grower;

    std::size_t m_trees;
    std::size_t m_leafRows;
    std::vector<std::vector<Node>> m_forest;
};

} // namespace kernelarium::tuning
