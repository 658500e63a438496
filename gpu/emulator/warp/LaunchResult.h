// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/RaceEffect.h"
#include "gpu/emulator/warp/RunOptions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::perf {
struct LaunchCounters;
}

namespace kernelarium::emulator {

/// A thread at a line of the user's file.
struct FaultParty {
    Dim3 block{};
    Dim3 thread{};
    int line = 0;
};

struct Fault {
    std::string kind;    ///< "out_of_bounds", "misaligned", "uninitialised_read", "host_memory", "barrier", "deadlock",
                         ///< "race", "trap"
    std::string message; ///< a sentence with the address, the allocation and the distance to it
    std::string kernel;
    Dim3 block{};
    Dim3 thread{};
    int line = 0; ///< of the user's file; 0 when unknown
    std::uint64_t count = 1;
    bool leavesAllocation = false;
    std::optional<FaultParty> other; ///< the earlier party of a race, a deadlock or a barrier
    bool sameValue = false;          ///< of a race: the store (or the earlier one) left the value that was there
    verify::RaceEffect effect = verify::RaceEffect::order; ///< of a race
};

struct Counters {
    std::uint64_t warpInstructions = 0;
    std::uint64_t threadInstructions = 0; ///< each warp instruction counted once per active lane
    std::uint64_t blocks = 0;
    double seconds = 0;
};

enum class LaunchEnd {
    finished,
    refused,     ///< outside the device's launch limits; `reason` is CUDA's own error text
    unsupported, ///< `reason` names the instruction
    timeout,
    cancelled,
    deadlock, ///< no warp can go on
    trapped,  ///< trap, device assert, or a fault that cannot be survived
};

struct LaunchResult {
    LaunchEnd end = LaunchEnd::finished;
    std::string reason;
    std::vector<Fault> faults;
    std::vector<std::string> remarks; ///< what the checks could not look at, a sentence each
    Counters counters;
    bool lanesTookTurns = false; ///< somewhere RunOptions::contraryLanes makes another order
    /// Grids that its threads launched (DeviceLaunches.h), in the order in which they are to be run now.
    std::vector<LaunchConfig> launched;
    /// Where RunOptions::count asked for it; `kernel` is the mangled name.
    std::shared_ptr<const perf::LaunchCounters> counted;
};

} // namespace kernelarium::emulator
