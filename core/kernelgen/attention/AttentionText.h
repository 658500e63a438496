// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/tensor/DType.h"

#include <string>

namespace kernelarium::kernelgen::attention {

/// Maxima and sums over the lanes of a row, pairs of 16-bit numbers, and parts of the keys put together.
extern const char* const overFourText;
extern const char* const joinPartsText;
[[nodiscard]] std::string pairText(tensor::DType dtype);

/// A kernel's text in which the names that an attention uses are taken.
[[nodiscard]] KernelText textOfAttention(const KernelFile& file);

} // namespace kernelarium::kernelgen::attention
