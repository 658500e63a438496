// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/kernelgen/convolution/Description.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen::convolution {

/// What a graph computes, as a convolution of two of its inputs and what follows it: pointwise formulas, and a pool
/// without overlap. What may move past the pool is moved. Error "unsupported" names what does not fit.
[[nodiscard]] Result<Description> describe(const algebra::Graph& graph);
/// The same of a card, at its published size; it has to be one description at all of the card's sizes, since extents
/// that are equal at one size need not be so at another. Errors as above, and those of algebra::lower.
[[nodiscard]] Result<Description> describe(const task::Card& card);

} // namespace kernelarium::kernelgen::convolution
