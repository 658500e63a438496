// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/proof/rungs/Rungs.h"
#include "core/tensor/Value.h"
#include "core/verify/inputs/InputPlan.h"

#include <vector>

namespace kernelarium::proof {

/// A card's tensors as drawn at one size.
struct CardInputs {
    std::vector<tensor::Tensor> tensors;
    std::vector<std::vector<double>> elements; ///< of each, in row-major order
};
enum class Drawing {
    asOnTheCard,
    uneven, ///< verify::makeUneven
    far,    ///< floating inputs 64 deviations away from their mean: what is left of a small difference of large numbers
};
[[nodiscard]] Result<CardInputs> cardInputs(const Sized& sized, Drawing drawing, std::uint64_t seed);

[[nodiscard]] std::vector<double> elementsOf(const tensor::Tensor& tensor);

} // namespace kernelarium::proof
