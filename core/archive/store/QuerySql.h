// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/archive/store/Query.h"
#include "core/sqlite/Sqlite.h"

namespace kernelarium::archive {

/// What every query of summaries selects, in the order that `summaryAt` reads.
std::string summarySelection();
KernelSummary summaryAt(const sqlite::Statement& row);

/// A statement with its filter bound: `select` + FROM kernel + WHERE + (for a whole query) ORDER BY and
/// LIMIT.
sqlite::Statement filtered(sqlite::Database& database, std::string_view select, const KernelFilter& filter);
sqlite::Statement sortedAndPaged(sqlite::Database& database, std::string_view select, const KernelQuery& query);

} // namespace kernelarium::archive
