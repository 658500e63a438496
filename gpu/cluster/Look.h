// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Watch.h"

namespace kernelarium::cluster {

/// The job whose task a task is now: of the last submission that has it. Empty: none, or its number is not known.
[[nodiscard]] std::string jobOf(const Notes& notes, unsigned task);

/// The exit code that a task left behind (ArrayScript.h); nothing where it has not ended by itself.
[[nodiscard]] std::optional<int> markOf(const std::filesystem::path& folder, unsigned task);

/// The end of what a task said, as a sentence or two; printable.
[[nodiscard]] std::string lastWords(const std::filesystem::path& folder, unsigned task);

} // namespace kernelarium::cluster
