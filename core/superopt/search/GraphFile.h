// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/Emitted.h"
#include "core/superopt/search/FoundTable.h"
#include "core/superopt/search/GraphSource.h"

namespace kernelarium::superopt {

/// The rung behind those of core/proof: the kernel file of a graph, verified as any kernel is.
inline constexpr std::string_view fileRung = "file";

/// The graph of this hash (or of the one hash that begins so), or of this number in the table's order, from 1. Error
/// "bad_input".
[[nodiscard]] Result<FoundCandidate> foundGraph(const FoundTable& table, const std::string& hashOrNumber);

/// The kernel file of a graph that was found (core/kernelgen/graphs), tiles chosen for the search's size and device.
/// Errors: those of graphs::emitGraph(); "bad_input" where the graph is none of the search's task.
[[nodiscard]] Result<kernelgen::Emitted> fileOf(const GraphSearch& search, const FoundCandidate& found);

/// A graph's record after what became of its file: `said` takes the place of an earlier look at it. A file that falls
/// where the graph was right by all rungs before is a fault of ours, and the record says so. A graph that was not right
/// before is not made right by a file that is.
[[nodiscard]] tuning::Judged withFileRung(const FoundCandidate& found, RungVerdict said);

} // namespace kernelarium::superopt
