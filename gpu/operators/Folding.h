// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Device.h"

#include <array>

namespace kernelarium::operators {

/// One of the folds of resources/operators/reduce.cuh: "Sum", "Moments", "Extreme", "ShiftedSum", ...
struct Folding {
    std::string function;
    std::array<double, 4> parameters{};
    tensor::DType first = tensor::DType::Float32; ///< element types of its results
    tensor::DType second = tensor::DType::Float64;
    bool wantsSecond = false;
    bool single = false; ///< float32 and narrower are accumulated in float32
};
/// What folding gave: one result, or two.
struct Folded {
    DeviceTensor first;
    DeviceTensor second; ///< without storage where it was not asked for
};

/// Folds the dimensions named (ascending), accumulating in float64 (see Folding::single), or in int64 for integers and
/// bools. The results have the kept dimensions, and the folded ones as 1 where `keep`.
[[nodiscard]] Folded foldDims(Device& device, const Folding& f, const DeviceTensor& x, const tensor::Shape& dims,
                              bool keep);

} // namespace kernelarium::operators
