// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/VerdictFile.h"

#include <array>

namespace kernelarium::audit {
namespace {

void createVerdictSchema(sqlite::Database& database) {
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
}

constexpr std::array<sqlite::Migration, verdictsFile.schemaVersion> verdictMigrations = {createVerdictSchema};

} // namespace

void inspectVerdicts(const std::filesystem::path& path, bool thorough) {
    sqlite::inspect(verdictsFile, path, verdictMigrations, thorough);
}

sqlite::Database openVerdictsForWriting(const std::filesystem::path& path) {
    // What the last moments of a machine that died have lost, an audit finds missing and does again.
    return sqlite::openForWriting(verdictsFile, path, verdictMigrations, sqlite::Durability::process);
}

} // namespace kernelarium::audit
