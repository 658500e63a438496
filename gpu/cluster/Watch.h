// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Look.h"

#include <chrono>
#include <functional>

namespace kernelarium::cluster {

struct ArrayWatch {
    std::function<void(const ArrayProgress&)> progress = {}; ///< after each look
    std::function<void(const std::string&)> said = {};       ///< "task 3 was lost (NODE_FAIL) and is submitted again"
    std::chrono::milliseconds interval{3000};                ///< from look to look
    /// That a task must be seen lost before it is believed: files of another machine show late. Who believes too early
    /// loses nothing: a task goes on with what its part has.
    std::chrono::milliseconds settle{6000};
    std::chrono::seconds patience{1800}; ///< with an engine that does not answer
    unsigned tries = 3;                  ///< of a task that gets nothing done in between
};

enum class ArrayEnd {
    done,
    incomplete, ///< tasks were given up
    cancelled,
    stopped ///< watching was; the array goes on
};

struct WatchedArray {
    ArrayEnd end = ArrayEnd::stopped;
    ArrayProgress progress;
};

/// Submits what is not submitted, looks until every task has ended, submits lost ones again, and brings the parts
/// together: into the plan's target, also where some were given up or all was cancelled. Whoever calls it after another
/// watcher was killed goes on where that one was.
/// Errors: "refused_job" (the first submission), "cluster_silent" (past the patience), the engine's, the book's, and
/// those of Work::collect().
[[nodiscard]] Result<WatchedArray> watchArray(Engine& engine, Book& book, Work& work, const ArrayWatch& watch,
                                              const std::stop_token& stop);

/// Submits what is not submitted and comes back. Errors as watchArray().
[[nodiscard]] Result<void> submitArray(Engine& engine, Book& book, const std::stop_token& stop);

/// Before a new array is made in a folder: whether an earlier one is still under way there. What one that has ended or
/// was cancelled has found is brought together once more, so that nothing is lost when its folder is removed. Errors:
/// "busy" (a cancelled one is still ending), the engine's, those of readNotes() and Work::collect().
[[nodiscard]] Result<bool> settleEarlier(Engine& engine, const std::filesystem::path& folder,
                                         const std::stop_token& stop);

/// Ends an array's tasks; a watcher elsewhere notices, and what is done stays. Errors: the engine's,
/// "unwritable_file".
[[nodiscard]] Result<void> cancelArray(Engine& engine, const std::filesystem::path& folder,
                                       const std::stop_token& stop);

} // namespace kernelarium::cluster
