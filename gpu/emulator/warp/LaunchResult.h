// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Fault.h"
#include "gpu/emulator/warp/RunOptions.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::perf {
struct LaunchCounters;
}

namespace kernelarium::emulator {

using verify::Fault;
using verify::FaultParty;

/// What a launch executed, whether or not its counters were asked for.
struct Counters {
    std::uint64_t warpInstructions = 0;
    std::uint64_t threadInstructions = 0; ///< each warp instruction counted once per active lane
    std::uint64_t blocks = 0;
    double seconds = 0;
};

/// How a launch ended.
enum class LaunchEnd {
    finished,
    refused,     ///< outside the device's launch limits; `reason` is CUDA's own error text
    unsupported, ///< `reason` names the instruction
    timeout,
    cancelled,
    beyond_sample, ///< its blocks wait for others that were left out
    deadlock,      ///< no warp can go on
    trapped,       ///< trap, device assert, or a fault that cannot be survived: the context is lost
};

/// What a launch gave.
struct LaunchResult {
    LaunchEnd end = LaunchEnd::finished;
    std::string reason;
    std::vector<Fault> faults;
    std::vector<std::string> remarks; ///< what the checks could not look at, a sentence each
    Counters counters;
    bool lanesTookTurns = false; ///< somewhere RunOptions::contraryLanes makes another order
    /// A thread read through a volatile access what another stored so, or the other way round, and nothing but the
    /// schedule decided which of the two came first.
    bool looseOrder = false;
    /// Grids that its threads launched (DeviceLaunches.h), in the order in which they are to be run now.
    std::vector<LaunchConfig> launched;
    /// Where RunOptions::count asked for it; `kernel` is the mangled name.
    std::shared_ptr<const perf::LaunchCounters> counted;
};

} // namespace kernelarium::emulator
