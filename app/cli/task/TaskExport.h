// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"

namespace kernelarium::cli {

/// Adds `task export` to the command `task`.
void addTaskExport(CLI::App& tasks, Context& context);

} // namespace kernelarium::cli
