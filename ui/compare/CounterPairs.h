// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/Counters.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::ui {

/// A figure of two runs, one beside the other.
struct CounterPair {
    std::string key;         ///< of metrics(), or of the launches: "launches", "registers", ...
    std::string title;       ///< "Global load sectors"
    std::optional<double> a; ///< empty where the run has no such figure
    std::optional<double> b;

    /// b / a; empty where there is none.
    [[nodiscard]] std::optional<double> ratio() const;
};

/// All launches of either run together: how they are launched, ratios that say how well they do (sectors per request,
/// bank conflicts, active lanes), then the sums of metrics(). Figures that are 0 in both are left out. Registers and
/// shared bytes are the most of any launch.
[[nodiscard]] std::vector<CounterPair> counterPairs(std::span<const perf::LaunchCounters> a,
                                                    std::span<const perf::LaunchCounters> b);

} // namespace kernelarium::ui
