// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"

namespace kernelarium::cli {

/// schedule mine FILE.cubin...: the table of least distances, as CSV.
void addMineCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
