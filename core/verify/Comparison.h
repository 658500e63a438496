// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Tolerance.h"
#include "core/tensor/Value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::verify {

/// The first element, in row-major order, that is not what the reference says.
struct Mismatch {
    std::size_t output = 0; ///< which output tensor, depth first
    tensor::Shape index;
    double expected = 0;
    double got = 0;
};

/// How far outputs are from the reference. An element is right when
///     |got - expected| <= tolerance * (scale + |expected|),
/// where scale is the RMS of the reference's finite elements, at least `smallestScale` (a reference that is zero by
/// construction still leaves float32 arithmetic its last bits). NaN is right only where the reference is NaN, an
/// infinity only where the reference is the same infinity or overflows the type that the task declares. Whole-number
/// and bool outputs must be equal (argmax over equal values included: no tie is accepted).
struct Comparison {
    std::string structureError;  ///< why the outputs cannot be compared at all: number, shape, kind; else empty
    bool unitDimensions = false; ///< some shape differs by dimensions of size 1 only
    std::vector<std::string> dtypeRemarks; ///< "output 0 is float16, the reference float32"

    std::int64_t elements = 0;
    std::int64_t beyondStrict = 0;  ///< elements outside the strict tolerance (includes the next two)
    std::int64_t beyondLegacy = 0;  ///< elements outside the legacy tolerance
    std::int64_t unexpectedNan = 0; ///< NaN where the reference has none
    double maxAbsoluteError = 0;    ///< over elements where both are finite
    double maxRelativeError = 0;    ///< |got - expected| / max(|expected|, scale)
    double rmsError = 0;
    double referenceRms = 0;
    std::optional<Mismatch> firstBeyondStrict;
    std::optional<Mismatch> firstBeyondLegacy;

    [[nodiscard]] bool rightStrictly() const { return structureError.empty() && beyondStrict == 0; }
    [[nodiscard]] bool right() const { return structureError.empty() && beyondLegacy == 0; }
    /// Share of elements outside the legacy tolerance, 0 to 1.
    [[nodiscard]] double mismatchShare() const { return elements ? double(beyondLegacy) / double(elements) : 0; }
};

using task::Tolerance;

/// Compares outputs, depth first. `expectedTypes` are the element types that the task declares for each reference
/// tensor (the reference itself is float64); empty means the reference's own.
[[nodiscard]] Comparison compare(const tensor::Value& got, const tensor::Value& reference,
                                 const std::vector<tensor::DType>& expectedTypes, const Tolerance& tolerance);

/// Why a list or dict is no tensor: torch.allclose takes no container for one. Empty where the kinds agree.
[[nodiscard]] std::string containerError(const tensor::Value& got, const tensor::Value& reference);

/// Root mean square over the finite elements.
[[nodiscard]] double rootMeanSquare(const tensor::Tensor& tensor);

/// The largest finite value of a floating type; beyond it a right result is an infinity.
[[nodiscard]] double largestFinite(tensor::DType type);

/// The tensors of a value depth first, numbers and bools as scalar tensors.
[[nodiscard]] std::vector<tensor::Tensor> flatten(const tensor::Value& value);

/// The shape without its dimensions of size 1.
[[nodiscard]] tensor::Shape withoutUnits(const tensor::Shape& shape);

} // namespace kernelarium::verify
