// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/store/Header.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

inline constexpr std::uint64_t largestStore = std::uint64_t(64) << 30; ///< bytes

/// Reads a store from its beginning, also while a process writes to it: it gives whole lines only, and goes on where it
/// was when there are more. A store that a merge replaces meanwhile is read to the end of what it was.
class StoreReader {
public:
    /// Errors: "unreadable_file"; "not_store" (its first line is no header), "empty_store" (it has none yet),
    /// "newer_store", "damaged_store".
    [[nodiscard]] static Result<StoreReader> open(const std::filesystem::path& path);
    ~StoreReader();
    StoreReader(StoreReader&& other) noexcept;
    StoreReader& operator=(StoreReader&&) = delete;

    [[nodiscard]] const Header& header() const { return m_header; }

    /// The next record behind the header; nothing at the end of what is written by now. Errors: "unreadable_file";
    /// "damaged_store" names the file and the line.
    [[nodiscard]] Result<std::optional<Record>> next();
    /// The next line as it is, valid until the next call.
    [[nodiscard]] Result<std::optional<std::string_view>> nextLine();

    [[nodiscard]] std::uint64_t lineNumber() const { return m_lineNumber; } ///< of the last one, from 1
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }           ///< of the lines so far, with their ends
    /// What is wrong with a line, as an error.
    [[nodiscard]] Error damaged(std::uint64_t lineNumber, const std::string& what) const;

private:
    StoreReader(int descriptor, std::filesystem::path path);
    Result<void> readHeader();
    Result<bool> fill();

    int m_descriptor;
    std::filesystem::path m_path;
    Header m_header;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0; ///< what is read and not given is [m_begin, m_end)
    std::size_t m_end = 0;
    std::size_t m_scanned = 0; ///< of that, known to have no end of a line
    std::uint64_t m_bytes = 0;
    std::uint64_t m_lineNumber = 0;
};

} // namespace kernelarium::tuning
