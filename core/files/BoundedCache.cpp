// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/BoundedCache.h"

#include "core/files/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kernelarium::files {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view keptEnding = ".kept", unfinishedEnding = ".unfinished";
constexpr const char* limitName = "kernelarium-limit"; ///< a file with a number of bytes
constexpr std::size_t digestDigits = 64;               ///< a text's file begins with them, and a line feed
constexpr double keptShare = 0.9; ///< of the limit, so that not every new text looks through the folder
constexpr auto unfinishedFor = std::chrono::hours(1); ///< then its writer was killed

class Descriptor {
public:
    explicit Descriptor(int number)
        : m_number(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_number >= 0) ::close(m_number);
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

bool isName(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(),
                                        [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

/// The whole of an ordinary file of this user's.
std::optional<std::string> readOwn(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat what {};
    if (file.number() < 0 || ::fstat(file.number(), &what) != 0 || !S_ISREG(what.st_mode) ||
        what.st_uid != ::geteuid() || std::uint64_t(what.st_size) > BoundedCache::largestText + digestDigits + 1)
        return std::nullopt;
    std::string text(std::size_t(what.st_size), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got = ::read(file.number(), text.data() + done, text.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        done += std::size_t(got);
    }
    ::futimens(file.number(), nullptr); // its last use
    return text;
}

bool writeWhole(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t put = ::write(file, text.data(), text.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        text.remove_prefix(std::size_t(put));
    }
    return true;
}

/// In one step, so that no reader sees half of it. Not on the disk at once: what a power cut damages is made again.
bool replaceWith(const fs::path& path, const fs::path& unfinished, std::string_view head, std::string_view text) {
    const Descriptor file(
        ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (file.number() < 0) return false;
    if (writeWhole(file.number(), head) && writeWhole(file.number(), text) &&
        ::rename(unfinished.c_str(), path.c_str()) == 0)
        return true;
    ::unlink(unfinished.c_str());
    return false;
}

struct KeptFile {
    fs::path path;
    std::uint64_t bytes = 0;
    std::int64_t lastUse = 0; ///< seconds of the epoch
    bool isText = false;      ///< otherwise one that was not finished
};

/// Whether it is NAME-PROCESS-NUMBER, as unfinishedFile() makes them.
bool isUnfinishedName(std::string stem) {
    for (int number = 0; number < 2; ++number) {
        const std::size_t dash = stem.rfind('-');
        if (dash == std::string::npos || dash + 1 == stem.size() ||
            stem.find_first_not_of("0123456789", dash + 1) != std::string::npos)
            return false;
        stem.resize(dash);
    }
    return isName(stem) || stem == limitName;
}

/// A folder that somebody named may hold other files, too: only names of our own form are touched.
bool isOwnName(const fs::path& path) {
    if (path.extension() == keptEnding) return isName(path.stem().string());
    return path.extension() == unfinishedEnding && isUnfinishedName(path.stem().string());
}

std::vector<KeptFile> filesOf(const fs::path& folder) {
    std::vector<KeptFile> files;
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        struct stat what {};
        const fs::path& path = at->path();
        if (!isOwnName(path) || ::lstat(path.c_str(), &what) != 0 || !S_ISREG(what.st_mode)) continue;
        files.push_back(
            {path, std::uint64_t(what.st_size), std::int64_t(what.st_mtime), path.extension() == keptEnding});
    }
    return files;
}

Error unchangeable(const fs::path& folder, int why) {
    return {"unwritable_file", "The folder " + folder.string() + " cannot be changed: " + std::strerror(why) + ".",
            "It must be a folder of yours."};
}

} // namespace

BoundedCache::BoundedCache(fs::path folder)
    : m_folder(std::move(folder)) {}

/// A folder that others may write to holds what others put there.
bool BoundedCache::isOurs() const {
    struct stat what {};
    return ::lstat(m_folder.c_str(), &what) == 0 && S_ISDIR(what.st_mode) && what.st_uid == ::geteuid() &&
           (what.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Result<void> BoundedCache::check() const {
    struct stat what {};
    if (m_folder.empty()) return Error{"unwritable_file", "There is no folder for it.", "Name one."};
    if (isOurs() || ::lstat(m_folder.c_str(), &what) != 0) return {};
    return Error{"unwritable_file",
                 m_folder.string() +
                     " is not used: it is not a folder, belongs to another user, or may be written by others.",
                 "Make it yours alone (chmod 700), or name another one."};
}

Result<void> BoundedCache::haveFolder() {
    if (Result<void> fine = check(); !fine) return fine;
    if (isOurs()) return {};
    std::error_code problem;
    fs::create_directories(m_folder.parent_path(), problem);
    if (::mkdir(m_folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) return check();
    return unchangeable(m_folder, errno);
}

fs::path BoundedCache::unfinishedFile(const std::string& name) {
    return m_folder /
           (name + "-" + std::to_string(::getpid()) + "-" + std::to_string(++m_serial) + std::string(unfinishedEnding));
}

std::optional<std::string> BoundedCache::find(const std::string& name) {
    if (!isName(name) || !isOurs()) return std::nullopt;
    const fs::path path = m_folder / (name + std::string(keptEnding));
    std::optional<std::string> whole = readOwn(path);
    if (!whole) return std::nullopt;
    const std::size_t head = digestDigits + 1;
    if (whole->size() < head || (*whole)[digestDigits] != '\n' ||
        toHex(sha256(std::string_view(*whole).substr(head))) != std::string_view(*whole).substr(0, digestDigits)) {
        ::unlink(path.c_str());
        return std::nullopt;
    }
    whole->erase(0, head);
    return whole;
}

void BoundedCache::keep(const std::string& name, std::string_view text) {
    const std::uint64_t most = limit();
    if (!isName(name) || text.size() > largestText || text.size() > most || !haveFolder()) return;
    const fs::path unfinished = unfinishedFile(name);
    if (!replaceWith(m_folder / (name + std::string(keptEnding)), unfinished, toHex(sha256(text)) + "\n", text)) return;
    const std::lock_guard lock(m_mutex);
    m_keptSinceLook += text.size();
    // Others keep texts there, too: each process looks before it has added a tenth of the limit.
    if (m_looked && m_keptSinceLook < std::uint64_t((1 - keptShare) * double(most))) return;
    m_looked = true;
    m_keptSinceLook = 0;
    removeBeyond(most);
}

/// The number of what kept one of them from going, where more than the limit stays; 0 otherwise.
int BoundedCache::removeBeyond(std::uint64_t bytes) {
    std::vector<KeptFile> files = filesOf(m_folder);
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    std::uint64_t total = 0;
    for (const KeptFile& file : files) {
        if (file.isText)
            total += file.bytes;
        else if (now - file.lastUse > std::chrono::seconds(unfinishedFor).count())
            ::unlink(file.path.c_str());
    }
    if (total <= bytes) return 0;
    std::sort(files.begin(), files.end(), [](const KeptFile& a, const KeptFile& b) {
        return std::tie(a.lastUse, a.path) < std::tie(b.lastUse, b.path);
    });
    const auto kept = std::uint64_t(keptShare * double(bytes));
    int why = 0;
    for (const KeptFile& file : files) {
        if (total <= kept) break;
        if (!file.isText) continue;
        if (::unlink(file.path.c_str()) == 0 || errno == ENOENT) // by another process
            total -= file.bytes;
        else
            why = errno;
    }
    return total > bytes ? why : 0;
}

std::uint64_t BoundedCache::limit() const {
    if (!isOurs()) return standardLimit;
    std::ifstream file(m_folder / limitName);
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : standardLimit;
}

Result<void> BoundedCache::setLimit(std::uint64_t bytes) {
    if (Result<void> made = haveFolder(); !made) return made;
    if (!replaceWith(m_folder / limitName, unfinishedFile(limitName), std::to_string(bytes), "\n"))
        return unchangeable(m_folder, errno);
    const std::lock_guard lock(m_mutex);
    const int why = removeBeyond(bytes);
    return why == 0 ? Result<void>() : Result<void>(unchangeable(m_folder, why));
}

Result<void> BoundedCache::clear() {
    if (Result<void> fine = check(); !fine || !isOurs()) return fine;
    const std::lock_guard lock(m_mutex);
    int why = 0;
    for (const KeptFile& file : filesOf(m_folder))
        if (::unlink(file.path.c_str()) != 0 && errno != ENOENT) why = errno;
    m_keptSinceLook = 0;
    return why == 0 ? Result<void>() : Result<void>(unchangeable(m_folder, why));
}

BoundedCache::Contents BoundedCache::contents() const {
    Contents all;
    if (!isOurs()) return all;
    for (const KeptFile& file : filesOf(m_folder))
        if (file.isText) ++all.texts, all.bytes += file.bytes;
    return all;
}

} // namespace kernelarium::files
