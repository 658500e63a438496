// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/RowCheck.h"
#include "core/archive/import/RowSource.h"
#include "core/files/LineReader.h"

namespace kernelarium::archive {

/// One line longer than this is reported and skipped; it is never held in memory.
inline constexpr std::size_t longestJsonLine = longestRow;

/// Rows from a file of JSON lines: one object a line, keys as published. Level_ID, Task_ID, Op_Name,
/// Kernel_Name and CUDA_Code are required; every other column may be null or absent. NaN and Infinity, which
/// Python's json writes for missing numbers, are taken as null. Unknown columns are kept. Empty lines are
/// skipped.
class JsonLinesSource : public RowSource {
public:
    static Result<JsonLinesSource> open(const std::filesystem::path& path);

    Result<RowStatus> next(SourceRow& row, SourceProblem& problem, const std::stop_token& stop) override;
    [[nodiscard]] std::string name() const override { return m_name; } ///< the file's name without its folder
    [[nodiscard]] std::uint64_t bytesRead() const override { return m_lines.bytesRead(); }
    [[nodiscard]] std::uint64_t bytesTotal() const override { return m_lines.bytesTotal(); }
    [[nodiscard]] std::string identity() const override { return m_lines.identity(); }
    [[nodiscard]] SourceMark mark() const override { return {m_lines.bytesRead(), m_lines.lineNumber()}; }
    Result<void> resume(const SourceMark& mark) override { return m_lines.seek(mark.bytes, mark.rows); }

private:
    JsonLinesSource(files::LineReader lines, std::string name)
        : m_lines(std::move(lines))
        , m_name(std::move(name)) {}
    files::LineReader m_lines;
    std::string m_name;
};

/// Reads one line into `row` (all but its position); the reason as Error's message when it is not a row.
Result<void> parseJsonRow(std::string_view line, SourceRow& row);

} // namespace kernelarium::archive
