// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kernelarium::files {

/// Where this user's programs keep what can be made again: ours, below $XDG_CACHE_HOME or ~/.cache (XDG base directory
/// specification). Empty where neither is known. It need not exist.
[[nodiscard]] std::filesystem::path cacheFolder();

} // namespace kernelarium::files
