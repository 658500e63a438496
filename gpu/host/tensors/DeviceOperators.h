// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensor/Value.h"
#include "gpu/host/tensors/TensorView.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::host {

/// An argument or a result of an operator on the device: a value whose tensors have shapes only, and where these lie,
/// depth first.
struct DeviceOperand {
    tensor::Value value;
    std::vector<TensorView> tensors;
};

/// c = alpha * a b + beta * c, matrices of any strides in device memory: [batch, m, k], [batch, k, n], [batch, m, n].
/// c is not read where beta is 0.
struct DeviceProduct {
    TensorView a, b, c;
    double alpha = 1, beta = 0;
    bool byCublasLt = false; ///< where a library computes it: by that one, in place of cuBLAS
};

/// Computes library operators where their tensors lie, in the order of everything else that host code has the device
/// do. Calls may return before the work is done.
///
/// Errors: "unsupported" (nothing was done: there is no kernel for it), and where it failed: "bad_argument" in
/// PyTorch's words, "out_of_memory", "cancelled", "timeout", "launch_failed", "device_lost".
class DeviceOperators {
public:
    virtual ~DeviceOperators() = default;

    /// The results in the schema's order. With `into` the only result's elements go there, converted to its type: it
    /// has the result's shape. `randomCall` tells calls of random operators apart.
    virtual Result<std::vector<DeviceOperand>> compute(const std::string& name,
                                                       const std::vector<DeviceOperand>& arguments,
                                                       const TensorView* into, std::uint64_t randomCall) = 0;
    /// Elements of one tensor into another of the same shape, converted to its type.
    virtual Result<void> copy(const TensorView& to, const TensorView& from) = 0;
    virtual Result<void> fill(const TensorView& to, double value) = 0;
    virtual Result<void> multiply(const DeviceProduct& product, const std::string& api) = 0;
};

/// A library operator on device tensors that was computed in this process instead, and why.
struct ComputedHere {
    std::string name;
    std::string why; ///< a sentence; empty where nothing computes operators on the device
};

} // namespace kernelarium::host
