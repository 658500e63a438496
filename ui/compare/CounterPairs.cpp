// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/CounterPairs.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

/// A run's launches as one.
struct WholeRun {
    explicit WholeRun(std::span<const perf::LaunchCounters> launches)
        : launched(double(launches.size())) {
        for (const perf::LaunchCounters& launch : launches) {
            totals += launch.totals;
            blocks += launch.blocks();
            threads = std::max(threads, double(launch.threadsPerBlock()));
            registers = std::max(registers, double(launch.registers));
            shared = std::max(shared, double(launch.sharedBytes()));
            spills = std::max(spills, launch.spillBytes);
            bytes += launch.uniqueBytes;
        }
    }
    perf::LineCounters totals;
    double launched = 0, blocks = 0, threads = 0, registers = 0, shared = 0, spills = 0, bytes = 0;
};

} // namespace

std::optional<double> CounterPair::ratio() const {
    if (!a || !b || *a == 0) return std::nullopt;
    return *b / *a;
}

std::vector<CounterPair> counterPairs(std::span<const perf::LaunchCounters> a,
                                      std::span<const perf::LaunchCounters> b) {
    const WholeRun first(a), second(b);
    std::vector<CounterPair> pairs = {
        {"launches", "Kernel launches", first.launched, second.launched},
        {"blocks", "Blocks", first.blocks, second.blocks},
        {"threads_per_block", "Threads of a block, at most", first.threads, second.threads},
        {"registers", "Registers of a thread, at most", first.registers, second.registers},
        {"shared_bytes", "Shared memory of a block, bytes at most", first.shared, second.shared},
        {"spill_bytes", "Spilled bytes of a thread", first.spills, second.spills},
        {"unique_bytes", "Distinct bytes of device memory", first.bytes, second.bytes},
        {"sectors_per_request", "Sectors of a global request", perf::sectorsPerRequest(first.totals),
         perf::sectorsPerRequest(second.totals)},
        {"bank_conflicts", "Bank conflicts (1: none)", perf::bankConflictDegree(first.totals),
         perf::bankConflictDegree(second.totals)},
        {"active_lanes", "Active lanes of 32", perf::activeLanes(first.totals), perf::activeLanes(second.totals)},
    };
    for (const perf::Metric& metric : perf::metrics())
        pairs.push_back({metric.key, metric.title, first.totals.*metric.field, second.totals.*metric.field});
    std::erase_if(pairs, [](const CounterPair& pair) { return pair.a.value_or(0) == 0 && pair.b.value_or(0) == 0; });
    return pairs;
}

} // namespace kernelarium::ui
