// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/FileIdentity.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace kernelarium::files {
namespace {
std::string identityOf(const struct stat& status) {
    return fmt::format("{}:{}:{}:{}.{}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec);
}
} // namespace

std::string fileIdentity(const std::filesystem::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? identityOf(status) : std::string();
}

std::string fileIdentity(int descriptor) {
    struct stat status {};
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? identityOf(status) : std::string();
}

} // namespace kernelarium::files
