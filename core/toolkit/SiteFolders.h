// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kernelarium::toolkit {

/// The folders in a folder, in order of their names; none where it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> foldersIn(const std::filesystem::path& folder);

/// Where the user's Pythons have their packages, with or without such a folder: the named one ($KERNELARIUM_PYTHON),
/// the active environment, those in PATH, the user's own, pyenv's, the system's. Where `top` is not empty, those of a
/// system below that folder alone.
[[nodiscard]] std::vector<std::string> siteFolders(const std::string& top = {});

} // namespace kernelarium::toolkit
