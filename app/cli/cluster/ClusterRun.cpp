// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cluster/ClusterRun.h"

#include "app/cli/Output.h"

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kernelarium::cli {

namespace {

using State = cluster::TaskLine::State;
constexpr std::array states{State::running, State::pending, State::done, State::lost, State::givenUp, State::cancelled};

/// One line on a terminal, rewritten; elsewhere one every ten seconds.
class ArrayLine {
public:
    void show(const cluster::ArrayProgress& progress) { show(cluster::textOf(progress)); }
    void show(const std::string& text) {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_last < (m_terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000))) return;
        m_last = now;
        const std::string line = printable(text).substr(0, 118);
        fmt::print(stderr, "{}{}{}", m_terminal ? "\r\033[K" : "", line, m_terminal ? "" : "\n");
        std::fflush(stderr);
    }
    void say(const std::string& text) const {
        fmt::print(stderr, "{}{}\n", m_terminal ? "\r\033[K" : "", printable(text));
    }
    void end() const {
        if (m_terminal) fmt::print(stderr, "\r\033[K");
    }

private:
    bool m_terminal = ::isatty(STDERR_FILENO) == 1;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now() - std::chrono::seconds(5);
};

bool askedToCancel() {
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) return false;
    fmt::print(stderr, "Write c to cancel the array's tasks, too; Return leaves them running: ");
    std::fflush(stderr);
    std::array<char, 16> answer{};
    const ssize_t got = ::read(STDIN_FILENO, answer.data(), answer.size()); // a second Ctrl+C ends it: they go on
    return got > 0 && (answer[0] == 'c' || answer[0] == 'C');
}

std::string endWord(cluster::ArrayEnd end) {
    switch (end) {
    case cluster::ArrayEnd::done: return "done";
    case cluster::ArrayEnd::incomplete: return "incomplete";
    case cluster::ArrayEnd::cancelled: return "cancelled";
    case cluster::ArrayEnd::stopped: break;
    }
    return "under way";
}

} // namespace

void addClusterOptions(CLI::App& command, ClusterOptions& options) {
    command
        .add_option("--cluster", options.engine,
                    "Run as an array of jobs on other machines, on folders that all of them share; a lost task is run "
                    "again.\nModelling and the emulator need no GPU; with --backend cuda each task asks for one "
                    "(--gres=gpu:1 unless an option does)\nand refuses a node without. `cluster "
                    "watch|status|collect|cancel STORE` go on with an array from any terminal")
        ->check(CLI::IsMember({"slurm"}));
    command
        .add_option("--cluster-tasks", options.tasks,
                    "Tasks of the array; with --jobs each asks for so many processors")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--cluster-option", [&options](const std::string& text) { options.options.push_back(text); },
            "Passed through to sbatch, as in --cluster-option=--partition=long; may be given again")
        ->trigger_on_parse()
        ->option_text("OPTION");
    command.add_flag("--cluster-detach", options.detach, "Submit and come back: `cluster watch` goes on");
}

void addPartOption(CLI::App& command, bool& part) {
    command.add_flag("--part", part,
                     "As a cluster's task: exit code 0 once its part is looked through, whatever was found in it");
}

Result<cluster::ArrayWish> arrayWish(const ClusterOptions& options, unsigned processors, std::stop_token stop) {
    Result<std::filesystem::path> program = cluster::runningProgram();
    if (!program) return program.error();
    cluster::ArrayWish wish{options.tasks, options.options, *program, std::filesystem::current_path(), processors};
    wish.stop = std::move(stop);
    wish.made = [count = options.tasks, line = std::make_shared<ArrayLine>()](unsigned made) {
        line->show(fmt::format("{} of {} parts made", made, count));
        if (made == count) line->end();
    };
    return wish;
}

void sayGoesOn(const cluster::Book& book) {
    fmt::print(stderr, "An array of {} tasks is under way, and goes on as it was submitted.\n",
               book.notes().plan.tasks);
}

