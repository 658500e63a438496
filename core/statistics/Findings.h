// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/Statistics.h"
#include "core/statistics/Ranking.h"
#include "core/statistics/Standing.h"

#include <stop_token>

namespace kernelarium::statistics {

/// Everything that the numbers of an archive say of a selection of its rows.
struct Description {
    std::vector<std::uint32_t> rows;
    archive::ArchiveStatistics groups;
    FastCurve fast;
    SpeedupBins bins;
    ErrorCounts errors;
    std::vector<std::uint32_t> best; ///< bestPerTask over native
    std::vector<NameWord> words;
};
Description describe(const archive::KernelTable& table, std::vector<std::uint32_t> rows);

/// A selection as archived, and the same without the kernels that fail our checks.
struct Findings {
    Description archived;
    Description standing;
    std::vector<std::uint32_t> failing;        ///< by our verdicts, whatever the archive says of them
    std::vector<Contradiction> contradictions; ///< archived as correct
    std::vector<std::uint32_t> judged;         ///< kernels of the selection with a verdict of ours

    [[nodiscard]] bool bothSame() const { return failing.empty(); }
};

/// `rows` ascending. Error "cancelled".
Result<Findings> findingsOf(const archive::KernelTable& table, std::vector<std::uint32_t> rows,
                            const std::vector<audit::StoredVerdict>& verdicts, const std::stop_token& stop = {});

/// A number of a group and the kernels behind it, also those that archive::Figure does not have.
enum class TaskFigure {
    withCorrect,     ///< one correct kernel of every task that has one: its fastest
    fasterThanNative ///< those of them that are faster than native
};
std::vector<std::uint32_t> taskRowsBehind(const archive::KernelTable& table, Rows rows,
                                          const archive::GroupStatistics& group, TaskFigure figure);

/// The best kernel of every task that is counted by FastPoint::tasksNative or tasksCompile.
std::vector<std::uint32_t> tasksOver(const archive::KernelTable& table, Rows rows, Baseline baseline, double p);

/// The kernels that a NameWord counts.
std::vector<std::uint32_t> rowsOfWord(const archive::KernelTable& table, Rows rows, std::string_view word);

} // namespace kernelarium::statistics
