// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/kernelgen/sizes/RowLayout.h"

#include <string>

namespace kernelarium::kernelgen {

/// Whether the result is a place: argMax, argMin.
[[nodiscard]] bool isPlace(algebra::Combine combine);
/// "rowSum", "rowArgMax": combines what the threads of a row have; `suffix` tells one group's from another's.
[[nodiscard]] std::string combinerName(algebra::Combine combine, const std::string& suffix);
/// Its text. Columns: the threads of a row lie along y, `columnsPerBlock` rows along x. Else along x.
[[nodiscard]] std::string combinerText(algebra::Combine combine, RowLayout::Kind kind, const std::string& suffix);
/// A value and its place, and which of two comes first.
[[nodiscard]] std::string placedText(algebra::Combine combine);
/// "blockSum": over all threads of a block of `blockThreads`.
[[nodiscard]] std::string blockCombinerName(algebra::Combine combine, const std::string& suffix);
[[nodiscard]] std::string blockCombinerText(algebra::Combine combine, const std::string& suffix);
/// The block that ends last, told by a counter that is 0 again after each launch.
extern const char* const isLastText;

} // namespace kernelarium::kernelgen
