// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sqlite/QueryWatch.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace kernelarium::sqlite {

/// Thrown inside the rooms that keep files; `guarded` (core/sqlite/OwnFile.h) turns it into an Error at their borders.
class SqliteError : public std::runtime_error {
public:
    SqliteError(int code, const std::string& message)
        : std::runtime_error(message)
        , m_code(code) {}
    [[nodiscard]] int code() const { return m_code; } ///< SQLite's primary result code

private:
    int m_code;
};

class Statement;

/// One connection; closed on destruction. Used from one thread at a time. Files are not trusted: views and triggers do
/// not work, functions called from a schema neither, and a query that does not end is ended (QueryWatch).
class Database {
public:
    enum class Access {
        readOnly,  ///< with SQLite's locks
        readWrite, ///< created when absent; with SQLite's locks and journal
        immutable, ///< no locks, no side files: only for a file that nobody can write
        exclusive, ///< read and write without locks or journal: only for a work file that is ours alone
        memory     ///< no file; the path only names it
    };
    Database(const std::filesystem::path& path, Access access);
    ~Database();
    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;

    void execute(const std::string& sql);
    [[nodiscard]] Statement prepare(std::string_view sql);
    [[nodiscard]] std::int64_t lastInsertId() const;
    [[nodiscard]] std::int64_t number(std::string_view sql); ///< the first column of the first row
    /// From now on queries end with "cancelled" as soon as the token says so; an empty one takes that back.
    void endWith(std::stop_token stop) { m_watch->endWith(std::move(stop)); }

private:
    friend class Reading;
    sqlite3* m_handle = nullptr;
    std::unique_ptr<QueryWatch> m_watch;
};

/// While it lives, all that is read is of one state of the file, and statements take no locks of their own: locking,
/// looking for another's journal and unlocking cost more than reading a row. Writers wait meanwhile. One inside another
/// does nothing.
class Reading {
public:
    explicit Reading(Database& database);
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

private:
    sqlite3* m_connection = nullptr; ///< null: inside another
};

/// A prepared statement. Parameters are numbered from 1, columns from 0. Bound text is copied.
class Statement {
public:
    Statement(sqlite3* connection, QueryWatch& watch, std::string_view sql);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;

    Statement& bind(int parameter, std::int64_t value);
    Statement& bind(int parameter, double value);
    Statement& bind(int parameter, std::string_view text);
    Statement& bindBlob(int parameter, std::span<const std::uint8_t> bytes);
    Statement& bindNull(int parameter);
    template <class T> Statement& bind(int parameter, const std::optional<T>& value) {
        return value ? bind(parameter, *value) : bindNull(parameter);
    }

    bool step(); ///< true: a row is there
    void run();  ///< steps to the end and resets
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const; ///< valid until the next step
    [[nodiscard]] std::span<const std::uint8_t> blob(int column) const;
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(int column) const;
    [[nodiscard]] std::optional<double> optionalReal(int column) const;

private:
    void check(int code) const;
    sqlite3* m_connection;
    QueryWatch* m_watch;
    sqlite3_stmt* m_handle = nullptr;
    std::uint64_t m_steps = 0; ///< of SQLite's machine since the last reset
};

} // namespace kernelarium::sqlite
