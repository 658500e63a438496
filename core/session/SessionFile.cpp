// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SessionFile.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>

namespace kernelarium::session {
namespace {

namespace fs = std::filesystem;
using archive::Database;

constexpr std::string_view sqliteMagic{"SQLite format 3\0", 16};

void createSchema(Database& database) {
    database.execute(fmt::format("PRAGMA application_id = {}", sessionApplicationId));
    database.execute(R"sql(
        CREATE TABLE session (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            started_ms INTEGER NOT NULL,       -- since 1970, as every time here
            used_ms INTEGER NOT NULL,
            removed_ms INTEGER);               -- null: it is there
        CREATE TABLE source (                  -- each text once, however often it was tried
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,         -- SHA-256 of the UTF-8 bytes
            bytes INTEGER NOT NULL,            -- length before compression
            data BLOB NOT NULL);               -- one zstd frame
        CREATE TABLE attempt (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
            parent INTEGER NOT NULL,           -- 0: none
            kernel_key TEXT NOT NULL,
            kernel_title TEXT NOT NULL,
            level INTEGER NOT NULL,
            task INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            source INTEGER NOT NULL REFERENCES source,
            options TEXT NOT NULL,             -- JSON
            verdict TEXT NOT NULL,
            name TEXT NOT NULL,
            notes TEXT NOT NULL);
        CREATE INDEX attempt_by_session ON attempt (session, kernel_key, id);
        CREATE INDEX attempt_by_kernel ON attempt (kernel_key, id);
        CREATE INDEX attempt_by_task ON attempt (level, task, id);
        CREATE INDEX attempt_by_source ON attempt (source);
        CREATE TABLE evidence (                -- apart, so that lists read narrow rows
            attempt INTEGER PRIMARY KEY REFERENCES attempt ON DELETE CASCADE,
            verdict_bytes INTEGER NOT NULL,
            verdict BLOB NOT NULL,             -- JSON, one zstd frame
            counters_bytes INTEGER NOT NULL,
            counters BLOB NOT NULL);
        CREATE TABLE timing (
            id INTEGER PRIMARY KEY,
            attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
            origin TEXT NOT NULL,
            milliseconds REAL NOT NULL,
            device TEXT NOT NULL,
            size TEXT NOT NULL,
            flops REAL NOT NULL,
            bytes REAL NOT NULL,
            byte_source TEXT NOT NULL,
            relative_noise REAL,               -- null: not known
            detail TEXT NOT NULL);             -- JSON
        CREATE INDEX timing_by_attempt ON timing (attempt, id);
        CREATE TABLE draft (
            kernel_key TEXT PRIMARY KEY,
            changed_ms INTEGER NOT NULL,
            cursor_line INTEGER NOT NULL,
            text TEXT NOT NULL);
        CREATE TABLE value (key TEXT PRIMARY KEY, json TEXT NOT NULL);
    )sql");
}

/// migrations[i] leads from version i to i + 1. A step that has been published is never edited.
constexpr std::array<void (*)(Database&), sessionSchemaVersion> migrations = {createSchema};

Refusal damaged(const fs::path& path, std::string_view what) {
    return {
        {"damaged_session", fmt::format("The session file {} is damaged: {}.", path.string(), what),
         "It is left as it is. Move it aside to begin a new one; a copy from a backup can take its place."}};
}

Refusal foreign(const fs::path& path) {
    return {{"not_a_session", fmt::format("{} is not a session file of Kernelarium.", path.string()),
             "It is left as it is. Choose another file."}};
}

void refuseOtherVersions(Database& database, const fs::path& path) {
    const auto application = database.number("PRAGMA application_id");
    const auto version = database.number("PRAGMA user_version");
    // A file whose creation was interrupted has neither number and no table.
    const bool fresh =
        application == 0 && version == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
    if (fresh) return;
    if (application != sessionApplicationId) throw foreign(path);
    if (version > sessionSchemaVersion)
        throw Refusal{
            {"newer_session",
             fmt::format("The session file {} was written by a newer version of Kernelarium (format {}; "
                         "this one knows {}).",
                         path.string(), version, sessionSchemaVersion),
             "It is left as it is. Update Kernelarium, or choose another file."}};
}

void migrate(Database& database, const fs::path& path) {
    if (database.number("PRAGMA user_version") == sessionSchemaVersion) return;
    Transaction transaction(database);
    refuseOtherVersions(database, path); // again: another process may have been here first
    for (auto step = database.number("PRAGMA user_version"); step < sessionSchemaVersion; ++step)
        migrations.at(static_cast<std::size_t>(step))(database);
    database.execute(fmt::format("PRAGMA user_version = {}", sessionSchemaVersion));
    transaction.commit();
}

} // namespace

Transaction::~Transaction() {
    if (!m_open) return;
    try {
        m_database.execute("ROLLBACK");
    } catch (const archive::SqliteError&) {
        // SQLite has rolled back by itself (a full disk, say); nothing is left to undo.
    }
}

void inspect(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw Refusal{{"unreadable_file", fmt::format("{} cannot be read.", path.string()),
                       "Check that you may read it."}};
    }
    std::array<char, sqliteMagic.size()> head{};
    file.read(head.data(), head.size());
    if (file.gcount() == 0) return; // just created by another process
    if (std::string_view(head.data(), static_cast<std::size_t>(file.gcount())) != sqliteMagic)
        throw damaged(path, "it does not begin as a database does");
    file.close();

    Database database(path, Database::Access::readOnly);
    refuseOtherVersions(database, path);
    auto check = database.prepare("PRAGMA quick_check(1)");
    if (check.step() && check.text(0) != "ok") throw damaged(path, check.text(0));
}

Database openForWriting(const fs::path& path) {
    Database database(path, Database::Access::readWrite);
    database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    migrate(database, path);
    return database;
}

Error errorFrom(const fs::path& path) {
    const std::string name = path.string();
    try {
        throw;
    } catch (const Refusal& refusal) {
        return refusal.error;
    } catch (const archive::SqliteError& error) {
        switch (error.code()) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {"busy", fmt::format("The session file {} is in use by another program.", name),
                    "Try again when it has finished."};
        case SQLITE_FULL:
            return {"disk_full", fmt::format("The disk of {} is full.", name),
                    "Free some space and try again."};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return damaged(path, error.what()).error;
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            return {"unwritable_file",
                    fmt::format("{} cannot be opened for writing: {}.", name, error.what()),
                    "Check the permissions of the file and of its folder."};
        default:
            return {"session_failure", fmt::format("{}: {}.", name, error.what())};
        }
    } catch (const fs::filesystem_error& error) {
        return {"unwritable_file", fmt::format("{}: {}.", name, error.code().message()),
                "Check the permissions of the file and of its folder."};
    } catch (const std::exception& error) {
        return damaged(path, error.what()).error;
    }
}

} // namespace kernelarium::session
