// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/DynamicLibrary.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// The files that NVRTC may use while it compiles a text that nobody read.
struct FileReach {
    std::vector<std::string> folders; ///< regular files below them are read: real paths, without links
    std::string scratch;              ///< a folder that it reads and writes, likewise; empty: none

    /// The folders of these options of NVRTC: -I and --pch-dir.
    static FileReach of(const std::vector<std::string>& options);

    /// Where this path really is, if that is within reach: below a folder, with no hidden file or folder in between.
    /// Links and ".." are followed first, so that none leads out.
    [[nodiscard]] std::optional<std::string> find(const std::string& path) const;
};

/// Puts a check before NVRTC's own calls that open files or look for them: with a WithinReach of its thread, what is
/// out of reach does not exist for it, however a directive came to the name. What it wants to write elsewhere (a
/// temporary file of a name that others can guess) stays in memory. Other libraries and threads are left alone. False
/// where NVRTC's calls cannot be reached.
[[nodiscard]] bool checkFilesOf(const process::DynamicLibrary& nvrtc);

/// While it lives, NVRTC in this thread is kept within reach.
class WithinReach {
public:
    explicit WithinReach(const FileReach& reach);
    ~WithinReach();
    WithinReach(const WithinReach&) = delete;
    WithinReach& operator=(const WithinReach&) = delete;

    [[nodiscard]] static bool isThread(); ///< whether one lives in this thread

private:
    const FileReach* m_before;
};

} // namespace kernelarium::compile
