// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/Curves.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kernelarium::statistics {
namespace {

using archive::KernelTable;

constexpr std::array<double, 16> thresholds = {0, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 5, 10, 50, 100};

bool isCorrect(const KernelTable& table, std::uint32_t row) {
    return table.correct[row] == KernelTable::Correct::yes;
}

bool hasClaim(const KernelTable& table, std::uint32_t row) {
    return table.correct[row] != KernelTable::Correct::unknown;
}

struct Best {
    bool claimed = false;
    double native = -1; ///< below every threshold: the task has no correct kernel
    double compile = -1;
};

/// The edges are compared, not computed from the value's logarithm, so that a value on an edge is where it
/// belongs.
void countSpeedup(double value, std::array<std::int64_t, SpeedupBins::count>& bins, std::int64_t& below,
                  std::int64_t& above) {
    if (std::isnan(value)) return;
    if (value < SpeedupBins::lowerEdge(0)) {
        ++below;
        return;
    }
    if (value >= SpeedupBins::lowerEdge(SpeedupBins::count)) {
        ++above;
        return;
    }
    auto bin = static_cast<int>(std::floor(std::log10(value / SpeedupBins::least) * SpeedupBins::perDecade));
    bin = std::clamp(bin, 0, SpeedupBins::count - 1);
    if (value < SpeedupBins::lowerEdge(bin)) --bin;
    if (value >= SpeedupBins::lowerEdge(bin + 1)) ++bin;
    ++bins[static_cast<std::size_t>(bin)];
}

} // namespace

double speedupOver(const KernelTable& table, std::uint32_t row, Baseline baseline) {
    return baseline == Baseline::native ? table.speedupNative[row] : table.speedupCompile[row];
}

FastCurve fastCurve(const KernelTable& table, Rows rows) {
    std::map<std::pair<int, int>, Best> tasks;
    FastCurve curve;
    for (const double p : thresholds)
        curve.points.push_back({.p = p});
    for (const auto row : rows) {
        auto& best = tasks[{table.level[row], table.task[row]}];
        if (!hasClaim(table, row)) {
            ++curve.kernelsUnclaimed;
            continue;
        }
        best.claimed = true;
        ++curve.kernels;
        if (!isCorrect(table, row)) continue;
        const double native = table.speedupNative[row];
        const double compile = table.speedupCompile[row];
        if (native > best.native) best.native = native;
        if (compile > best.compile) best.compile = compile;
        for (auto& point : curve.points) {
            point.kernelsNative += native > point.p;
            point.kernelsCompile += compile > point.p;
        }
    }
    for (const auto& [key, best] : tasks)
        ++(best.claimed ? curve.tasks : curve.tasksUnclaimed);
    for (const auto& [key, best] : tasks)
        for (auto& point : curve.points) {
            point.tasksNative += best.native > point.p;
            point.tasksCompile += best.compile > point.p;
        }
    return curve;
}

double SpeedupBins::lowerEdge(int bin) {
    return std::pow(10.0, double(bin) / perDecade - 3);
}

SpeedupBins speedupBins(const KernelTable& table, Rows rows) {
    SpeedupBins bins;
    for (const auto row : rows) {
        if (!isCorrect(table, row)) continue;
        countSpeedup(table.speedupNative[row], bins.native, bins.belowNative, bins.aboveNative);
        countSpeedup(table.speedupCompile[row], bins.compile, bins.belowCompile, bins.aboveCompile);
    }
    return bins;
}

std::vector<std::uint32_t> rowsBetween(const KernelTable& table, Rows rows, Baseline baseline, double least,
                                       double limit) {
    std::vector<std::uint32_t> chosen;
    for (const auto row : rows) {
        const double value = speedupOver(table, row, baseline);
        if (isCorrect(table, row) && value >= least && value < limit) chosen.push_back(row);
    }
    return chosen;
}

bool isUnknown(const KernelTable& table, std::uint32_t row) {
    return table.errorKind[row] == archive::ErrorKind::none && !hasClaim(table, row);
}

ErrorCounts errorCounts(const KernelTable& table, Rows rows) {
    ErrorCounts counts;
    for (const auto row : rows)
        ++(isUnknown(table, row) ? counts.unknown : counts.byKind[static_cast<std::size_t>(table.errorKind[row])]);
    return counts;
}

} // namespace kernelarium::statistics
