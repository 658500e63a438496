// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Engine.h"
#include "gpu/cluster/Work.h"

#include <array>

namespace kernelarium::cluster {

/// A task, from what its engine says and from what its part shows.
struct TaskLine {
    enum class State {
        pending,
        running,
        done,
        lost,    ///< it ended without being done, and nobody runs it: it is submitted again
        givenUp, ///< lost too often without getting anything done
        cancelled
    };
    unsigned task = 0;
    State state = State::pending;
    std::string word; ///< how it ended, where it is lost: "NODE_FAIL", "exit code 3"
    std::string node;
    std::string why;        ///< it waits, or was given up
    std::uint64_t done = 0; ///< points or kernels of its part
};

/// "pending", "running", "done", "lost", "given up", "cancelled".
[[nodiscard]] std::string_view wordOf(TaskLine::State state);

struct ArrayProgress {
    std::vector<TaskLine> tasks;
    std::array<unsigned, 6> byState{};  ///< tasks, by TaskLine::State
    unsigned resubmitted = 0;           ///< times that a task was submitted again
    std::uint64_t done = 0;             ///< points or kernels
    std::optional<std::uint64_t> total; ///< of them
    double perSecond = 0;               ///< since this watcher began
    std::optional<double> secondsLeft;
    std::string silent; ///< why the engine said nothing this time; the tasks are then as before

    [[nodiscard]] unsigned of(TaskLine::State state) const { return byState[std::size_t(state)]; }
};

/// "4 of 10 done; tasks: 2 running, 2 pending; 0.50/s, time left: 12 s".
[[nodiscard]] std::string textOf(const ArrayProgress& progress);

/// One look that changes nothing.
[[nodiscard]] Result<ArrayProgress> lookAtArray(Engine& engine, const std::filesystem::path& folder, const Notes& notes,
                                                Work& work, const std::stop_token& stop);

/// The job whose task a task is now: of the last submission that has it. Empty: none, or its number is not known.
[[nodiscard]] std::string jobOf(const Notes& notes, unsigned task);

/// The exit code that a task left behind (ArrayScript.h); nothing where it has not ended by itself.
[[nodiscard]] std::optional<int> markOf(const std::filesystem::path& folder, unsigned task);

/// The end of what a task said, as a sentence or two; printable.
[[nodiscard]] std::string lastWords(const std::filesystem::path& folder, unsigned task);

} // namespace kernelarium::cluster
