// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"
#include "core/verify/inputs/Distribution.h"

namespace kernelarium::verify {

/// Gives freshly drawn elements the form that the kind asks for (triangular, symmetric, summing to one); leaves the
/// other kinds as they are. Matrices are the last two dimensions.
void applyStructure(tensor::Tensor& tensor, Distribution::Kind kind);

/// e to the x with IEEE operations only (see normalPair), to within 1e-15 of itself for |x| < 700.
[[nodiscard]] double exponential(double x);

} // namespace kernelarium::verify
