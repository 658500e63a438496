// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/Schema.h"

#include "core/archive/store/CodeShape.h"
#include "core/archive/store/CodeSignature.h"
#include "core/archive/store/TextStore.h"
#include "core/sqlite/SchemaCheck.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::archive {
namespace {

void createKernelsAndTexts(sqlite::Database& database) {
    database.execute(fmt::format("PRAGMA application_id = {}", archiveFile.applicationId));
    database.execute(R"sql(
        CREATE TABLE dictionary (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,             -- TextKind
            samples INTEGER NOT NULL,          -- texts it was trained on
            data BLOB NOT NULL);
        CREATE TABLE text (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,         -- SHA-256 of the UTF-8 bytes
            bytes INTEGER NOT NULL,            -- length before compression
            dictionary INTEGER REFERENCES dictionary,
            data BLOB NOT NULL);               -- one zstd frame
        CREATE TABLE origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE kernel (
            id INTEGER PRIMARY KEY,
            level INTEGER NOT NULL,
            task INTEGER NOT NULL,
            op_name TEXT NOT NULL,
            name TEXT NOT NULL,
            code_hash BLOB NOT NULL,           -- SHA-256 of the CUDA code
            code_bytes INTEGER NOT NULL,
            runtime REAL,                      -- milliseconds, as every time here
            native_runtime REAL,
            compile_runtime REAL,
            speedup_native REAL,
            speedup_compile REAL,
            correct INTEGER,                   -- 0, 1 or null: not known
            max_diff REAL,
            error_kind INTEGER NOT NULL,       -- ErrorKind
            original_index INTEGER,            -- __index_level_0__
            origin INTEGER NOT NULL REFERENCES origin,
            code_text INTEGER NOT NULL REFERENCES text,
            module_text INTEGER REFERENCES text,
            functional_text INTEGER REFERENCES text,
            error_text INTEGER REFERENCES text,
            ncu_text INTEGER REFERENCES text,
            torch_text INTEGER REFERENCES text,
            tidy_text INTEGER REFERENCES text,
            UNIQUE (level, task, name, code_hash));
        CREATE TABLE kernel_extra (            -- columns that are not published ones, as a JSON object
            kernel INTEGER PRIMARY KEY REFERENCES kernel,
            json TEXT NOT NULL);
    )sql");
}

void addCodeSignatures(sqlite::Database& database) {
    database.execute("CREATE TABLE code_signature (text INTEGER PRIMARY KEY REFERENCES text, bits BLOB NOT NULL)");
}

void createSignatures(sqlite::Database& database) {
    database.execute(R"sql(
        DROP TABLE code_signature;
        CREATE TABLE code_signature (          -- what search needs of a code text
            text INTEGER PRIMARY KEY REFERENCES text,
            bits BLOB NOT NULL);               -- Signature
    )sql");
}

template <class Visit> void forEachCode(sqlite::Database& database, Visit&& visit) {
    TextStore texts(database);
    auto codes = database.prepare("SELECT DISTINCT code_text FROM kernel ORDER BY code_text");
    std::string code;
    while (codes.step()) {
        texts.load(codes.integer(0), code);
        visit(codes.integer(0), code);
    }
}

/// The signatures of version 2 know pieces of three characters only; they are rebuilt.
void addPairsAndShapes(sqlite::Database& database) {
    createSignatures(database);
    database.execute(R"sql(
        CREATE TABLE code_shape (              -- apart, because lists read it for every kernel
            text INTEGER PRIMARY KEY REFERENCES text,
            shape BLOB NOT NULL);              -- CodeShape
    )sql");
    auto insertShape = database.prepare("INSERT INTO code_shape (text, shape) VALUES (?, ?)");
    forEachCode(database, [&](std::int64_t text, const std::string& code) {
        insertShape.bind(1, text).bindBlob(2, shapeOf(code)).run();
    });
}

void addLongerPieces(sqlite::Database& database) {
    createSignatures(database);
    auto insert = database.prepare("INSERT INTO code_signature (text, bits) VALUES (?, ?)");
    forEachCode(database, [&](std::int64_t text, const std::string& code) {
        insert.bind(1, text).bindBlob(2, signatureOf(code)).run();
    });
}

/// migrations[i] leads from version i to i + 1. A step that has been published is never edited, but for what a later
/// one rebuilds.
constexpr std::array<sqlite::Migration, schemaVersion> migrations = {createKernelsAndTexts, addCodeSignatures,
                                                                     addPairsAndShapes, addLongerPieces};

} // namespace

void migrate(sqlite::Database& database, int version, int target) {
    database.execute("BEGIN");
    for (int step = version; step < target; ++step)
        migrations.at(static_cast<std::size_t>(step))(database);
    database.execute(fmt::format("PRAGMA user_version = {}", target));
    database.execute("COMMIT");
}

void checkArchiveSchema(sqlite::Database& database, const std::filesystem::path& path, sqlite::Migration beside) {
    sqlite::checkSchema(archiveFile, database, path, migrations, beside);
}

void inspectBeforeChange(sqlite::Database& database, const std::filesystem::path& path) {
    checkArchiveSchema(database, path);
    auto check = database.prepare("PRAGMA quick_check(1)");
    if (check.step() && check.text(0) != "ok") throw sqlite::damaged(archiveFile, path, check.text(0));
}

} // namespace kernelarium::archive
