// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/ScratchFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace kernelarium::files {

namespace fs = std::filesystem;

fs::path ScratchFolder::parent() {
    std::error_code problem;
    const fs::path parent = fs::temp_directory_path(problem);
    return problem ? fs::path("/tmp") : parent;
}

Result<ScratchFolder> ScratchFolder::make(const std::string& prefix) {
    std::string name = (parent() / (prefix + "XXXXXX")).string();
    if (!::mkdtemp(name.data()))
        return Error{"unwritable_file", fmt::format("Cannot make a folder like {}: {}.", name, std::strerror(errno))};
    ScratchFolder folder;
    folder.m_path = name;
    return folder;
}

ScratchFolder::~ScratchFolder() {
    if (m_path.empty()) return;
    std::error_code ignored;
    // What ran here may have taken away its own right to look into folders.
    for (auto it = fs::recursive_directory_iterator(m_path, fs::directory_options::skip_permission_denied, ignored);
         !ignored && it != fs::recursive_directory_iterator(); it.increment(ignored))
        if (it->is_directory(ignored) && !it->is_symlink(ignored))
            fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    fs::remove_all(m_path, ignored);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})) {}

} // namespace kernelarium::files
