// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Call.h"

namespace kernelarium::task::operators {

/// An operand of a type promotion: Python numbers and tensors without dimensions widen only across kinds
/// (bool, integer, floating), PyTorch's "Type Promotion" notes.
struct Operand {
    DType dtype = DType::Float32;
    bool hasDimensions = true;
    bool isNumber = false; ///< a Python number: its own width never counts
};
[[nodiscard]] DType promote(std::span<const Operand> operands);
/// Of two tensors with dimensions.
[[nodiscard]] DType promoteTypes(DType a, DType b);

/// Argument as an operand: the tensor (numbers as tensors without dimensions) and how it promotes.
struct Input {
    Tensor tensor;
    Operand operand;
};
[[nodiscard]] Input input(const Call& call, std::size_t index, std::string_view key);

/// The tensor with floating elements: integers and bools become float32.
[[nodiscard]] Tensor floating(const Tensor& t);

/// The type that arithmetic on `type` is done in: float, double, or int64 for integers and bool.
[[nodiscard]] DType computeType(DType type);

/// Calls f with a value of the element type: float or double. Anything else is refused with the operator's
/// name.
template <class F> void withFloating(const Call& call, DType type, F f) {
    if (type == DType::Float32)
        f(float{});
    else if (type == DType::Float64)
        f(double{});
    else
        badArgument(std::string(call.name()) + " is not implemented for '" + std::string(tensor::name(type)) + "'.");
}

/// Calls f with a value of a compute type: float, double or int64.
template <class F> void withComputed(const Call& call, DType type, F f) {
    if (type == DType::Int64)
        f(std::int64_t{});
    else
        withFloating(call, type, f);
}

/// Calls f with an unsigned integer of the element's size, for operators that only move elements.
template <class F> void withBits(DType type, F f) {
    switch (tensor::byteSize(type)) {
    case 1: f(std::uint8_t{}); break;
    case 2: f(std::uint16_t{}); break;
    case 4: f(std::uint32_t{}); break;
    default: f(std::uint64_t{}); break;
    }
}

} // namespace kernelarium::task::operators
