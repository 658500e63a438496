// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/Sqlite.h"

#include <filesystem>

namespace kernelarium::audit {

/// "KVRD" in the file's header.
constexpr std::int64_t verdictsApplicationId = 0x4b565244;
constexpr int verdictsSchemaVersion = 1;

/// Thrown inside this room; becomes the Error it carries at the border.
struct Refusal {
    Error error;
};

/// Looks at an existing file without writing to it; throws a Refusal for one that must not be used. `thorough` reads all
/// of its pages.
void inspectVerdicts(const std::filesystem::path& path, bool thorough);
/// Opens for writing, made when absent, with the log. Throws.
archive::Database openVerdictsForWriting(const std::filesystem::path& path);
/// Opens an inspected file for reading, also where nothing can be written beside it. Throws.
archive::Database openVerdictsForReading(const std::filesystem::path& path);

/// What the exception being handled says to a person. `what` is the file that it was about.
Error verdictError(const std::filesystem::path& what);

/// Runs `body` and turns what it throws into an Error that names `path`.
template <class Body>
auto guardedVerdicts(const std::filesystem::path& path, Body&& body) -> Result<decltype(body())> {
    try {
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            return {};
        } else {
            return body();
        }
    } catch (...) {
        return verdictError(path);
    }
}

/// All or nothing: rolled back on destruction unless committed.
class WriteTransaction {
public:
    explicit WriteTransaction(archive::Database& database)
        : m_database(database) {
        m_database.execute("BEGIN IMMEDIATE");
    }
    ~WriteTransaction();
    WriteTransaction(const WriteTransaction&) = delete;
    WriteTransaction& operator=(const WriteTransaction&) = delete;
    void commit() {
        m_database.execute("COMMIT");
        m_open = false;
    }

private:
    archive::Database& m_database;
    bool m_open = true;
};

} // namespace kernelarium::audit
