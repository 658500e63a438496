// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "gpu/operators/DeviceCall.h"

#include <functional>

namespace kernelarium::operators {

/// How a graph is evaluated on a device.
struct GraphOptions {
    /// Every floating tensor is converted to it first, and floating types named in the graph are replaced by
    /// it.
    tensor::DType precision = tensor::DType::Float32;
    /// Bytes that the evaluation may allocate beside its inputs; 0 is what the machine has free.
    std::uint64_t memoryLimit = 0;
    std::stop_token stop;
    /// Called after every operator with the share of the work done, 0 to 1, and the operator's name.
    std::function<void(double, std::string_view)> progress;
};

/// What evaluating a graph takes, found without a device.
struct GraphPlan {
    std::uint64_t bytes = 0; ///< most that are allocated at once, inputs not counted
    std::vector<Kernel> kernels;
};
/// Errors: "unsupported" names an operator that has no kernel here; "bad_card".
Result<GraphPlan> planGraph(const task::Card& card, const task::Symbols& symbols, tensor::DType precision,
                            const MachineFacts& facts);

/// Evaluates the card's graph on the device, as task::evaluate does on the CPU: float32 without TF32 (matrix
/// products and convolutions in panels, everything that sums or divides by a sum in float64) or float64.
/// `inputs` has one dense tensor for each of the card's and is not changed; results are released after their
/// last use. Refused before anything is allocated where memory does not suffice. Errors: as planGraph,
/// "bad_argument", "out_of_memory" (says how many bytes are needed and how many free), "cancelled",
/// "launch_failed", "internal".
Result<DeviceValue> evaluateGraph(Device& device, const task::Card& card, const task::Symbols& symbols,
                                  std::span<const DeviceTensor> inputs, const GraphOptions& options);

/// The value with dense tensors, and those in this process's memory.
Result<tensor::Value> downloaded(Device& device, const DeviceValue& value);

} // namespace kernelarium::operators
