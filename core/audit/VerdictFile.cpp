// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/VerdictFile.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <unistd.h>

namespace kernelarium::audit {

namespace {

namespace fs = std::filesystem;
using archive::Database;

constexpr std::string_view sqliteHead{"SQLite format 3\0", 16};

Refusal damagedVerdicts(const fs::path& path, std::string_view what) {
    return {{"damaged_verdicts", fmt::format("The file of verdicts {} is damaged: {}.", path.string(), what),
             "It is left as it is. Restore it from a copy, or move it away and audit again."}};
}

void refuseForeignVerdicts(Database& database, const fs::path& path) {
    const auto application = database.number("PRAGMA application_id");
    const auto version = database.number("PRAGMA user_version");
    // A file whose creation was interrupted has neither number and no table.
    const bool fresh =
        application == 0 && version == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
    if (fresh) return;
    if (application != verdictsApplicationId)
        throw Refusal{{"not_verdicts", fmt::format("{} is no file of verdicts.", path.string()),
                       "It is left as it is. Choose another file."}};
    if (version > verdictsSchemaVersion)
        throw Refusal{{"newer_verdicts",
                       fmt::format("The file of verdicts {} was written by a newer version of Kernelarium (format {}; "
                                   "this one knows {}).",
                                   path.string(), version, verdictsSchemaVersion),
                       "It is left as it is. Update Kernelarium, or choose another file."}};
}

void createVerdictSchema(Database& database) {
    database.execute(fmt::format("PRAGMA application_id = {}", verdictsApplicationId));
    database.execute(R"sql(
        CREATE TABLE verdict (
            id INTEGER PRIMARY KEY,
            level INTEGER NOT NULL,
            task INTEGER NOT NULL,
            name TEXT NOT NULL,
            code_hash BLOB NOT NULL,           -- SHA-256 of the kernel's text
            verdict TEXT NOT NULL,             -- the verdict's word, or 'failed'
            stage TEXT NOT NULL,
            message TEXT NOT NULL,
            reasons TEXT NOT NULL,             -- JSON
            remarks TEXT NOT NULL,             -- JSON
            max_abs_error TEXT,                -- a number, 'nan' or 'inf'; null: nothing was compared
            max_rel_error TEXT,
            backend TEXT NOT NULL,
            size TEXT NOT NULL,
            seed INTEGER NOT NULL,             -- the 64 bits of it
            fast_math INTEGER NOT NULL,
            time_limit REAL NOT NULL,          -- seconds
            seconds REAL NOT NULL,
            time_ms INTEGER NOT NULL,          -- since 1970
            program TEXT NOT NULL,
            card TEXT NOT NULL,
            checks INTEGER NOT NULL,
            UNIQUE (level, task, name, code_hash));
        CREATE TABLE evidence (                -- apart, so that lists read narrow rows
            verdict INTEGER PRIMARY KEY REFERENCES verdict ON DELETE CASCADE,
            bytes INTEGER NOT NULL,            -- length before compression
            data BLOB NOT NULL);               -- JSON, one zstd frame
    )sql");
    database.execute(fmt::format("PRAGMA user_version = {}", verdictsSchemaVersion));
}

} // namespace

WriteTransaction::~WriteTransaction() {
    if (!m_open) return;
    try {
        m_database.execute("ROLLBACK");
    } catch (const archive::SqliteError&) {
        // SQLite has rolled back by itself (a full disk, say); nothing is left to undo.
    }
}

void inspectVerdicts(const fs::path& path, bool thorough) {
    if (fs::is_directory(path))
        throw Refusal{{"not_verdicts", fmt::format("{} is a folder, no file of verdicts.", path.string()),
                       "Choose a file."}};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Refusal{{"unreadable_file", fmt::format("{} cannot be read.", path.string()),
                       "Check that it is there and that you may read it."}};
    std::array<char, sqliteHead.size()> head{};
    file.read(head.data(), head.size());
    if (file.gcount() == 0) return; // just created by another process
    if (std::string_view(head.data(), std::size_t(file.gcount())) != sqliteHead)
        throw damagedVerdicts(path, "it does not begin as a database does");
    file.close();
    Database database = openVerdictsForReading(path);
    refuseForeignVerdicts(database, path);
    if (!thorough) return;
    auto check = database.prepare("PRAGMA quick_check(1)");
    if (check.step() && check.text(0) != "ok") throw damagedVerdicts(path, check.text(0));
}

Database openVerdictsForReading(const fs::path& path) {
    const bool logged = fs::exists(path.string() + "-wal");
    const bool writable = ::access(path.c_str(), W_OK) == 0 &&
                          ::access(fs::absolute(path).parent_path().c_str(), W_OK) == 0;
    // A log is read by its readers' shared index, which has to be written; without one nobody changes the file.
    return Database(path, writable || logged ? Database::Access::readOnly : Database::Access::immutable);
}

Database openVerdictsForWriting(const fs::path& path) {
    Database database(path, Database::Access::readWrite);
    // NORMAL: a commit survives the death of this process, and of the machine but for the last moments, which an audit
    // finds missing and does again.
    database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
    if (database.number("PRAGMA user_version") == verdictsSchemaVersion) return database;
    WriteTransaction transaction(database);
    refuseForeignVerdicts(database, path); // again: another process may have been here first
    if (database.number("PRAGMA user_version") < verdictsSchemaVersion) createVerdictSchema(database);
    transaction.commit();
    return database;
}

Error verdictError(const fs::path& path) {
    const std::string name = path.string();
    try {
        throw;
    } catch (const Refusal& refusal) {
        return refusal.error;
    } catch (const archive::SqliteError& error) {
        switch (error.code()) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {"busy", fmt::format("The file of verdicts {} is in use by another program.", name),
                    "Try again when it has finished."};
        case SQLITE_FULL:
            return {"disk_full", fmt::format("The disk of {} is full.", name), "Free some space and try again."};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB: return damagedVerdicts(path, error.what()).error;
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_IOERR:
            return {"unwritable_file", fmt::format("{} cannot be opened or written: {}.", name, error.what()),
                    "Check the permissions of the file and of its folder, or choose another one with --verdicts."};
        default: return {"verdicts_failure", fmt::format("{}: {}.", name, error.what())};
        }
    } catch (const fs::filesystem_error& error) {
        return {"unwritable_file", fmt::format("{}: {}.", name, error.code().message()),
                "Check the permissions of the file and of its folder, or choose another one with --verdicts."};
    } catch (const std::exception& error) {
        return damagedVerdicts(path, error.what()).error;
    }
}

} // namespace kernelarium::audit
