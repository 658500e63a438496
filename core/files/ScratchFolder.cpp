// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/ScratchFolder.h"

#include "core/files/FolderRemoval.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::files {

namespace fs = std::filesystem;

namespace {

// A folder is made by another name and gets its own once it is locked: one of this name without a lock has lost its
// process. One that still has the first name is in the making, or was left in the middle of it.
constexpr std::string_view start = "kernelarium-", ending = ".scratch", making = ".kernelarium-new-";
constexpr std::size_t letters = 6;        ///< of mkdtemp()
constexpr std::time_t longestMaking = 60; ///< seconds

bool areLetters(std::string_view text) {
    return text.size() == letters &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

bool isInTheMaking(std::string_view name) {
    return name.starts_with(making) && areLetters(name.substr(making.size()));
}

bool isNamedLikeOurs(std::string_view name) {
    if (!name.starts_with(start) || !name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    return name.size() >= start.size() + letters && areLetters(name.substr(name.size() - letters));
}

/// The folder, opened and locked; -1: it is in use, or none of ours. On file systems without locks it is in use for
/// ever.
int claim(int parent, const char* name) {
    const int folder = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return -1;
    struct stat what {};
    if (::fstat(folder, &what) == 0 && what.st_uid == ::geteuid() && (what.st_mode & (S_IRWXG | S_IRWXO)) == 0 &&
        ::flock(folder, LOCK_EX | LOCK_NB) == 0)
        return folder;
    ::close(folder);
    return -1;
}

bool isOld(int folder) {
    struct stat what {};
    return ::fstat(folder, &what) == 0 && std::time(nullptr) - what.st_ctime > longestMaking;
}

/// Gives the folder `from` the name `to`, which nothing has yet.
bool renameTo(const std::string& from, const std::string& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    // Some file systems know no such flag; rename() then takes the place of an empty folder at the most.
    return errno == EINVAL && ::rename(from.c_str(), to.c_str()) == 0;
}

void removeAbandonedIn(const fs::path& temporary) {
    const int parent = ::open(temporary.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) return;
    for (const std::string& name : namesIn(parent)) {
        const bool isNew = isInTheMaking(name);
        if (!isNew && !isNamedLikeOurs(name)) continue;
        const int folder = claim(parent, name.c_str());
        if (folder < 0) continue;
        if (!isNew || isOld(folder)) removeFolder(parent, name);
        ::close(folder);
    }
    ::close(parent);
}

std::atomic<bool> looked = false; ///< for what was abandoned, by this process

} // namespace

fs::path ScratchFolder::parent() {
    std::error_code problem;
    const fs::path parent = fs::temp_directory_path(problem);
    return problem ? fs::path("/tmp") : parent;
}

void ScratchFolder::removeAbandoned() {
    looked = true;
    removeAbandonedIn(parent());
}

Result<ScratchFolder> ScratchFolder::make(const std::string& prefix) {
    if (!looked) removeAbandoned();
    const fs::path place = parent();
    std::string name = (place / making).string() + std::string(letters, 'X');
    const auto failed = [&] {
        return Error{"unwritable_file",
                     fmt::format("Cannot make a folder in {}: {}.", place.string(), std::strerror(errno))};
    };
    if (!::mkdtemp(name.data())) return failed();
    ScratchFolder folder;
    folder.m_path = name;
    folder.m_lock = claim(AT_FDCWD, name.c_str());
    const fs::path own = place / (prefix + name.substr(name.size() - letters) + std::string(ending));
    if (!renameTo(name, own.string())) return failed();
    folder.m_path = own;
    return folder;
}

ScratchFolder::~ScratchFolder() {
    if (!m_path.empty()) removeFolder(AT_FDCWD, m_path.string());
    if (m_lock >= 0) ::close(m_lock);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_lock(std::exchange(other.m_lock, -1)) {}

} // namespace kernelarium::files
