// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/RowSource.h"

#include <filesystem>
#include <memory>

namespace kernelarium::archive {

/// Rows from a Parquet file in the published columns: any codec, any row groups, nullable and dictionary
/// columns. The columns that JsonLinesSource requires are required here; a published column of another type
/// is refused, unless all of it is null. Columns that are not published are kept as JSON lines keep them;
/// values that JSON has no word for (dates, decimals, binary) become the text that DuckDB writes for them.
///
/// Read by DuckDB's library (core/duckdb), confined to this file, in about `memoryMb` beside the row being
/// read. bytesRead() is by rows: the file's size times the share of its rows.
class ParquetSource : public RowSource {
public:
    static constexpr std::uint64_t defaultMemoryMb = 1024;

    /// Looks at the file's ends and its schema. Errors: "unreadable_file"; "missing_component" (no DuckDB);
    /// "bad_parquet" (empty, truncated, corrupt, no Parquet file, not the published columns); "unsupported"
    /// (encrypted); "out_of_memory".
    static Result<ParquetSource> open(const std::filesystem::path& path, std::uint64_t memoryMb = defaultMemoryMb);
    ~ParquetSource() override;
    ParquetSource(ParquetSource&&) noexcept;
    ParquetSource& operator=(ParquetSource&&) noexcept;

    /// The errors of open(), of what is only met on the way.
    Result<RowStatus> next(SourceRow& row, SourceProblem& problem, const std::stop_token& stop) override;
    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::uint64_t bytesRead() const override;
    [[nodiscard]] std::uint64_t bytesTotal() const override;
    [[nodiscard]] std::string identity() const override;
    [[nodiscard]] SourceMark mark() const override;
    Result<void> resume(const SourceMark& mark) override;

    [[nodiscard]] std::uint64_t rowsTotal() const;

private:
    struct State;
    explicit ParquetSource(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace kernelarium::archive
