// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/LineReader.h"

#include "core/files/FileIdentity.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::files {
namespace {
constexpr std::size_t chunkBytes = 1 << 20;

Error unreadable(const std::string& name, int code) {
    return {"unreadable_file", fmt::format("{} cannot be read: {}.", name, std::strerror(code)),
            "Check the file's name and that you may read it."};
}
} // namespace

Result<LineReader> LineReader::open(const std::filesystem::path& path, std::size_t longestLine) {
    const bool standardInput = path == "-";
    const int descriptor = standardInput ? dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return unreadable(path.string(), errno);
    struct stat status {};
    const bool known = fstat(descriptor, &status) == 0;
    if (known && S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        return unreadable(path.string(), EISDIR);
    }
    const auto total = known && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
    return LineReader(descriptor, standardInput ? "standard input" : path.string(), total, longestLine);
}

LineReader::LineReader(int descriptor, std::string name, std::uint64_t total, std::size_t longestLine)
    : m_descriptor(descriptor)
    , m_name(std::move(name))
    , m_total(total)
    , m_longest(longestLine) {}

LineReader::LineReader(LineReader&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_name(std::move(other.m_name))
    , m_total(other.m_total)
    , m_longest(other.m_longest)
    , m_buffer(std::move(other.m_buffer))
    , m_begin(other.m_begin)
    , m_end(other.m_end)
    , m_line(other.m_line)
    , m_number(other.m_number)
    , m_lineBytes(other.m_lineBytes)
    , m_consumed(other.m_consumed) {}

LineReader::~LineReader() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<void> LineReader::seek(std::uint64_t bytes, std::uint64_t lines) {
    if (lseek(m_descriptor, static_cast<off_t>(bytes), SEEK_SET) < 0) return unreadable(m_name, errno);
    m_consumed = bytes;
    m_number = lines;
    return {};
}

std::string LineReader::identity() const {
    return fileIdentity(m_descriptor);
}

Result<bool> LineReader::fill() {
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_buffer.size() < m_end + chunkBytes) m_buffer.resize(std::max(m_end + chunkBytes, m_buffer.size() * 3 / 2));
    ssize_t got = 0;
    do
        got = ::read(m_descriptor, m_buffer.data() + m_end, chunkBytes);
    while (got < 0 && errno == EINTR);
    if (got < 0) return unreadable(m_name, errno);
    m_end += static_cast<std::size_t>(got);
    return got > 0;
}

LineReader::Status LineReader::takeLine(std::size_t length, std::size_t consumed) {
    m_line = {m_buffer.data() + m_begin, length};
    m_begin += consumed;
    m_consumed += consumed;
    m_lineBytes = length;
    if (!m_line.empty() && m_line.back() == '\r') m_line.remove_suffix(1);
    if (m_number == 1 && m_line.starts_with("\xEF\xBB\xBF")) m_line.remove_prefix(3); // a byte-order mark
    return Status::line;
}

Result<LineReader::Status> LineReader::next(const std::stop_token& stop) {
    ++m_number;
    m_line = {};
    std::size_t scanned = 0;
    while (true) {
        const char* from = m_buffer.data() + m_begin + scanned;
        const std::size_t unread = m_end - m_begin;
        const void* found = unread > scanned ? std::memchr(from, '\n', unread - scanned) : nullptr;
        if (found != nullptr) {
            const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - m_buffer.data()) - m_begin;
            if (length > m_longest) return skipLongLine(stop);
            return takeLine(length, length + 1);
        }
        if (unread > m_longest) return skipLongLine(stop);
        if (stop.stop_requested()) return Status::stopped;
        scanned = unread;
        auto more = fill();
        if (!more) return more.error();
        if (*more) continue;
        if (unread == 0) return Status::end;
        return takeLine(unread, unread);
    }
}

Result<LineReader::Status> LineReader::skipLongLine(const std::stop_token& stop) {
    m_lineBytes = 0;
    while (true) {
        const char* from = m_buffer.data() + m_begin;
        const auto* found = static_cast<const char*>(std::memchr(from, '\n', m_end - m_begin));
        const std::size_t part = found != nullptr ? static_cast<std::size_t>(found - from) : m_end - m_begin;
        const std::size_t consumed = part + (found != nullptr ? 1 : 0);
        m_lineBytes += part;
        m_consumed += consumed;
        m_begin += consumed;
        if (found != nullptr) break;
        if (stop.stop_requested()) return Status::stopped;
        m_begin = m_end = 0;
        if (m_buffer.size() > 2 * chunkBytes) {
            m_buffer.resize(chunkBytes); // gives back what the long line took
            m_buffer.shrink_to_fit();
        }
        auto more = fill();
        if (!more) return more.error();
        if (!*more) break;
    }
    return Status::tooLong;
}

} // namespace kernelarium::files
