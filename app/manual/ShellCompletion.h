// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/Manual.h"

namespace kernelarium::manual {

// Completion scripts: commands, options, the known values of options and arguments, files and folders. They ask the
// program nothing while they work.

[[nodiscard]] std::string bashCompletion(const Program& program);
[[nodiscard]] std::string zshCompletion(const Program& program);
[[nodiscard]] std::string fishCompletion(const Program& program);

} // namespace kernelarium::manual
