// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/Manual.h"

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// What `app` declares: its commands, options and arguments with the texts of its help; hidden ones are left out.
/// Options of option groups count as the command's own. Tasks and devices that the program knows are choices.
[[nodiscard]] manual::Command commandTree(const CLI::App& app);

} // namespace kernelarium::cli
