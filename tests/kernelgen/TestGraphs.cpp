// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/GraphEmitter.h"
#include "core/mugraph/search/Units.h"
#include "core/mugraph/target/ProblemOf.h"
#include "core/perf/ModelledTime.h"
#include "tests/TestRegistry.h"

#include <QFile>
#include <QtTest>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace kernelarium::kernelgen::graphs {
namespace {

struct Written {
    task::Card card;
    Emitted file;
};

Written written(int task, const char* key) {
    const auto card = task::loadCard(4, task);
    const auto graph = mugraph::graphFromKey(key);
    if (!card || !graph) qFatal("4/%d %s", task, key);
    auto file = emitGraph(*card, *graph, "full", *perf::findDeviceSpec("h200"));
    if (!file) qFatal("4/%d %s: %s", task, key, file.error().message.c_str());
    return {*card, *std::move(file)};
}

/// x / rms(x) times w in one pass along K: the product's sums and the rows' squares in the same loop.
const char* const normAndProduct = "1:-/product(1,0|1);square(0);scale(3|0);accumulate(2);sum(4|1);accumulate(6);"
                                   "sqrt(7);divide(5,8)";
/// exp(q k) v over the sum of exp(q k), the keys shared out and put together by a second launch.
const char* const splitKeys = "-:3/product(1,0|2);exp(3);product(4,2|3);sum(4|3);gather(5);gather(6);divide(7,8)";

class TestGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneLoopHasProductAndStatistics() {
        const Written w = written(3, normAndProduct);
        const std::string& text = w.file.text;
        // One function for each operator that is not written within another, and one kernel.
        for (const char* part : {"void multiply5(", "void addUp7(", "void keep5(", "void store(", "// tune: pow2",
                                 "\"mma.sync.aligned.m16n8k8", "sums5 = {};", "placeOfStep("})
            QVERIFY2(text.find(part) != std::string::npos, part);
        QVERIFY(text.find("secondKernel") == std::string::npos);
        QCOMPARE(w.file.levels.launches.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(flawOf(w.file.levels)), QString());
        const Launch& launch = w.file.levels.launches.front();
        QCOMPARE(launch.loops.size(), std::size_t(1));
        const auto lies = [&](const char* label, Place place) {
            return std::any_of(launch.tiles.begin(), launch.tiles.end(),
                               [&](const Tile& t) { return t.label == label && t.place == place; });
        };
        QVERIFY(lies("x tile", Place::shared) && lies("w tile", Place::shared));
        QVERIFY(lies("accumulate5", Place::registers) && lies("accumulate7", Place::shared));
        // The weights are read once, and multiplied by every row.
        const perf::LaunchCounters& counted = launch.counters;
        QVERIFY(counted.uniqueReadBytes >= 4096. * 6144 * 2 && counted.uniqueReadBytes < 4096. * 6144 * 2 * 1.05);
        QCOMPARE(counted.totals.flopsTensor, 2. * 2 * 4096 * 6144);
    }

    void partsArePutTogetherInTheirOrder() {
        const Written w = written(1, splitKeys);
        const std::string& text = w.file.text;
        for (const char* part : {"secondKernel<<<", "void gather7(", "void leave5(",
                                 "for (Index p = 0; p < size.parts; ++p)", "in float32 they hold arguments"})
            QVERIFY2(text.find(part) != std::string::npos, part);
        QVERIFY(text.find("atomic") == std::string::npos);
        QCOMPARE(w.file.levels.launches.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(flawOf(w.file.levels)), QString());
        const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
        std::vector<perf::LaunchCounters> launches;
        for (const Launch& launch : w.file.levels.launches)
            launches.push_back(launch.counters);
        QVERIFY(perf::modelRun(launches, {}, device).seconds > 0);
    }

    /// Cards that were written after the generator and the emitter: searched as they are, the best graph written.
    void laterCardsAreSearchedAndWritten_data() {
        QTest::addColumn<QString>("card");
        QTest::addColumn<int>("operators");
        QTest::newRow("linear attention") << "7_linear_attention" << 11;
        QTest::newRow("attention pooling") << "8_attention_pooling" << 10;
        QTest::newRow("low-rank score") << "9_low_rank_score" << 9;
    }
    void laterCardsAreSearchedAndWritten() {
        QFETCH(QString, card);
        QFETCH(int, operators);
        QFile file(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/superopt/cards/%1.json").arg(card));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto read = task::parseCard(file.readAll().toStdString());
        QVERIFY(read.ok());
        const auto problem = mugraph::problemOf(*read, *read->size("full"));
        QVERIFY(problem.ok());
        mugraph::Limits limits;
        limits.operators = operators;
        const auto units = mugraph::units(*problem, limits);
        auto explorer = mugraph::Explorer::of(*problem, limits);
        QVERIFY(units.ok() && explorer.ok());
        std::vector<mugraph::UnitResult> results;
        for (const mugraph::Unit& unit : *units) {
            auto result = explorer->explore(unit);
            QVERIFY(result.ok());
            results.push_back(*std::move(result));
        }
        const auto merged = mugraph::merge(*units, results);
        QVERIFY(merged.ok() && !merged->candidates.empty());
        const mugraph::Found& best = merged->candidates.front().found;
        const auto graph = mugraph::muGraphFrom(*problem, nlohmann::json::parse(best.graph));
        QVERIFY(graph.ok());
        const auto written = emitGraph(*read, *graph, "full", *perf::findDeviceSpec("h200"));
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
        QVERIFY(written->text.find("// Graph:   " + best.hash) != std::string::npos);
        QCOMPARE(QString::fromStdString(flawOf(written->levels)), QString());
    }

    void refusesByName() {
        const auto card = task::loadCard(4, 3);
        const auto graph = mugraph::graphFromKey("-:-/product(1,0|1)");
        const auto file = emitGraph(*card, *graph, "small", *perf::findDeviceSpec("h200"));
        QVERIFY(file.ok()); // another function, and a graph all the same
        const auto none =
            emitGraph(*card, *mugraph::graphFromKey("-:-/square(0)"), "small", *perf::findDeviceSpec("h200"));
        QVERIFY(!none);
        QCOMPARE(QString::fromStdString(none.error().code), QStringLiteral("bad_graph"));
    }
};

KERNELARIUM_TEST(TestGraphs);

} // namespace
} // namespace kernelarium::kernelgen::graphs

#include "TestGraphs.moc"
