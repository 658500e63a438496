// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/DType.h"
#include "core/tensorview/Histogram.h"

#include <string>

namespace kernelarium::tensorview {

/// An element's value as a reader wants it: a whole number of a type of whole numbers with all of its digits, as far as
/// a double tells neighbours apart (2^53); anything else with so many significant digits, as "%.6g" has it.
[[nodiscard]] std::string valueText(double value, tensor::DType dtype, int digits = 6);

/// Significant digits that tell neighbouring edges of the bins apart: 6 to 17.
[[nodiscard]] int digitsOfEdges(const Histogram& histogram);

} // namespace kernelarium::tensorview
