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
    }
    return "mode=ro";
}

} // namespace

Database::Database(const std::filesystem::path& path, Access access) {
    const bool writes = access == Access::exclusive || access == Access::readWrite;
    const int direction = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const auto uri = fileUri(path, uriParameters(access));
    const int code = sqlite3_open_v2(uri.c_str(), &m_handle, direction | SQLITE_OPEN_URI, nullptr);
    if (code != SQLITE_OK) {
        const std::string message = m_handle ? sqlite3_errmsg(m_handle) : "out of memory";
        sqlite3_close_v2(m_handle);
        throw SqliteError(code & 0xff, message);
    }
    sqlite3_busy_timeout(m_handle, 5000);
}

Database::~Database() {
    sqlite3_close_v2(m_handle);
}

Database::Database(Database&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    return *this;
}

void Database::execute(const std::string& sql) {
    const int code = sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw SqliteError(code & 0xff, sqlite3_errmsg(m_handle));
}

Statement Database::prepare(std::string_view sql) {
    return {m_handle, sql};
}

std::int64_t Database::lastInsertId() const {
    return sqlite3_last_insert_rowid(m_handle);
}

std::int64_t Database::number(std::string_view sql) {
    auto statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(sqlite3* connection, std::string_view sql)
    : m_connection(connection) {
    check(sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &m_handle, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(m_handle);
}

Statement::Statement(Statement&& other) noexcept
    : m_connection(other.m_connection)
    , m_handle(std::exchange(other.m_handle, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
    std::swap(m_connection, other.m_connection);
    std::swap(m_handle, other.m_handle);
    return *this;
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) throw SqliteError(code & 0xff, sqlite3_errmsg(m_connection));
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
    const int code = sqlite3_step(m_handle);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    const SqliteError error(code & 0xff, sqlite3_errmsg(m_connection));
    sqlite3_reset(m_handle);
    throw error;
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() {
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
