// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/SlurmAnswers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace kernelarium::cluster {

namespace {

using Seen = TaskSeen::State;

constexpr std::size_t longestWords = 300; // of theirs that we repeat

/// As it may be shown and kept: no control characters, nothing that is not ASCII, not long.
std::string shownText(std::string_view text) {
    std::string shown;
    for (const char c : text.substr(0, longestWords))
        shown += c >= ' ' && c <= '~' ? c : (c == '\n' || c == '\t') ? ' ' : '?';
    while (!shown.empty() && shown.back() == ' ')
        shown.pop_back();
    return shown;
}

Error badAnswer(std::string_view program, std::string_view said) {
    return {"bad_answer", fmt::format("{} said what cannot be read: `{}`.", program, shownText(said)),
            "Look at what it prints in a terminal."};
}

bool isNumber(std::string_view text) {
    constexpr std::size_t mostDigits = 10;
    return !text.empty() && text.size() <= mostDigits &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<unsigned> taskNumber(std::string_view text) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
    return number;
}

/// squeue's man page, "JOB STATE CODES".
Seen stateOf(std::string_view word) {
    constexpr std::array pending{"PENDING",      "CONFIGURING",   "REQUEUED",     "REQUEUE_FED",
                                 "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT", "POWER_UP_NODE"};
    constexpr std::array lost{"FAILED",    "NODE_FAIL", "TIMEOUT",   "OUT_OF_MEMORY",
                              "BOOT_FAIL", "DEADLINE",  "PREEMPTED", "REVOKED"};
    const auto among = [&](const auto& words) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (among(pending)) return Seen::pending;
    if (among(lost)) return Seen::lost;
    if (word == "COMPLETED") return Seen::over;
    if (word.starts_with("CANCELLED")) return Seen::cancelled;
    return Seen::running;
}

struct SqueueLine {
    std::string_view job, task, state, node, why;
};

/// Lines of five fields; what is behind the fourth bar is the reason, which may hold anything.
template <class Take> Result<void> eachLine(std::string_view output, const Take& take) {
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        if (line.empty()) continue;
        SqueueLine fields;
        std::string_view rest = line;
        for (std::string_view* field : {&fields.job, &fields.task, &fields.state, &fields.node}) {
            const std::size_t bar = rest.find('|');
            if (bar == std::string_view::npos) return badAnswer("squeue", line);
            *field = rest.substr(0, bar);
            rest.remove_prefix(bar + 1);
        }
        fields.why = rest;
        const bool word = !fields.state.empty() && std::all_of(fields.state.begin(), fields.state.end(), [](char c) {
            return (c >= 'A' && c <= 'Z') || c == '_';
        });
        if (!isNumber(fields.job) || !word) return badAnswer("squeue", line);
        take(fields);
    }
    return {};
}

bool isShortOption(std::string_view option, std::string_view letters) {
    return option.size() >= 2 && option[0] == '-' && letters.find(option[1]) != std::string_view::npos;
}

} // namespace

Result<std::string> submittedJob(std::string_view output) {
    std::string_view job = output.substr(0, output.find('\n'));
    const std::string_view line = job;
    job = job.substr(0, job.find(';'));
    if (!isNumber(job)) return badAnswer("sbatch", line);
    return std::string(job);
}

Result<std::vector<TaskSeen>> tasksSeen(std::string_view output, std::string_view job) {
    std::vector<TaskSeen> tasks;
    Result<void> read = eachLine(output, [&](const SqueueLine& line) {
        const auto task = taskNumber(line.task);
        if (line.job != job || !task) return;
        TaskSeen seen{*task, stateOf(line.state), shownText(line.state), shownText(line.node), shownText(line.why)};
        // No one's wish: what it waited for cannot be any more.
        if (seen.state == Seen::cancelled && line.why == "DependencyNeverSatisfied") seen.state = Seen::lost;
        if (seen.why == "None") seen.why.clear();
        tasks.push_back(std::move(seen));
    });
    if (!read) return read.error();
    return tasks;
}

