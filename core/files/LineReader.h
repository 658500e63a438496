// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::files {

/// Reads a file line by line and never holds more of it than one line of the greatest length allowed.
class LineReader {
public:
    enum class Status { line, tooLong, end, stopped };

    /// "-" is standard input.
    static Result<LineReader> open(const std::filesystem::path& path, std::size_t longestLine);
    ~LineReader();
    LineReader(LineReader&& other) noexcept;
    LineReader& operator=(LineReader&&) = delete;

    /// Moves to the next line. A line that is too long is skipped to its end, and its length is known then.
    Result<Status> next(const std::stop_token& stop);

    /// Before the first next(): goes on at a byte offset, behind that many lines. Error "unreadable_file".
    Result<void> seek(std::uint64_t bytes, std::uint64_t lines);
    /// See fileIdentity(); empty for standard input and what else is not a file.
    [[nodiscard]] std::string identity() const;

    [[nodiscard]] std::string_view line() const { return m_line; }      ///< without its end; valid until next()
    [[nodiscard]] std::uint64_t lineNumber() const { return m_number; } ///< from 1
    [[nodiscard]] std::uint64_t lineBytes() const { return m_lineBytes; }
    [[nodiscard]] std::uint64_t bytesRead() const { return m_consumed; }
    [[nodiscard]] std::uint64_t bytesTotal() const { return m_total; } ///< 0: not known

private:
    LineReader(int descriptor, std::string name, std::uint64_t total, std::size_t longestLine);
    Result<bool> fill(); ///< false at the end of the file
    Result<Status> skipLongLine(const std::stop_token& stop);
    Status takeLine(std::size_t length, std::size_t consumed);

    int m_descriptor;
    std::string m_name;
    std::uint64_t m_total;
    std::size_t m_longest;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0; ///< the unread part of the buffer is [m_begin, m_end)
    std::size_t m_end = 0;
    std::string_view m_line;
    std::uint64_t m_number = 0;
    std::uint64_t m_lineBytes = 0;
    std::uint64_t m_consumed = 0;
};

} // namespace kernelarium::files
