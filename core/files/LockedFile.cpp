// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/LockedFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kernelarium::files {

namespace {

/// False when the name led to another file meanwhile: the one we locked was replaced or removed by the program that
/// held it.
bool isStillThere(int descriptor, const std::filesystem::path& path) {
    struct stat ours {};
    struct stat there {};
    return fstat(descriptor, &ours) == 0 && stat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

} // namespace

bool LockedFile::isBusy() const {
    return descriptor < 0 && error == EWOULDBLOCK;
}

LockedFile openLocked(const std::filesystem::path& path, int flags) {
    while (true) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, 0644);
        if (descriptor < 0) return {-1, errno};
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            ::close(descriptor);
            return {-1, error};
        }
        if (isStillThere(descriptor, path)) return {descriptor, 0};
        ::close(descriptor);
    }
}

} // namespace kernelarium::files