Result<std::vector<std::string>> jobsSeen(std::string_view output) {
    std::vector<std::string> jobs;
    Result<void> read = eachLine(output, [&](const SqueueLine& line) {
        if (std::find(jobs.begin(), jobs.end(), line.job) == jobs.end()) jobs.emplace_back(line.job);
    });
    if (!read) return read.error();
    return jobs;
}

Error slurmFailure(std::string_view program, std::string_view errors) {
    const auto says = [&](const char* words) { return errors.find(words) != std::string_view::npos; };
    for (const char* words : {"configuration file", "s_p_parse_file", "ClusterName needs to be specified",
                              "DNS SRV lookup failed", "Could not establish a configuration source"})
        if (says(words))
            return {"no_slurm", fmt::format("Slurm is not set up here: {} finds no configuration.", program),
                    "Call it where sbatch works, such as a login node, or set SLURM_CONF.", shownText(errors)};
    for (const char* words :
         {"Unable to contact slurm controller", "Socket timed out", "Connection refused", "connect failure",
          "Zero Bytes were transmitted", "authentication error", "Munge encode failed", "temporarily unable to",
          "Resource temporarily unavailable", "slurmctld is in standby", "No route to host", "Connection timed out"})
        if (says(words))
            return {"cluster_silent", fmt::format("{} gets no answer from Slurm's controller.", program),
                    "Ask again later; `sinfo` says whether it is there.", shownText(errors)};
    // The last words are the reason: "sbatch: error: Batch job submission failed: Invalid partition name specified".
    while (!errors.empty() && (errors.back() == '\n' || errors.back() == ' '))
        errors.remove_suffix(1);
    const std::size_t line = errors.rfind('\n');
    const std::string last = shownText(line == std::string_view::npos ? errors : errors.substr(line + 1));
    const bool tooMany = last.find("Invalid job array specification") != std::string::npos;
    return {
        "refused_job",
        fmt::format("Slurm refused: {}{}", last.empty() ? "it did not say why" : last, last.ends_with('.') ? "" : "."),
        tooMany
            ? "Make fewer tasks (--cluster-tasks on the command line): `scontrol show config` says what MaxArraySize "
              "is, which no task's number reaches."
            : "Change the options of sbatch (--cluster-option on the command line)."};
}

bool knowsNoSuchJob(std::string_view errors) {
    return errors.find("Invalid job id specified") != std::string_view::npos;
}

std::string taskList(std::vector<unsigned> tasks) {
    std::sort(tasks.begin(), tasks.end());
    tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    std::string list;
    for (std::size_t i = 0; i < tasks.size();) {
        std::size_t last = i;
        while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1)
            ++last;
        list += fmt::format("{}{}", list.empty() ? "" : ",", tasks[i]);
        if (last > i) list += fmt::format("-{}", tasks[last]);
        i = last + 1;
    }
    return list;
}

Result<void> checkSbatchOptions(const std::vector<std::string>& options) {
    constexpr std::array ours{"--array", "--job-name", "--parsable", "--wait",  "--wrap",    "--test-only",
                              "--help",  "--usage",    "--version",  "--chdir", "--clusters"};
    for (const std::string& option : options) {
        const std::string name = option.substr(0, option.find('='));
        if (option.size() < 2 || option[0] != '-' || name == "--" ||
            std::any_of(option.begin(), option.end(), [](unsigned char c) { return c < ' '; }))
            return Error{"bad_usage", fmt::format("`{}` is no option of sbatch.", shownText(option)),
                         "Write each as one word, as in --cluster-option=--partition=long."};
        const bool whole = std::any_of(ours.begin(), ours.end(), [&](const char* own) {
            return name.size() > 3 && std::string_view(own).starts_with(name); // sbatch takes abbreviations
        });
        if (whole || (name[1] != '-' && isShortOption(option, "aJWhVDM")))
            return Error{"bad_usage", fmt::format("`{}` cannot be passed to sbatch.", shownText(name)),
                         "What the array is and what it is called is set already."};
    }
    return {};
}

} // namespace kernelarium::cluster
