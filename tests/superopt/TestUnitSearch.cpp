// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/GraphFile.h"
#include "core/superopt/search/SearchStore.h"
#include "core/superopt/search/UnitSearch.h"
#include "core/tuning/store/Merge.h"
#include "core/tuning/store/StoreReader.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/superopt/Factors.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <random>
#include <thread>

namespace kernelarium::superopt {
namespace {

using tuning::Judged;
using tuning::Shard;
namespace fs = std::filesystem;

#define SEARCH_OK(result)                                                                                              \
    do {                                                                                                               \
        const auto& searched = (result);                                                                               \
        QVERIFY2(searched.ok(), searched.ok() ? "" : searched.error().text().c_str());                                 \
    } while (false)

const nlohmann::json factorSubject{{"what", "factors"}};

Result<UnitSearchEnd> searchFactors(const fs::path& path, std::size_t threads, const Shard& shard = {},
                                    const UnitSearchWatch& watch = {}, Factors space = {},
                                    const tuning::Budget& budget = {}, const std::stop_token& stop = {}) {
    auto store = openSearchStore(path, space.identity(), factorSubject, shard);
    if (!store) return store.error();
    return runUnitSearch(space, *store, shard, {threads, budget}, watch, stop);
}

/// All of a table, as text; of what cannot be read, the error.
std::string tableOf(const fs::path& path) {
    auto table = FoundTable::read(path);
    return table ? toJson(*table, true).dump(1) : table.error().text();
}

Judged candidateAt(const std::string& hash, RungVerdict::Standing last, unsigned rungs, std::int64_t when) {
    Climb climb;
    for (unsigned i = 1; i <= rungs; ++i)
        climb.rungs.push_back({fmt::format("rung {}", i), i == rungs ? last : RungVerdict::Standing::stood, "so"});
    climb.proven = last == RungVerdict::Standing::stood;
    Judged judged = judgedOf({hash, "{}", 1, 1e-6}, climb);
    judged.when = when;
    return judged;
}

/// Explores no more once so many units are kept: who waits there dies in the midst of a unit.
class HeldFactors : public Factors {
public:
    std::atomic<std::int64_t> left = 0;
    [[nodiscard]] Result<Exploration> explore(const std::string& unit,
                                              const std::function<void(const StateCounts&)>& tell,
                                              const std::stop_token& stop) const override {
        while (left <= 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return Factors::explore(unit, tell, stop);
    }
};

/// Searches until it is killed; says each unit that was kept.
int searchUntilKilled(int argc, char** argv) {
    if (argc < 4) return 2;
    HeldFactors space;
    space.unitTime = std::chrono::milliseconds(4);
    space.left = std::atoi(argv[3]);
    UnitSearchWatch watch;
    watch.judged = [&](tuning::JudgedKind kind, const Judged&) {
        if (kind != tuning::JudgedKind::unit) return;
        --space.left;
        std::printf("unit\n");
        std::fflush(stdout);
    };
    auto store = openSearchStore(argv[1], space.identity(), factorSubject);
    if (!store) return 1;
    return runUnitSearch(space, *store, {}, {std::size_t(std::atoi(argv[2])), {}}, watch) ? 0 : 1;
}

KERNELARIUM_TEST_PROGRAM("--search-units-until-killed", searchUntilKilled);

class TestUnitSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void findsAll() {
        SEARCH_OK(searchFactors(at("a"), 1));
        auto table = FoundTable::read(at("a"));
        SEARCH_OK(table);
        QCOMPARE(table->counts().units, std::uint64_t(81));
        std::map<std::string, double> expected; // digits that give the number, in their order, and their sum
        const auto count = [&](auto&& again, std::string digits, int left, int sum) -> void {
            if (left == 1 && digits.size() >= 2) expected[digits] = sum;
            if (digits.size() == 8) return;
            for (char d = digits.empty() ? '1' : digits.back(); d <= '9'; ++d)
                if (left % (d - '0') == 0) again(again, digits + d, left / (d - '0'), sum + (d - '0'));
        };
        count(count, "", 2520, 0);
        const auto all = table->all();
        QCOMPARE(all.size(), expected.size());
        std::uint64_t right = 0, undecided = 0, refused = 0;
        for (const FoundCandidate& found : all) {
            QVERIFY2(expected.contains(found.hash), found.hash.c_str());
            QVERIFY(std::abs(found.bound * 1e6 - expected[found.hash]) < 1e-6);
            QVERIFY(found.at && found.at->ofAll > 0);
            const bool falls = found.hash.find('6') != std::string::npos && found.hash.find('7') != std::string::npos;
            const bool open = !falls && found.hash.find('9') != std::string::npos;
            const auto verdict = falls  ? FoundCandidate::Verdict::refused
                                 : open ? FoundCandidate::Verdict::undecided
                                        : FoundCandidate::Verdict::right;
            QCOMPARE(name(found.verdict), name(verdict));
            QCOMPARE(found.rung, open ? 1U : 2U);
            ++(falls ? refused : open ? undecided : right);
        }
        QVERIFY(right > 0 && undecided > 0 && refused > 0);
        QCOMPARE(table->counts().right, right);
        QCOMPARE(table->counts().undecided, undecided);
        QCOMPARE(table->counts().refused, refused);
        QCOMPARE(table->best()->candidate.key, all.front().hash);
        for (const FoundCandidate& step : table->bestSoFar())
            QCOMPARE(name(step.verdict), name(FoundCandidate::Verdict::right));
    }

