// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::cluster {

/// A task of an array of jobs, as the engine knows it now.
struct TaskSeen {
    enum class State {
        pending,
        running,
        over,     ///< ended by itself, as far as the engine knows in order
        lost,     ///< its node failed, its time was over, its script failed
        cancelled ///< by someone's wish
    };
    unsigned task = 0; ///< from 1
    State state = State::pending;
    std::string word; ///< the engine's own: "NODE_FAIL"; printable
    std::string node; ///< where it runs or ran; printable, may be empty
    std::string why;  ///< it waits, or ended so; printable, may be empty
};

/// An array of jobs: one script, run once for each task.
struct Submission {
    std::filesystem::path script;
    std::string name; ///< of letters, digits and hyphens, by which find() knows it
    std::vector<unsigned> tasks;
    std::vector<std::string> options; ///< the user's own, of the engine's program
};

/// How an array's script asks where it is.
struct ScriptWords {
    std::string task;       ///< a shell expression: the task's number
    std::string processors; ///< that the task was given
};

/// What runs arrays of jobs on other machines. Another one than Slurm implements this and is named in Kinds.cpp.
/// Used by one thread at a time. Errors of every call: "no_<engine>" (its programs are not installed or not set up),
/// "cluster_silent" (it does not answer now; may be asked again), "bad_answer" (it answers what cannot be read),
/// "cancelled".
class Engine {
public:
    virtual ~Engine() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual ScriptWords words() const = 0;
    /// The option that asks for a GPU, unless one of `options` does.
    [[nodiscard]] virtual std::string gpuOption(const std::vector<std::string>& options) const = 0;
    /// The option that asks for so many processors for each task.
    [[nodiscard]] virtual std::string processorsOption(unsigned count) const = 0;
    /// Error "bad_usage": an option that would make another thing of the array.
    [[nodiscard]] virtual Result<void> check(const std::vector<std::string>& options) const = 0;

    /// The job's id. A task whose node fails is to be run again by the engine itself. Error "refused_job" with the
    /// engine's own words.
    [[nodiscard]] virtual Result<std::string> submit(const Submission& submission, const std::stop_token& stop) = 0;
    /// The jobs of this name that it still knows.
    [[nodiscard]] virtual Result<std::vector<std::string>> find(const std::string& name,
                                                                const std::stop_token& stop) = 0;
    /// The tasks of a job that it still knows; engines forget those that have ended, some minutes later.
    [[nodiscard]] virtual Result<std::vector<TaskSeen>> look(const std::string& job, const std::stop_token& stop) = 0;
    /// Ends the tasks of a job that have not ended. One that it does not know is none.
    [[nodiscard]] virtual Result<void> cancel(const std::string& job, const std::stop_token& stop) = 0;
};

} // namespace kernelarium::cluster
