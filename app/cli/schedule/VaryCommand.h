// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"

namespace kernelarium::cli {

/// schedule vary FILE.cu|FILE.cubin: variants by random legal moves, each proved, written or run on a GPU.
void addVaryCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
