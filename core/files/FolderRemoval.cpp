// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/FolderRemoval.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::files {

namespace {

/// Opens a folder to be emptied; -1 where it is none.
int openToEmpty(int parent, const char* name) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int place = ::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) return -1;
    struct stat what {};
    // What ran here may have taken away its own right to look into folders. This is the one that was opened, by
    // whatever name it goes now.
    if (::fstat(place, &what) == 0 && (what.st_mode & S_IRWXU) != S_IRWXU)
        (void)::chmod(("/proc/self/fd/" + std::to_string(place)).c_str(), S_IRWXU);
    const int folder = ::openat(place, ".", flags);
    ::close(place);
    return folder;
}

/// Takes away the files of `folder`, and moves its folders to `top`, so that depth costs nothing.
void flatten(int folder, int top, std::size_t& count) {
    for (const std::string& name : namesIn(folder)) {
        if (::unlinkat(folder, name.c_str(), 0) == 0 || (errno != EISDIR && errno != EPERM)) continue;
        const int inner = openToEmpty(folder, name.c_str()); // to be moved it must be ours to write
        if (inner >= 0) ::close(inner);
        std::string moved;
        do
            moved = "." + std::to_string(count++);
        while (::faccessat(top, moved.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0);
        if (::unlinkat(folder, name.c_str(), AT_REMOVEDIR) != 0)
            (void)::renameat(folder, name.c_str(), top, moved.c_str());
    }
}

} // namespace

std::vector<std::string> namesIn(int folder) {
    std::vector<std::string> all;
    const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* list = again < 0 ? nullptr : ::fdopendir(again);
    if (!list && again >= 0) ::close(again);
    while (const dirent* entry = list ? ::readdir(list) : nullptr)
        if (const std::string_view name = entry->d_name; name != "." && name != "..") all.emplace_back(name);
    if (list) ::closedir(list);
    return all;
}

bool removeFolder(int parent, const std::string& name) {
    const int top = openToEmpty(parent, name.c_str());
    if (top < 0) return errno == ENOENT;
    std::size_t count = 0;
    // Every round empties the folders that the one before brought up; one that changes nothing is the last.
    for (std::vector<std::string> left = namesIn(top), before; !left.empty() && left != before;) {
        for (const std::string& entry : left) {
            if (::unlinkat(top, entry.c_str(), 0) == 0 || ::unlinkat(top, entry.c_str(), AT_REMOVEDIR) == 0) continue;
            const int inner = openToEmpty(top, entry.c_str());
            if (inner < 0) continue;
            flatten(inner, top, count);
            ::close(inner);
            (void)::unlinkat(top, entry.c_str(), AT_REMOVEDIR);
        }
        before = std::exchange(left, namesIn(top));
    }
    ::close(top);
    return ::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0;
}

} // namespace kernelarium::files
