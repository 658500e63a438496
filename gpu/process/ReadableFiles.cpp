// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ReadableFiles.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <pwd.h>
#include <unistd.h>

namespace kernelarium::process {

namespace {

namespace fs = std::filesystem;

fs::path withoutLinks(const fs::path& path) {
    std::error_code problem;
    fs::path real = fs::weakly_canonical(path, problem);
    if (problem) real = path.lexically_normal();
    return real.has_filename() ? real : real.parent_path(); // no slash at its end
}

/// As the environment says and as the system knows it.
std::vector<fs::path> homes() {
    std::vector<fs::path> all;
    if (const char* home = std::getenv("HOME"); home && *home == '/') all.push_back(withoutLinks(home));
    std::array<char, 4096> text{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found) == 0 && found && found->pw_dir &&
        *found->pw_dir == '/')
        all.push_back(withoutLinks(found->pw_dir));
    return all;
}

bool isBelow(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

} // namespace

const std::vector<std::string>& systemFiles() {
    static const std::vector<std::string> all{
        // programs and libraries
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
        // what the loader and the C library read
        "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
        "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf",
        "/etc/crypto-policies", "/etc/os-release", "/etc/debian_version", "/etc/python3", "/etc/gnutls",
        // the machine
        "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
        "/proc/version", "/proc/filesystems", "/proc/sys/vm", "/proc/sys/kernel/osrelease",
        "/proc/sys/kernel/ngroups_max", "/proc/sys/kernel/pid_max", "/proc/sys/kernel/threads-max",
        "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage",
        "/sys/kernel/mm/hugepages", "/sys/fs/cgroup"};
    return all;
}

std::vector<std::string> filesOfInstallation(const std::string& prefix) {
    std::vector<std::string> all;
    for (const char* name :
         {"bin", "lib", "lib32", "lib64", "libexec", "include", "share", "etc", "targets", "nvvm", "pyvenv.cfg"})
        all.push_back((fs::path(prefix) / name).string());
    return all;
}

std::vector<std::string> filesOfProgram(const std::string& program) {
    constexpr int mostLinks = 16;
    std::vector<std::string> all;
    fs::path at = program;
    for (int i = 0; i < mostLinks && at.is_absolute(); ++i) {
        const fs::path folder = withoutLinks(at.parent_path());
        all.push_back(at.string());
        if (folder.filename() == "bin" || folder.filename() == "sbin") {
            const auto more = filesOfInstallation(folder.parent_path().string());
            all.insert(all.end(), more.begin(), more.end());
        } else if (!holdsHome(folder.string())) {
            all.push_back(folder.string());
        }
        std::error_code problem;
        const fs::path next = fs::read_symlink(at, problem);
        if (problem) break;
        at = next.is_absolute() ? next : folder / next;
    }
    return all;
}

bool holdsHome(const std::string& path) {
    if (!fs::path(path).is_absolute()) return true;
    const fs::path folder = withoutLinks(path);
    const std::vector<fs::path> all = homes();
    return folder == folder.root_path() ||
           std::any_of(all.begin(), all.end(), [&](const fs::path& home) { return isBelow(home, folder); });
}

} // namespace kernelarium::process
