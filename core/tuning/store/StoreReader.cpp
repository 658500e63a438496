// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::tuning {
namespace {

constexpr std::size_t readBytes = std::size_t(1) << 20;

Error unreadableStore(const std::filesystem::path& path, int code) {
    return {"unreadable_file", fmt::format("{} cannot be read: {}.", path.string(), std::strerror(code)),
            "Check the file's name and that you may read it."};
}

} // namespace

StoreReader::StoreReader(int descriptor, std::filesystem::path path)
    : m_descriptor(descriptor)
    , m_path(std::move(path)) {}

StoreReader::StoreReader(StoreReader&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_path(std::move(other.m_path))
    , m_header(std::move(other.m_header))
    , m_buffer(std::move(other.m_buffer))
    , m_begin(other.m_begin)
    , m_end(other.m_end)
    , m_scanned(other.m_scanned)
    , m_bytes(other.m_bytes)
    , m_lineNumber(other.m_lineNumber) {}

StoreReader::~StoreReader() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<StoreReader> StoreReader::open(const std::filesystem::path& path) {
    // Not to wait for whoever writes to a pipe of that name.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return unreadableStore(path, errno);
    StoreReader reader(descriptor, path);
    struct stat status {};
    if (fstat(descriptor, &status) != 0) return unreadableStore(path, errno);
    if (!S_ISREG(status.st_mode))
        return Error{"not_store", fmt::format("{} is not a file.", path.string()), "Name the store of a search."};
    if (std::uint64_t(status.st_size) > largestStore)
        return Error{"too_large", fmt::format("{} is larger than a store may be.", path.string()),
                     "Name the store of a search."};
    if (auto read = reader.readHeader(); !read) return read.error();
    return reader;
}

Result<void> StoreReader::readHeader() {
    auto line = nextLine();
    if (!line && line.error().code == "unreadable_file") return line.error();
    if (line && !*line)
        return Error{"empty_store", fmt::format("{} has no header yet.", m_path.string()),
                     "A search that was ended as it began left it, or it is no store."};
    auto record = line ? recordFrom(**line) : Result<Record>(line.error());
    auto header = record ? headerFrom(*record) : Result<Header>(record.error());
    if (header) {
        m_header = std::move(*header);
        return {};
    }
    if (header.error().code == "newer_store")
        return Error{"newer_store", fmt::format("{}: {}.", m_path.string(), header.error().message),
                     "Use that version."};
    return Error{"not_store",
                 fmt::format("{} is not the store of a search: {}.", m_path.string(), header.error().message),
                 "Name the store of a search, or a file that does not exist yet."};
}

Result<bool> StoreReader::fill() {
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_buffer.size() < m_end + readBytes) m_buffer.resize(m_end + readBytes);
    ssize_t got = 0;
    do
        got = ::read(m_descriptor, m_buffer.data() + m_end, readBytes);
    while (got < 0 && errno == EINTR);
    if (got < 0) return unreadableStore(m_path, errno);
    m_end += std::size_t(got);
    return got > 0;
}

Result<std::optional<std::string_view>> StoreReader::nextLine() {
    while (true) {
        const char* begin = m_buffer.data() + m_begin;
        const std::size_t unread = m_end - m_begin;
        const void* found = unread > m_scanned ? std::memchr(begin + m_scanned, '\n', unread - m_scanned) : nullptr;
        const std::size_t length = found != nullptr ? std::size_t(static_cast<const char*>(found) - begin) : unread;
        if (length > longestRecord)
            return damaged(m_lineNumber + 1, fmt::format("it has more than {} bytes", longestRecord));
        if (found != nullptr) {
            m_begin += length + 1;
            m_bytes += length + 1;
            m_scanned = 0;
            ++m_lineNumber;
            return std::optional<std::string_view>(std::string_view(begin, length));
        }
        m_scanned = unread;
        auto more = fill();
        if (!more) return more.error();
        if (!*more) return std::optional<std::string_view>();
    }
}

Result<std::optional<Record>> StoreReader::next() {
    auto line = nextLine();
    if (!line) return line.error();
    if (!*line) return std::optional<Record>();
    auto record = recordFrom(**line);
    if (!record) return damaged(m_lineNumber, record.error().message);
    if (record->kind == "header") return damaged(m_lineNumber, "it is a second header");
    return std::optional<Record>(std::move(*record));
}

Error StoreReader::damaged(std::uint64_t lineNumber, const std::string& what) const {
    return {"damaged_store", fmt::format("{} is damaged: line {}: {}.", m_path.string(), lineNumber, what),
            "Restore it from a copy, or move it away and search again."};
}

} // namespace kernelarium::tuning
