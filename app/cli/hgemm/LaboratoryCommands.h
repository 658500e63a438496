// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"

namespace kernelarium::cli {

/// hgemm bench, compare, tune, check, emit.
void addLaboratoryCommands(CLI::App& hgemm, Context& context);

} // namespace kernelarium::cli
