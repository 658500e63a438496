// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/CompilerFiles.h"

#include "gpu/process/ImportTable.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::compile {

namespace fs = std::filesystem;

namespace {

thread_local const FileReach* reachOfThread = nullptr;
const std::string nixStore = "/nix/store";

std::optional<std::string> realPath(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> found(::realpath(path.c_str(), nullptr), &std::free);
    return found ? std::optional<std::string>(found.get()) : std::nullopt;
}

/// Both are real paths.
bool isBelow(std::string_view path, std::string_view folder) {
    if (folder.empty() || !path.starts_with(folder)) return false;
    const std::string_view rest = path.substr(folder.size());
    return folder == "/" || rest.empty() || rest.front() == '/';
}

bool hidesSomething(std::string_view path, std::string_view folder) {
    return ("/" + std::string(path.substr(folder.size()))).find("/.") != std::string::npos;
}

std::optional<std::string> inScratch(const char* path) {
    const fs::path whole(path);
    if (whole.filename() == "." || whole.filename() == "..") return std::nullopt;
    const std::optional<std::string> folder = realPath(whole.parent_path().string());
    if (!folder || reachOfThread->scratch.empty() || *folder != reachOfThread->scratch) return std::nullopt;
    return *folder + "/" + whole.filename().string();
}

template <class T> T absent(T failure) {
    errno = ENOENT;
    return failure;
}

/// open() within reach.
int openWithin(const char* path, int flags, mode_t mode) {
    constexpr int always = O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    if (const std::optional<std::string> own = inScratch(path)) return ::open(own->c_str(), flags | always, mode);
    if ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0)
        return (flags & O_CREAT) != 0 ? ::memfd_create("nvrtc", MFD_CLOEXEC) : absent(-1);
    const std::optional<std::string> found = reachOfThread->find(path);
    if (!found) return absent(-1);
    const int file = ::open(found->c_str(), flags | always | O_NONBLOCK); // a pipe would wait for its other end
    struct stat what {};
    if (file < 0 || (::fstat(file, &what) == 0 && S_ISREG(what.st_mode))) return file;
    ::close(file);
    return absent(-1);
}

int flagsOf(const char* mode) {
    const bool both = std::strchr(mode, '+') != nullptr;
    switch (mode[0]) {
    case 'w': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
    case 'a': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
    default: return both ? O_RDWR : O_RDONLY;
    }
}

bool takesMode(int flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

// What NVRTC calls instead of the C library.

int openAt(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = takesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!reachOfThread) return ::openat(folder, path, flags, mode);
    return folder == AT_FDCWD || path[0] == '/' ? openWithin(path, flags, mode) : absent(-1);
}

int openFile(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = takesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return reachOfThread ? openWithin(path, flags, mode) : ::open(path, flags, mode);
}

FILE* openStream(const char* path, const char* mode) {
    if (!reachOfThread) return std::fopen(path, mode);
    const int file = openWithin(path, flagsOf(mode), 0600);
    if (file < 0) return nullptr;
    FILE* stream = ::fdopen(file, mode);
    if (!stream) ::close(file);
    return stream;
}

/// Whether this path may be asked about; errno says that it does not exist otherwise.
bool mayAskFor(const char* path) {
    if (!reachOfThread || inScratch(path) || reachOfThread->find(path)) return true;
    if (!reachOfThread->scratch.empty() && realPath(path) == reachOfThread->scratch) return true;
    return absent(false);
}

