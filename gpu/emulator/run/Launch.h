// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/decode/Program.h"
#include "gpu/emulator/warp/LaunchResult.h"

namespace kernelarium::emulator {

/// Runs a grid to its end in this thread and `options.jobs - 1` more.
LaunchResult launch(const Program& program, const LaunchConfig& config, const RunOptions& options);

} // namespace kernelarium::emulator
