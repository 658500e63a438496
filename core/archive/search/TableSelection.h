// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/archive/store/Query.h"

#include <cstdint>
#include <vector>

namespace kernelarium::archive {

/// Which rows of a table in memory, and in which order. The same meaning as KernelQuery has on the file, but for the
/// order by task, which begins with the level here.
struct TableSelection {
    KernelFilter filter;
    SortColumn sort = SortColumn::id;
    bool descending = false;
};

/// Row numbers of the table. Missing values come last in either direction, equal ones by ascending row.
[[nodiscard]] std::vector<std::uint32_t> selectRows(const KernelTable& table, const TableSelection& selection);

} // namespace kernelarium::archive
