// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sqlite/OwnFile.h"

#include "core/sqlite/SchemaCheck.h"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <thread>
#include <unistd.h>

namespace kernelarium::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fileHead{"SQLite format 3\0", 16};
constexpr const char* leftAlone = "It is left as it is.";

Error error(std::string_view code, std::string message, std::string action = {}) {
    return {std::string(code), std::move(message), std::move(action)};
}

std::string called(const FileKind& kind, const fs::path& path) {
    return fmt::format("The {} {}", kind.name, path.string());
}

/// "an archive", "a session file".
std::string oneOf(const FileKind& kind) {
    const bool isVowel = std::string_view("aeiou").find(kind.name.front()) != std::string_view::npos;
    return fmt::format("{} {}", isVowel ? "an" : "a", kind.name);
}

void refuseForeign(const FileKind& kind, Database& database, const fs::path& path) {
    const auto application = database.number("PRAGMA application_id");
    const auto version = database.number("PRAGMA user_version");
    // A file whose creation was interrupted has neither number and no table.
    const bool fresh = application == 0 && version == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
    if (fresh) return;
    if (application != kind.applicationId)
        throw Refusal{error(kind.foreign, fmt::format("{} is not {} of Kernelarium.", path.string(), oneOf(kind)),
                            fmt::format("{} Choose another file.", leftAlone))};
    if (version > kind.schemaVersion)
        throw Refusal{
            error(kind.newer,
                  fmt::format("{} was written by a newer version of Kernelarium (format {}; this one knows {}).",
                              called(kind, path), version, kind.schemaVersion),
                  fmt::format("{} Update Kernelarium, or choose another file.", leftAlone))};
}

Error fromSqlite(const FileKind& kind, const fs::path& path, const SqliteError& problem) {
    switch (problem.code()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {"busy", fmt::format("{} is in use by another program.", called(kind, path)),
                "Try again when it has finished."};
    case SQLITE_INTERRUPT: return {"cancelled", "Cancelled."};
    case SQLITE_FULL:
        return {"disk_full", fmt::format("The disk of {} is full.", path.string()), "Free some space and try again."};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return damaged(kind, path, problem.what()).error;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_IOERR:
        return error(kind.cannotOpen,
                     fmt::format("{} cannot be opened or written: {}.", called(kind, path), problem.what()),
                     std::string(kind.permissions));
    default: return error(kind.failure, fmt::format("{}: {}.", path.string(), problem.what()));
    }
}

/// A new file takes up its log only while nobody else has it open for writing, and SQLite refuses that at once instead
/// of waiting as for other locks.
void switchToLog(Database& database) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(30);
    for (;;) {
        try {
            database.execute("PRAGMA journal_mode = WAL");
            return;
        } catch (const SqliteError& problem) {
            if (problem.code() != SQLITE_BUSY || Clock::now() > deadline) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
}

} // namespace

void inspect(const FileKind& kind, const fs::path& path, std::span<const Migration> migrations, bool thorough) {
    if (fs::is_directory(path))
        throw Refusal{
            error(kind.foreign, fmt::format("{} is a folder, not {}.", path.string(), oneOf(kind)), "Choose a file.")};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Refusal{error("unreadable_file", fmt::format("{} cannot be read.", path.string()),
                            "Check that it is there and that you may read it.")};
    std::array<char, fileHead.size()> head{};
    file.read(head.data(), head.size());
    if (file.gcount() == 0) return; // just created by another process
    if (std::string_view(head.data(), static_cast<std::size_t>(file.gcount())) != fileHead)
        throw damaged(kind, path, "it does not begin like a database");
    file.close();
    Database database = openForReading(path);
    database.execute("BEGIN"); // one state of it, while another process may be making it
    refuseForeign(kind, database, path);
    checkSchema(kind, database, path, migrations);
    database.execute("COMMIT");
    if (!thorough) return;
    auto check = database.prepare("PRAGMA quick_check(1)");
    if (check.step() && check.text(0) != "ok") throw damaged(kind, path, check.text(0));
}

Database openForReading(const fs::path& path) {
    const bool logged = fs::exists(path.string() + "-wal");
    const bool writable =
        ::access(path.c_str(), W_OK) == 0 && ::access(fs::absolute(path).parent_path().c_str(), W_OK) == 0;
    // A log is read by its readers' shared index, which has to be written; without one nobody changes the
    // file.
    return {path, writable || logged ? Database::Access::readOnly : Database::Access::immutable};
}

Database openForWriting(const FileKind& kind, const fs::path& path, std::span<const Migration> migrations,
                        Durability durability) {
    if (fs::exists(path)) inspect(kind, path, migrations, true);
    Database database(path, Database::Access::readWrite);
    switchToLog(database);
    database.execute("PRAGMA foreign_keys = ON");
    database.execute(durability == Durability::machine ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    if (database.number("PRAGMA user_version") == kind.schemaVersion) return database;
    Transaction transaction(database);
    refuseForeign(kind, database, path); // again: another process may have been here first
    checkSchema(kind, database, path, migrations);
    for (auto step = database.number("PRAGMA user_version"); step < kind.schemaVersion; ++step)
        migrations[static_cast<std::size_t>(step)](database);
    database.execute(fmt::format("PRAGMA application_id = {}", kind.applicationId));
    database.execute(fmt::format("PRAGMA user_version = {}", kind.schemaVersion));
    transaction.commit();
    return database;
}

Error currentError(const FileKind& kind, const fs::path& path) {
    try {
        throw;
    } catch (const Refusal& refusal) {
        return refusal.error;
    } catch (const SqliteError& problem) {
        return fromSqlite(kind, path, problem);
    } catch (const fs::filesystem_error& problem) {
        return error(kind.cannotOpen, fmt::format("{}: {}.", path.string(), problem.code().message()),
                     std::string(kind.permissions));
    } catch (const std::exception& problem) {
        return damaged(kind, path, problem.what()).error;
    }
}

Transaction::~Transaction() {
    if (!m_open) return;
    try {
        m_database.execute("ROLLBACK");
    } catch (const SqliteError&) {
        // SQLite has rolled back by itself (a full disk, say); nothing is left to undo.
    }
}

} // namespace kernelarium::sqlite
