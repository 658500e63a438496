// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"

#include <cstddef>
#include <span>

namespace kernelarium::schedule {

/// How long a candidate is measured beside the original: a few pairs drop what is plainly slower, more are for what
/// promises something, most for a new best.
struct Race {
    static constexpr std::size_t first = 8, promising = 24, most = 60;
    static constexpr double margin = 1.01;
    double dropAbove = margin; ///< it is dropped when the whole interval of its ratio lies above
    double best = 1;           ///< the least ratio so far: what may lie below it is measured to the end
};

/// Whether another pair is worth its time; asked after each, pairs have the candidate first.
[[nodiscard]] bool raceGoesOn(std::span<const perf::TimedPair> pairs, const Race& race);

} // namespace kernelarium::schedule
