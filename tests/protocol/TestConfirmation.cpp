// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestConfirmation.h"

#include "core/tuning/store/Merge.h"
#include "gpu/protocol/Confirmation.h"
#include "gpu/protocol/Sweep.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::protocol;

namespace {

/// Gives these times by turns.
class StatedTimer : public PairTimer {
public:
    std::vector<Result<TimeSummary>> answers;
    std::vector<tuning::Point> winners;
    std::stop_source* stops = nullptr;

    Result<TimeSummary> time(const tuning::Point& winner, const tuning::Point& start, const std::string& size,
                             const std::stop_token&) override {
        if (stops != nullptr) stops->request_stop();
        winners.push_back(winner);
        lastStart = start;
        lastSize = size;
        return answers[std::min(winners.size(), answers.size()) - 1];
    }
    tuning::Point lastStart;
    std::string lastSize;
};

/// The winner takes `ratio` of the start's time, give or take `spread`.
TimeSummary pairsOf(double ratio, double spread = 0.01, int count = 12) {
    TimeSummary s;
    s.device = "NVIDIA H200";
    s.summary.median = ratio * 1e-3;
    s.against = PairedSummary{"start", {}, {}};
    for (int i = 0; i < count; ++i)
        s.against->pairs.push_back({1e-3 * ratio * (1 + spread * (i - count / 2) / count), 1e-3, i % 2 == 0});
    s.against->times = perf::comparePairs(s.against->pairs, eventResolution);
    return s;
}

struct MeasuredSweep {
    QTemporaryDir folder;
    SweepRequest request;
    std::optional<tuning::Store> store;

    MeasuredSweep() {
        request.label = "k.cu";
        request.tunable = *tunableOf("constexpr int T = 16; // tune: 8, 16, 32\n", {});
        request.points.run.backend = "cuda";
        request.points.run.arguments = {"float32[8]"};
        request.points.size = "full";
        auto opened = openSweepStore(path(), request);
        store.emplace(std::move(*opened));
        keep("T=16", 2e-3);
        keep("T=8", 3e-3);
    }
    std::filesystem::path path() const { return folder.filePath("a.sweep").toStdString(); }
    void keep(const std::string& key, double seconds, tuning::Outcome::Kind kind = tuning::Outcome::Kind::valued) {
        tuning::Judged judged;
        judged.candidate.key = key;
        judged.outcome = {kind, seconds, {}, {}};
        const Result<void> kept = store->keep(judged);
        QVERIFY(kept.ok());
    }
    Result<std::vector<Confirmation>> confirm(PairTimer& timer, const std::stop_token& stop = {}) {
        return confirmWinner(request.tunable, request.points, *store, timer, stop);
    }
};

} // namespace

void TestConfirmation::isKeptAndNotRepeated() {
    MeasuredSweep sweep;
    sweep.keep("T=32", 1e-3);
    StatedTimer timer;
    timer.answers = {pairsOf(0.74)};
    const auto confirmed = sweep.confirm(timer);
    QVERIFY2(confirmed.ok(), confirmed ? "" : confirmed.error().message.c_str());
    QCOMPARE(confirmed->size(), std::size_t(1));
    const Confirmation& c = confirmed->front();
    QVERIFY(c.holds());
    QCOMPARE(c.key, std::string("T=32"));
    QCOMPARE(c.size, std::string("full"));
    QCOMPARE(c.pairs, std::size_t(12));
    QVERIFY(std::abs(c.ratio - 1 / 0.74) < 0.01 && c.low < c.ratio && c.ratio < c.high && c.low > 1.33 &&
            c.high < 1.37);
    QCOMPARE(confirmationWords(c), std::string("confirmed in a fresh process: 1.35× (1.35 to 1.36), 12 pairs"));
    QCOMPARE(sweep.request.tunable.space.key(timer.winners.at(0)), std::string("T=32"));
    QVERIFY(timer.lastStart == sweep.request.tunable.space.start());

    const auto again = sweep.confirm(timer);
    QCOMPARE(timer.winners.size(), std::size_t(1));
    QCOMPARE(toJson(again->at(0)), toJson(c));
    sweep.store.reset();
    const auto read = readConfirmations(sweep.path(), "T=32");
    QCOMPARE(toJson(read->at(0)), toJson(c));
    QVERIFY(readConfirmations(sweep.path(), "T=8")->empty());
    // Part of the sweep: it is merged, and the candidates beside it are as they were.
    const std::filesystem::path merged = sweep.folder.filePath("b.sweep").toStdString();
    QVERIFY(tuning::mergeStores(merged, {sweep.path()}).ok());
    QCOMPARE(toJson(readConfirmations(merged, "T=32")->at(0)), toJson(c));
    QVERIFY(readSweep(merged).ok());
}

