// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Watch.h"
#include "gpu/protocol/Sweep.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::ui {

/// How a sweep becomes an array of jobs.
struct ArrayOrder {
    unsigned tasks = 4;
    std::vector<std::string> options; ///< for sbatch
    std::string timeBudget;           ///< "10m", each task's own; empty: none
};

/// From look to look, and how long a task must be seen lost.
struct ArrayPace {
    std::chrono::milliseconds interval{3000};
    std::chrono::milliseconds settle{6000};
};

/// An array of jobs that is run from here, on a thread that waits for it.
struct ArrayRun {
    protocol::SweepRequest request;
    std::filesystem::path store; ///< where its points are brought together
    std::filesystem::path program;
    ArrayOrder order; ///< where none is under way
    ArrayPace pace;
    /// Called from the thread that runs it: after each look; what happened to a task; points that were not told before.
    std::function<void(const cluster::ArrayProgress&)> progress;
    std::function<void(const std::string&)> said;
    std::function<void(std::vector<tuning::Judged>)> judged;
};

/// Goes on with the array that the store has under way, or makes and submits one, and watches it to its end. Its points
/// are brought together into the store as they come. Where another process watches the array, it is looked at until
/// that one has ended. Stopping ends the watching and leaves the tasks running.
/// Errors: those of cluster::makeSweepArray(), watchArray() and settleEarlier(), "no_slurm", those of the store.
[[nodiscard]] Result<cluster::WatchedArray> runArray(const ArrayRun& run, const std::stop_token& stop);

/// Whether the store has an array of a sweep whose points are not all brought together.
[[nodiscard]] bool isArrayUnderWay(const std::filesystem::path& store);

/// Ends the tasks of the store's array; who watches it hears of that.
[[nodiscard]] Result<void> cancelArrayOf(const std::filesystem::path& store, const std::stop_token& stop);

} // namespace kernelarium::ui
