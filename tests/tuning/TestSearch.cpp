// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/tuning/TuningFixture.h"

#include <condition_variable>
#include <fmt/format.h>
#include <map>
#include <set>
#include <thread>

namespace kernelarium::tuning {
namespace {

std::vector<std::string> keysUpTo(int count) {
    std::vector<std::string> keys;
    for (int i = 0; i < count; ++i)
        keys.push_back(fmt::format("K={}", i));
    return keys;
}

Result<Outcome> lengthOf(const Candidate& candidate, const std::stop_token&) {
    return valuedAs(double(candidate.key.size()));
}

/// Evaluations wait here until they are let through.
struct Gate {
    std::mutex mutex;
    std::condition_variable_any changed;
    int inside = 0;
    int open = 0; ///< how many more may go on

    bool pass(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        ++inside;
        changed.notify_all();
        const bool let = changed.wait(lock, stop, [&] { return open > 0; });
        --inside;
        if (let) --open;
        return let;
    }
    void waitFor(int count) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return inside >= count; });
    }
    void let(int count) {
        {
            const std::scoped_lock lock(mutex);
            open += count;
        }
        changed.notify_all();
    }
};

/// In a thread that is not Qt's.
void waitUntil(const std::function<bool()>& holds) {
    for (int i = 0; i < longWait && !holds(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

class TestSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingIsJudgedOnce_data() {
        QTest::addColumn<int>("jobs");
        QTest::newRow("one job") << 1;
        QTest::newRow("eight jobs") << 8;
    }

    void everythingIsJudgedOnce() {
        QFETCH(const int, jobs);
        const StoreFolder folder;
        std::vector<std::string> keys = keysUpTo(200);
        const std::vector<std::string> once = keys;
        keys.insert(keys.end(), once.begin(), once.end()); // each is proposed twice
        ListProposer proposer(keys);
        CountingEvaluation evaluation(lengthOf);
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        std::vector<std::uint64_t> told;
        SearchOptions options;
        options.jobs = std::size_t(jobs);
        const auto ended = runSearch(
            {proposer, evaluation, &*store, {}, [&](const Progress& progress) { told.push_back(progress.done()); }},
            options);
        VERIFY_OK(ended);
        QVERIFY(ended->why == Ended::Why::usedUp);
        QCOMPARE(evaluation.seen().size(), std::size_t(200));
        QCOMPARE(proposer.heard.size(), std::size_t(400)); // each proposal has its answer
        QCOMPARE(candidatesOf(folder.path("a")).size(), std::size_t(200));
        QCOMPARE(ended->progress.done(), std::uint64_t(200));
        QVERIFY(ended->progress.spent == 200);
        QVERIFY(std::is_sorted(told.begin(), told.end()) && told.back() == 200);
        QCOMPARE(ended->progress.best->outcome.value.value_or(0), 3.0);
        if (jobs == 1) QCOMPARE(evaluation.seen(), once);
    }

    void theFilterRefusesAtNoCost() {
        const StoreFolder folder;
        ListProposer proposer(keysUpTo(10));
        CountingEvaluation evaluation(lengthOf);
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        SearchOptions options;
        options.budget.looks = 4;
        const auto ended = runSearch({proposer, evaluation, &*store,
                                      [](const Candidate& candidate) -> std::optional<std::string> {
                                          if ((candidate.key.back() - '0') % 2 == 0) return std::nullopt;
                                          return "odd";
                                      }},
                                     options);
        VERIFY_OK(ended);
        QVERIFY(ended->why == Ended::Why::budget);
        QCOMPARE(evaluation.seen(), (std::vector<std::string>{"K=0", "K=2", "K=4", "K=6"}));
        QCOMPARE(ended->progress.filtered, std::uint64_t(3));
        QCOMPARE(ended->progress.of(Outcome::Kind::refused), std::uint64_t(3));
        const auto all = candidatesOf(folder.path("a"));
        QCOMPARE(all[1].outcome.reason, std::string("odd"));
        QVERIFY(all[1].filtered && !all[1].looked());
    }

    void oneTextIsLookedAtOnce_data() { everythingIsJudgedOnce_data(); }

    void oneTextIsLookedAtOnce() {
        QFETCH(const int, jobs);
        const StoreFolder folder;
        const auto judge = [](const Candidate& candidate) -> Result<std::string> {
            return std::string(1, candidate.key.back());
        };
        for (int resumed = 0; resumed < 2; ++resumed) { // the second knows the texts of the first from the store
            ListProposer proposer(keysUpTo(resumed == 0 ? 60 : 100));
            CountingEvaluation evaluation(lengthOf);
            evaluation.second = judge;
            auto store = Store::open(folder.path("a"), headerOf());
            VERIFY_OK(store);
            SearchOptions options;
            options.jobs = std::size_t(jobs);
            const auto ended = runSearch({proposer, evaluation, &*store}, options);
            VERIFY_OK(ended);
            QCOMPARE(evaluation.seen().size(), std::size_t(resumed == 0 ? 10 : 0));
            QCOMPARE(ended->progress.twins, std::uint64_t(resumed == 0 ? 50 : 90));
            QVERIFY(ended->progress.spent == 10);
        }
        std::map<std::string, double> values;
        for (const Judged& judged : candidatesOf(folder.path("a"))) {
            const auto [at, first] = values.try_emplace(judged.secondKey, *judged.outcome.value);
            QCOMPARE(*judged.outcome.value, at->second);
            QCOMPARE(judged.sameAs.empty(), first);
        }
        QCOMPARE(values.size(), std::size_t(10));
    }

    void aFailureIsTriedAgain() {
        std::map<std::string, int> tries;
        ListProposer proposer(keysUpTo(3));
        CountingEvaluation evaluation([&](const Candidate& candidate, auto) -> Result<Outcome> {
            const int tried = ++tries[candidate.key];
            if (candidate.key == "K=0" || (candidate.key == "K=1" && tried == 1))
                return Outcome{Outcome::Kind::failed, std::nullopt, "the child died", {}};
            if (candidate.key == "K=2") return Outcome{Outcome::Kind::valued, std::nan(""), {}, {}};
            return valuedAs(1);
        });
        const StoreFolder folder;
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        const auto ended = runSearch({proposer, evaluation, &*store}, {});
        VERIFY_OK(ended);
        QCOMPARE(tries["K=0"], 2);
        QCOMPARE(tries["K=1"], 2);
        QCOMPARE(ended->progress.of(Outcome::Kind::failed), std::uint64_t(2));
        const auto all = candidatesOf(folder.path("a"));
        QCOMPARE(all[0].outcome.reason, std::string("the child died"));
        QVERIFY(all[1].outcome.kind == Outcome::Kind::valued);
        QVERIFY(all[2].outcome.kind == Outcome::Kind::failed); // a value that is no number
    }

    void whatFailedIsLookedAtAgainOnDemand() {
        const StoreFolder folder;
        bool broken = true;
        CountingEvaluation evaluation([&](const Candidate&, auto) -> Result<Outcome> {
            if (broken) return Outcome{Outcome::Kind::failed, std::nullopt, "no machine", {}};
            return valuedAs(1);
        });
        const auto run = [&](bool retry) {
            ListProposer proposer(keysUpTo(3));
            auto store = Store::open(folder.path("a"), headerOf());
            SearchOptions options;
            options.retryFailed = retry;
            options.tries = 1;
            return runSearch({proposer, evaluation, &*store}, options)->progress;
        };
        QCOMPARE(run(false).of(Outcome::Kind::failed), std::uint64_t(3));
        broken = false;
        QCOMPARE(run(false).of(Outcome::Kind::failed), std::uint64_t(3)); // they are known to have failed
        QCOMPARE(run(true).of(Outcome::Kind::valued), std::uint64_t(3));
        const Progress after = run(false); // the store has both, and the failures are past
        QCOMPARE(after.of(Outcome::Kind::valued), std::uint64_t(3));
        QCOMPARE(after.of(Outcome::Kind::failed), std::uint64_t(0));
        QCOMPARE(after.done(), std::uint64_t(3));
        QCOMPARE(evaluation.seen().size(), std::size_t(6));
    }

    /// Twins of a candidate that fails get a look of their own: its child's death says nothing of them.
    void aFailureIsNotShared() {
        Gate gate;
        std::atomic<int> looks = 0;
        ListProposer proposer({"A=1", "A=2"});
        CountingEvaluation evaluation([&](const Candidate&, const std::stop_token& stop) -> Result<Outcome> {
            gate.pass(stop);
            if (looks++ == 0) return Outcome{Outcome::Kind::failed, std::nullopt, "died", {}};
            return valuedAs(2);
        });
        evaluation.second = [](const Candidate&) { return Result<std::string>("same"); };
        SearchOptions options;
        options.jobs = 2;
        options.tries = 1;
        std::jthread opener([&] {
            gate.waitFor(1);
            gate.let(2);
        });
        const auto ended = runSearch({proposer, evaluation}, options);
        VERIFY_OK(ended);
        QCOMPARE(evaluation.seen().size(), std::size_t(2));
        QCOMPARE(ended->progress.of(Outcome::Kind::failed), std::uint64_t(1));
        QCOMPARE(ended->progress.of(Outcome::Kind::valued), std::uint64_t(1));
    }

    void whatIsUnderWayAtAStopIsNotKept() {
        const StoreFolder folder;
        Gate gate;
        std::stop_source stop;
        std::atomic<int> ended = 0;
        ListProposer proposer(keysUpTo(50));
        CountingEvaluation evaluation([&](const Candidate&, const std::stop_token& token) -> Result<Outcome> {
            if (gate.pass(token)) return valuedAs(1);
            if (ended++ % 2 == 0) return Error{"cancelled", "It was stopped."};
            return Outcome{Outcome::Kind::failed, std::nullopt, "its child was ended", {}};
        });
        {
            auto store = Store::open(folder.path("a"), headerOf());
            VERIFY_OK(store);
            std::jthread stopper([&] {
                gate.let(5);
                waitUntil([&] { return evaluation.seen().size() == 9; }); // five are done, four jobs wait
                gate.waitFor(4);
                stop.request_stop();
            });
            SearchOptions options;
            options.jobs = 4;
            const auto stopped = runSearch({proposer, evaluation, &*store}, options, stop.get_token());
            VERIFY_OK(stopped);
            QVERIFY(stopped->why == Ended::Why::stopped);
            QCOMPARE(stopped->progress.done(), std::uint64_t(5));
        }
        QCOMPARE(candidatesOf(folder.path("a")).size(), std::size_t(5));

        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        ListProposer again(keysUpTo(50));
        CountingEvaluation rest(lengthOf);
        const auto whole = runSearch({again, rest, &*store}, {});
        VERIFY_OK(whole);
        QCOMPARE(rest.seen().size(), std::size_t(45));
        QCOMPARE(whole->progress.resumed, std::uint64_t(5));
        QCOMPARE(whole->progress.done(), std::uint64_t(50));
    }

    void aPauseHoldsAndEnds() {
        Gate gate;
        Pause pause;
        ListProposer proposer(keysUpTo(6));
        CountingEvaluation evaluation([&](const Candidate&, const std::stop_token& stop) -> Result<Outcome> {
            gate.pass(stop);
            return valuedAs(1);
        });
        std::atomic<int> paused = 0, wentOn = 0;
        std::atomic<bool> held = false;
        std::jthread control([&] {
            gate.waitFor(2);
            pause.begin();
            gate.let(2); // what is under way ends as ever
            waitUntil([&] { return paused.load() > 0; });
            const std::size_t before = evaluation.seen().size();
            std::this_thread::sleep_for(std::chrono::milliseconds(30)); // time for what must not happen
            held = evaluation.seen().size() == before;
            gate.let(100);
            pause.end();
        });
        SearchOptions options;
        options.jobs = 2;
        const auto ended = runSearch({proposer,
                                      evaluation,
                                      nullptr,
                                      {},
                                      [&](const Progress& progress) {
                                          paused += progress.paused && progress.underWay == 0 ? 1 : 0;
                                          wentOn += paused > 0 && !progress.paused ? 1 : 0;
                                      },
                                      &pause},
                                     options);
        VERIFY_OK(ended);
        QCOMPARE(ended->progress.done(), std::uint64_t(6));
        QVERIFY(wentOn > 0);
        QVERIFY(held);

        // A stop ends a search that is held.
        Pause second;
        second.begin();
        std::stop_source stop;
        ListProposer other(keysUpTo(6));
        CountingEvaluation none(lengthOf);
        std::atomic<bool> holds = false;
        std::jthread stopper([&] {
            waitUntil([&] { return holds.load(); });
            stop.request_stop();
        });
        const auto stopped = runSearch(
            {other, none, nullptr, {}, [&](const Progress& progress) { holds = holds || progress.paused; }, &second},
            {}, stop.get_token());
        VERIFY_OK(stopped);
        QVERIFY(stopped->why == Ended::Why::stopped);
        QCOMPARE(none.seen().size(), std::size_t(0));
    }

    void budgetsEnd() {
        const StoreFolder folder;
        for (const double looks : {0.0, 3.0, 3.0, 7.0}) {
            ListProposer proposer(keysUpTo(20));
            CountingEvaluation evaluation(lengthOf);
            auto store = Store::open(folder.path("a"), headerOf());
            VERIFY_OK(store);
            SearchOptions options;
            options.budget.looks = looks;
            options.jobs = 3;
            const auto ended = runSearch({proposer, evaluation, &*store}, options);
            VERIFY_OK(ended);
            QVERIFY(ended->why == Ended::Why::budget);
            QCOMPARE(double(candidatesOf(folder.path("a")).size()), looks); // those of earlier runs count
        }
        ListProposer proposer(keysUpTo(20));
        CountingEvaluation evaluation(lengthOf);
        SearchOptions options;
        options.budget.seconds = 0;
        const auto ended = runSearch({proposer, evaluation}, options);
        VERIFY_OK(ended);
        QVERIFY(ended->why == Ended::Why::budget);
        QCOMPARE(evaluation.seen().size(), std::size_t(0));
    }

    void errorsEndTheSearch() {
        ListProposer proposer(keysUpTo(20));
        CountingEvaluation broken([](const Candidate& candidate, auto) -> Result<Outcome> {
            if (candidate.key == "K=3") return Error{"missing_component", "There is no compiler."};
            return valuedAs(1);
        });
        SearchOptions options;
        options.jobs = 4;
        QCOMPARE(runSearch({proposer, broken}, options).error().code, std::string("missing_component"));

        // Whatever else is under way is told to end.
        Gate gate;
        ListProposer waiting(keysUpTo(20));
        CountingEvaluation held([&](const Candidate& candidate, const std::stop_token& stop) -> Result<Outcome> {
            if (candidate.key == "K=3") {
                gate.waitFor(3);
                return Error{"missing_component", "There is no compiler."};
            }
            gate.pass(stop);
            return Error{"cancelled", "It was stopped."};
        });
        QCOMPARE(runSearch({waiting, held}, options).error().code, std::string("missing_component"));

        ListProposer second(keysUpTo(20));
        CountingEvaluation unnamed(lengthOf);
        unnamed.second = [](const Candidate&) { return Result<std::string>(Error{"bad_input", "No text."}); };
        QCOMPARE(runSearch({second, unnamed}, options).error().code, std::string("bad_input"));

        ListProposer third(keysUpTo(20));
        CountingEvaluation throwing(
            [](const Candidate&, auto) -> Result<Outcome> { throw std::runtime_error("boom"); });
        QCOMPARE(runSearch({third, throwing}, options).error().code, std::string("internal_error"));

        struct FullDisk : Keeper {
            Result<void> each(const std::function<void(const Judged&)>&) override { return {}; }
            Result<void> keep(const Judged&) override { return Error{"disk_full", "The disk is full."}; }
        } full;
        ListProposer fourth(keysUpTo(20));
        CountingEvaluation fine(lengthOf);
        QCOMPARE(runSearch({fourth, fine, &full}, options).error().code, std::string("disk_full"));

        struct Same : Proposer {
            std::vector<Candidate> propose(std::size_t) override { return {{"A=1"}}; }
            void hear(const Candidate&, const Outcome&) override {}
        } same;
        CountingEvaluation one(lengthOf);
        QCOMPARE(runSearch({same, one}, {}).error().code, std::string("bad_proposer"));
        QCOMPARE(one.seen().size(), std::size_t(1));
    }

    void timeLeftIsEstimated() {
        ListProposer proposer(keysUpTo(40));
        CountingEvaluation evaluation([](const Candidate&, auto) -> Result<Outcome> {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return valuedAs(1);
        });
        bool estimated = false;
        const auto ended = runSearch({proposer,
                                      evaluation,
                                      nullptr,
                                      {},
                                      [&](const Progress& progress) {
                                          if (progress.done() != 20) return;
                                          estimated = true;
                                          QCOMPARE(progress.total.value_or(0), std::uint64_t(40));
                                          QVERIFY(progress.perSecond > 0 && progress.perSecond <= 1000);
                                          QVERIFY(std::abs(*progress.secondsLeft * progress.perSecond - 20) < 1e-6);
                                      }},
                                     {});
        VERIFY_OK(ended);
        QVERIFY(estimated);
        QCOMPARE(*ended->progress.secondsLeft, 0.0);
    }
};

KERNELARIUM_TEST(TestSearch);

} // namespace
} // namespace kernelarium::tuning

#include "TestSearch.moc"
