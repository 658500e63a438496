// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/sizes/SizedGraphs.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// Reductions over the same rows, and the maps of their elements that need nothing but them: one kernel.
struct RowGroup {
    Values length;                             ///< elements of a row
    std::vector<std::size_t> reductions, maps; ///< in the graph's order
    std::set<std::size_t> stored;              ///< values of rows that something outside of the group reads
    bool split = false; ///< few long rows: several blocks for each, a launch for each level of reductions
};

/// Which tensors get a kernel, and which are written in place.
struct Plan {
    std::set<std::size_t> inlined;
    std::optional<RowGroup> rows;
    std::vector<std::size_t> single; ///< tensors with a kernel of their own
};

/// The graph without copies, diagonals, dead slices: the rules of the algebra that always pay and hold for all inputs.
[[nodiscard]] algebra::Graph tidied(algebra::Graph graph);

/// Refusal where a formula is a product that arithmetic bounds, or a recurrence.
[[nodiscard]] Plan planOf(const SizedGraphs& graphs);

} // namespace kernelarium::kernelgen