int statFile(const char* path, struct stat* out) {
    return mayAskFor(path) ? ::stat(path, out) : -1;
}
int statLink(const char* path, struct stat* out) {
    return mayAskFor(path) ? ::lstat(path, out) : -1;
}
// Of libraries that were built for older versions of glibc.
int statFileOld(int, const char* path, struct stat* out) {
    return statFile(path, out);
}
int statLinkOld(int, const char* path, struct stat* out) {
    return statLink(path, out);
}
int statFileAt(int folder, const char* path, struct stat* out, int flags) {
    if (!reachOfThread || path[0] == '\0') return ::fstatat(folder, path, out, flags);
    return folder == AT_FDCWD && mayAskFor(path) ? ::fstatat(folder, path, out, flags) : absent(-1);
}
int accessFile(const char* path, int mode) {
    return mayAskFor(path) ? ::access(path, mode) : -1;
}
DIR* openFolder(const char* path) {
    return mayAskFor(path) ? ::opendir(path) : nullptr;
}
ssize_t readTheLink(const char* path, char* buffer, std::size_t size) {
    return mayAskFor(path) ? ::readlink(path, buffer, size) : -1;
}
char* realPathOf(const char* path, char* buffer) {
    return mayAskFor(path) ? ::realpath(path, buffer) : nullptr;
}
int makeFolder(const char* path, mode_t mode) {
    return !reachOfThread || inScratch(path) ? ::mkdir(path, mode) : absent(-1);
}
int removeFile(const char* path) {
    if (!reachOfThread || inScratch(path)) return ::unlink(path);
    return 0; // what it made elsewhere is in memory
}

template <class F> void* addressOf(F* function) {
    return reinterpret_cast<void*>(function);
}

} // namespace

FileReach FileReach::of(const std::vector<std::string>& options) {
    FileReach all;
    constexpr std::string_view headers = "-I", scratch = "--pch-dir=";
    for (const std::string& option : options) {
        if (option.starts_with(headers)) {
            if (std::optional<std::string> folder = realPath(option.substr(headers.size()))) {
                // A toolkit there is a folder of links into other packages, which everybody may read.
                if (folder->starts_with(nixStore + "/")) all.folders.push_back(nixStore);
                all.folders.push_back(std::move(*folder));
            }
        } else if (option.starts_with(scratch)) {
            all.scratch = realPath(option.substr(scratch.size())).value_or("");
        }
    }
    return all;
}

std::optional<std::string> FileReach::find(const std::string& path) const {
    std::optional<std::string> found = realPath(path);
    const bool near = found && std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
                          return isBelow(*found, folder) && !hidesSomething(*found, folder);
                      });
    return near ? std::move(found) : std::nullopt;
}

bool checkFilesOf(const process::DynamicLibrary& nvrtc) {
    const std::vector<process::Redirect> all{
        {"open", addressOf(openFile)},        {"open64", addressOf(openFile)},
        {"openat", addressOf(openAt)},        {"openat64", addressOf(openAt)},
        {"fopen", addressOf(openStream)},     {"fopen64", addressOf(openStream)},
        {"stat", addressOf(statFile)},        {"stat64", addressOf(statFile)},
        {"lstat", addressOf(statLink)},       {"lstat64", addressOf(statLink)},
        {"__xstat", addressOf(statFileOld)},  {"__xstat64", addressOf(statFileOld)},
        {"__lxstat", addressOf(statLinkOld)}, {"__lxstat64", addressOf(statLinkOld)},
        {"fstatat", addressOf(statFileAt)},   {"fstatat64", addressOf(statFileAt)},
        {"access", addressOf(accessFile)},    {"opendir", addressOf(openFolder)},
        {"readlink", addressOf(readTheLink)}, {"realpath", addressOf(realPathOf)},
        {"mkdir", addressOf(makeFolder)},     {"unlink", addressOf(removeFile)},
        {"remove", addressOf(removeFile)},
    };
    static_assert(sizeof(struct stat) == sizeof(struct stat64), "one form of stat for both names");
    const std::vector<std::string_view> found = process::redirectImports(nvrtc, all);
    const auto imports = [&](std::string_view name) {
        return std::find(found.begin(), found.end(), name) != found.end();
    };
    return (imports("open") || imports("open64") || imports("openat") || imports("openat64")) &&
           (imports("fopen") || imports("fopen64"));
}

WithinReach::WithinReach(const FileReach& to)
    : m_before(std::exchange(reachOfThread, &to)) {}

WithinReach::~WithinReach() {
    reachOfThread = m_before;
}

bool WithinReach::isThread() {
    return reachOfThread != nullptr;
}

} // namespace kernelarium::compile
