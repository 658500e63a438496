// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Look.h"

#include "core/quantities/Quantities.h"
#include "gpu/cluster/ArrayScript.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace kernelarium::cluster {

namespace {

using State = TaskLine::State;

/// What the engine knows of the tasks that have not ended, each from its last job.
Result<std::map<unsigned, TaskSeen>> seenNow(Engine& engine, const Notes& notes, const std::set<unsigned>& open,
                                             const std::stop_token& stop) {
    std::map<std::string, std::vector<unsigned>> jobs;
    for (const unsigned task : open)
        if (std::string job = jobOf(notes, task); !job.empty()) jobs[job].push_back(task);
    std::map<unsigned, TaskSeen> seen;
    for (const auto& [job, tasks] : jobs) {
        Result<std::vector<TaskSeen>> known = engine.look(job, stop);
        if (!known) return known.error();
        for (TaskSeen& one : *known)
            if (std::find(tasks.begin(), tasks.end(), one.task) != tasks.end()) seen[one.task] = std::move(one);
    }
    return seen;
}

/// Of a task that is not done.
void judge(TaskLine& line, const Notes& notes, const TaskSeen* seen, std::optional<int> mark) {
    if (seen != nullptr) {
        line.node = seen->node;
        if (seen->state == TaskSeen::State::pending || seen->state == TaskSeen::State::running) {
            line.state = seen->state == TaskSeen::State::pending ? State::pending : State::running;
            if (line.state == State::pending) line.why = seen->why;
            return;
        }
    }
    if (notes.cancelled || (seen != nullptr && seen->state == TaskSeen::State::cancelled)) {
        line.state = State::cancelled;
    } else if (jobOf(notes, line.task).empty()) {
        line.state = State::pending; // about to be submitted
    } else {
        line.state = State::lost;
        line.word = mark ? fmt::format("exit code {}", *mark) : seen != nullptr ? seen->word : "gone";
    }
}

} // namespace

std::string_view wordOf(State state) {
    constexpr std::array<std::string_view, 6> words{"pending", "running", "done", "lost", "given up", "cancelled"};
    return words[std::size_t(state)];
}

std::string textOf(const ArrayProgress& progress) {
    constexpr std::array states{State::running, State::pending, State::done,
                                State::lost,    State::givenUp, State::cancelled};
    std::string line = fmt::format("{}", progress.done);
    if (progress.total) line += fmt::format(" of {}", *progress.total);
    line += " done; tasks:";
    const char* between = " ";
    for (const State state : states)
        if (progress.of(state) > 0) {
            line += fmt::format("{}{} {}", between, progress.of(state), wordOf(state));
            between = ", ";
        }
    if (progress.perSecond > 0) line += fmt::format("; {:.2f}/s", progress.perSecond);
    if (progress.secondsLeft && *progress.secondsLeft > 0)
        line += ", time left: " + quantities::timeLeft(*progress.secondsLeft);
    return progress.silent.empty() ? line : line + "; " + progress.silent;
}

std::string jobOf(const Notes& notes, unsigned task) {
    for (auto at = notes.submissions.rbegin(); at != notes.submissions.rend(); ++at)
        if (std::find(at->tasks.begin(), at->tasks.end(), task) != at->tasks.end()) return at->job;
    return {};
}

std::optional<int> markOf(const std::filesystem::path& folder, unsigned task) {
    std::ifstream file(taskMark(folder, task));
    int code = 0;
    if (file >> code) return code;
    return std::nullopt;
}

std::string lastWords(const std::filesystem::path& folder, unsigned task) {
    constexpr std::streamoff most = 1000;
    std::ifstream file(taskLog(folder, task), std::ios::binary | std::ios::ate);
    if (!file) return {};
    file.seekg(std::max<std::streamoff>(0, std::streamoff(file.tellg()) - most));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    // An error of ours, which may have details behind it, or the last line of whoever spoke last.
    const std::size_t error = text.rfind("kernelarium-cli: ");
    const std::size_t line = text.rfind('\n');
    text.erase(0, error != std::string::npos ? error : line != std::string::npos ? line + 1 : 0);
    text.erase(std::min(text.find('\n'), text.size()));
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    return text;
}

Result<ArrayProgress> lookAtArray(Engine& engine, const std::filesystem::path& folder, const Notes& notes, Work& work,
                                  const std::stop_token& stop) {
    ArrayProgress progress;
    std::set<unsigned> open;
    for (unsigned task = 1; task <= notes.plan.tasks; ++task) {
        TaskLine line;
        line.task = task;
        const auto mark = markOf(folder, task);
        const auto givenUp = notes.givenUp.find(task);
        if (mark == 0) {
            line.state = State::done;
        } else if (givenUp != notes.givenUp.end()) {
            line.state = State::givenUp;
            line.why = givenUp->second;
        } else {
            open.insert(task);
        }
        progress.tasks.push_back(std::move(line));
    }
    Result<std::map<unsigned, TaskSeen>> seen = seenNow(engine, notes, open, stop);
    if (!seen) return seen.error();
    std::uint64_t sum = 0;
    for (TaskLine& line : progress.tasks) {
        if (open.contains(line.task)) {
            // The engine first, the mark behind it: a task that ended in between is done.
            const auto mark = markOf(folder, line.task);
            const auto at = seen->find(line.task);
            if (mark == 0)
                line.state = State::done;
            else
                judge(line, notes, at == seen->end() ? nullptr : &at->second, mark);
        }
        line.done = work.done(line.task);
        sum += line.done;
        ++progress.byState[std::size_t(line.state)];
    }
    progress.done = work.doneOf(sum);
    progress.total = notes.plan.total;
    if (progress.total) progress.done = std::min(progress.done, *progress.total);
    for (const auto& [task, losses] : notes.losses)
        progress.resubmitted += unsigned(losses.size());
    return progress;
}

} // namespace kernelarium::cluster
