// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace kernelarium::files {

/// A folder below the system's for temporary files, ours alone, removed with all that is in it. It is locked while it
/// lives, so that whoever comes next tells the folder of a process that was killed from one in use, and removes it.
class ScratchFolder {
public:
    /// Its name begins with `prefix`, which begins with "kernelarium-". The first one that a process makes removes
    /// those that were abandoned. Error "unwritable_file".
    static Result<ScratchFolder> make(const std::string& prefix = "kernelarium-");
    /// Where such folders are made.
    [[nodiscard]] static std::filesystem::path parent();
    /// Removes the folders that killed processes of this user left behind; those in use, those of others, and what only
    /// has a name like ours are left alone, and no link is followed.
    static void removeAbandoned();

    ~ScratchFolder();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    ScratchFolder() = default;
    std::filesystem::path m_path;
    int m_lock = -1; ///< the folder itself, opened and locked
};

} // namespace kernelarium::files