    void threadsDoNotMatter() {
        SEARCH_OK(searchFactors(at("1"), 1));
        SEARCH_OK(searchFactors(at("8"), 8));
        QCOMPARE(tableOf(at("8")), tableOf(at("1")));
    }

    void shardsDoNotMatter_data() {
        QTest::addColumn<unsigned>("shards");
        for (const unsigned shards : {1U, 8U, 64U})
            QTest::newRow(std::to_string(shards).c_str()) << shards;
    }

    void shardsDoNotMatter() {
        QFETCH(const unsigned, shards);
        SEARCH_OK(searchFactors(at("whole"), 1));
        std::vector<fs::path> parts;
        for (unsigned i = 1; i <= shards; ++i) {
            const Shard shard{i, shards};
            parts.push_back(tuning::shardPath(at("part"), shard));
            SEARCH_OK(searchFactors(parts.back(), 2, shard));
        }
        std::shuffle(parts.begin(), parts.end(), std::mt19937(shards));
        SEARCH_OK(tuning::mergeStores(at("merged"), parts));
        QCOMPARE(tableOf(at("merged")), tableOf(at("whole")));
        // What was merged has nothing left to do.
        auto again = searchFactors(at("merged"), 1);
        SEARCH_OK(again);
        QCOMPARE(again->progress.units.resumed, again->progress.units.done());
        QCOMPARE(tableOf(at("merged")), tableOf(at("whole")));
    }

    void budgetsAndStopsAreResumed() {
        SEARCH_OK(searchFactors(at("whole"), 1));
        for (const double units : {1.0, 5.0, 30.0, 31.0}) {
            tuning::Budget budget;
            budget.looks = units;
            auto ended = searchFactors(at("a"), 1, {}, {}, {}, budget);
            SEARCH_OK(ended);
            QCOMPARE(ended->why, tuning::Ended::Why::budget);
            QCOMPARE(FoundTable::read(at("a"))->counts().units, std::uint64_t(units));
        }
        std::stop_source stop;
        UnitSearchWatch watch;
        watch.progress = [&](const UnitProgress& progress) {
            if (progress.found.units >= 40) stop.request_stop();
        };
        Factors slow;
        slow.unitTime = std::chrono::milliseconds(6);
        auto stopped = searchFactors(at("a"), 3, {}, watch, slow, {}, stop.get_token());
        SEARCH_OK(stopped);
        QCOMPARE(stopped->why, tuning::Ended::Why::stopped);
        QVERIFY(FoundTable::read(at("a"))->counts().units < 81);
        SEARCH_OK(searchFactors(at("a"), 2));
        QCOMPARE(tableOf(at("a")), tableOf(at("whole")));
    }

