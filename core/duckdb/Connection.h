// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/duckdb/Library.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::duckdb {

struct Confinement {
    std::string file;              ///< the only one that may be read; as it is written in the queries
    std::uint64_t memoryMb = 1024; ///< of DuckDB's buffers; nothing is spilled to a disk
    int threads = 2;
};

class Rows;

/// A database in memory that can read one file and nothing else: no other file, no network, no extension from
/// outside. The order of a file's rows is kept. Used from one thread at a time.
class Connection {
public:
    static Result<Connection> open(const Confinement& confinement);
    ~Connection();
    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;

    /// A streamed result: about as much memory as the chunk being read. The connection has to outlive it and
    /// serves one at a time. Error "query_failed" with DuckDB's message in the detail.
    Result<Rows> query(const std::string& sql, const std::stop_token& stop = {});
    Result<void> run(const std::string& sql); ///< a statement without rows

private:
    friend class Rows;
    struct State;
    explicit Connection(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// The rows of a query, one after another. Columns are counted from 0; the caller knows their types.
class Rows {
public:
    ~Rows();
    Rows(Rows&&) noexcept;
    Rows& operator=(Rows&&) noexcept;

    /// False at the end. Errors: "cancelled", "out_of_memory", "query_failed".
    Result<bool> next(const std::stop_token& stop = {});

    [[nodiscard]] bool isNull(std::size_t column) const;
    [[nodiscard]] bool boolean(std::size_t column) const;          ///< BOOLEAN
    [[nodiscard]] std::int64_t integer(std::size_t column) const;  ///< BIGINT
    [[nodiscard]] double real(std::size_t column) const;           ///< DOUBLE
    [[nodiscard]] std::string_view text(std::size_t column) const; ///< VARCHAR; valid until the next row

private:
    friend class Connection;
    struct State;
    explicit Rows(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// A text as a literal of SQL.
[[nodiscard]] std::string sqlText(std::string_view text);
/// A name as an identifier of SQL.
[[nodiscard]] std::string sqlName(std::string_view name);

} // namespace kernelarium::duckdb
