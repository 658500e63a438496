// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/JsonLines.h"

#include <fmt/format.h>

namespace kernelarium::archive {

Result<JsonLinesSource> JsonLinesSource::open(const std::filesystem::path& path) {
    auto lines = files::LineReader::open(path, longestJsonLine);
    if (!lines) return lines.error();
    return JsonLinesSource(std::move(lines).value(), path == "-" ? "standard input" : path.filename().string());
}

Result<RowStatus> JsonLinesSource::next(SourceRow& row, SourceProblem& problem, const std::stop_token& stop) {
    while (true) {
        auto status = m_lines.next(stop);
        if (!status) return status.error();
        if (*status == files::LineReader::Status::end) return RowStatus::end;
        if (*status == files::LineReader::Status::stopped) return RowStatus::stopped;
        problem.position = row.position = m_lines.lineNumber();
        if (*status == files::LineReader::Status::tooLong) {
            problem.reason = fmt::format("the line has {} bytes; the longest allowed is {} ({} MB)",
                                         m_lines.lineBytes(), longestJsonLine, longestJsonLine >> 20);
            return RowStatus::problem;
        }
        if (m_lines.line().find_first_not_of(" \t") == std::string_view::npos) continue;
        if (auto parsed = parseJsonRow(m_lines.line(), row); !parsed) {
            problem.reason = parsed.error().message;
            return RowStatus::problem;
        }
        return RowStatus::row;
    }
}

} // namespace kernelarium::archive
