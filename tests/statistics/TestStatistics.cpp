// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/statistics/TestStatistics.h"

#include "core/archive/store/Statistics.h"
#include "core/statistics/Findings.h"
#include "core/statistics/ProfileStatistics.h"
#include "tests/TestRegistry.h"
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

nlohmann::json row(const std::string& name, double speedup, std::optional<int> index = {}, bool correct = true,
                   int task = 1) {
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
    const auto row = [](int level, const char* op, const char* word) { QTest::newRow(op) << level << op << word; };
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
    QCOMPARE(QString::fromUtf8(archive::operatorClassWord(archive::operatorClassOf(level, op.toStdString())).data()),
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
            QCOMPARE(double(count(Figure::overTwiceNative)) / double(group.speedupsNative), group.shareOverTwiceNative);
        }
        if (group.speedupsCompile > 0)
            QCOMPARE(double(count(Figure::fasterThanCompile)) / double(group.speedupsCompile),
                     group.shareFasterThanCompile);
    }
}

void TestStatistics::rowsBehindCurvesTasksAndWordsAreAsMany() {
    const auto table = tableOf(variedRows(500));
    const auto found = statistics::describe(table, archive::everyRow(table));
    for (const auto& group : found.groups.levels) {
        const auto count = [&](statistics::TaskFigure figure) {
            return std::int64_t(statistics::taskRowsBehind(table, found.rows, group, figure).size());
        };
        QCOMPARE(count(statistics::TaskFigure::withCorrect), group.tasksWithCorrect);
        QCOMPARE(count(statistics::TaskFigure::fasterThanNative), group.tasksFasterThanNative);
    }
    using enum statistics::Baseline;
    for (const auto& point : found.fast.points) {
        QCOMPARE(std::int64_t(statistics::tasksOver(table, found.rows, native, point.p).size()), point.tasksNative);
        QCOMPARE(std::int64_t(statistics::tasksOver(table, found.rows, compile, point.p).size()), point.tasksCompile);
    }
    using Bins = statistics::SpeedupBins;
    for (int bin = 0; bin < Bins::count; ++bin) {
        const double least = Bins::lowerEdge(bin), limit = Bins::lowerEdge(bin + 1);
        QCOMPARE(std::int64_t(statistics::rowsBetween(table, found.rows, native, least, limit).size()),
                 found.bins.native[std::size_t(bin)]);
        QCOMPARE(std::int64_t(statistics::rowsBetween(table, found.rows, compile, least, limit).size()),
                 found.bins.compile[std::size_t(bin)]);
    }
    QVERIFY(!found.words.empty());
    for (const auto& word : found.words)
        QCOMPARE(std::int64_t(statistics::rowsOfWord(table, found.rows, word.word).size()), word.kernels);
}

void TestStatistics::findingsWithAndWithoutWhatFails() {
    const auto table =
        tableOf({row("a", 4), row("b", 0.5), row("c", 3), row("wrong", 9, {}, false), row("d", 2, {}, true, 2)});
    const auto verdictOn = [&](std::uint32_t at, const char* word) {
        audit::StoredVerdict verdict;
        verdict.key = {table.level[at], table.task[at], table.name[at], table.codeHash[at]};
        verdict.verdict = word;
        return verdict;
    };
    const std::vector<audit::StoredVerdict> verdicts{verdictOn(0, "wrong"), verdictOn(1, "verified"),
                                                     verdictOn(3, "fault")};
    const auto found = statistics::findingsOf(table, {0, 1, 2, 3, 4}, verdicts).value();
    QCOMPARE(found.archived.groups.all.shareFasterThanNative, 3.0 / 4);
    QCOMPARE(found.standing.groups.all.shareFasterThanNative, 2.0 / 3);
    QCOMPARE(found.standing.rows, (std::vector<std::uint32_t>{1, 2, 4}));
    QCOMPARE(found.failing, (std::vector<std::uint32_t>{0, 3}));
    QCOMPARE(found.contradictions.size(), 1U); // the archive itself calls row 3 wrong
    QCOMPARE(found.contradictions[0].row, 0U);
    QCOMPARE(found.judged.size(), std::size_t(3));
    QVERIFY(!found.bothSame());
    // Only what was selected counts.
    const auto part = statistics::findingsOf(table, {1, 2}, verdicts).value();
    QCOMPARE(part.judged.size(), std::size_t(1));
    QVERIFY(part.bothSame());
    QCOMPARE(part.standing.groups.all.rows, 2);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(statistics::findingsOf(table, {0, 1}, {}, stop.get_token()).error().code, std::string("cancelled"));
}

