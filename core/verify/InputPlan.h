// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Value.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kernelarium::verify {

/// What is done to drawn elements by their place: v becomes f * (v + shift). f is from + (to - from) * the mean of u^4
/// over the last `dimensions` dimensions, u in (0, 1] being how far the element is along one: most of the weight lies
/// at the ends.
struct Ramp {
    static constexpr std::size_t dimensions = 8;
    double shift = 0;
    double from = 1;
    double to = 1;
    [[nodiscard]] bool changesAnything() const { return shift != 0 || from != 1 || to != 1; }
};

/// How the elements of a tensor are drawn.
struct Distribution {
    enum class Kind {
        normal,          ///< mean `a`, standard deviation `b`
        uniform,         ///< in [a, b)
        integer,         ///< whole numbers from a to b, both included, all equally likely
        constant,        ///< `a`
        boolean,         ///< 1 with probability `a`, else 0
        sign,            ///< -1 or 1
        probabilities,   ///< softmax of standard normal numbers along the last dimension
        upperTriangular, ///< normal (a, b) on and above the diagonal of the last two dimensions, else 0
        lowerTriangular, ///< the same below
        symmetric,       ///< (X + X^T) / 2 over the last two dimensions, X normal (a, b sqrt 2)
        causalMask,      ///< 1 on and below the diagonal of the last two dimensions, else 0
        varied, ///< normal (a, b), each slice of the first dimension times a factor in [1/2, 2) plus b * [-1, 1)
        variedProbabilities, ///< softmax along the last dimension of numbers drawn as `varied`, a = 0, b = 1
        values,              ///< the numbers in `values`, repeated to the end, on every stream
    };
    Kind kind = Kind::normal;
    double a = 0;
    double b = 1;
    std::vector<double> values = {};
    Ramp ramp = {}; ///< of elements drawn one by one or `varied`
};

struct TensorPlan {
    std::string name;
    tensor::DType dtype = tensor::DType::Float32;
    tensor::Shape shape;
    Distribution distribution = {};
    bool isParameter = false;   ///< a weight or buffer of the module; else an input of the call
    bool updatedByTask = false; ///< the task itself writes it (running statistics in training): a kernel may, too
};

/// One argument of forward: a literal, a tensor by its index into InputPlan::tensors, or a list or dict of such.
struct ArgumentPlan {
    struct Tensor {
        std::size_t index = 0;
    };
    struct List {
        std::vector<ArgumentPlan> items;
    };
    struct Dict {
        std::vector<std::pair<std::string, ArgumentPlan>> items;
    };
    std::variant<tensor::Value, Tensor, List, Dict> kind;
};

/// What forward is called with, in call order.
struct InputPlan {
    std::vector<TensorPlan> tensors;
    std::vector<ArgumentPlan> arguments;
};

/// Draws a tensor. `index` is its place in the plan and `stream` tells apart several draws of the same tensor; the
/// same (plan, index, seed, stream) gives the same bits on every machine. A `constant` drawn with a stream other than
/// 0 is moved: c * (1 + u/4) with u in [0, 1), or 0.1 times a normal number where c is 0. Wide tensors are drawn on
/// several threads.
[[nodiscard]] tensor::Tensor drawTensor(const TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                        std::uint32_t stream = 0);

/// Every tensor of the plan, fresh storage each time.
[[nodiscard]] std::vector<tensor::Tensor> drawTensors(const InputPlan& plan, std::uint64_t seed);

/// The arguments of the call over given tensors (one for each of the plan's).
[[nodiscard]] std::vector<tensor::Value> argumentsOf(const InputPlan& plan, const std::vector<tensor::Tensor>& tensors);

} // namespace kernelarium::verify
