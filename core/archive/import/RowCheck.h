// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/RowSource.h"

namespace kernelarium::archive {

/// More text than this in one row is reported and skipped.
inline constexpr std::size_t longestRow = 32u << 20;

/// Why the values of a row cannot be archived, whatever it was read from; empty when they can.
/// `texts[cudaCode]` may be absent here.
[[nodiscard]] std::string rowProblem(const SourceRow& row);

} // namespace kernelarium::archive