    /// Twenty deaths of one search at any moment.
    void killedTwentyTimes() {
        SEARCH_OK(searchFactors(at("whole"), 1));
        std::mt19937 random(21);
        std::uint64_t acknowledged = 0;
        for (int death = 0; death < 20; ++death) {
            const int most = 1 + death % 2; // units of one thread or two: not all of them in twenty lives
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                        {"--search-units-until-killed", QString::fromStdString(at("a").string()), QString::number(most),
                         QString::number(most)});
            QVERIFY(child.waitForStarted(longWait));
            const auto units = qsizetype(random() % (unsigned(most) + 1)); // 0: perhaps before there is a header
            QByteArray said;
            while (said.count('\n') < units && child.state() != QProcess::NotRunning) {
                child.waitForReadyRead(100);
                said += child.readAllStandardOutput();
            }
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 6000));
            QCOMPARE(child.state(), QProcess::Running);
            child.kill();
            child.waitForFinished(longWait);
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            said += child.readAllStandardOutput();
            acknowledged += std::uint64_t(said.count('\n'));
            if (!fs::exists(at("a"))) continue;
            auto table = FoundTable::read(at("a"));
            if (!table && table.error().code == "empty_store") continue;
            SEARCH_OK(table);
            QVERIFY(table->counts().units >= acknowledged); // what was said is kept
            QVERIFY(table->counts().units < 81);
        }
        QVERIFY(acknowledged >= 10);
        SEARCH_OK(searchFactors(at("a"), 2));
        QCOMPARE(tableOf(at("a")), tableOf(at("whole")));
    }

    /// Nothing outvotes a refusal: not a later look, not a further rung, not the order of a merge.
    void whatARungRefusedIsNeverRight() {
        using Standing = RungVerdict::Standing;
        const Factors space;
        const auto put = [&](const char* file, const Judged& judged) {
            auto store = openSearchStore(at(file), space.identity(), factorSubject);
            SEARCH_OK(store);
            SEARCH_OK(store->keep(judged));
        };
        put("fell", candidateAt("h", Standing::fell, 2, 1));
        put("stood", candidateAt("h", Standing::stood, 5, 9));
        put("early", candidateAt("h", Standing::undecided, 2, 5));
        const std::vector<std::vector<std::string>> orders{{"fell", "stood", "early"},
                                                           {"stood", "early", "fell"},
                                                           {"early", "fell", "stood"},
                                                           {"stood", "fell", "early"}};
        std::set<std::string> tables;
        for (const auto& order : orders) {
            const fs::path merged = at("merged-" + order[0] + order[1]);
            for (const std::string& part : order) // one after another, into what is there
                SEARCH_OK(tuning::mergeStores(merged, {at(part.c_str())}));
            auto table = FoundTable::read(merged);
            SEARCH_OK(table);
            QVERIFY(table->best() == nullptr);
            QVERIFY(table->bestSoFar().empty());
            const auto found = table->find("h");
            QVERIFY(found);
            QCOMPARE(name(found->verdict), name(FoundCandidate::Verdict::refused));
            QCOMPARE(found->rung, 2U);
            QVERIFY2(found->fault.find("rung 5") != std::string::npos, found->fault.c_str()); // kept, and told
            QCOMPARE(table->counts().faults, std::uint64_t(1));
            QCOMPARE(table->counts().right, std::uint64_t(0));
            tables.insert(toJson(*table, true).dump());
        }
        QCOMPARE(tables.size(), std::size_t(1));
        // One that climbed further and fell there contradicts nothing.
        put("climbed", candidateAt("k", Standing::stood, 1, 1));
        put("climbed", candidateAt("k", Standing::fell, 4, 2));
        auto climbed = FoundTable::read(at("climbed"));
        SEARCH_OK(climbed);
        QCOMPARE(name(climbed->find("k")->verdict), name(FoundCandidate::Verdict::refused));
        QCOMPARE(climbed->counts().faults, std::uint64_t(0));
        // Nor is one right that stood no rung.
        put("none", candidateAt("n", Standing::stood, 0, 1));
        QVERIFY(FoundTable::read(at("none"))->best() == nullptr);
    }

    void aFileIsTheLastRung() {
        using Standing = RungVerdict::Standing;
        SEARCH_OK(searchFactors(at("a"), 1));
        const auto first = [&] { return FoundTable::read(at("a"))->all().front(); };
        const FoundCandidate found = first();
        const auto keep = [&](const FoundCandidate& of, Standing standing, const char* evidence) {
            auto store = openSearchStore(at("a"), Factors().identity(), factorSubject);
            SEARCH_OK(store);
            SEARCH_OK(store->keep(withFileRung(of, {"", standing, evidence})));
        };
        // What nobody could say changes nothing.
        const std::string before = tableOf(at("a"));
        keep(found, Standing::undecided, "no time");
        QCOMPARE(tableOf(at("a")), before);
        keep(found, Standing::stood, "verified at small");
        QCOMPARE(first().hash, found.hash);
        QCOMPARE(name(first().verdict), name(FoundCandidate::Verdict::right));
        QCOMPARE(first().rung, found.rung + 1);
        QCOMPARE(first().rungs.back().name, std::string(fileRung));
        QVERIFY(first().fault.empty());
        // Asked again, it is the same rung; and found by its number and the beginning of its hash.
        keep(first(), Standing::stood, "verified at small");
        QCOMPARE(first().rung, found.rung + 1);
        auto table = FoundTable::read(at("a"));
        SEARCH_OK(foundGraph(*table, "1"));
        QCOMPARE(foundGraph(*table, found.hash)->hash, found.hash);
        QVERIFY(!foundGraph(*table, "0") && !foundGraph(*table, "nothing"));
        // A refusal is for good, and a disagreement where all rungs before let the graph pass.
        keep(first(), Standing::fell, "wrong at odd");
        keep(found, Standing::stood, "verified at small");
        table = FoundTable::read(at("a"));
        const auto fallen = table->find(found.hash);
        QCOMPARE(name(fallen->verdict), name(FoundCandidate::Verdict::refused));
        QVERIFY2(fallen->fault.find("its emitted file is refused") != std::string::npos, fallen->fault.c_str());
        QCOMPARE(table->counts().faults, std::uint64_t(1));
        QVERIFY(table->best()->candidate.key != found.hash);
        // A file that is right makes no graph right that was not.
        const auto all = table->all();
        const auto open = std::find_if(all.begin(), all.end(), [](const FoundCandidate& c) {
            return c.verdict == FoundCandidate::Verdict::undecided;
        });
        QVERIFY(open != all.end());
        keep(*open, Standing::stood, "verified at small");
        QCOMPARE(name(FoundTable::read(at("a"))->find(open->hash)->verdict), name(FoundCandidate::Verdict::undecided));
    }

    void damagedStoresLoseNothing() {
        SEARCH_OK(searchFactors(at("a"), 1));
        const std::string whole = tableOf(at("a"));
        const QByteArray bytes = read(at("a"));
        QList<QByteArray> lines = bytes.split('\n');
        for (const QByteArray& bad :
             {QByteArray("{"), QByteArray(R"({"kind":"unit"})"), QByteArray(R"({"kind":"unit","key":"x"})"),
              QByteArray(R"({"kind":"candidate","key":"x","outcome":"valued"})"),
              QByteArray(R"({"kind":"candidate","key":"x","outcome":"wrong","rung":-1})"),
              QByteArray(R"({"kind":"candidate","key":"x","outcome":"wrong","rung":"2"})")}) {
            QList<QByteArray> damaged = lines;
            damaged[5] = bad;
            const QByteArray text = damaged.join('\n');
            write(at("damaged"), text);
            auto table = FoundTable::read(at("damaged"));
            QVERIFY2(!table.ok(), bad.constData());
            QCOMPARE(table.error().code, std::string("damaged_store"));
            QVERIFY2(table.error().message.find("line 6") != std::string::npos, table.error().message.c_str());
            auto searched = searchFactors(at("damaged"), 1);
            QVERIFY(!searched.ok());
            QCOMPARE(searched.error().code, std::string("damaged_store"));
            QCOMPARE(read(at("damaged")), text); // left as it is
            auto merged = tuning::mergeStores(at("target"), {at("a"), at("damaged")});
            QVERIFY(!merged.ok() && !fs::exists(at("target")));
        }
        // An end that was not written whole is cut off, and what it was of is looked at again.
        for (const qsizetype cut : {bytes.size() - 1, bytes.size() - 40, bytes.size() / 2, bytes.size() / 5}) {
            write(at("torn"), bytes.left(cut));
            SEARCH_OK(searchFactors(at("torn"), 2));
            QCOMPARE(tableOf(at("torn")), whole);
        }
        // Stores of other searches.
        Factors other;
        other.salt = "other";
        auto searched = searchFactors(at("a"), 1, {}, {}, other);
        QVERIFY(!searched.ok());
        QCOMPARE(searched.error().code, std::string("other_search"));
        QVERIFY(searched.error().message.find("salt") != std::string::npos);
        QCOMPARE(searchFactors(at("a"), 1, {1, 2}).error().code, std::string("other_search"));
        {
            auto sweep = tuning::Store::open(at("sweep"), {{{"search", "parameter sweep"}}, {}});
            SEARCH_OK(sweep);
        }
        QCOMPARE(readSearchStore(at("sweep")).error().code, std::string("not_superopt"));
        auto said = readSearchStore(at("a"));
        SEARCH_OK(said);
        QVERIFY(said->subject == factorSubject);
    }

    void pausesHold() {
        tuning::Pause pause;
        std::atomic<std::uint64_t> units = 0;
        std::atomic<bool> paused = false;
        UnitSearchWatch watch;
        watch.pause = &pause;
        watch.progress = [&](const UnitProgress& progress) {
            units = progress.found.units;
            paused = progress.units.paused;
        };
        Factors slow;
        slow.unitTime = std::chrono::milliseconds(4);
        bool ok = false;
        std::jthread search([&] { ok = searchFactors(at("a"), 2, {}, watch, slow).ok(); });
        WAIT_VERIFY(units > 3);
        pause.begin();
        WAIT_VERIFY(paused);
        const std::uint64_t held = FoundTable::read(at("a"))->counts().units;
        QTest::qWait(60);
        QVERIFY(FoundTable::read(at("a"))->counts().units <= held + 2); // what was under way
        QVERIFY(units < 81);
        pause.end();
        search.join();
        QVERIFY(ok);
        SEARCH_OK(searchFactors(at("whole"), 1));
        QCOMPARE(tableOf(at("a")), tableOf(at("whole")));
    }

    void progressAddsUp() {
        UnitProgress last;
        std::uint64_t states = 0;
        UnitSearchWatch watch;
        watch.progress = [&](const UnitProgress& progress) { last = progress; };
        std::set<std::string> heard;
        int units = 0;
        watch.judged = [&](tuning::JudgedKind kind, const Judged& judged) {
            if (kind == tuning::JudgedKind::unit)
                ++units;
            else
                heard.insert(judged.candidate.key);
        };
        auto ended = searchFactors(at("a"), 4, {}, watch);
        SEARCH_OK(ended);
        const auto table = FoundTable::read(at("a"));
        states = table->counts().counts.states;
        QCOMPARE(ended->progress.found.counts.states, states);
        QCOMPARE(ended->progress.found.counts.pruned, table->counts().counts.pruned);
        QCOMPARE(heard.size(), table->all().size());
        QCOMPARE(units, 81);
        QCOMPARE(ended->progress.units.done(), std::uint64_t(81));
        QCOMPARE(*ended->progress.units.total, std::uint64_t(81));
        QVERIFY(ended->progress.best && ended->progress.best->hash == table->best()->candidate.key);
        QVERIFY(ended->progress.statesPerSecond > 0);
        QVERIFY(last.found.units <= 81);
    }

    void errorsEndTheSearch() {
        struct Failing : Factors {
            Result<Climb> climb(const FoundGraph&, const std::stop_token&) const override {
                return Error{"no_ladder", "There is no ladder.", {}};
            }
        } space;
        auto store = openSearchStore(at("a"), space.identity(), factorSubject);
        SEARCH_OK(store);
        auto ended = runUnitSearch(space, *store, {}, {2, {}});
        QVERIFY(!ended.ok());
        QCOMPARE(ended.error().code, std::string("no_ladder"));
        QCOMPARE(FoundTable::read(at("a"))->all().size(), std::size_t(0));
    }

private:
    [[nodiscard]] fs::path at(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }
    static QByteArray read(const fs::path& path) {
        QFile file(QString::fromStdString(path.string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const fs::path& path, const QByteArray& bytes) {
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

KERNELARIUM_TEST(TestUnitSearch);

} // namespace
} // namespace kernelarium::superopt

#include "TestUnitSearch.moc"
