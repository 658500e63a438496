// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/compare/Comparison.h"
#include "ui/compare/CounterPairModel.h"

#include <QAbstractItemModelTester>
#include <QtTest>

namespace kernelarium::ui {

namespace {

perf::LaunchCounters launchOf(std::uint32_t blocks, std::uint32_t registers, double requests, double sectors) {
    perf::LaunchCounters launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {128, 1, 1};
    launch.registers = registers;
    launch.totals.globalLoadRequests = requests;
    launch.totals.globalLoadSectors = sectors;
    return launch;
}

const CounterPair* pairOf(const std::vector<CounterPair>& pairs, const std::string& key) {
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [&](const CounterPair& pair) { return pair.key == key; });
    return found == pairs.end() ? nullptr : &*found;
}

/// The same pair of times again and again, in both orders, the one kernel `factor` as slow as the other.
protocol::PairedSummary pairedBy(double factor, int pairs, double noise) {
    protocol::PairedSummary summary;
    for (int i = 0; i < pairs; ++i) {
        const double wobble = 1 + noise * ((i * 7) % 11 - 5);
        summary.pairs.push_back({factor * 1e-3 * wobble, 1e-3, i % 2 == 0});
    }
    summary.times = perf::comparePairs(summary.pairs, 0.5e-6);
    return summary;
}

class TestComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void launchesAreTakenTogether() {
        const std::vector<perf::LaunchCounters> a{launchOf(10, 32, 100, 400), launchOf(5, 64, 100, 800)};
        const std::vector<perf::LaunchCounters> b{launchOf(10, 40, 100, 400)};
        const auto pairs = counterPairs(a, b);
        const auto figures = [&](const char* key) {
            const CounterPair* pair = pairOf(pairs, key);
            return pair ? std::pair(pair->a.value_or(-1), pair->b.value_or(-1)) : std::pair(-2.0, -2.0);
        };
        QCOMPARE(figures("launches"), std::pair(2.0, 1.0));
        QCOMPARE(figures("blocks"), std::pair(15.0, 10.0));
        QCOMPARE(figures("registers"), std::pair(64.0, 40.0));
        QCOMPARE(figures("global_load_sectors"), std::pair(1200.0, 400.0));
        QCOMPARE(figures("sectors_per_request"), std::pair(6.0, 4.0));
        QCOMPARE(*pairOf(pairs, "global_load_sectors")->ratio(), 400.0 / 1200.0);
        QVERIFY(!pairOf(pairs, "shared_load_requests")); // neither has any
        // What the one has and the other has not stays, without a ratio.
        const auto onlySecond = counterPairs({}, b);
        QVERIFY(!pairOf(onlySecond, "global_load_sectors")->ratio());
        QVERIFY(!pairOf(onlySecond, "sectors_per_request")->a);
    }

    void theModelShowsThem() {
        CounterPairModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPairs({{"x", "Figure", 2.0, 6.0}, {"y", "Other", std::nullopt, 1.0}});
        QCOMPARE(model.index(0, CounterPairModel::ratio).data().toString(), QStringLiteral("3"));
        QCOMPARE(model.index(1, CounterPairModel::first).data().toString(), QStringLiteral("–"));
        QVERIFY(model.index(0, CounterPairModel::ratio).data(CounterPairModel::sortRole).toDouble() > 1);
        model.setPairs({});
        QCOMPARE(model.rowCount(), 0);
    }

    /// A third of the time is faster; a difference within the noise is none.
    void measuredDifferencesComeWithTheirCertainty() {
        Comparison comparison;
        comparison.pairs = pairedBy(0.33, 40, 0.001);
        QString said = timeSentences(comparison).join(QLatin1Char('\n'));
        QVERIFY2(said.contains(QStringLiteral("A is faster")), qPrintable(said));
        comparison.pairs = pairedBy(3, 40, 0.001);
        said = timeSentences(comparison).join(QLatin1Char('\n'));
        QVERIFY2(said.contains(QStringLiteral("B is faster")), qPrintable(said));
        comparison.pairs = pairedBy(1, 40, 0.01);
        said = timeSentences(comparison).join(QLatin1Char('\n'));
        QVERIFY2(said.contains(QStringLiteral("no significant difference")), qPrintable(said));
    }

    void originsStayApart() {
        Comparison comparison;
        QVERIFY(timeSentences(comparison).isEmpty());
        comparison.a.archivedMs = 0.5;
        QVERIFY(timeSentences(comparison).isEmpty()); // the other has none
        comparison.b.archivedMs = 1.0;
        comparison.b.problem = QStringLiteral("it does not compile");
        const QStringList said = timeSentences(comparison);
        QCOMPARE(said.size(), 2);
        QVERIFY2(said[0].startsWith(QStringLiteral("Archived: A 0.500 ms, B 1.00")), qPrintable(said[0]));
        QVERIFY(said[0].contains(QStringLiteral("A takes 50%")));
        QCOMPARE(said[1], QStringLiteral("B: it does not compile"));
    }
};

} // namespace

KERNELARIUM_TEST(TestComparison);

} // namespace kernelarium::ui

#include "TestComparison.moc"
