// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/WorkFile.h"

#include "core/files/LockedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kernelarium::files {
namespace {

namespace fs = std::filesystem;

Error unwritable(const fs::path& path, int code) {
    if (code == ENOSPC) return {"disk_full", fmt::format("The disk of {} is full.", path.string()), "Free some space."};
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", path.string(), std::strerror(code)),
            "Choose an archive in a folder that you may write to with --db."};
}

/// The file itself when the name is a link, so that the link survives the rename.
fs::path resolved(const fs::path& path) {
    std::error_code code;
    const fs::path real = fs::weakly_canonical(fs::absolute(path), code);
    return code ? fs::absolute(path) : real;
}

/// SQLite's journal beside the copy.
fs::path sideOf(const fs::path& work) {
    fs::path side = work;
    side += "-journal";
    return side;
}

/// An open and locked file at `path`.
Result<int> lockedFile(const fs::path& path, const fs::path& target) {
    const LockedFile locked = openLocked(path);
    if (locked.isBusy())
        return Error{"busy", fmt::format("Another import into {} is running.", target.string()),
                     "Wait until it has finished."};
    if (locked.descriptor < 0) return unwritable(target, locked.error);
    return locked.descriptor;
}

bool writeAll(int descriptor, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t wrote = ::write(descriptor, data, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        data += wrote;
        size -= static_cast<std::size_t>(wrote);
    }
    return true;
}

} // namespace

Result<WorkFile> WorkFile::begin(const fs::path& target, const std::function<bool(const fs::path&)>& goesOn) {
    const fs::path file = resolved(target);
    std::error_code code;
    if (const fs::file_status there = fs::status(file, code); fs::exists(there) && !fs::is_regular_file(there))
        return Error{"unwritable_file", fmt::format("{} is not a file.", file.string()), "Name a file."};
    fs::create_directories(file.parent_path(), code);
    if (code) return unwritable(file.parent_path(), code.value());
    const fs::path path = file.parent_path() / fmt::format(".{}.import", file.filename().string());
    auto descriptor = lockedFile(path, file);
    if (!descriptor) return descriptor.error();
    WorkFile work(*descriptor, path, file);
    if (goesOn && fs::file_size(path, code) > 0 && goesOn(path)) {
        work.m_targetExisted = fs::exists(file, code);
        return work;
    }
    ::unlink(sideOf(path).c_str());
    if (ftruncate(*descriptor, 0) != 0) return unwritable(file, errno);
    if (auto copied = work.copyTarget(); !copied) return copied.error();
    return work;
}

Result<void> WorkFile::copyTarget() {
    const int source = ::open(m_target.c_str(), O_RDONLY | O_CLOEXEC);
    if (source < 0 && errno == ENOENT) return {};
    if (source < 0) return unwritable(m_target, errno);
    m_targetExisted = true;
    struct stat status {};
    const bool mayWrite = ::access(m_target.c_str(), W_OK) == 0; // a write-protected archive is not to be replaced
    const int denied = errno;
    if (mayWrite && fstat(source, &status) == 0) fchmod(m_descriptor, status.st_mode & 07777);

    std::vector<char> buffer(1 << 20);
    ssize_t got = mayWrite ? 1 : 0;
    int failure = mayWrite ? 0 : denied;
    while (got > 0 && failure == 0) {
        got = ::read(source, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            failure = errno;
        else if (got > 0 && !writeAll(m_descriptor, buffer.data(), static_cast<std::size_t>(got)))
            failure = errno;
    }
    ::close(source);
    if (failure != 0) return unwritable(m_target, failure);
    return {};
}

Result<void> WorkFile::commit() {
    if (fsync(m_descriptor) != 0) return unwritable(m_target, errno);
    ::unlink(sideOf(m_path).c_str());
    if (::rename(m_path.c_str(), m_target.c_str()) != 0) return unwritable(m_target, errno);
    const int folder = ::open(m_target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) { // the new name survives a power cut
        fsync(folder);
        ::close(folder);
    }
    ::close(std::exchange(m_descriptor, -1));
    return {};
}

WorkFile::WorkFile(WorkFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_path(std::move(other.m_path))
    , m_target(std::move(other.m_target))
    , m_targetExisted(other.m_targetExisted) {}

WorkFile::~WorkFile() {
    if (m_descriptor < 0) return;
    ::unlink(sideOf(m_path).c_str());
    ::unlink(m_path.c_str()); // before the lock goes, so that nobody else's copy is removed
    ::close(m_descriptor);
}

Result<void> replaceFile(const std::filesystem::path& target, std::string_view text) {
    const auto asFile = [](Error error) { // of no archive
        if (error.code == "unwritable_file") error.action = "Choose a file in a folder that you may write to.";
        return error;
    };
    Result<WorkFile> work = WorkFile::begin(target);
    if (!work) return asFile(work.error());
    std::ofstream stream(work->path(), std::ios::binary | std::ios::trunc);
    errno = 0;
    stream << text;
    stream.close();
    if (!stream) return asFile(unwritable(target, errno != 0 ? errno : EIO));
    const Result<void> committed = work->commit();
    return committed ? committed : asFile(committed.error());
}

} // namespace kernelarium::files
