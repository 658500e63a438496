// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Watch.h"

#include "gpu/cluster/ArrayScript.h"
#include "gpu/cluster/Kinds.h"
#include "gpu/cluster/NewArray.h"

#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace kernelarium::cluster {

namespace {

using Clock = std::chrono::steady_clock;
using State = TaskLine::State;

void sleepFor(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, time, [] { return false; });
}

/// Asks the engine to run these tasks; the book knows of it before and after.
Result<void> submitTasks(Engine& engine, Book& book, SubmissionNote note, const std::stop_token& stop) {
    if (Result<void> noted = book.note(note); !noted) return noted;
    std::error_code problem;
    for (const unsigned task : note.tasks) // of an earlier try
        std::filesystem::remove(taskMark(book.folder(), task), problem);
    Result<std::string> job =
        engine.submit({arrayScriptFile(book.folder()), note.name, note.tasks, book.notes().plan.options}, stop);
    if (!job) return job.error();
    note.job = std::move(*job);
    return book.note(note);
}

SubmissionNote newSubmission(const Book& book, std::vector<unsigned> tasks) {
    return {fmt::format("{}-{}", book.notes().plan.name, book.notes().submissions.size() + 1), std::move(tasks), {}};
}

class Watcher {
public:
    Watcher(Engine& engine, Book& book, Work& work, const ArrayWatch& watch)
        : m_engine(engine)
        , m_book(book)
        , m_work(work)
        , m_watch(watch) {}

    Result<WatchedArray> run(const std::stop_token& stop) {
        WatchedArray watched;
        for (; !stop.stop_requested(); sleepFor(m_watch.interval, stop)) {
            Result<bool> ended = step(stop);
            if (!ended && stop.stop_requested()) break;
            if (ended) m_silentSince.reset();
            if (!ended && !waitsFor(ended.error())) return ended.error();
            if (m_watch.progress) m_watch.progress(m_progress);
            if (!ended || !*ended) continue;
            if (Result<void> collected = m_work.collect(stop); !collected) return collected.error();
            if (Result<void> noted = m_book.collected(); !noted) return noted.error();
            watched.end = m_progress.of(State::givenUp) > 0     ? ArrayEnd::incomplete
                          : m_progress.of(State::cancelled) > 0 ? ArrayEnd::cancelled
                                                                : ArrayEnd::done;
            break;
        }
        watched.progress = std::move(m_progress);
        return watched;
    }

private:
    /// Whether every task has ended.
    Result<bool> step(const std::stop_token& stop) {
        if (!m_book.cancelled()) {
            if (Result<void> submitted = submitArray(m_engine, m_book, stop); !submitted) return submitted.error();
        } else if (!m_cancelSaid) { // whoever cancelled may not have known of our last submission
            if (Result<void> said = cancelArray(m_engine, m_book.folder(), stop); !said) return said.error();
            m_cancelSaid = true;
        }
        Notes notes = m_book.notes();
        notes.cancelled = m_book.cancelled();
        Result<ArrayProgress> seen = lookAtArray(m_engine, m_book.folder(), notes, m_work, stop);
        if (!seen) return seen.error();
        m_progress = std::move(*seen);
        reckon();
        if (Result<void> handled = handleLost(stop); !handled) return handled.error();
        return m_progress.of(State::pending) + m_progress.of(State::running) + m_progress.of(State::lost) == 0;
    }

    void reckon() {
        const Clock::time_point now = Clock::now();
        if (!m_began) {
            m_began = now;
            m_doneAtFirst = m_progress.done;
        }
        const double seconds = std::chrono::duration<double>(now - *m_began).count();
        if (seconds <= 0 || m_progress.done <= m_doneAtFirst) return;
        m_progress.perSecond = double(m_progress.done - m_doneAtFirst) / seconds;
        if (m_progress.total)
            m_progress.secondsLeft = double(*m_progress.total - m_progress.done) / m_progress.perSecond;
    }

    void say(const std::string& text) const {
        if (m_watch.said) m_watch.said(text);
    }

    /// Whether an error is one to wait for; said once.
    bool waitsFor(const Error& error) {
        if (error.code != "cluster_silent") return false;
        const Clock::time_point now = Clock::now();
        if (!m_silentSince) {
            m_silentSince = now;
            say(error.message + " It is asked again.");
        }
        m_progress.silent = error.message;
        return now - *m_silentSince < m_watch.patience;
    }

    [[nodiscard]] bool isSettled(const TaskLine& line) {
        if (line.state != State::lost) {
            m_lostSince.erase(line.task);
            return false;
        }
        const Clock::time_point now = Clock::now();
        return now - m_lostSince.try_emplace(line.task, now).first->second >= m_watch.settle;
    }

