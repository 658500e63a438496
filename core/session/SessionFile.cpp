// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SessionFile.h"

#include <array>
#include <fstream>
#include <string_view>

namespace kernelarium::session {
namespace {

void createSchema(sqlite::Database& database) {
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

void addOtherParents(sqlite::Database& database) {
    database.execute(R"sql(
        CREATE TABLE taken (                   -- of which other kernels an attempt has changes
            attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
            kernel_key TEXT NOT NULL,
            kernel_title TEXT NOT NULL,
            source_attempt INTEGER NOT NULL,   -- whose text it was; 0: the kernel's as archived or saved
            PRIMARY KEY (attempt, kernel_key, source_attempt));
    )sql");
}

constexpr std::array<sqlite::Migration, sessionFile.schemaVersion> migrations = {createSchema, addOtherParents};

} // namespace

sqlite::Database openForWriting(const std::filesystem::path& path) {
    return sqlite::openForWriting(sessionFile, path, migrations, sqlite::Durability::machine);
}

bool isSessionFile(const std::filesystem::path& path) {
    // SQLite's header: its name first, the application's number at 68, the highest byte first.
    std::array<char, 72> head{};
    std::ifstream file(path, std::ios::binary);
    if (!file.read(head.data(), head.size()) ||
        std::string_view(head.data(), 16) != std::string_view("SQLite format 3\0", 16))
        return false;
    std::int64_t found = 0;
    for (std::size_t i = 68; i < head.size(); ++i)
        found = found << 8 | static_cast<unsigned char>(head[i]);
    return found == sessionFile.applicationId;
}

} // namespace kernelarium::session
