// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace kernelarium::tuning {

/// A descriptor of the file, made when absent, opened to append and locked for this process alone until it is closed.
/// Errors: "busy", "unwritable_file", "not_store" (a folder, a pipe).
[[nodiscard]] Result<int> openLocked(const std::filesystem::path& path);

/// All of it at the end of the file, which has `size` bytes; on an error (a full disk) the file is as it was. Errors:
/// "unwritable_file", "disk_full".
[[nodiscard]] Result<void> appendWhole(int descriptor, std::string_view bytes, std::uint64_t size,
                                       const std::filesystem::path& path);

/// Brings a file's name to the disk.
void syncFolderOf(const std::filesystem::path& path);

[[nodiscard]] Error unwritableStore(const std::filesystem::path& path, int code);

} // namespace kernelarium::tuning
