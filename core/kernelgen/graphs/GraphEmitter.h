// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/Emitted.h"
#include "core/mugraph/graph/MuGraph.h"
#include "core/perf/DeviceSpec.h"
#include "core/task/Card.h"

namespace kernelarium::kernelgen::graphs {

/// A kernel file for a µGraph of a card, in the archive's form: a block for each tile of the grid's axes (and each part
/// of a split one), the loop's axis in steps, tiles in shared memory, products' sums over the loop in registers, all
/// of them float32, one function for each block operator; what splits leave is put together in their order by a second
/// launch. Extents are known at run time and edges are masked; of an axis that a block has whole, there may be no more
/// than the card's largest size has. Products of 16-bit inputs go through tensor cores as tf32, which holds their
/// elements exactly and rounds computed ones to 11 bits; those of float32 inputs are fused multiplications and
/// additions.
///
/// Tiles' sizes are chosen for the device at `size` (an amount of the levels is for it as well). Errors: "unsupported"
/// (other element types, or no tiles that fit), those of graphsOf() and mugraph::problemOf(), "bad_graph".
[[nodiscard]] Result<Emitted> emitGraph(const task::Card& card, const mugraph::MuGraph& graph, const std::string& size,
                                        const perf::DeviceSpec& device);

} // namespace kernelarium::kernelgen::graphs
