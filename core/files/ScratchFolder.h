// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <filesystem>
#include <string>

namespace kernelarium::files {

/// A folder below the system's for temporary files, ours alone, removed with all that is in it.
class ScratchFolder {
public:
    /// Its name begins with `prefix`. Error "unwritable_file".
    static Result<ScratchFolder> make(const std::string& prefix = "kernelarium-");
    /// Where such folders are made.
    [[nodiscard]] static std::filesystem::path parent();
    ~ScratchFolder();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    ScratchFolder() = default;
    std::filesystem::path m_path;
};

} // namespace kernelarium::files
