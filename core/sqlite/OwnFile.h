// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/FileKind.h"

#include <span>
#include <type_traits>

namespace kernelarium::sqlite {

/// Looks at an existing file without writing to it; throws a Refusal for one that must not be used: a folder,
/// an unreadable or damaged file, another program's, a newer version's, one whose schema is not what the migrations
/// make (checkSchema). An empty file is one just created. `thorough` reads all of its pages.
void inspect(const FileKind& kind, const std::filesystem::path& path, std::span<const Migration> migrations,
             bool thorough);

/// Opens an inspected file for reading, also where nothing can be written beside it. Throws.
[[nodiscard]] Database openForReading(const std::filesystem::path& path);

/// What a commit survives.
enum class Durability {
    process, ///< a commit survives the death of this process, and of the machine but for the last moments
    machine  ///< a commit survives the death of the machine
};

/// Opens for writing, made when absent, inspected thoroughly when there, with a write-ahead log, and migrates:
/// migrations[i] leads from version i to i + 1. Several processes may do it at once. Throws.
[[nodiscard]] Database openForWriting(const FileKind& kind, const std::filesystem::path& path,
                                      std::span<const Migration> migrations, Durability durability);

/// What the exception being handled says to a person; `path` is the file that it was about.
[[nodiscard]] Error currentError(const FileKind& kind, const std::filesystem::path& path);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body>
auto guarded(const FileKind& kind, const std::filesystem::path& path, Body&& body) -> Result<decltype(body())> {
    try {
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            return {};
        } else {
            return body();
        }
    } catch (...) {
        return currentError(kind, path);
    }
}

/// All or nothing: rolled back on destruction unless committed. Takes the write lock at once, so that a
/// reader never has to be promoted in the middle (which cannot wait).
class Transaction {
public:
    explicit Transaction(Database& database)
        : m_database(database) {
        m_database.execute("BEGIN IMMEDIATE");
    }
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit() {
        m_database.execute("COMMIT");
        m_open = false;
    }

private:
    Database& m_database;
    bool m_open = true;
};

} // namespace kernelarium::sqlite
