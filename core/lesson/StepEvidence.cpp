// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/StepEvidence.h"

namespace kernelarium::lesson {

std::map<std::string, double> countersOf(std::span<const perf::LaunchCounters> launches) {
    std::map<std::string, double> counters;
    if (launches.empty()) return counters;
    const auto totals = perf::mergedTotals(launches);
    for (const auto& metric : perf::metrics())
        counters[metric.key] = totals.*metric.field;
    return counters;
}

StepEvidence::Time timeOf(const perf::ModelledTime& time, std::string size) {
    constexpr double millisecondsPerSecond = 1e3;
    return {true, time.seconds * millisecondsPerSecond, time.device, std::move(size)};
}

} // namespace kernelarium::lesson
