// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Value.h"
#include "core/verify/inputs/Distribution.h"
#include "core/verify/inputs/OutputArguments.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kernelarium::verify {

/// A tensor that forward is called with, and how its elements are drawn.
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

/// Tensors that the call writes (OutputArguments).
struct OutputPlan {
    struct Fresh {
        tensor::DType dtype = tensor::DType::Float32;
        tensor::Shape shape;
    };
    std::vector<Fresh> fresh;
    std::vector<std::size_t> places;  ///< of these among the parameters; empty: nobody said
    std::vector<std::size_t> updated; ///< parameters
};

/// What forward is called with, in call order.
struct InputPlan {
    std::vector<TensorPlan> tensors;
    std::vector<ArgumentPlan> arguments;
    OutputPlan outputs = {}; ///< not among the arguments
};

/// Draws a tensor. `index` is its place in the plan and `stream` tells apart several draws of the same tensor; the
/// same (plan, index, seed, stream) gives the same bits on every machine. A `constant` drawn with a stream other than
/// 0 is moved: c * (1 + u/4) with u in [0, 1), or 0.1 times a normal number where c is 0. Wide tensors are drawn on
/// several threads.
[[nodiscard]] tensor::Tensor drawTensor(const TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                        std::uint32_t stream = 0);

/// Every tensor of the plan, fresh storage each time.
[[nodiscard]] std::vector<tensor::Tensor> drawTensors(const InputPlan& plan, std::uint64_t seed);

/// What a run is to be given to write.
[[nodiscard]] OutputArguments outputsOf(const InputPlan& plan);

/// The arguments of the call over given tensors (one for each of the plan's).
[[nodiscard]] std::vector<tensor::Value> argumentsOf(const InputPlan& plan, const std::vector<tensor::Tensor>& tensors);

} // namespace kernelarium::verify
