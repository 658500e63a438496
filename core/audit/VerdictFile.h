// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/OwnFile.h"

namespace kernelarium::audit {

inline constexpr sqlite::FileKind verdictsFile{
    .applicationId = 0x4b565244, // "KVRD"
    .schemaVersion = 1,
    .name = "file of verdicts",
    .damaged = "damaged_verdicts",
    .foreign = "not_verdicts",
    .newer = "newer_verdicts",
    .failure = "verdicts_failure",
    .repair = "Restore it from a copy, or move it away and audit again.",
    .permissions = "Check the permissions of the file and of its folder, or choose another one with --verdicts."};

/// Throws where an existing file must not be used; `thorough` reads all of it.
void inspectVerdicts(const std::filesystem::path& path, bool thorough);

/// Opens for writing, made when absent, with the log. Throws.
sqlite::Database openVerdictsForWriting(const std::filesystem::path& path);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body> auto guardedVerdicts(const std::filesystem::path& path, Body&& body) {
    return sqlite::guarded(verdictsFile, path, std::forward<Body>(body));
}

} // namespace kernelarium::audit
