// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/tensor/DType.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::mugraph {

/// Axes by their numbers, as bits.
using AxisSet = std::uint32_t;
[[nodiscard]] constexpr AxisSet axisBit(int axis) {
    return AxisSet(1) << axis;
}

/// A scalar function of which the search knows nothing: algebra's, with the literals that follow its argument.
struct OpaqueFunction {
    algebra::Function function = algebra::Function::relu;
    std::vector<int> constants; ///< into Problem::constants
    bool operator==(const OpaqueFunction&) const = default;
};

/// What a task's formulas are made of; a search uses nothing else.
struct Closure {
    AxisSet products = 0;  ///< axes over which two tensors are multiplied and summed
    AxisSet sums = 0;      ///< axes over which one tensor is summed
    bool multiply = false; ///< of two tensors, element by element; likewise the next ones
    bool add = false, subtract = false, divide = false;
    bool square = false, sqrt = false, exp = false; ///< of one
    std::set<int> scales, offsets;                  ///< constants that are multiplied with, and added
};

/// A card at one size as the search sees it: every axis that two formulas share has one number, the same at all of the
/// card's sizes, and so have its literals.
struct Problem {
    struct Tensor {
        std::string name;
        std::size_t cardTensor = 0;
        algebra::Extents extents;
        std::vector<int> axes; ///< of each dimension; -1 where its extent is 1
        tensor::DType dtype = tensor::DType::Float32;
        [[nodiscard]] AxisSet axisSet() const;
    };
    std::string name;                   ///< of the card
    algebra::Extents extents;           ///< of each axis
    std::vector<std::string> axisNames; ///< "x.1": the tensor and the dimension that it was met at first
    std::vector<Tensor> inputs;
    Tensor output;
    std::vector<double> constants;
    std::vector<OpaqueFunction> functions;
    Closure closure;
    [[nodiscard]] AxisSet summed() const { return closure.products | closure.sums; }

    algebra::Graph graph; ///< as lowered
    /// Of each tensor of the graph, the axis of each point of its space (-1: extent 1).
    std::vector<std::vector<int>> axesOf;
    /// The numbers of the literals of the formulas, in the order in which they are met (Reading.h).
    std::vector<int> literals;
};

} // namespace kernelarium::mugraph