int submitOnly(Context& context, cluster::Engine& engine, cluster::Book book, const std::stop_token& stop) {
    Result<void> submitted = cluster::submitArray(engine, book, stop);
    if (!submitted) {
        cluster::removeRefused(book);
        return report(context, submitted.error());
    }
    const std::string target = book.notes().plan.target.string();
    if (context.json)
        printJson({{"store", target},
                   {"folder", book.folder().string()},
                   {"job", book.notes().submissions.back().job},
                   {"tasks", book.notes().plan.tasks}});
    else
        fmt::print("Job {} with {} tasks was submitted. `kernelarium-cli cluster watch {}` goes on with it.\n",
                   book.notes().submissions.back().job, book.notes().plan.tasks, target);
    return exitSuccess;
}

Result<cluster::WatchedArray> watchHere(cluster::Engine& engine, cluster::Book& book, const std::stop_token& stop) {
    Result<std::unique_ptr<cluster::Work>> work = cluster::makeWork(book.notes().plan, book.folder());
    if (!work) return work.error();
    ArrayLine line;
    cluster::ArrayWatch watch;
    watch.progress = [&](const cluster::ArrayProgress& progress) { line.show(progress); };
    watch.said = [&](const std::string& text) { line.say(text); };
    Result<cluster::WatchedArray> watched = cluster::watchArray(engine, book, **work, watch, stop);
    line.end();
    if (!watched) {
        cluster::removeRefused(book);
        return watched;
    }
    if (watched->end != cluster::ArrayEnd::stopped || !askedToCancel()) return watched;
    if (Result<void> cancelled = cluster::cancelArray(engine, book.folder(), {}); !cancelled) return cancelled.error();
    if (Result<void> collected = (*work)->collect({}); !collected) return collected.error();
    watched->end = cluster::ArrayEnd::cancelled;
    return watched;
}

int exitCodeOf(const cluster::WatchedArray& watched) {
    switch (watched.end) {
    case cluster::ArrayEnd::done: return exitSuccess;
    case cluster::ArrayEnd::incomplete: return exitCheckFailed;
    case cluster::ArrayEnd::cancelled:
    case cluster::ArrayEnd::stopped: break;
    }
    return exitInterrupted;
}

nlohmann::json arrayJson(const cluster::WatchedArray& watched) {
    const cluster::ArrayProgress& progress = watched.progress;
    nlohmann::json tasks = nlohmann::json::object(), givenUp = nlohmann::json::array();
    for (const State state : states)
        tasks[state == State::givenUp ? "given_up" : std::string(cluster::wordOf(state))] = progress.of(state);
    for (const cluster::TaskLine& line : progress.tasks)
        if (line.state == State::givenUp) givenUp.push_back({{"task", line.task}, {"why", line.why}});
    return {{"ended", endWord(watched.end)},
            {"tasks", std::move(tasks)},
            {"resubmitted", progress.resubmitted},
            {"done", progress.done},
            {"total", progress.total ? nlohmann::json(*progress.total) : nlohmann::json(nullptr)},
            {"given_up", std::move(givenUp)}};
}

int tellArray(Context& context, const cluster::WatchedArray& watched, const std::filesystem::path& folder) {
    if (context.json) {
        printJson(arrayJson(watched));
        return exitCodeOf(watched);
    }
    for (const cluster::TaskLine& line : watched.progress.tasks)
        if (line.state == State::givenUp) fmt::print("task {} was given up: {}\n", line.task, printable(line.why));
    fmt::print("array      {}: {}\n", endWord(watched.end), printable(cluster::textOf(watched.progress)));
    if (watched.end == cluster::ArrayEnd::stopped)
        fmt::print("Its tasks go on. `kernelarium-cli cluster watch {0}` watches again, `cluster cancel {0}` ends "
                   "them.\n",
                   folder.string());
    else if (watched.end != cluster::ArrayEnd::done)
        fmt::print("The same command does the rest; what the tasks said is in {}.\n", folder.string());
    return exitCodeOf(watched);
}

} // namespace kernelarium::cli