    /// Times that it was lost, one after the other, without anything new in its part.
    [[nodiscard]] unsigned vainTries(const TaskLine& line) const {
        const auto at = m_book.notes().losses.find(line.task);
        if (at == m_book.notes().losses.end()) return 0;
        return unsigned(std::count_if(at->second.begin(), at->second.end(),
                                      [&](const LossNote& loss) { return loss.done == line.done; }));
    }

    Result<void> handleLost(const std::stop_token& stop) {
        if (m_book.cancelled()) return {};
        std::vector<unsigned> again;
        for (TaskLine& line : m_progress.tasks) {
            if (!isSettled(line)) continue;
            m_lostSince.erase(line.task);
            if (vainTries(line) + 1 >= m_watch.tries) {
                line.why = fmt::format("lost {} times without a result ({})", vainTries(line) + 1, line.word);
                if (const std::string words = lastWords(m_book.folder(), line.task); !words.empty())
                    line.why += ": " + words;
                if (Result<void> noted = m_book.giveUp(line.task, line.why); !noted) return noted;
                say(fmt::format("task {} is given up: {}", line.task, line.why));
                --m_progress.byState[std::size_t(State::lost)];
                line.state = State::givenUp;
                ++m_progress.byState[std::size_t(State::givenUp)];
                continue;
            }
            if (Result<void> noted = m_book.lost(line.task, {line.word, line.done}); !noted) return noted;
            say(fmt::format("task {} was lost ({}) and is submitted again", line.task, line.word));
            ++m_progress.resubmitted;
            again.push_back(line.task);
        }
        if (again.empty()) return {};
        return submitTasks(m_engine, m_book, newSubmission(m_book, std::move(again)), stop);
    }

    Engine& m_engine;
    Book& m_book;
    Work& m_work;
    const ArrayWatch& m_watch;
    ArrayProgress m_progress;
    std::optional<Clock::time_point> m_began;
    std::uint64_t m_doneAtFirst = 0;
    bool m_cancelSaid = false;
    std::optional<Clock::time_point> m_silentSince;
    std::map<unsigned, Clock::time_point> m_lostSince;
};

} // namespace

Result<void> submitArray(Engine& engine, Book& book, const std::stop_token& stop) {
    // A watcher before us may have been killed, or its engine silent, between asking and knowing.
    const std::vector<SubmissionNote> submissions = book.notes().submissions;
    for (SubmissionNote note : submissions) {
        if (!note.job.empty()) continue;
        Result<std::vector<std::string>> jobs = engine.find(note.name, stop);
        if (!jobs) return jobs.error();
        if (jobs->empty()) {
            if (Result<void> submitted = submitTasks(engine, book, std::move(note), stop); !submitted) return submitted;
            continue;
        }
        note.job = jobs->front();
        if (Result<void> noted = book.note(note); !noted) return noted;
    }
    if (!submissions.empty()) return {};
    std::vector<unsigned> all;
    for (unsigned task = 1; task <= book.notes().plan.tasks; ++task)
        all.push_back(task);
    return submitTasks(engine, book, newSubmission(book, std::move(all)), stop);
}

Result<bool> settleEarlier(Engine& engine, const std::filesystem::path& folder, const std::stop_token& stop) {
    Result<Notes> notes = readNotes(folder);
    if (!notes && notes.error().code == "no_array") return false;
    if (!notes) return notes.error();
    if (!notes->collected && !notes->cancelled) return true;
    Result<std::unique_ptr<Work>> work = makeWork(notes->plan, folder);
    if (!work) return work.error();
    if (notes->cancelled) {
        Result<ArrayProgress> seen = lookAtArray(engine, folder, *notes, **work, stop);
        if (!seen) return seen.error();
        if (seen->of(State::running) + seen->of(State::pending) > 0)
            return Error{"busy", "Tasks of the cancelled array are still ending.", "Try again in a minute."};
    }
    if (Result<void> collected = (*work)->collect(stop); !collected) return collected.error();
    return false;
}

Result<WatchedArray> watchArray(Engine& engine, Book& book, Work& work, const ArrayWatch& watch,
                                const std::stop_token& stop) {
    return Watcher(engine, book, work, watch).run(stop);
}

Result<void> cancelArray(Engine& engine, const std::filesystem::path& folder, const std::stop_token& stop) {
    if (Result<void> marked = markCancelled(folder); !marked) return marked;
    Result<Notes> notes = readNotes(folder); // behind the mark: a watcher submits nothing more
    if (!notes) return notes.error();
    for (const SubmissionNote& note : notes->submissions) {
        std::vector<std::string> jobs{note.job};
        if (note.job.empty()) {
            Result<std::vector<std::string>> found = engine.find(note.name, stop);
            if (!found) return found.error();
            jobs = std::move(*found);
        }
        for (const std::string& job : jobs)
            if (Result<void> cancelled = engine.cancel(job, stop); !cancelled) return cancelled;
    }
    return {};
}

} // namespace kernelarium::cluster
