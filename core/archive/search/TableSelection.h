// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/Condition.h"
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
    ConditionPointer condition = {};  ///< has to hold as well; it must not look into texts. Null: there is none
    OwnVerdictsPointer verdicts = {}; ///< for conditions and orders by verdict; null: there are none
};

/// Row numbers of the table. Missing values come last in either direction, equal ones by ascending row.
[[nodiscard]] std::vector<std::uint32_t> selectRows(const KernelTable& table, const TableSelection& selection);

} // namespace kernelarium::archive
