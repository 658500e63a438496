// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Slurm.h"

#include "gpu/cluster/SlurmAnswers.h"
#include "gpu/process/ChildEnvironment.h"
#include "gpu/process/ToolRun.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cluster {

namespace {

std::vector<std::string> environment() {
    std::vector<std::string> all = process::neededEnvironment();
    std::erase_if(all, [](const std::string& variable) {
        return variable.starts_with("TMPDIR=") || variable.starts_with("TERM="); // of this machine, this terminal
    });
    for (const std::string& variable : process::ownEnvironment())
        for (const char* name : {"SLURM_CONF=", "SBATCH_", "USER=", "LOGNAME=", "MUNGE_"})
            if (variable.starts_with(name)) all.push_back(variable);
    return all;
}

/// Runs one of Slurm's programs. Those that cannot reach a controller try for a while by themselves.
Result<process::ToolEnd> callSlurm(std::vector<std::string> words, const std::stop_token& stop) {
    const std::string program = words.front();
    process::ToolRun run;
    run.start.words = std::move(words);
    run.start.environment = environment();
    run.timeLimit = std::chrono::seconds(120);
    run.longestOutput = std::size_t(32) << 20; // some hundred thousand tasks
    run.keepsErrors = true;
    Result<process::ToolEnd> end = process::runTool(run, stop);
    if (end) return end;
    if (end.error().code == "missing_component")
        return Error{"no_slurm", fmt::format("There is no Slurm here: {} cannot be started.", program),
                     "Call it where sbatch is installed, such as a login node of the cluster; without one, `--shard "
                     "I/N` on each machine does the same."};
    if (end.error().code == "timeout")
        return Error{"cluster_silent", fmt::format("{} does not answer.", program), "Ask again later."};
    if (end.error().code == "too_large")
        return Error{"bad_answer", fmt::format("{} says too much.", program), "Look at what it prints in a terminal."};
    return end;
}

Result<std::string> squeue(const std::string& filter, const std::stop_token& stop) {
    Result<process::ToolEnd> end = callSlurm(
        {"squeue", "--noheader", "--array", "--states=all", filter, fmt::format("--format={}", squeueFormat)}, stop);
    if (!end) return end.error();
    if (end->code == 0) return std::move(end->output);
    if (knowsNoSuchJob(end->errors)) return std::string();
    Error failure = slurmFailure("squeue", end->errors);
    // It only asks: what it refuses today it may answer tomorrow.
    if (failure.code == "refused_job") failure.code = "cluster_silent";
    return failure;
}

} // namespace

ScriptWords Slurm::words() const {
    return {"${SLURM_ARRAY_TASK_ID:?This is a script for sbatch: set SLURM_ARRAY_TASK_ID to run one part by hand}",
            "${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}"};
}

std::string Slurm::gpuOption(const std::vector<std::string>& options) const {
    const bool asked = std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option.starts_with("--gres") || option.starts_with("--gpus") || option.starts_with("-G") ||
               option.starts_with("--tres-per");
    });
    return asked ? std::string() : "--gres=gpu:1";
}

std::string Slurm::processorsOption(unsigned count) const {
    return fmt::format("--cpus-per-task={}", count);
}

Result<void> Slurm::check(const std::vector<std::string>& options) const {
    return checkSbatchOptions(options);
}

Result<std::string> Slurm::submit(const Submission& submission, const std::stop_token& stop) {
    // The script writes its own log: sbatch would expand signs like % in the name of one.
    std::vector<std::string> words{"sbatch",
                                   "--parsable",
                                   "--requeue",
                                   "--job-name=" + submission.name,
                                   "--array=" + taskList(submission.tasks),
                                   "--output=/dev/null",
                                   "--chdir=" + submission.script.parent_path().string()};
    words.insert(words.end(), submission.options.begin(), submission.options.end());
    words.push_back(submission.script.string());
    Result<process::ToolEnd> end = callSlurm(std::move(words), stop);
    if (!end) return end.error();
    if (end->code != 0) return slurmFailure("sbatch", end->errors);
    return submittedJob(end->output);
}

Result<std::vector<std::string>> Slurm::find(const std::string& name, const std::stop_token& stop) {
    Result<std::string> said = squeue("--name=" + name, stop);
    if (!said) return said.error();
    return jobsSeen(*said);
}

Result<std::vector<TaskSeen>> Slurm::look(const std::string& job, const std::stop_token& stop) {
    Result<std::string> said = squeue("--jobs=" + job, stop);
    if (!said) return said.error();
    return tasksSeen(*said, job);
}

Result<void> Slurm::cancel(const std::string& job, const std::stop_token& stop) {
    Result<process::ToolEnd> end = callSlurm({"scancel", job}, stop);
    if (!end) return end.error();
    if (end->code == 0 || knowsNoSuchJob(end->errors)) return {};
    Error failure = slurmFailure("scancel", end->errors);
    if (failure.code == "refused_job") failure.action = "Look at it with squeue.";
    return failure;
}

} // namespace kernelarium::cluster
