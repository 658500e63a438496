// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"

namespace kernelarium::cli {

/// schedule prove ORIGINAL VARIANT: exitSuccess where it is proved, exitCheckFailed where it is not.
void addProveScheduleCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
