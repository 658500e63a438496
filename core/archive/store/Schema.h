// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/OwnFile.h"

namespace kernelarium::archive {

inline constexpr sqlite::FileKind archiveFile{
    .applicationId = 0x4B524E4C, // "KRNL"
                                 // 1: kernels and texts. 2: code signatures for search. 3: pairs in them,
                                 // and shapes. 4: longer pieces in the signatures.
    .schemaVersion = 4,
    .name = "archive",
    .damaged = "bad_archive",
    .foreign = "bad_archive",
    .newer = "newer_archive",
    .failure = "archive_failure",
    .repair = "Restore it from a copy, or import its rows again into a new file.",
    .permissions = "Check that the file exists and that you may read it.",
    .cannotOpen = "unreadable_file"};

inline constexpr int schemaVersion = archiveFile.schemaVersion;

/// Brings a database from `version` (0: an empty one) to `target`, step by step in one transaction.
void migrate(sqlite::Database& database, int version, int target = schemaVersion);

/// Throws a Refusal for an archive whose schema is not what `migrate` makes up to its version (sqlite::checkSchema).
/// `beside` makes what an import's work file has besides.
void checkArchiveSchema(sqlite::Database& database, const std::filesystem::path& path,
                        sqlite::Migration beside = nullptr);

/// Also reads every page of one that is about to be changed: a damaged one must not be written on.
void inspectBeforeChange(sqlite::Database& database, const std::filesystem::path& path);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body> auto guarded(const std::filesystem::path& path, Body&& body) {
    return sqlite::guarded(archiveFile, path, std::forward<Body>(body));
}

} // namespace kernelarium::archive
