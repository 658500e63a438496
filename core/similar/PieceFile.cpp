// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/PieceFile.h"

#include <array>

namespace kernelarium::similar {
namespace {

void createPieces(sqlite::Database& database) {
    database.execute(R"sql(
        CREATE TABLE code (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,         -- SHA-256 of the code
            pieces BLOB NOT NULL);             -- Pieces, four bytes each, the lowest first
    )sql");
}

constexpr std::array<sqlite::Migration, piecesFile.schemaVersion> pieceMigrations = {createPieces};

} // namespace

sqlite::Database openPiecesForWriting(const std::filesystem::path& path) {
    return sqlite::openForWriting(piecesFile, path, pieceMigrations, sqlite::Durability::process);
}

sqlite::Database openPiecesForReading(const std::filesystem::path& path) {
    sqlite::inspect(piecesFile, path, pieceMigrations, false);
    return sqlite::openForReading(path);
}

} // namespace kernelarium::similar
