// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/fused/RowGroup.h"
#include "core/kernelgen/sizes/SizedGraphs.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// Which tensors get a kernel, and which are written in place.
struct Plan {
    /// A group, or a tensor with a kernel of its own.
    struct Step {
        std::optional<std::size_t> group;
        std::size_t tensor = 0;
    };
    std::set<std::size_t> inlined;
    std::vector<RowGroup> groups;
    std::vector<Step> steps; ///< in an order in which each finds what it reads
};

/// The graph without copies, diagonals, dead slices: the rules of the algebra that always pay and hold for all inputs.
[[nodiscard]] algebra::Graph tidied(algebra::Graph graph);

/// Refusal where a formula is a product that arithmetic bounds, or a recurrence.
[[nodiscard]] Plan planOf(const SizedGraphs& graphs);

} // namespace kernelarium::kernelgen
