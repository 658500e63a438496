// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/StoreFile.h"

#include "core/files/LockedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kernelarium::tuning {

Error unwritableStore(const std::filesystem::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT)
        return {"disk_full", fmt::format("The disk of {} is full.", path.string()), "Free some space."};
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", path.string(), std::strerror(code)),
            "Choose a store in a folder that you may write to."};
}

Result<int> openLocked(const std::filesystem::path& path) {
    const files::LockedFile locked = files::openLocked(path, O_APPEND | O_NONBLOCK);
    if (locked.isBusy())
        return Error{"busy", fmt::format("Another search writes to {}.", path.string()),
                     "Wait until it has ended, or take another store."};
    if (locked.descriptor < 0) return unwritableStore(path, locked.error);
    struct stat status {};
    if (fstat(locked.descriptor, &status) == 0 && S_ISREG(status.st_mode)) return locked.descriptor;
    ::close(locked.descriptor);
    return Error{"not_store", fmt::format("{} is not a file.", path.string()), "Name the store of a search."};
}

Result<void> appendWhole(int descriptor, std::string_view bytes, std::uint64_t size,
                         const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            const int code = wrote < 0 ? errno : EIO;
            // Should this fail as well, the next opening cuts the line off.
            if (ftruncate(descriptor, off_t(size)) != 0) return unwritableStore(path, errno);
            return unwritableStore(path, code);
        }
        bytes.remove_prefix(std::size_t(wrote));
    }
    return {};
}

void syncFolderOf(const std::filesystem::path& path) {
    const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);
    ::close(folder);
}

} // namespace kernelarium::tuning
