// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/audit/AuditLines.h"

#include "core/audit/VerdictLine.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

namespace kernelarium::cli {

namespace {

/// Where the file's last whole line ends.
off_t endOfLines(int descriptor) {
    std::vector<char> part(std::size_t(1) << 16);
    off_t end = ::lseek(descriptor, 0, SEEK_END);
    while (end > 0) {
        const off_t start = std::max<off_t>(0, end - off_t(part.size()));
        const ssize_t got = ::pread(descriptor, part.data(), std::size_t(end - start), start);
        if (got <= 0) return end;
        for (ssize_t i = got; i > 0; --i)
            if (part[std::size_t(i - 1)] == '\n') return start + i;
        end = start;
    }
    return 0;
}

} // namespace

AuditLines::~AuditLines() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Error AuditLines::failure() const {
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", m_path.string(), std::strerror(errno)),
            "The verdicts are in the file of verdicts. Choose another file for --out."};
}

Result<void> AuditLines::open(const std::filesystem::path& path) {
    m_path = path;
    m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_descriptor < 0) return failure();
    const off_t size = ::lseek(m_descriptor, 0, SEEK_END);
    if (size <= 0) return {}; // new, or a pipe
    char first = 0;
    if (::pread(m_descriptor, &first, 1, 0) != 1) return failure();
    if (first != '{')
        return Error{"bad_input", fmt::format("{} exists but is not an audit's output.", m_path.string()),
                     "Choose another file for --out."};
    const off_t end = endOfLines(m_descriptor);
    if (size > end && ::ftruncate(m_descriptor, end) != 0) return failure();
    if (::lseek(m_descriptor, end, SEEK_SET) < 0) return failure();
    return {};
}

Result<void> AuditLines::write(const audit::JudgedKernel& kernel) {
    if (m_descriptor < 0) return {};
    const std::string line = audit::toLine(kernel) + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t now = ::write(m_descriptor, line.data() + sent, line.size() - sent);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) return failure();
        sent += std::size_t(now);
    }
    return {};
}

} // namespace kernelarium::cli
