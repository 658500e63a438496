// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelJob.h"
#include "core/perf/OccupancyCurves.h"

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// What `occupancy` is told beside a kernel and how it is called. Values that are given replace the kernel's.
struct OccupancyOptions {
    JobOptions job;
    std::optional<std::uint32_t> threads, registers, sharedBytes, barriers;
    std::string curve; ///< name of a perf::BlockNeed; empty: none is printed
};

void addOccupancyOptions(CLI::App& command, OccupancyOptions& options);
void runOccupancy(const OccupancyOptions& options, Context& context);

} // namespace kernelarium::cli
