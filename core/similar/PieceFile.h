// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/OwnFile.h"

namespace kernelarium::similar {

/// Another way of making pieces is another version: the step that leads to it empties the file.
inline constexpr sqlite::FileKind piecesFile{.applicationId = 0x4b504345, // "KPCE"
                                             .schemaVersion = 1,
                                             .name = "index of similar code",
                                             .damaged = "damaged_index",
                                             .foreign = "not_an_index",
                                             .newer = "newer_index",
                                             .failure = "index_failure",
                                             .repair = "Delete it: it is made again from the archive.",
                                             .permissions = "Check the permissions of the file and of its folder."};

/// Opens for writing, made when absent, with the log. Throws.
[[nodiscard]] sqlite::Database openPiecesForWriting(const std::filesystem::path& path);
/// Inspects an existing one and opens it. Throws.
[[nodiscard]] sqlite::Database openPiecesForReading(const std::filesystem::path& path);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body> auto guardedPieces(const std::filesystem::path& path, Body&& body) {
    return sqlite::guarded(piecesFile, path, std::forward<Body>(body));
}

} // namespace kernelarium::similar
