// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sqlite/Sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

namespace kernelarium::sqlite {
namespace {

/// A file name as SQLite's URI: everything but the plainest characters is escaped.
std::string fileUri(const std::filesystem::path& path, std::string_view parameters) {
    std::string uri = "file:";
    for (const unsigned char c : std::filesystem::absolute(path).string()) {
        const bool plain = std::isalnum(c) != 0 || c == '/' || c == '-' || c == '_' || c == '.';
        if (plain)
            uri += static_cast<char>(c);
        else
            uri += fmt::format("%{:02X}", c);
    }
    return uri + "?" + std::string(parameters);
}

std::string_view uriParameters(Database::Access access) {
    switch (access) {
    case Database::Access::readOnly: return "mode=ro";
    case Database::Access::readWrite: return "mode=rwc";
    case Database::Access::immutable: return "mode=ro&immutable=1";
    case Database::Access::exclusive: return "mode=rwc&vfs=unix-none";
    case Database::Access::memory: return "mode=memory";
    }
    return "mode=ro";
}

struct Limit {
    int id;
    int value;
};
/// What the program's own statements and rows stay far below. Foreign keys that cascade count as triggers.
constexpr Limit limits[] = {{SQLITE_LIMIT_LENGTH, 512 << 20}, {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                            {SQLITE_LIMIT_COLUMN, 128},       {SQLITE_LIMIT_VDBE_OP, 100'000},
                            {SQLITE_LIMIT_ATTACHED, 0},       {SQLITE_LIMIT_TRIGGER_DEPTH, 8},
                            {SQLITE_LIMIT_WORKER_THREADS, 0}, {SQLITE_LIMIT_COMPOUND_SELECT, 32}};

/// https://www.sqlite.org/security.html, "Untrusted SQLite database files"
void harden(sqlite3* connection) {
    for (const Limit& limit : limits)
        sqlite3_limit(connection, limit.id, limit.value);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                          SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
        sqlite3_db_config(connection, off, 0, nullptr);
    sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

SqliteError errorOf(sqlite3* connection, const QueryWatch& watch, int code) {
    const int primary = code & 0xff;
    if (primary == SQLITE_INTERRUPT && watch.isExhausted())
        return {SQLITE_CORRUPT, "reading it takes more steps than its size explains"};
    return {primary, sqlite3_errmsg(connection)};
}

} // namespace

Database::Database(const std::filesystem::path& path, Access access) {
    const bool writes = access == Access::exclusive || access == Access::readWrite || access == Access::memory;
    const int direction = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const auto uri = fileUri(path, uriParameters(access));
    const int code = sqlite3_open_v2(uri.c_str(), &m_handle, direction | SQLITE_OPEN_URI, nullptr);
    if (code != SQLITE_OK) {
        const std::string message = m_handle ? sqlite3_errmsg(m_handle) : "out of memory";
        sqlite3_close_v2(m_handle);
        throw SqliteError(code & 0xff, message);
    }
    sqlite3_busy_timeout(m_handle, 5000);
    harden(m_handle);
    m_watch = std::make_unique<QueryWatch>(m_handle, access == Access::memory ? std::filesystem::path() : path);
}

Database::~Database() {
    sqlite3_close_v2(m_handle);
}

Database::Database(Database&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr))
    , m_watch(std::move(other.m_watch)) {}

Database& Database::operator=(Database&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    std::swap(m_watch, other.m_watch);
    return *this;
}

void Database::execute(const std::string& sql) {
    std::uint64_t steps = 0;
    const QueryWatch::Counting counting(*m_watch, steps);
    const int code = sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw errorOf(m_handle, *m_watch, code);
}

Statement Database::prepare(std::string_view sql) {
    return {m_handle, *m_watch, sql};
}

std::int64_t Database::lastInsertId() const {
    return sqlite3_last_insert_rowid(m_handle);
}

std::int64_t Database::number(std::string_view sql) {
    auto statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

Reading::Reading(Database& database) {
    if (sqlite3_get_autocommit(database.m_handle) == 0) return;
    database.execute("BEGIN");
    m_connection = database.m_handle;
}

Reading::~Reading() {
    if (m_connection) sqlite3_exec(m_connection, "ROLLBACK", nullptr, nullptr, nullptr);
}

Statement::Statement(sqlite3* connection, QueryWatch& watch, std::string_view sql)
    : m_connection(connection)
    , m_watch(&watch) {
    const QueryWatch::Counting counting(watch, m_steps);
    check(sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &m_handle, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(m_handle);
}

Statement::Statement(Statement&& other) noexcept
    : m_connection(other.m_connection)
    , m_watch(other.m_watch)
    , m_handle(std::exchange(other.m_handle, nullptr))
    , m_steps(other.m_steps) {}

Statement& Statement::operator=(Statement&& other) noexcept {
    std::swap(m_connection, other.m_connection);
    std::swap(m_watch, other.m_watch);
    std::swap(m_handle, other.m_handle);
    std::swap(m_steps, other.m_steps);
    return *this;
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) throw errorOf(m_connection, *m_watch, code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(m_handle, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, double value) {
    check(sqlite3_bind_double(m_handle, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
    const char* data = text.empty() ? "" : text.data();
    check(sqlite3_bind_text64(m_handle, parameter, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bindBlob(int parameter, std::span<const std::uint8_t> bytes) {
    const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
    check(sqlite3_bind_blob64(m_handle, parameter, data, bytes.size(), SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bindNull(int parameter) {
    check(sqlite3_bind_null(m_handle, parameter));
    return *this;
}

bool Statement::step() {
    const QueryWatch::Counting counting(*m_watch, m_steps);
    const int code = sqlite3_step(m_handle);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        m_steps = 0;
        return false;
    }
    const SqliteError error = errorOf(m_connection, *m_watch, code);
    reset();
    throw error;
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() {
    m_steps = 0;
    sqlite3_reset(m_handle);
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_handle, column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_handle, column);
}
double Statement::real(int column) const {
    return sqlite3_column_double(m_handle, column);
}

std::string_view Statement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_handle, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column))};
}

std::span<const std::uint8_t> Statement::blob(int column) const {
    const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(m_handle, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column))};
}

std::optional<std::int64_t> Statement::optionalInteger(int column) const {
    return isNull(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<double> Statement::optionalReal(int column) const {
    return isNull(column) ? std::nullopt : std::optional(real(column));
}

} // namespace kernelarium::sqlite
