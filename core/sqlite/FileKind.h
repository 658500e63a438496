// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/sqlite/Sqlite.h"

#include <filesystem>
#include <string_view>

namespace kernelarium::sqlite {

/// One kind of file that the program keeps: its numbers in SQLite's header, and the words of its errors.
struct FileKind {
    std::int64_t applicationId; ///< PRAGMA application_id: another number is another program's file
    int schemaVersion;          ///< PRAGMA user_version that this program writes
    std::string_view name;      ///< "session file", as in "The session file a.sqlite is damaged"
    std::string_view damaged;   ///< error codes
    std::string_view foreign;
    std::string_view newer;
    std::string_view failure;                        ///< anything that has no code of its own
    std::string_view repair;                         ///< what to do with a damaged one
    std::string_view permissions;                    ///< what to do about one that cannot be opened or written
    std::string_view cannotOpen = "unwritable_file"; ///< "unreadable_file" where it is only read
};

/// Thrown inside the rooms that keep files; becomes the Error it carries at their borders.
struct Refusal {
    Error error;
};

[[nodiscard]] Refusal damaged(const FileKind& kind, const std::filesystem::path& path, std::string_view what);

/// A step of a schema from one version to the next. A step that has been published is never edited.
using Migration = void (*)(Database&);

} // namespace kernelarium::sqlite
