// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace kernelarium::files {

/// Device, inode, size and time of change: the same text as long as nobody replaced or changed the file.
/// Empty when there is no such file.
[[nodiscard]] std::string fileIdentity(const std::filesystem::path& path);
/// Of an open file; empty for what is not a regular file.
[[nodiscard]] std::string fileIdentity(int descriptor);

} // namespace kernelarium::files
