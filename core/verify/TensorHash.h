// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

#include <cstdint>

namespace kernelarium::verify {

/// A 64-bit hash of a tensor's bytes (word-wise multiply and fold): equal bytes give equal hashes on every machine.
/// Against accidents, not against someone who searches for collisions.
[[nodiscard]] std::uint64_t hashOf(const tensor::Tensor& tensor);

} // namespace kernelarium::verify
