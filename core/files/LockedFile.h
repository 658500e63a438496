// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kernelarium::files {

/// A file that was made when absent, and that this process alone has locked (flock) until the descriptor is closed; the
/// system does that, too, when the process ends in whatever way.
struct LockedFile {
    int descriptor = -1; ///< the caller's to close; -1: not locked
    int error = 0;       ///< errno then

    [[nodiscard]] bool isBusy() const; ///< another process has it
};

/// Opens for reading and writing, with more `flags` of open() where they are given. Does not wait.
[[nodiscard]] LockedFile openLocked(const std::filesystem::path& path, int flags = 0);

} // namespace kernelarium::files
