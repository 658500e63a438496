// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/DType.h"

#include <string>

namespace kernelarium::kernelgen::products {

/// Device functions for 16-bit tiles, as text: asynchronous copies of 16 bytes, ldmatrix, mma.sync of one element type.
extern const char* const copyEightText;
extern const char* const loadFragmentText;
[[nodiscard]] std::string multiplyFragmentsText(tensor::DType dtype);
/// Neighbours of 16 bits into registers, and one of them as a number.
extern const char* const loadPairsText;
[[nodiscard]] std::string numberOfText(tensor::DType dtype);

} // namespace kernelarium::kernelgen::products
