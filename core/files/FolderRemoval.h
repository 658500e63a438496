// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::files {

/// Removes the folder `name` of the open folder `parent` with all that is in it: folders of any depth, and those whose
/// rights were taken away. No link is followed, and whoever moves folders about meanwhile leads nowhere else.
/// Whether it is gone.
bool removeFolder(int parent, const std::string& name);

/// What is in an open folder, but for "." and "..".
[[nodiscard]] std::vector<std::string> namesIn(int folder);

} // namespace kernelarium::files
