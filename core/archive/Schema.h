// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/Sqlite.h"

namespace kernelarium::archive {

/// "KRNL" in the file's header: an SQLite file with another application_id is not an archive.
inline constexpr std::uint32_t archiveApplicationId = 0x4B524E4C;

/// The version that this program writes (PRAGMA user_version). 1: kernels and texts. 2: code signatures for
/// search.
inline constexpr int schemaVersion = 2;

/// Brings a database from `version` (0: an empty one) to `target`, step by step in one transaction.
void migrate(Database& database, int version, int target = schemaVersion);

} // namespace kernelarium::archive
