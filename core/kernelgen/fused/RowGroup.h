// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/sizes/RowLayout.h"

#include <set>
#include <vector>

namespace kernelarium::kernelgen {

/// Reductions over the same rows, and the maps of their elements that need nothing but them.
struct RowGroup {
    RowLayout layout;
    std::size_t innerAxes =
        0; ///< the last axes that RowLayout::inner counts: of the rows' (columns) or the reduction's
    std::vector<std::size_t> reductions, maps; ///< in the graph's order
    /// Reductions of all rows' values, or of all elements, to one number: the block that ends last finishes them.
    std::vector<std::size_t> totals;
    std::set<std::size_t> stored; ///< values of rows that something outside of the group reads
    bool split = false;           ///< few long rows: several blocks for each

    [[nodiscard]] std::vector<std::size_t> members() const {
        std::vector<std::size_t> all = reductions;
        all.insert(all.end(), maps.begin(), maps.end());
        all.insert(all.end(), totals.begin(), totals.end());
        return all;
    }
};

} // namespace kernelarium::kernelgen
