// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelJob.h"

namespace kernelarium::cli {

struct Context;

/// `stalls`: what a kernel's warps wait for, line by line, as Nsight Compute samples it on this machine's GPU.
void runStalls(const JobOptions& options, Context& context);

} // namespace kernelarium::cli
