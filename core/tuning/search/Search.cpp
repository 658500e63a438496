// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Search.h"

#include "core/threads/FanOut.h"
#include "core/tuning/search/Ledger.h"
#include "core/tuning/search/Look.h"
#include "core/tuning/search/UnderWay.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <utility>
#include <vector>

namespace kernelarium::tuning {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::int64_t nowMilliseconds() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// One search; its members are guarded by m_mutex, but for what is called from evaluations' threads.
class SearchRun {
public:
    SearchRun(const SearchParts& parts, const SearchOptions& options, std::stop_token stop)
        : m_parts(parts)
        , m_options(options)
        , m_passOn(std::move(stop), [this] { m_ending.request_stop(); }) {}

    Result<Ended> run();

private:
    Result<void> resume();
    void work();
    std::optional<Candidate> next();
    enum class Drawn { candidate, settled, nothing };
    Drawn draw(Candidate& candidate);
    bool holdPause(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool budgetSpent() const;
    void judge(const Candidate& candidate);
    void leave(const Candidate& candidate, const std::string& secondKey);
    /// Whether somebody else's outcome serves: it is known, or will be.
    bool isTwin(const Candidate& candidate, const std::string& secondKey);
    void enter(Judged judged);
    void shareWithWaiters(const Judged& judged);
    void fail(Error error);
    void tell();
    [[nodiscard]] Progress progressNow() const;

    const SearchParts& m_parts;
    const SearchOptions& m_options;
    std::stop_source m_ending; ///< a stop from outside or an error: whatever is under way is to end
    std::stop_token m_stop = m_ending.get_token();
    std::stop_callback<std::function<void()>> m_passOn;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::mutex m_telling;
    Ledger m_ledger;
    UnderWay m_underWay;
    int m_known = 0; ///< draws in a row that were known
    std::optional<Ended::Why> m_why;
    std::optional<Error> m_error;
    RunningTime m_time;
};

Result<Ended> SearchRun::run() {
    if (auto resumed = resume(); !resumed) return resumed.error();
    tell();
    threads::together(std::max<std::size_t>(m_options.jobs, 1), [&](std::size_t) { work(); });
    if (m_error) return *m_error;
    return Ended{m_why.value_or(Ended::Why::stopped), progressNow()};
}

Result<void> SearchRun::resume() {
    if (m_parts.keeper == nullptr) return {};
    return m_parts.keeper->each([&](const Judged& judged) {
        if (m_options.retryFailed && judged.outcome.kind == Outcome::Kind::failed) return;
        if (m_ledger.enter(judged, true)) m_parts.proposer.hear(judged.candidate, judged.outcome);
    });
}

void SearchRun::work() {
    while (const auto candidate = next()) {
        try {
            judge(*candidate);
        } catch (const std::exception& e) {
            const std::scoped_lock lock(m_mutex);
            fail({"internal_error", fmt::format("The evaluation of `{}` threw: {}.", candidate->key, e.what())});
        }
        tell();
    }
    m_changed.notify_all();
}

bool SearchRun::budgetSpent() const {
    constexpr double rounding = 1e-9; // of many small efforts added up
    const Budget& budget = m_options.budget;
    return (budget.looks && m_ledger.sums().spent + m_underWay.looks() >= *budget.looks - rounding) ||
           (budget.seconds && m_time.seconds() >= *budget.seconds);
}

/// Waits while a pause holds. True where it did.
bool SearchRun::holdPause(std::unique_lock<std::mutex>& lock) {
    if (m_parts.pause == nullptr || !m_parts.pause->holds()) return false;
    if (!m_time.held()) m_time.hold();
    lock.unlock();
    tell();
    m_parts.pause->wait(m_stop);
    lock.lock();
    if (m_time.held()) {
        m_time.goOn();
        lock.unlock();
        tell();
        lock.lock();
    }
    return true;
}

/// The next to evaluate, reserved; none when the search is over.
std::optional<Candidate> SearchRun::next() {
    constexpr int between = 256; // what is settled at once can be much, and others wait meanwhile
    std::unique_lock lock(m_mutex);
    for (int settled = 1;; ++settled) {
        if (m_stop.stop_requested() && !m_why) m_why = Ended::Why::stopped;
        if (m_why || m_error) return std::nullopt;
        if (holdPause(lock)) continue;
        if (auto again = m_underWay.takeAgain()) return again;
        const bool spent = budgetSpent();
        Candidate candidate;
        const Drawn drawn = spent ? Drawn::nothing : draw(candidate);
        if (m_error) return std::nullopt;
        if (drawn == Drawn::candidate) return candidate;
        if (drawn == Drawn::settled) {
            if (settled % between != 0) continue;
            lock.unlock();
            tell();
            lock.lock();
            continue;
        }
        if (m_underWay.empty()) {
            m_why = m_why.value_or(spent ? Ended::Why::budget : Ended::Why::usedUp);
            return std::nullopt;
        }
        m_changed.wait(lock, m_stop, [&, done = m_ledger.sums().done(), left = m_underWay.size()] {
            return m_ledger.sums().done() != done || m_underWay.size() != left || m_underWay.hasAgain() || m_why ||
                   m_error;
        });
    }
}

/// Draws one. What is known, filtered or under way is settled here.
SearchRun::Drawn SearchRun::draw(Candidate& candidate) {
    constexpr int mostKnown = 100000; // in a row
    auto drawn = m_parts.proposer.propose(1);
    if (drawn.empty()) return Drawn::nothing;
    candidate = std::move(drawn.front());
    const Outcome* outcome = m_ledger.find(candidate);
    if (outcome != nullptr || m_underWay.join(candidate)) {
        if (outcome != nullptr) m_parts.proposer.hear(candidate, *outcome);
        if (++m_known >= mostKnown)
            fail({"bad_proposer", fmt::format("The search was given {} candidates in a row that it knew.", m_known)});
        return Drawn::settled;
    }
    m_known = 0;
    if (auto reason = m_parts.filter ? m_parts.filter(candidate) : std::nullopt) {
        Judged judged{candidate, {Outcome::Kind::refused, std::nullopt, std::move(*reason), {}}};
        judged.filtered = true;
        enter(std::move(judged));
        return Drawn::settled;
    }
    m_underWay.begin(candidate);
    return Drawn::candidate;
}

void SearchRun::judge(const Candidate& candidate) {
    auto second = m_parts.evaluation.secondKey(candidate);
    if (!second) {
        const std::scoped_lock lock(m_mutex);
        if (!m_stop.stop_requested()) fail(second.error());
        return leave(candidate, {});
    }
    if (isTwin(candidate, *second)) return;

    const auto begun = Clock::now();
    auto outcome = lookAt(m_parts.evaluation, candidate, m_options.tries, m_stop);
    const double seconds = secondsSince(begun);

    const std::scoped_lock lock(m_mutex);
    const bool stopped = m_stop.stop_requested();
    if (!outcome) {
        if (!stopped) fail(outcome.error());
        return leave(candidate, *second);
    }
    if (stopped && outcome->kind == Outcome::Kind::failed) return leave(candidate, *second);
    Judged judged{candidate, std::move(*outcome), std::move(*second)};
    judged.seconds = seconds;
    enter(std::move(judged));
}

bool SearchRun::isTwin(const Candidate& candidate, const std::string& secondKey) {
    if (secondKey.empty()) return false;
    const std::scoped_lock lock(m_mutex);
    if (const std::string* key = m_ledger.findSecond(secondKey, candidate.effort)) {
        Judged judged{candidate, *m_ledger.find({*key, candidate.effort}), secondKey, *key};
        enter(std::move(judged));
        return true;
    }
    return !m_underWay.isFirst(candidate, secondKey);
}

/// Gives a candidate up that has no outcome; those that waited for it too.
void SearchRun::leave(const Candidate& candidate, const std::string& secondKey) {
    for (const UnderWay::Waiter& waiter : m_underWay.endSecond(secondKey, candidate.effort))
        leave(waiter.candidate, {});
    m_underWay.end(candidate);
    if (!m_why) m_why = Ended::Why::stopped;
    m_changed.notify_all();
}

/// Keeps an outcome, tells the proposer and whoever waited for it.
void SearchRun::enter(Judged judged) {
    judged.when = nowMilliseconds();
    const std::vector<Candidate> same = m_underWay.end(judged.candidate);
    if (m_parts.keeper != nullptr && !m_error)
        if (auto kept = m_parts.keeper->keep(judged); !kept) fail(kept.error());
    if (m_error) return; // what is not kept is as if it had never been
    m_ledger.enter(judged, false);
    m_parts.proposer.hear(judged.candidate, judged.outcome);
    for (const Candidate& candidate : same)
        m_parts.proposer.hear(candidate, judged.outcome);
    if (judged.looked()) shareWithWaiters(judged);
    m_changed.notify_all();
}

void SearchRun::shareWithWaiters(const Judged& judged) {
    for (const UnderWay::Waiter& waiter : m_underWay.endSecond(judged.secondKey, judged.candidate.effort)) {
        if (judged.outcome.kind == Outcome::Kind::failed) { // says nothing of the text
            m_underWay.lookAgain(waiter.candidate);
            continue;
        }
        Judged twin{waiter.candidate, judged.outcome, waiter.secondKey, judged.candidate.key};
        twin.outcome.details.clear();
        enter(std::move(twin));
    }
}

void SearchRun::fail(Error error) {
    if (m_error) return;
    m_error = std::move(error);
    m_ending.request_stop();
    m_changed.notify_all();
}

void SearchRun::tell() {
    if (!m_parts.progress) return;
    const std::scoped_lock telling(m_telling);
    Progress progress;
    {
        const std::scoped_lock lock(m_mutex);
        progress = progressNow();
    }
    m_parts.progress(progress);
}

Progress SearchRun::progressNow() const {
    Progress progress = m_ledger.sums();
    progress.underWay = m_underWay.size();
    progress.total = m_parts.proposer.total();
    progress.seconds = m_time.seconds();
    progress.paused = m_time.held();
    estimate(progress, m_ledger.spentNow(), m_options.budget);
    return progress;
}

} // namespace

Result<Ended> runSearch(const SearchParts& parts, const SearchOptions& options, std::stop_token stop) {
    try {
        return SearchRun(parts, options, std::move(stop)).run();
    } catch (const std::exception& e) {
        return Error{"internal_error", fmt::format("The search failed: {}.", e.what())};
    }
}

} // namespace kernelarium::tuning
