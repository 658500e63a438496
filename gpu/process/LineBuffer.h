// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::process {

/// Cuts a stream of bytes into lines of bounded length. A line that is too long is dropped as it comes, so it never
/// takes more memory than the bound, and is reported once its end has come.
class LineBuffer {
public:
    explicit LineBuffer(std::size_t longest)
        : m_longest(longest) {}

    struct Line {
        std::string text;
        bool tooLong = false;
    };

    void append(std::string_view bytes);
    /// The next whole line, without its end.
    [[nodiscard]] std::optional<Line> next();
    /// What came after the last line end.
    [[nodiscard]] std::optional<Line> rest();

private:
    std::size_t m_longest;
    std::string m_bytes;
    std::size_t m_start = 0;   ///< of the line in m_bytes
    std::size_t m_scanned = 0; ///< no line end before this
    bool m_dropping = false;
};

/// Blocking lines from a file descriptor until its end.
class DescriptorLines {
public:
    DescriptorLines(int descriptor, std::size_t longest)
        : m_descriptor(descriptor)
        , m_buffer(longest) {}

    /// Empty at the end of the stream.
    [[nodiscard]] std::optional<LineBuffer::Line> read();

private:
    int m_descriptor;
    LineBuffer m_buffer;
    bool m_ended = false;
};

} // namespace kernelarium::process
