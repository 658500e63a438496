// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/LineBuffer.h"

#include <cerrno>
#include <unistd.h>
#include <vector>

namespace kernelarium::process {

void LineBuffer::append(std::string_view bytes) {
    if (m_dropping) {
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos) return;
        bytes.remove_prefix(end); // the line end itself closes the dropped line
    }
    m_bytes.append(bytes);
    const std::size_t length = m_bytes.size() - m_start;
    if (!m_dropping && length > m_longest && m_bytes.find('\n', m_scanned) == std::string::npos) {
        m_dropping = true;
        m_bytes.resize(m_start);
        m_bytes.shrink_to_fit();
        m_scanned = m_start;
    }
}

std::optional<LineBuffer::Line> LineBuffer::next() {
    const std::size_t end = m_bytes.find('\n', m_scanned);
    if (end == std::string::npos) {
        m_bytes.erase(0, m_start);
        m_start = 0;
        m_scanned = m_bytes.size();
        return std::nullopt;
    }
    Line line{m_bytes.substr(m_start, end - m_start), m_dropping || end - m_start > m_longest};
    if (line.tooLong) line.text.clear();
    m_dropping = false;
    m_start = m_scanned = end + 1;
    if (!line.text.empty() && line.text.back() == '\r') line.text.pop_back();
    return line;
}

std::optional<LineBuffer::Line> LineBuffer::rest() {
    if (m_dropping) {
        m_dropping = false;
        return Line{{}, true};
    }
    if (m_start >= m_bytes.size()) return std::nullopt;
    Line line{m_bytes.substr(m_start), false};
    m_bytes.clear();
    m_start = m_scanned = 0;
    return line;
}

std::optional<LineBuffer::Line> DescriptorLines::read() {
    std::vector<char> chunk(1 << 16);
    while (true) {
        if (auto line = m_buffer.next()) return line;
        if (m_ended) return m_buffer.rest();
        const ssize_t got = ::read(m_descriptor, chunk.data(), chunk.size());
        if (got > 0)
            m_buffer.append({chunk.data(), std::size_t(got)});
        else if (got == 0 || errno != EINTR)
            m_ended = true;
    }
}

} // namespace kernelarium::process
