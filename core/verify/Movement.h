// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

namespace kernelarium::verify {

/// How an output and its reference moved from one run to another: sums of squares over the elements where all is
/// finite.
struct MovementSums {
    double reference = 0;
    double output = 0;
    double difference = 0; ///< of the output's movement and the reference's
    double scale = 0;      ///< of the reference before
};

/// All four have the same number of elements.
[[nodiscard]] MovementSums movementOf(const tensor::Tensor& output0, const tensor::Tensor& output1,
                                      const tensor::Tensor& reference0, const tensor::Tensor& reference1);

} // namespace kernelarium::verify
