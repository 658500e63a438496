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

/// A block whose place on a multiprocessor is shown.
struct PlacedBlock {
    std::string kernel; ///< demangled; empty where there are only numbers
    perf::BlockNeeds needs;
    std::size_t launches = 0; ///< of the run, alike; 0: none was seen
    std::array<std::uint32_t, 3> grid{0, 0, 0};
    std::array<std::uint32_t, 3> block{0, 0, 0};
};

void addOccupancyOptions(CLI::App& command, OccupancyOptions& options);
void runOccupancy(const OccupancyOptions& options, Context& context);

} // namespace kernelarium::cli
