// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Tolerance.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace kernelarium::tensorview {

/// An element of an output that is beyond the legacy tolerance.
struct WrongElement {
    std::int64_t element = 0; ///< row-major number
    double got = 0;
    double expected = 0;
    float excess = 0; ///< verify::Excess
};

/// The worst of an output: NaN first, then infinities and whole numbers by their distance, then by their excess; what
/// is as bad in the order of the elements.
struct WrongElements {
    static constexpr std::size_t mostElements = 1000;

    std::int64_t elements = 0;
    std::int64_t wrong = 0; ///< of these
    std::vector<WrongElement> worst;
};

/// Judged as verify::compare does, one output against its reference, which has as many elements. `most`: of the list,
/// at most mostElements.
[[nodiscard]] WrongElements wrongElements(const tensor::Tensor& output, const tensor::Tensor& reference,
                                          tensor::DType expectedType, const task::Tolerance& tolerance,
                                          std::size_t most, std::stop_token stop = {});

} // namespace kernelarium::tensorview
