// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kernelarium::task {

/// Of one dimension of a tensor, and of every integer that sizes are computed from: the product of two and a bit more fits
/// 64 bits. The largest tensors of the published tasks have 1.6e9 elements in all.
inline constexpr std::int64_t largestDimension = 2147483647;

} // namespace kernelarium::task
