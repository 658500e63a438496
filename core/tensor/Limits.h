// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

#include <cstdint>
#include <string>

namespace kernelarium::tensor {

/// Of one dimension of a tensor, and of every integer that sizes are computed from: the product of two and a bit more
/// fits 64 bits. The largest tensors of the published tasks have 1.6e9 elements in all.
inline constexpr std::int64_t largestDimension = 2147483647;
/// Elements of one tensor, where a dimension of none counts as one, so that products of some of its dimensions fit,
/// too.
inline constexpr std::int64_t mostElements = std::int64_t(1) << 48;

/// Why no tensor of this shape is made: "a dimension of 4294967296 (2147483647 is the most)"; empty where it can be.
[[nodiscard]] std::string tooLarge(const Shape& shape);

} // namespace kernelarium::tensor
