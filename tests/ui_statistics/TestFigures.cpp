// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchSyntax.h"
#include "core/archive/search/TableSelection.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_statistics/StatisticsRoom.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

namespace kernelarium::ui {

namespace {

std::shared_ptr<const archive::KernelTable> tableOf(const std::vector<nlohmann::json>& rows) {
    const ArchiveFixture fixture;
    if (!importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}).ok()) return nullptr;
    return std::make_shared<const archive::KernelTable>(archive::Archive::open(fixture.path("a"))->table().value());
}

audit::StoredVerdict verdictOn(const archive::KernelTable& table, std::uint32_t row, const char* word) {
    audit::StoredVerdict verdict;
    verdict.key = {table.level[row], table.task[row], table.name[row], table.codeHash[row]};
    verdict.verdict = word;
    return verdict;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// What Explore shows for a search.
std::vector<std::uint32_t> searched(const archive::KernelTable& table, const QString& typed) {
    const auto query = archive::parseSearch(typed.toStdString());
    if (!query || !query->text.empty()) return {~0U};
    archive::TableSelection selection;
    selection.filter = query->kernels.filter;
    selection.condition = query->condition;
    return archive::selectRows(table, selection);
}

/// How many rows a cell's number is, where it says so itself.
struct Followed {
    int drills = 0;
    int searches = 0;
};

void followAll(const FigureSource& source, const FigureTable& figures, Followed& followed) {
    for (const FigureRow& row : figures.rows)
        for (const FigureCell& cell : row.cells) {
            if (!cell.drill) continue;
            ++followed.drills;
            const auto rows = sorted(cell.drill->rows());
            if (!cell.drill->search) continue;
            ++followed.searches;
            if (searched(*source.table, *cell.drill->search) != rows)
                QFAIL(qPrintable(QStringLiteral("%1: %2").arg(figures.name, *cell.drill->search)));
        }
}

FigureTable smallTable() {
    FigureTable figures{QStringLiteral("Small, \"quoted\""),
                        {{QStringLiteral("Name"), {}, 80, false}, {QStringLiteral("Value, unit"), {}, 80}},
                        {}};
    const auto add = [&](const char* name, QVariant value, bool second) {
        FigureRow row;
        row.cells = {textCell(QString::fromLatin1(name)),
                     {value.isValid() ? QStringLiteral("%1 %").arg(value.toDouble()) : QStringLiteral("–"),
                      value,
                      {},
                      {},
                      Tone::plain}};
        row.isSecond = second;
        figures.rows.push_back(row);
    };
    add("b", 2.5, false);
    add("  less", 0.5, true);
    add("a", {}, false);
    add("c, d", 7.0, false);
    add("e", 2.5, false);
    return figures;
}

class TestFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void theModelHoldsTheTable() {
        const Theme theme;
        FigureModel model(theme);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        FigureOrder order(model);
        const QAbstractItemModelTester orderTester(&order, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(smallTable());
        order.setSortRole(Qt::DisplayRole);
        const auto names = [&] {
            QStringList list;
            for (int row = 0; row < order.rowCount(); ++row)
                list << order.index(row, 0).data().toString().trimmed();
            return list.join(QLatin1Char(' '));
        };
        QCOMPARE(names(), QStringLiteral("b less a c, d e"));
        order.sort(1, Qt::AscendingOrder); // missing ones last, pairs stay together
        QCOMPARE(names(), QStringLiteral("b less e c, d a"));
        order.sort(1, Qt::DescendingOrder);
        QCOMPARE(names(), QStringLiteral("c, d b less e a"));
        order.sort(0, Qt::AscendingOrder);
        QCOMPARE(names(), QStringLiteral("a b less c, d e"));
        model.setTable({});
        QCOMPARE(order.rowCount(), 0);
    }

    void tablesAreSavedAsShown() {
        Theme theme;
        FigureView view(theme);
        view.setTable(smallTable());
        view.sortByColumn(1, Qt::DescendingOrder);
        const ArchiveFixture fixture;
        const QString path = QString::fromStdString(fixture.path("t.csv").string());
        QVERIFY(view.saveTo(path).ok());
        QCOMPARE(readAll(fixture.path("t.csv")),
                 std::string("Name,\"Value, unit\"\n\"c, d\",7\nb,2.5\nless,0.5\ne,2.5\na,–\n"));
        QCOMPARE(view.saveTo(path + QStringLiteral(".txt")).error().code, std::string("bad_input"));
        QCOMPARE(view.saveTo(QStringLiteral("/nowhere/at/all.csv")).error().code, std::string("cannot_write"));
    }

    /// Every number leads to just the kernels that it counts, and a search of Explore finds the same.
    void everyNumberLeadsToItsKernels() {
        const auto table = tableOf(rowsOfManyKinds());
        QVERIFY(table);
        for (const bool judged : {false, true}) {
            std::vector<audit::StoredVerdict> verdicts;
            for (std::uint32_t row = 0; judged && row < table->size(); row += 5)
                verdicts.push_back(verdictOn(*table, row, row % 2 ? "verified" : "wrong"));
            const FigureSource source = sourceOf(table, verdicts);
            QCOMPARE(source.findings->bothSame(), !judged);
            Followed followed;
            for (const FigureTable& figures :
                 {groupFigures(source), taskFigures(source), errorFigures(source), wordFigures(source)})
                followAll(source, figures, followed);
            QVERIFY(followed.drills > 300);
            QVERIFY(followed.searches > 150);
            for (const ChartData& chart :
                 {fastChart(source, true), fastChart(source, false), speedupChart(source), wordChart(source)}) {
                QVERIFY(!chart.series.empty() && chart.series.size() <= 6);
                for (const ChartSeries& series : chart.series)
                    for (const ChartPoint& point : series.points) {
                        if (!point.drill) continue;
                        const auto rows = sorted(point.drill->rows());
                        if (point.drill->search) QCOMPARE(searched(*table, *point.drill->search), rows);
                        if (series.form == ChartSeries::Form::outline) QCOMPARE(double(rows.size()), point.y);
                        if (series.form == ChartSeries::Form::dots) QCOMPARE(double(rows.size()), point.x);
                    }
            }
        }
    }

    /// Shares beside a plain loop over the rows.
    void sharesAreThoseOfAPlainLoop() {
        const auto table = tableOf(rowsOfManyKinds());
        std::vector<audit::StoredVerdict> verdicts;
        for (std::uint32_t row = 0; row < table->size(); row += 7)
            verdicts.push_back(verdictOn(*table, row, "wrong"));
        const FigureSource source = sourceOf(table, verdicts);
        const FigureTable figures = groupFigures(source);
        for (const bool second : {false, true}) {
            int correct = 0, decided = 0, faster = 0, withSpeedup = 0, kernels = 0;
            for (std::uint32_t row = 0; row < table->size(); ++row) {
                if (second && row % 7 == 0) continue;
                ++kernels;
                decided += table->correct[row] != archive::KernelTable::Correct::unknown;
                if (table->correct[row] != archive::KernelTable::Correct::yes) continue;
                ++correct;
                withSpeedup += !std::isnan(table->speedupNative[row]);
                faster += table->speedupNative[row] > 1;
            }
            const FigureRow& row = figures.rows[second ? 1 : 0];
            QCOMPARE(row.isSecond, second);
            QCOMPARE(row.cells[1].sort.toInt(), kernels);
            QCOMPARE(row.cells[2].sort.toDouble(), double(correct) / decided);
            QCOMPARE(row.cells[4].sort.toDouble(), double(faster) / withSpeedup);
        }
        QCOMPARE(groupFigures(sourceOf(table)).rows.size() * 2,
                 figures.rows.size()); // one row a group without verdicts
    }

    void ranksSayWhatStands() {
        std::vector<nlohmann::json> rows;
        for (const double speedup : {1.0, 4.0, 3.0}) {
            rows.push_back(plainRow("k" + std::to_string(rows.size())));
            rows.back()["Correct"] = true;
            rows.back()["CUDA_Speedup_Native"] = speedup;
        }
        const auto table = tableOf(rows);
        const FigureTable ranks = rankFigures(sourceOf(table, {verdictOn(*table, 1, "fault")}), 1, 1);
        QCOMPARE(ranks.rows.size(), 3U);
        QCOMPARE(ranks.rows[0].cells[0].text, QStringLiteral("1 (–)"));
        QCOMPARE(ranks.rows[1].cells[0].text, QStringLiteral("2 (1)"));
        QCOMPARE(ranks.rows[2].cells[0].text, QStringLiteral("3 (2)"));
        QCOMPARE(ranks.rows[0].cells[1].text, QStringLiteral("k1"));
        QVERIFY(ranks.rows[0].cells[6].text.contains(QStringLiteral("fault")));
        QCOMPARE(rankFigures(sourceOf(table), 1, 1).rows[0].cells[0].text, QStringLiteral("1"));
    }

    void anEmptySelectionHasTablesWithoutNumbers() {
        const auto table = std::make_shared<const archive::KernelTable>();
        const FigureSource source = sourceOf(table);
        QCOMPARE(groupFigures(source).rows.size(), 1U);
        QCOMPARE(groupFigures(source).rows[0].cells[2].text, QStringLiteral("–"));
        QVERIFY(taskFigures(source).rows.empty() && errorFigures(source).rows.empty() &&
                wordFigures(source).rows.empty());
        QVERIFY(speedupChart(source).series.empty() && wordChart(source).series.empty());
        QVERIFY(metricFigures(source).rows.empty() && checkFigures(source).rows.empty() &&
                ruleFigures(source).rows.empty());
    }

    void chartsAreSavedWithTheirNumbers() {
        Theme theme;
        const FigureSource source = sourceOf(tableOf(rowsOfManyKinds()));
        ChartPlot plot(theme);
        plot.resize(700, 420);
        plot.setData(speedupChart(source));
        QVERIFY(!plot.isEmpty());
        const ArchiveFixture fixture;
        const auto path = [&](const char* name) { return QString::fromStdString(fixture.path(name).string()); };
        QVERIFY(plot.saveTo(path("c.csv")).ok() && plot.saveTo(path("c.svg")).ok() && plot.saveTo(path("c.png")).ok());
        const QStringList lines =
            QString::fromStdString(readAll(fixture.path("c.csv"))).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), plot.plot().markCount() + 1);
        double kernels = 0;
        for (const QString& line : lines.mid(1))
            if (line.startsWith(QLatin1String("PyTorch"))) kernels += line.section(QLatin1Char(','), -1).toDouble();
        const auto& bins = source.findings->archived.bins;
        QCOMPARE(std::int64_t(kernels) + bins.belowNative + bins.aboveNative,
                 source.findings->archived.groups.all.speedupsNative);
        const std::string svg = readAll(fixture.path("c.svg"));
        QVERIFY(svg.find("Speed-up (times as fast as the baseline)") != std::string::npos &&
                svg.find("torch.compile") != std::string::npos);
        QVERIFY(QImage(path("c.png")).width() > 700);
        plot.setData({});
        QVERIFY(plot.isEmpty());
    }

    /// Anywhere in a bar's column means the bar.
    void aBarIsHitAnywhere() {
        Theme theme;
        ChartPlot plot(theme);
        plot.resize(700, 420);
        plot.setData(speedupChart(sourceOf(tableOf(rowsOfManyKinds()))));
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot, longWait));
        ChartCanvas& canvas = plot.plot();
        int highest = 0;
        for (int mark = 0; mark < canvas.markCount(); ++mark)
            if (canvas.point(mark).y > canvas.point(highest).y) highest = mark;
        const QPointF top = canvas.markPosition(highest);
        const QPointF inside(top.x(), (top.y() + canvas.plotArea().bottom()) / 2);
        const int hit = canvas.markAt(inside);
        QVERIFY(hit >= 0);
        QCOMPARE(canvas.point(hit).x, canvas.point(highest).x);
        QCOMPARE(canvas.markAt(QPointF(2, 2)), -1);
        QSignalSpy drilled(&plot, &ChartPlot::drilled);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, top.toPoint() + QPoint(0, 2));
        QCOMPARE(drilled.size(), 1);
    }
};

} // namespace

KERNELARIUM_TEST(TestFigures);

} // namespace kernelarium::ui

#include "TestFigures.moc"
