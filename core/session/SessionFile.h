// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/OwnFile.h"

namespace kernelarium::session {

inline constexpr sqlite::FileKind sessionFile{
    .applicationId = 0x4b534553, // "KSES"
    .schemaVersion = 2,          // 1: sessions, attempts, drafts, values. 2: kernels that changes were taken from.
    .name = "session file",
    .damaged = "damaged_session",
    .foreign = "not_a_session",
    .newer = "newer_session",
    .failure = "session_failure",
    .repair = "Move it aside to begin a new one; a copy from a backup can take its place.",
    .permissions = "Check the permissions of the file and of its folder."};

/// Inspects what is there, opens for writing with the log and migrates. Throws.
sqlite::Database openForWriting(const std::filesystem::path& path);

/// Whether the file says in its header that it is one of ours; nothing else of it is looked at.
[[nodiscard]] bool isSessionFile(const std::filesystem::path& path);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body> auto guarded(const std::filesystem::path& path, Body&& body) {
    return sqlite::guarded(sessionFile, path, std::forward<Body>(body));
}

} // namespace kernelarium::session
