// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/mugraph/graph/Tiling.h"

namespace kernelarium::mugraph {

/// What a graph does, block by block and step by step, as formulas: a tile is a tensor with an index for the part of
/// the split axis, one for the loop's step, and for each of its axes one for the block and one within the tile. A load
/// reads its input at (block * tile + index), 1 beyond the input's end: what stands there must not matter. Sums leave
/// out what lies beyond the end; the store picks of each block's result what lies within the output. Inputs are those
/// of the problem's graph. Error "bad_graph".
[[nodiscard]] Result<algebra::Graph> formulasOf(const Problem& problem, const MuGraph& graph, const Tiling& tiling);

/// Sizes at which every axis that can be is in several pieces, the last of them smaller than the others: as small as
/// that allows. Only for roles whose axes the problem has (checkGraph).
[[nodiscard]] Tiling raggedTiling(const Problem& problem, const Roles& roles);

} // namespace kernelarium::mugraph