void TestStatistics::rowsBehindProfilesAreAsMany() {
    if (sampleFolder().empty()) QSKIP("the shared archive_sample/full_rows.jsonl is absent");
    const ArchiveFixture fixture;
    REQUIRE_OK(importFiles(fixture.path("a"), {sampleFolder() / "full_rows.jsonl"}));
    auto archive = archive::Archive::open(fixture.path("a"));
    const auto table = archive->table().value();
    const auto found = statistics::profileStatistics(*archive, table, archive::everyRow(table)).value();
    QVERIFY(found.tidied > 0 && found.profiled > 0 && !found.metrics.empty());
    QCOMPARE(std::int64_t(found.tidiedRows.size()), found.tidied);
    QCOMPARE(std::int64_t(found.profiledRows.size()), found.profiled);
    QVERIFY(!found.warnedRows.empty() && found.warnedRows.size() <= found.tidiedRows.size());
    QVERIFY(std::int64_t(found.warnedRows.size()) <= found.warnings);
    QCOMPARE(found.unreadableRows.empty(), found.unreadable == 0);
    for (const auto& metric : found.metrics) {
        QCOMPARE(std::int64_t(metric.fastRows.size()), metric.fast);
        QCOMPARE(std::int64_t(metric.slowRows.size()), metric.slow);
    }
    // Without some rows it is what those rows were never counted in.
    std::vector<std::uint32_t> failing, rest;
    for (const auto row : archive::everyRow(table))
        (row % 3 == 0 ? failing : rest).push_back(row);
    const auto both = statistics::profilePair(*archive, table, archive::everyRow(table), failing).value();
    const auto without = statistics::profileStatistics(*archive, table, rest).value();
    QCOMPARE(both.archived.warnings, found.warnings);
    QVERIFY(both.standing.warnings == without.warnings && both.standing.tidied == without.tidied &&
            without.tidied < found.tidied);
    QCOMPARE(both.standing.rowsByRule, without.rowsByRule);
    QCOMPARE(both.standing.metrics.size(), without.metrics.size());
    for (std::size_t i = 0; i < without.metrics.size(); ++i) {
        QCOMPARE(both.standing.metrics[i].fastRows, without.metrics[i].fastRows);
        QVERIFY(both.standing.metrics[i].medianFast == without.metrics[i].medianFast || without.metrics[i].fast == 0);
    }
    QCOMPARE(found.rowsByRule.size(), found.rules.size());
    for (const auto& [rule, kernels] : found.rules)
        QCOMPARE(std::int64_t(found.rowsByRule.at(rule).size()), kernels);
    QCOMPARE(found.rowsByCheck.size(), found.warningsByCheck.size());
    for (const auto& [check, rows] : found.rowsByCheck)
        QVERIFY(std::int64_t(rows.size()) <= found.warningsByCheck.at(check));
}

void TestStatistics::rankingIsByTask() {
    const auto table =
        tableOf({row("a", 1), row("b", 3), row("wrong", 9, {}, false), row("c", 3), row("other", 5, {}, true, 2)});
    const auto every = archive::everyRow(table);
    QCOMPARE(statistics::ranking(table, every, 1, 1), (std::vector<std::uint32_t>{1, 3, 0}));
    QCOMPARE(statistics::bestPerTask(table, every), (std::vector<std::uint32_t>{1, 4}));
    QVERIFY(statistics::ranking(table, every, 2, 1).empty());
}

void TestStatistics::lineageInTheOrderMade() {
    const auto table = tableOf({row("late_base_edit_2", 1.5, 40), row("first_base", 0.5, 3), row("unnumbered", 7),
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

KERNELARIUM_TEST(TestStatistics);
