// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/fused/Plan.h"

#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// How a row group's kernels are cut, chosen for the published size; every other is right with it, too.
struct RowSizes {
    int threads = 32;           ///< of a row, in a block
    int values = 8;             ///< of a row in a thread's registers, for each tensor that is kept
    int columns = 32;           ///< rows of a block, for a layout of columns
    std::set<std::size_t> kept; ///< tensors of which a chunk of each row is kept in registers
};

/// `isTwice`: values are read by more than one pass.
[[nodiscard]] RowSizes rowSizes(const SizedGraphs& graphs, const Plan& plan, const RowGroup& group, bool isTwice);
/// Their lines in a kernel file.
[[nodiscard]] std::vector<std::string> constantsOf(const RowSizes& sizes, const RowGroup& group,
                                                   const std::string& suffix);

} // namespace kernelarium::kernelgen
