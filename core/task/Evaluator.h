// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace kernelarium::task {

/// How a graph is evaluated.
struct EvaluationOptions {
    /// Every floating tensor is converted to it first, and floating types named in the graph are replaced by
    /// it: Float64 for references, Float32 for the baseline error of a straightforward float32 evaluation.
    tensor::DType precision = tensor::DType::Float64;
    unsigned threads = 1;
    /// Bytes for all live tensors and scratch together; 0 is what the machine has available (availableMemory).
    std::uint64_t memoryLimit = 0;
    std::stop_token stop;
    /// Called after every operator with the share of the work done, 0 to 1 (by estimated time), and the
    /// operator's name.
    std::function<void(double, std::string_view)> progress;
};

/// Evaluates the graph on these tensors (one for each of the card's, of its shapes at this size); they are
/// not changed. Takes memoryNeeded() bytes beyond them and refuses before allocating where the limit is lower;
/// results and converted arguments are freed after their last use. The value is what forward returns: a tensor, or a
/// list of them. Errors: "bad_argument", "unsupported", "out_of_memory" (the message says how many bytes are needed),
/// "cancelled".
Result<tensor::Value> evaluate(const Card& card, const Symbols& symbols, std::span<const tensor::Tensor> tensors,
                               const EvaluationOptions& options);

} // namespace kernelarium::task
