// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Device.h"

#include <array>

namespace kernelarium::operators {

/// An input of an elementwise function: a tensor of any strides, or a number.
struct Operand {
    std::optional<DeviceTensor> tensor;
    double number = 0;
    std::int64_t integer = 0;

    Operand(DeviceTensor t)
        : tensor(std::move(t)) {}
    Operand(double v)
        : number(v)
        , integer(std::int64_t(v)) {}
    Operand(std::int64_t v)
        : number(double(v))
        , integer(v) {}
};

/// One of the functions of resources/operators/pointwise.cuh, computed in `compute` (float32, float64 or
/// int64).
struct Elementwise {
    std::string function; ///< "Relu"
    tensor::DType compute = tensor::DType::Float32;
    std::array<double, 4> parameters{};
};

/// The inputs broadcast to `out`'s shape; one, two, three or five of them.
void computeInto(Device& device, const Elementwise& f, const DeviceTensor& out, std::span<const Operand> inputs);
/// A new dense tensor of the inputs' broadcast shape.
[[nodiscard]] DeviceTensor compute(Device& device, const Elementwise& f, tensor::DType out,
                                   const std::vector<Operand>& inputs);

/// Every element of a view.
void fill(Device& device, const DeviceTensor& out, double value);
/// Elements converted to the view's type.
void copyInto(Device& device, const DeviceTensor& out, const DeviceTensor& from);
/// The tensor itself where it is dense or has that type already.
[[nodiscard]] DeviceTensor dense(Device& device, const DeviceTensor& t);
[[nodiscard]] DeviceTensor converted(Device& device, const DeviceTensor& t, tensor::DType type);
/// The same elements under another shape of the same count: a view where the strides allow it, else a dense
/// copy.
[[nodiscard]] DeviceTensor reshaped(Device& device, const DeviceTensor& t, const tensor::Shape& shape);

} // namespace kernelarium::operators
