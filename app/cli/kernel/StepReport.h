// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelJob.h"

#include <string>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// --launch, --block, --warp, --line, --steps
void addStepOptions(CLI::App& command, JobOptions& options);

/// A recording for people: a row for each step, with its source line, what it wrote and what went wrong.
[[nodiscard]] std::string stepText(const recording::Recording& recording, const std::string& label,
                                   const std::string& source);

} // namespace kernelarium::cli
