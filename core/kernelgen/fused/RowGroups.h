// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/fused/RowGroup.h"
#include "core/kernelgen/sizes/SizedGraphs.h"

namespace kernelarium::kernelgen {

/// The groups of rows that a plan with these tensors written in place can have.
[[nodiscard]] std::vector<RowGroup> rowGroups(const SizedGraphs& graphs, const std::set<std::size_t>& inlined);

/// Whether a formula of values of rows alone can be written once for a row: element i of it is row i, and what it reads
/// of `group` are its reductions.
[[nodiscard]] bool isOfRows(const SizedGraphs& graphs, const std::set<std::size_t>& inlined, const RowGroup& group,
                            std::size_t id);

} // namespace kernelarium::kernelgen
