// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/KernelTable.h"
#include "core/archive/Query.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace kernelarium::archive {

/// Which rows of a table in memory, and in which order. The same meaning as KernelQuery has on the file, except that
/// `text` finds a part of either name, and `alsoIds` lets kernels through whose names do not have it (those whose code
/// does, say).
struct TableSelection {
    KernelFilter filter;
    std::string text; ///< in either case; empty: every kernel
    std::unordered_set<std::int64_t> alsoIds;
    SortColumn sort = SortColumn::id;
    bool descending = false;
};

/// Row numbers of the table. Missing values come last in either direction, equal ones by ascending row.
[[nodiscard]] std::vector<std::uint32_t> selectRows(const KernelTable& table, const TableSelection& selection);

} // namespace kernelarium::archive
