// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/RowSource.h"
#include "core/duckdb/Connection.h"

#include <set>
#include <string>
#include <vector>

namespace kernelarium::archive {

/// What is read of a Parquet file's columns, and how they become a row.
class ParquetColumns {
public:
    struct Column {
        std::string name;
        std::string type; ///< as DuckDB calls it: "VARCHAR", "STRUCT(a INTEGER)", ...
    };

    /// Error "bad_parquet" (message without the file's name) for columns that are not the published ones.
    /// `allNull` are the columns that have no value at all, which may be of any type.
    static Result<ParquetColumns> plan(const std::vector<Column>& columns, const std::set<std::string>& allNull);

    /// Those published columns whose type is not the one expected: they may only be null.
    static std::vector<std::string> unexpected(const std::vector<Column>& columns);

    /// The expressions of a SELECT.
    [[nodiscard]] const std::string& selection() const { return m_selection; }
    /// Fills in everything but the position; the reason when it is not a row, else an empty text.
    std::string read(const duckdb::Rows& rows, SourceRow& row) const;

private:
    enum class Form { boolean, integer, wholeReal, real, text, json };
    struct Extra {
        std::string name;
        Form form;
        std::size_t column;
    };
    std::size_t select(const std::string& expression);
    void addExtra(const Column& column);
    std::string extraJson(const duckdb::Rows& rows) const;

    std::string m_selection;
    std::size_t m_count = 0;
    std::array<Form, 3> m_integers{}; ///< Level_ID, Task_ID, __index_level_0__
    std::vector<Extra> m_extra;
};

} // namespace kernelarium::archive
