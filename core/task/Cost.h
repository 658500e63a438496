// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"

#include <string>
#include <utility>
#include <vector>

namespace kernelarium::task {

/// What one operator costs at one size, in the card's own element types.
struct OperatorCost {
    std::string node;
    std::string op;
    tensor::Shape output; ///< of its first tensor result; empty for a scalar
    double flops = 0;     ///< floating-point operations by our count: a function such as exp counts as one
    tensor::DType type = tensor::DType::Float32; ///< the widest floating type that it works on, in which they are
    double torchFlops = 0; ///< what PyTorch's FlopCounterMode counts: two per multiply-add of products and convolutions
    double bytes = 0;      ///< its operands read once and its results written once, on their own
    bool isView = false;   ///< moves nothing on a device: bytes is 0

    /// FLOP per byte; 0 where it moves nothing.
    [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

/// What a card's graph costs at one size.
struct Cost {
    std::vector<OperatorCost> operators; ///< one for each node, in order
    double flops = 0;
    std::vector<std::pair<tensor::DType, double>> flopsByType; ///< those of each floating type, the most first
    double torchFlops = 0;
    double compulsoryBytes = 0; ///< every tensor that the graph uses read once, every output written once
    double unfusedBytes = 0;    ///< the sum over the operators

    /// FLOP per byte when all operators are one kernel, and when each is its own.
    [[nodiscard]] double fusedIntensity() const { return compulsoryBytes > 0 ? flops / compulsoryBytes : 0; }
    [[nodiscard]] double unfusedIntensity() const { return unfusedBytes > 0 ? flops / unfusedBytes : 0; }
};

/// Error "bad_card" as inferShapes.
Result<Cost> costOf(const Card& card, const Symbols& symbols);

} // namespace kernelarium::task
