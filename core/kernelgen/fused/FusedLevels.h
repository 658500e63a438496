// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/levels/AnalyticCounters.h"

#include <cstdint>
#include <set>
#include <vector>

namespace kernelarium::kernelgen {

/// Reductions over the same rows, and the maps that need nothing but them, as one launch or several make them.
struct GroupWork {
    std::vector<std::size_t> reductions, maps; ///< tensors of the file's graph, in its order
    /// The reductions that one pass makes, pass by pass; where there are none, those that need one another part them.
    std::vector<std::vector<std::size_t>> passes;
    std::set<std::size_t> stored;           ///< reductions whose values are written to device memory
    std::int64_t length = 1;                ///< elements of a row at the shown size
    Walk::Lanes lanes = Walk::Lanes::terms; ///< what neighbouring threads have of the reductions
    bool keepsRows = false;                 ///< a row stays in registers: later passes do not load it again
};

/// What the file's launches from number `first` on do. One launch does all. Of several, each reduces what needs the
/// reductions before it, in parts; the last one writes the maps.
void describeGroup(KernelFile& file, const std::set<std::size_t>& inlined, const GroupWork& group, std::size_t first);
/// The same of addRowKernels' launches.
void describeRows(KernelFile& file, const Plan& plan, std::size_t group, std::size_t first);
/// What the file's last launch does: a block for each row of a prefix combination `scan`, which reads these tensors
/// element by element and writes `result`.
void describeScan(KernelFile& file, std::size_t scan, std::size_t result, const std::set<std::size_t>& reads);
/// What the file's last launch, that of addFourMap, does.
void describeFourMap(KernelFile& file, const Plan& plan, std::size_t id);

} // namespace kernelarium::kernelgen
