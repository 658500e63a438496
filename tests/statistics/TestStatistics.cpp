// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/statistics/TestStatistics.h"

#include "core/archive/Statistics.h"
#include "core/statistics/Ranking.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <cmath>

using namespace kernelarium;
using archive::Figure;
using archive::KernelTable;

namespace {

KernelTable tableOf(const std::vector<nlohmann::json>& rows) {
    const ArchiveFixture fixture;
    if (!importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}).ok()) return {};
    auto archive = archive::Archive::open(fixture.path("a"));
    return archive ? archive->table().value() : KernelTable();
}

nlohmann::json row(const std::string& name, double speedup, std::optional<int> index = {},
                   bool correct = true, int task = 1) {
    auto made = plainRow(name, 1, task);
    made["CUDA_Speedup_Native"] = speedup;
    made["Correct"] = correct;
    if (index) made["__index_level_0__"] = *index;
    return made;
}

} // namespace

void TestStatistics::binsTakeTheirLowerEdge() {
    std::vector<nlohmann::json> rows;
    for (int bin = 0; bin <= statistics::SpeedupBins::count; ++bin) {
        const double edge = statistics::SpeedupBins::lowerEdge(bin);
        rows.push_back(row("edge_" + std::to_string(bin), edge));
        rows.push_back(row("below_" + std::to_string(bin), std::nextafter(edge, 0)));
    }
    const auto table = tableOf(rows);
    const auto bins = statistics::speedupBins(table, archive::everyRow(table));
    QCOMPARE(bins.belowNative, 1);
    QCOMPARE(bins.aboveNative, 1);
    for (const auto count : bins.native)
        QCOMPARE(count, 2); // its own edge, and what is just below the next
    QCOMPARE(statistics::SpeedupBins::lowerEdge(30), 1.0);
}

void TestStatistics::operatorClasses_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("word");
    const auto row = [](int level, const char* op, const char* word) {
        QTest::newRow(op) << level << op << word;
    };
    row(1, "1_Square_matrix_multiplication_", "matrix");
    row(1, "54_conv_standard_3D__square_input__square_kernel", "convolution");
    row(1, "46_Average_Pooling_3D", "pooling");
    row(1, "40_LayerNorm", "normalisation");
    row(1, "19_ReLU", "activation");
    row(1, "51_Argmax_over_a_dimension", "reduction");
    row(1, "100_HingeLoss", "loss");
    row(1, "90_cumprod", "scan");
    row(2, "18_Matmul_Sum_Max_AvgPool_LogSumExp_LogSumExp", "matrix");
    row(2, "1_Conv2D_ReLU_BiasAdd", "convolution");
    row(3, "9_ResNet18", "network");
    row(1, "something_else", "other");
}

void TestStatistics::operatorClasses() {
    QFETCH(int, level);
    QFETCH(QString, op);
    QFETCH(QString, word);
    QCOMPARE(QString::fromUtf8(
                 archive::operatorClassWord(archive::operatorClassOf(level, op.toStdString())).data()),
             word);
}

void TestStatistics::rowsBehindNumbersAreAsMany() {
    const auto table = tableOf(variedRows(500));
    const auto every = archive::everyRow(table);
    const auto statistics = archive::computeStatistics(table);
    std::vector<archive::GroupStatistics> groups = statistics.tasks;
    groups.insert(groups.end(), statistics.classes.begin(), statistics.classes.end());
    groups.insert(groups.end(), statistics.levels.begin(), statistics.levels.end());
    groups.push_back(statistics.all);
    QVERIFY(groups.size() > 20);
    for (const auto& group : groups) {
        const auto count = [&](Figure figure) {
            return std::int64_t(archive::rowsBehind(table, every, group, figure).size());
        };
        QCOMPARE(count(Figure::rows), group.rows);
        QCOMPARE(count(Figure::correct), group.correct);
        QCOMPARE(count(Figure::incorrect), group.incorrect);
        QCOMPARE(count(Figure::unknown), group.unknown);
        QCOMPARE(count(Figure::withError), group.withError);
        if (group.speedupsNative > 0) {
            QCOMPARE(double(count(Figure::fasterThanNative)) / double(group.speedupsNative),
                     group.shareFasterThanNative);
            QCOMPARE(double(count(Figure::overTwiceNative)) / double(group.speedupsNative),
                     group.shareOverTwiceNative);
        }
        if (group.speedupsCompile > 0)
            QCOMPARE(double(count(Figure::fasterThanCompile)) / double(group.speedupsCompile),
                     group.shareFasterThanCompile);
    }
}

void TestStatistics::rankingIsByTask() {
    const auto table = tableOf(
        {row("a", 1), row("b", 3), row("wrong", 9, {}, false), row("c", 3), row("other", 5, {}, true, 2)});
    const auto every = archive::everyRow(table);
    QCOMPARE(statistics::ranking(table, every, 1, 1), (std::vector<std::uint32_t>{1, 3, 0}));
    QCOMPARE(statistics::bestPerTask(table, every), (std::vector<std::uint32_t>{1, 4}));
    QVERIFY(statistics::ranking(table, every, 2, 1).empty());
}

void TestStatistics::lineageInTheOrderMade() {
    const auto table =
        tableOf({row("late_base_edit_2", 1.5, 40), row("first_base", 0.5, 3), row("unnumbered", 7),
                 row("wrong", 9, 5, false), row("warp_base_base", 1.2, 7), row("tile_edit_x", 1.1, 9),
                 row("other", 1, 1, true, 2)});
    const auto steps = statistics::lineage(table, archive::everyRow(table), 1, 1);
    std::string order;
    for (const auto& step : steps)
        order += step.stem + " ";
    QCOMPARE(order, std::string("first wrong warp tile_edit_x late unnumbered "));
    QCOMPARE(steps[4].edit.value_or(0), 2);
    QVERIFY(steps[4].isBase && !steps[4].edit.has_value() == false && !steps[3].edit);
    QCOMPARE(steps[1].bestSoFar, 0.5); // a wrong kernel raises nothing
    QVERIFY(steps[0].isBest && !steps[1].isBest && steps[2].isBest && !steps[3].isBest && steps[4].isBest &&
            steps[5].isBest);
    QCOMPARE(steps[3].bestSoFar, 1.2);
    QCOMPARE(steps[5].bestSoFar, 7.0);
}

void TestStatistics::emptyArchive() {
    const KernelTable table;
    QCOMPARE(statistics::fastCurve(table, {}).tasks, 0);
    QVERIFY(statistics::nameWords(table, {}).empty());
    QVERIFY(std::isnan(archive::computeStatistics(table).all.medianSpeedupNative));
}
