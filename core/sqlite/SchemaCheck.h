// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/FileKind.h"

#include <span>

namespace kernelarium::sqlite {

/// Throws a Refusal for a file whose schema is not what the program's own migrations make up to the file's version: one
/// with a view, a trigger, a virtual table, a table or an index of others, one that lacks a table, or has another of
/// the same name (other columns, generated ones, indices on expressions, defaults). Comments and blanks do not count.
/// `beside` makes what an unfinished file may have besides. A new file, without tables and version, passes.
void checkSchema(const FileKind& kind, Database& database, const std::filesystem::path& path,
                 std::span<const Migration> migrations, Migration beside = nullptr);

} // namespace kernelarium::sqlite
