// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Engine.h"

namespace kernelarium::cluster {

/// What Slurm's programs say is input like any other: bounded, checked, and made printable. No process is started here.

/// The --format of squeue that tasksSeen() reads: array's job, task, state, node, reason.
inline constexpr const char* squeueFormat = "%F|%K|%T|%N|%r";

/// The job's number in what `sbatch --parsable` prints: "123" or "123;cluster". Error "bad_answer".
[[nodiscard]] Result<std::string> submittedJob(std::string_view output);

/// The tasks of `job` in what `squeue --noheader --array --states=all` prints in squeueFormat; lines of other jobs and
/// of jobs without tasks are passed over. A state that no version up to now has counts as running: the task is known,
/// so that it is not lost. Error "bad_answer".
[[nodiscard]] Result<std::vector<TaskSeen>> tasksSeen(std::string_view output, std::string_view job);

/// The numbers of arrays' jobs in the same output, each once. Error "bad_answer".
[[nodiscard]] Result<std::vector<std::string>> jobsSeen(std::string_view output);

/// What a failed call means: "no_slurm" (not set up), "cluster_silent", "refused_job" with Slurm's last words.
[[nodiscard]] Error slurmFailure(std::string_view program, std::string_view errors);
/// Whether it failed because the job is not known (any more).
[[nodiscard]] bool knowsNoSuchJob(std::string_view errors);

/// "1-3,7": ascending and each once.
[[nodiscard]] std::string taskList(std::vector<unsigned> tasks);

/// Error "bad_usage": no option at all, or one of those that tell sbatch what the array is (--array, --job-name,
/// --wait, ...), their abbreviations included.
[[nodiscard]] Result<void> checkSbatchOptions(const std::vector<std::string>& options);

} // namespace kernelarium::cluster
