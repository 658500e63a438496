// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/PartFile.h"

#include "core/files/Sha256.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::hub {
namespace {

namespace fs = std::filesystem;

fs::path withEnding(fs::path path, const char* ending) {
    path += ending;
    return path;
}

Error cannotWrite(const fs::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT)
        return {"disk_full", fmt::format("The disk of {} is full.", path.string()),
                "Free some space; what came is kept."};
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", path.string(), std::strerror(code)),
            "Choose another folder."};
}

} // namespace

fs::path PartFile::part() const {
    return withEnding(m_target, ".part");
}

fs::path PartFile::note() const {
    return withEnding(m_target, ".part.from");
}

Result<PartFile> PartFile::open(const fs::path& target, const HubFile& file) {
    const fs::path part = withEnding(target, ".part");
    std::error_code code;
    fs::create_directories(target.parent_path(), code);
    if (code) return cannotWrite(target.parent_path(), code.value());
    const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) return cannotWrite(part, errno);
    PartFile opened(descriptor, target, file.sha256);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return Error{"busy", fmt::format("Another program is downloading {}.", target.string()),
                     "Wait until it has finished."};
    opened.m_bytes = fs::file_size(part, code);
    if (code) return cannotWrite(part, code.value());
    std::ifstream note(opened.note());
    std::string sha256;
    std::getline(note, sha256);
    std::getline(note, opened.m_etag);
    if (sha256 != file.sha256 || opened.m_bytes > file.bytes) // of another version of the file
        if (auto begun = opened.beginAnew(); !begun) return begun.error();
    return opened;
}

PartFile::PartFile(PartFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_target(std::move(other.m_target))
    , m_sha256(std::move(other.m_sha256))
    , m_etag(std::move(other.m_etag))
    , m_bytes(other.m_bytes) {}

PartFile::~PartFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<void> PartFile::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t wrote = ::write(m_descriptor, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return cannotWrite(m_target, errno);
        m_bytes += std::uint64_t(wrote);
        bytes.remove_prefix(std::size_t(wrote));
    }
    return {};
}

Result<void> PartFile::beginAnew() {
    if (ftruncate(m_descriptor, 0) != 0) return cannotWrite(m_target, errno);
    m_bytes = 0;
    return noteEtag({});
}

Result<void> PartFile::noteEtag(const std::string& etag) {
    m_etag = etag;
    std::ofstream out(note(), std::ios::trunc);
    out << m_sha256 << '\n' << m_etag << '\n';
    out.close();
    return out ? Result<void>() : Result<void>(cannotWrite(note(), errno));
}

Result<void> PartFile::finish() {
    if (fsync(m_descriptor) != 0) return cannotWrite(m_target, errno);
    if (::rename(part().c_str(), m_target.c_str()) != 0) return cannotWrite(m_target, errno);
    ::unlink(note().c_str());
    return {};
}

void PartFile::discard() {
    ::unlink(part().c_str());
    ::unlink(note().c_str());
}

Result<std::string> sha256OfFile(const fs::path& path, const std::function<void(std::uint64_t)>& read,
                                 const std::stop_token& stop) {
    std::ifstream in(path, std::ios::binary);
    const auto unreadable = [&] {
        return Error{"unreadable_file", fmt::format("{} cannot be read.", path.string()), "Check who may read it."};
    };
    if (!in) return unreadable();
    files::Sha256 sum;
    std::string buffer(1 << 20, '\0');
    while (in) {
        if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
        in.read(buffer.data(), std::streamsize(buffer.size()));
        const auto got = std::size_t(in.gcount());
        sum.add({buffer.data(), got});
        if (read) read(got);
    }
    if (in.bad()) return unreadable();
    return files::toHex(sum.digest());
}

std::uint64_t bytesPresent(const fs::path& target) {
    std::error_code code;
    if (const auto whole = fs::file_size(target, code); !code) return whole;
    const auto part = fs::file_size(withEnding(target, ".part"), code);
    return code ? 0 : part;
}

} // namespace kernelarium::hub
