// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/StepEvidence.h"

#include <algorithm>

namespace kernelarium::lesson {

std::map<std::string, double> countersOf(std::span<const perf::LaunchCounters> launches) {
    std::map<std::string, double> counters;
    if (launches.empty()) return counters;
    const auto totals = perf::mergedTotals(launches);
    for (const auto& metric : perf::metrics())
        counters[metric.key] = totals.*metric.field;
    return counters;
}

std::map<std::string, double> figuresOf(std::span<const perf::LaunchCounters> launches,
                                        const perf::ModelledTime& time) {
    std::map<std::string, double> figures{{"launches", double(launches.size())}};
    if (launches.empty() || launches.size() != time.launches.size()) return figures;
    constexpr double percent = 100;
    const auto longest = std::max_element(time.launches.begin(), time.launches.end(),
                                          [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    const auto& launch = launches[std::size_t(longest - time.launches.begin())];
    figures["blocks"] = launch.blocks();
    figures["threads_per_block"] = launch.threadsPerBlock();
    figures["registers"] = launch.registers;
    figures["shared_bytes"] = launch.sharedBytes();
    figures["spill_bytes"] = launch.spillBytes;
    figures["occupancy"] = percent * longest->occupancy.share;
    figures["waves"] = longest->waves;
    figures["idle_share"] = percent * (1 - longest->filled);
    double bytes = 0;
    for (const auto& each : time.launches)
        bytes += each.deviceMemoryBytes;
    const auto totals = perf::mergedTotals(launches);
    figures["device_bytes"] = bytes;
    const double flops = perf::totalFlops(totals);
    if (bytes > 0) figures["intensity"] = flops / bytes;
    if (flops > 0) figures["tensor_share"] = percent * totals.flopsTensor / flops;
    if (const auto degree = perf::bankConflictDegree(totals)) figures["bank_conflicts"] = *degree;
    if (const auto lanes = perf::activeLanes(totals)) figures["active_lanes"] = *lanes;
    return figures;
}

StepEvidence::Time timeOf(const perf::ModelledTime& time, std::string size) {
    constexpr double millisecondsPerSecond = 1e3;
    return {true, time.seconds * millisecondsPerSecond, time.device, std::move(size)};
}

} // namespace kernelarium::lesson
