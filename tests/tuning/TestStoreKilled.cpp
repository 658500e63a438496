// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Merge.h"
#include "core/tuning/strategies/PointProposer.h"
#include "core/tuning/strategies/Random.h"
#include "core/tuning/strategies/Strategies.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/tuning/TuningFixture.h"

#include <QElapsedTimer>
#include <QProcess>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kernelarium::tuning {
namespace {

Space killedSpace() {
    return {{powers("A", 12), powers("B", 10), powers("C", 8)},
            {restrictionOf("sum", [](const auto& p) { return p[0] + p[1] + p[2] < 900; })}};
}

Outcome killedOutcome(const Candidate& candidate) {
    std::uint64_t hash = 7;
    for (const char c : candidate.key)
        hash = hash * 131 + std::uint64_t(c);
    Outcome outcome = valuedAs(1 + double(hash % 1000));
    if (hash % 7 == 0) outcome = {Outcome::Kind::refused, std::nullopt, "so it is", {}};
    outcome.details = fmt::format(R"({{"text":"{}"}})", std::string(hash % 3000, 'x'));
    return outcome;
}

/// Searches a space until it is killed or done, and says each key whose outcome the store has acknowledged.
int searchUntilKilled(int argc, char** argv) {
    if (argc < 4) return 2;
    const Space space = killedSpace();
    auto store = Store::open(argv[1], headerOf());
    auto strategy = makeStrategy(argv[2]);
    if (!store || !strategy) return 1;
    PointProposer proposer(space, std::move(*strategy), {3, {}, 300, std::nullopt});
    CountingEvaluation evaluation([](const Candidate& candidate, auto) { return killedOutcome(candidate); });
    struct Saying : Keeper {
        Store& store;
        explicit Saying(Store& kept)
            : store(kept) {}
        Result<void> each(const std::function<void(const Judged&)>& take) override { return store.each(take); }
        Result<void> keep(const Judged& judged) override {
            auto kept = store.keep(judged);
            if (kept) std::printf("%s\n", judged.candidate.key.c_str());
            std::fflush(stdout);
            return kept;
        }
    } saying(*store);
    SearchOptions options;
    options.jobs = std::size_t(std::atoi(argv[3]));
    options.budget.looks = 400;
    const auto ended = runSearch({proposer, evaluation, &saying}, options);
    return ended ? 0 : 1;
}

KERNELARIUM_TEST_PROGRAM("--search-until-killed", searchUntilKilled);

class TestStoreKilled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Twenty deaths of one search at any moment, the first writes of the store included.
    void acknowledgedOutcomesSurviveAKill() {
        const StoreFolder folder;
        const auto path = folder.path("a");
        Random random(20);
        std::set<std::string> acknowledged;
        for (int death = 0; death < 20; ++death) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                        {"--search-until-killed", QString::fromStdString(path.string()), "random", "2"});
            QVERIFY(child.waitForStarted(longWait));
            const auto lines = int(random.below(30)); // 0: perhaps before there is a header
            QByteArray said;
            while (said.count('\n') < lines && child.state() != QProcess::NotRunning) {
                child.waitForReadyRead(100);
                said += child.readAllStandardOutput();
            }
            child.kill();
            child.waitForFinished(longWait);
            said += child.readAllStandardOutput();
            for (const QByteArray& line : said.left(said.lastIndexOf('\n') + 1).split('\n'))
                if (!line.isEmpty()) acknowledged.insert(line.toStdString());
            if (!std::filesystem::exists(path)) continue;
            auto store = Store::open(path, headerOf());
            VERIFY_OK(store);
            std::set<std::string> kept;
            int records = 0;
            VERIFY_OK(store->each([&](const Judged& judged) {
                ++records;
                kept.insert(judged.candidate.key);
                QCOMPARE(judged.outcome.details, killedOutcome(judged.candidate).details);
            }));
            QCOMPARE(records, int(kept.size())); // nothing was looked at twice
            for (const std::string& key : acknowledged)
                QVERIFY2(kept.contains(key), key.c_str());
            QVERIFY(kept.size() <= acknowledged.size() + 2 * std::size_t(death + 1)); // what was in flight
        }
        QVERIFY(acknowledged.size() >= 40);
    }

    /// Eight shards, merged in any order, have the table of one exhaustive search.
    void shardsGiveTheSameTable() {
        const StoreFolder folder;
        const Space space = killedSpace();
        const auto tableFor = [](const std::filesystem::path& path) {
            std::map<std::string, std::string> table;
            for (Judged judged : candidatesOf(path)) {
                judged.when = 0;
                judged.seconds = 0;
                table.emplace(judged.candidate.key, recordOf(judged)->line);
            }
            return table;
        };
        const auto search = [&](const Shard& shard) {
            const auto path = shardPath(folder.path("a"), shard);
            auto store = Store::open(path, headerOf("abc", shard));
            PointProposer proposer(space, std::move(makeStrategy("exhaustive").value()), {1, shard, 100, std::nullopt});
            CountingEvaluation evaluation([](const Candidate& candidate, auto) { return killedOutcome(candidate); });
            SearchOptions options;
            options.jobs = 2;
            static_cast<void>(runSearch({proposer, evaluation, &*store}, options));
            return path;
        };
        search({});
        std::vector<std::filesystem::path> parts;
        for (unsigned i = 8; i > 0; --i)
            parts.push_back(search({i, 8}));
        VERIFY_OK(mergeStores(folder.path("merged"), parts));
        const auto expected = tableFor(folder.path("a"));
        QCOMPARE(expected.size(), std::size_t(*space.countAllowed(1000000)));
        QVERIFY(tableFor(folder.path("merged")) == expected);
    }

    /// With one job the killed and resumed search has looked at what the undisturbed one has, in the same order.
    void resumedEqualsUninterrupted_data() {
        QTest::addColumn<QString>("strategy");
        for (const StrategyKind& kind : strategyKinds())
            QTest::newRow(std::string(kind.name).c_str())
                << QString::fromUtf8(kind.name.data(), qsizetype(kind.name.size()));
    }

    void resumedEqualsUninterrupted() {
        QFETCH(const QString, strategy);
        const StoreFolder folder;
        const Space space = killedSpace();
        const auto run = [&](const std::filesystem::path& path, const std::vector<double>& stops) {
            for (const double looks : stops) {
                auto store = Store::open(path, headerOf());
                VERIFY_OK(store);
                PointProposer proposer(space, std::move(makeStrategy(strategy.toStdString()).value()), {3, {}, 40, {}});
                CountingEvaluation evaluation(
                    [](const Candidate& candidate, auto) { return killedOutcome(candidate); });
                SearchOptions options;
                options.budget.looks = looks;
                VERIFY_OK(runSearch({proposer, evaluation, &*store}, options));
            }
        };
        run(folder.path("whole"), {50});
        run(folder.path("parts"), {1, 2, 7, 8, 23, 41, 50});
        const auto whole = candidatesOf(folder.path("whole"));
        const auto parts = candidatesOf(folder.path("parts"));
        QCOMPARE(whole.size(), std::size_t(50));
        QCOMPARE(parts.size(), whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i)
            QCOMPARE(parts[i].candidate.key, whole[i].candidate.key);
    }
};

KERNELARIUM_TEST(TestStoreKilled);

} // namespace
} // namespace kernelarium::tuning

#include "TestStoreKilled.moc"
