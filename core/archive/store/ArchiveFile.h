// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include "core/sqlite/Sqlite.h"

#include <filesystem>

namespace kernelarium::archive {

/// The schema version of an archive file, read from the 100 bytes of its header without opening a database.
/// Errors: "missing_file", "unreadable_file", "bad_archive" (no database, truncated, or of another program),
/// "newer_archive". Never changes the file.
Result<int> checkArchiveFile(const std::filesystem::path& path);

/// "busy" when another program left a journal with changes beside the file.
Result<void> checkNotInUse(const std::filesystem::path& path);

/// Brings an archive of an older version up to date: in a copy that takes the file's place when it is done.
Result<void> upgradeArchive(const std::filesystem::path& path);

/// Opens a checked file of the current version for reading, without locks when nobody can write it; refuses one whose
/// schema is not the program's own.
Result<sqlite::Database> openForReading(const std::filesystem::path& path);

} // namespace kernelarium::archive
