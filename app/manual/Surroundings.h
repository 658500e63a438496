// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/Manual.h"

namespace kernelarium::manual {

/// The environment variables that both programs heed, after those that only one does.
[[nodiscard]] Section environmentSection(std::vector<std::pair<std::string, std::string>> own);

/// Where both programs keep and find files.
[[nodiscard]] Section filesSection();

} // namespace kernelarium::manual
