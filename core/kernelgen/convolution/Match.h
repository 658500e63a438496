// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/kernelgen/convolution/Description.h"

namespace kernelarium::kernelgen::convolution {

/// What a graph computes, as a convolution of two of its inputs and what follows it: pointwise formulas, and a pool
/// without overlap. What may move past the pool is moved. Error "unsupported" names what does not fit.
[[nodiscard]] Result<Description> describe(const algebra::Graph& graph);

} // namespace kernelarium::kernelgen::convolution
