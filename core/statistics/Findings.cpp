// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/Findings.h"

#include "core/archive/search/TableSelection.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kernelarium::statistics {

using archive::KernelTable;

Description describe(const KernelTable& table, std::vector<std::uint32_t> rows) {
    Description description;
    description.groups = archive::computeStatistics(table, rows);
    description.fast = fastCurve(table, rows);
    description.bins = speedupBins(table, rows);
    description.errors = errorCounts(table, rows);
    description.best = bestPerTask(table, rows);
    description.words = nameWords(table, rows);
    description.rows = std::move(rows);
    return description;
}

Result<Findings> findingsOf(const KernelTable& table, std::vector<std::uint32_t> rows,
                            const std::vector<audit::StoredVerdict>& verdicts, const std::stop_token& stop) {
    const Error cancelled{"cancelled", "The statistics were cancelled."};
    Findings findings;
    StandingRows standing = standingRows(table, rows, verdicts);
    if (stop.stop_requested()) return cancelled;
    findings.archived = describe(table, std::move(rows));
    if (stop.stop_requested()) return cancelled;
    findings.standing = standing.failing.empty() ? findings.archived : describe(table, std::move(standing.rows));
    if (stop.stop_requested()) return cancelled;
    findings.failing = std::move(standing.failing);
    findings.contradictions = std::move(standing.contradictions);
    findings.judged = std::move(standing.judged);
    return findings;
}

std::vector<std::uint32_t> taskRowsBehind(const KernelTable& table, Rows rows, const archive::GroupStatistics& group,
                                          TaskFigure figure) {
    // A task counts by its correct kernels, with a speed-up or not: the best of those that have one speaks for it.
    std::map<std::pair<int, int>, std::uint32_t> best;
    for (const auto row : archive::rowsBehind(table, rows, group, archive::Figure::correct)) {
        const auto [entry, isNew] = best.try_emplace({table.level[row], table.task[row]}, row);
        const double before = table.speedupNative[entry->second], now = table.speedupNative[row];
        if (!isNew && !std::isnan(now) && !(now <= before)) entry->second = row;
    }
    std::vector<std::uint32_t> chosen;
    for (const auto& [key, row] : best)
        if (figure == TaskFigure::withCorrect || table.speedupNative[row] > 1) chosen.push_back(row);
    return chosen;
}

std::vector<std::uint32_t> tasksOver(const KernelTable& table, Rows rows, Baseline baseline, double p) {
    auto best = bestPerTask(table, rows, baseline);
    std::erase_if(best, [&](std::uint32_t row) { return !(speedupOver(table, row, baseline) > p); });
    return best;
}

std::vector<std::uint32_t> rowsOfWord(const KernelTable& table, Rows rows, std::string_view word) {
    archive::TableSelection selection;
    selection.filter.nameWord = word;
    selection.filter.correct = true;
    const auto found = archive::selectRows(table, selection);
    std::vector<std::uint32_t> sorted(rows.begin(), rows.end()), chosen;
    std::sort(sorted.begin(), sorted.end());
    std::set_intersection(found.begin(), found.end(), sorted.begin(), sorted.end(), std::back_inserter(chosen));
    std::erase_if(chosen, [&](std::uint32_t row) { return std::isnan(table.speedupNative[row]); });
    return chosen;
}

} // namespace kernelarium::statistics
