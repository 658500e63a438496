// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/RaceEffect.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace kernelarium::verify {

/// A thread at a source line.
struct FaultParty {
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    int line = 0; ///< in the user's source, 1-based; 0 when unknown
};

/// One thing a kernel did wrong, as the machine saw it. `count` is how often it happened in all;
/// the place is that of the first time.
///
/// A fault "race" means that two threads accessed the same bytes, one of them storing, and nothing ordered the two in
/// this run. Whether it changes the result is not the machine's to say: `sameValue` tells that the store left what was
/// there before (idempotent flags, reductions that all threads store), which is benign; for any other race, run the
/// request again with another RunRequest::schedule and compare the outputs. `effect` tells what needs no other order.
struct Fault {
    std::string kind; ///< "out_of_bounds", "misaligned", "uninitialised_read", "barrier", "race", "deadlock", ...
    std::string message;
    std::string kernel;
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    int line = 0; ///< in the user's source, 1-based; 0 when unknown
    std::uint64_t count = 1;
    bool leavesAllocation = false;     ///< an access outside every allocation or in another one than it belongs to
    std::optional<FaultParty> other{}; ///< the earlier party of a race or of a barrier that two kinds of threads share
    bool sameValue = false;            ///< of a race: the store (or the earlier one) left the value that was there
    RaceEffect effect = RaceEffect::order; ///< of a race
};

} // namespace kernelarium::verify