void TestConfirmation::anotherWinnerIsConfirmedAgain() {
    MeasuredSweep sweep;
    StatedTimer timer;
    timer.answers = {pairsOf(0.9)};
    QVERIFY(sweep.confirm(timer)->empty()); // nothing beats the kernel as it stands
    sweep.keep("T=32", 1e-4, tuning::Outcome::Kind::wrong);
    QVERIFY(sweep.confirm(timer)->empty()); // and a wrong point never does
    tuning::Judged unproven{{"T=8"}, {tuning::Outcome::Kind::valued, 1e-5, {}, {}}};
    unproven.outcome.unproven = true;
    QVERIFY(sweep.store->keep(unproven).ok());
    QVERIFY(sweep.confirm(timer)->empty()); // nor one that was not verified
    QCOMPARE(timer.winners.size(), std::size_t(0));
}

void TestConfirmation::saysWhenItDoesNotHold_data() {
    QTest::addColumn<double>("ratio");
    QTest::addColumn<double>("spread");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no difference") << 0.999 << 0.1 << QByteArray("no difference to the kernel as it stands");
    QTest::newRow("slower") << 1.2 << 0.01 << QByteArray("the kernel as it stands is faster there");
}

void TestConfirmation::saysWhenItDoesNotHold() {
    QFETCH(const double, ratio);
    QFETCH(const double, spread);
    QFETCH(const QByteArray, says);
    MeasuredSweep sweep;
    sweep.keep("T=32", 1e-3);
    StatedTimer timer;
    timer.answers = {pairsOf(ratio, spread)};
    const auto confirmed = sweep.confirm(timer);
    QVERIFY(!confirmed->at(0).holds());
    const QByteArray words = QByteArray::fromStdString(confirmationWords(confirmed->at(0)));
    QVERIFY2(words.startsWith("not confirmed in a fresh process: ") && words.contains(says), words);
    QCOMPARE(toJson(confirmed->at(0)).at("holds"), nlohmann::json(false));
}

void TestConfirmation::whatCannotBeTimedIsTriedAgain() {
    MeasuredSweep sweep;
    sweep.keep("T=32", 1e-3);
    TimeSummary ended;
    ended.end = "crashed";
    ended.reason = "lost";
    StatedTimer timer;
    timer.answers = {Error{"child_died", "The child died.\nwith details"}, ended, pairsOf(0.5)};
    for (const char* reason : {"The child died.", "crashed: lost"}) {
        const auto none = sweep.confirm(timer);
        QVERIFY(none.ok() && !none->at(0).timed() && !none->at(0).holds());
        QCOMPARE(none->at(0).reason, std::string(reason));
        QVERIFY(confirmationWords(none->at(0)).find(reason) != std::string::npos);
        QCOMPARE(readConfirmations(sweep.path(), "T=32")->size(), std::size_t(1));
    }
    QVERIFY(sweep.confirm(timer)->at(0).holds());
    QVERIFY(readConfirmations(sweep.path(), "T=32")->at(0).holds());
    QCOMPARE(timer.winners.size(), std::size_t(3));
}

void TestConfirmation::theStartNeedsNone() {
    MeasuredSweep sweep;
    sweep.keep("T=32", 2.5e-3);
    StatedTimer timer;
    timer.answers = {pairsOf(0.5)};
    QVERIFY(sweep.confirm(timer)->empty());
    QVERIFY(timer.winners.empty());
}

void TestConfirmation::aStopKeepsNothing() {
    MeasuredSweep sweep;
    sweep.keep("T=32", 1e-3);
    std::stop_source stop;
    StatedTimer timer;
    timer.answers = {pairsOf(0.5)};
    timer.stops = &stop;
    QCOMPARE(sweep.confirm(timer, stop.get_token()).error().code, std::string("cancelled"));
    QVERIFY(readConfirmations(sweep.path(), "T=32")->empty());
}

void TestConfirmation::damageIsNamed() {
    MeasuredSweep sweep;
    sweep.keep("T=32", 1e-3);
    sweep.store.reset();
    std::ofstream(sweep.path(), std::ios::app) << R"({"kind":"confirmation","point":"T=32","size":3})" << '\n';
    const auto read = readConfirmations(sweep.path(), "T=32");
    QCOMPARE(read.error().code, std::string("damaged_store"));
    QVERIFY(read.error().message.find("a.sweep") != std::string::npos);
}

KERNELARIUM_TEST(TestConfirmation);
