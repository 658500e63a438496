// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"
#include "gpu/device/timing/TimingQueue.h"
#include "gpu/device/timing/TimingReplay.h"

#include <chrono>
#include <functional>
#include <span>
#include <vector>

namespace kernelarium::device {

/// How pairs of calls are taken.
struct PairedCalls {
    bool cold = true; ///< what every call finds in the L2 cache
    /// Whether one more pair is wanted; none: for `seconds`, 20 pairs at least and 2,000 at most.
    std::function<bool(std::span<const perf::TimedPair>)> another = {};
    double seconds = 0;
};

/// A/B, B/A, A/B, ... until enough were taken; one that could not end before the deadline is not begun. Errors: those
/// of TimingQueue::measure.
Result<std::vector<perf::TimedPair>> takePairs(TimingQueue& queue, const TimedReplay& first, const TimedReplay& second,
                                               const PairedCalls& how, const TimingQueue::Limits& limits);

} // namespace kernelarium::device
