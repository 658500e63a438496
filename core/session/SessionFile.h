// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/Sqlite.h"

#include <filesystem>

namespace kernelarium::session {

/// "KSES" in the file's header, so that no other program's database is taken for a session.
constexpr std::int64_t sessionApplicationId = 0x4b534553;
constexpr int sessionSchemaVersion = 1;

/// Thrown inside this room; becomes the Error it carries at the border.
struct Refusal {
    Error error;
};

/// Reads an existing file without writing to it; throws a Refusal for one that must not be opened.
void inspect(const std::filesystem::path& path);

/// Opens for writing with the log and migrates. Throws.
archive::Database openForWriting(const std::filesystem::path& path);

/// What an exception caught at the border says to a person.
Error errorFrom(const std::filesystem::path& path);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body>
auto guarded(const std::filesystem::path& path, Body&& body) -> Result<decltype(body())> {
    try {
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            return {};
        } else {
            return body();
        }
    } catch (...) {
        return errorFrom(path);
    }
}

/// All or nothing: rolled back on destruction unless committed. Takes the write lock at once, so that a
/// reader never has to be promoted in the middle (which cannot wait).
class Transaction {
public:
    explicit Transaction(archive::Database& database)
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
    archive::Database& m_database;
    bool m_open = true;
};

} // namespace kernelarium::session
