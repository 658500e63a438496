// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/run/TimingTrace.h"

#include <cstddef>
#include <vector>

namespace kernelarium::device {

/// In which stream of its own each action of a trace is queued, and what it waits for there: exactly what CUDA's rules
/// order before it (StreamOrder found that out as forward ran), so that what may overlap on a GPU does.
struct TimedLanes {
    struct Place {
        std::size_t lane = 0;           ///< 0 is the default stream
        std::vector<std::size_t> after; ///< actions of other lanes
        bool awaited = false;           ///< another lane waits for it
    };
    std::vector<Place> actions;
    std::vector<std::size_t>
        lasts; ///< the last action of every other lane: the default stream waits for them at the end
    std::size_t lanes = 1;

    [[nodiscard]] bool overlaps() const { return lanes > 1; }
    /// What is queued besides the actions: events and waits.
    [[nodiscard]] std::size_t commands() const;
};

/// Copies and fills name no stream here: they come after all before them, and all else after them.
TimedLanes lanesOf(const std::vector<TimedAction>& actions);

} // namespace kernelarium::device
