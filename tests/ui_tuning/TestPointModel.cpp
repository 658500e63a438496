// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceText.h"
#include "tests/TestRegistry.h"
#include "tests/ui_tuning/TuningRoom.h"
#include "ui/statistics/ChartCanvas.h"
#include "ui/tuning/ColumnFilter.h"
#include "ui/tuning/MarkSuggestion.h"
#include "ui/tuning/PointFilter.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/TuneFigures.h"

#include <QAbstractItemModelTester>
#include <QtTest>

namespace kernelarium::ui {

namespace {

class TestPointModel : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void rowsAreWhatWasJudged() {
        const Theme theme;
        PointModel model(theme);
        PointFilter filter(model);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester filtered(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const tuning::Space space = paperSpace();
        model.begin(space, QStringLiteral("modelled on paper"));
        QCOMPARE(model.columnCount(), 4 + int(PointModel::factCount));
        QCOMPARE(model.rowCount(), 0);
        std::vector<tuning::Judged> all = paperPoints(space, 200);
        tuning::Judged foreign;
        foreign.candidate.key = "TILE=7";
        all.push_back(foreign);
        model.add(all, 0);
        QCOMPARE(model.rowCount(), 200);
        double least = INFINITY;
        int fastestWrong = -1;
        for (int i = 0; i < model.rowCount(); ++i) {
            const PointRow& row = model.rows()[std::size_t(i)];
            if (row.ranks) least = std::min(least, row.milliseconds);
            if (row.kind == tuning::Outcome::Kind::wrong) fastestWrong = i;
        }
        QCOMPARE(model.bestMilliseconds(), least);
        QVERIFY(fastestWrong >= 0 && model.rows()[std::size_t(fastestWrong)].milliseconds < least);
        QVERIFY(model.best() != fastestWrong);
        QVERIFY(model.index(model.best(), model.columnOf(PointModel::verdict)).data().toString().contains("best"));
        QVERIFY(model.index(fastestWrong, model.columnOf(PointModel::verdict)).data().toString().contains("wrong"));
        QVERIFY(model.index(fastestWrong, model.columnOf(PointModel::said)).data().toString().contains("12 of 40"));
        QVERIFY(std::isnan(model.startMilliseconds())); // it was not looked at
        tuning::Judged start;
        start.candidate.key = space.key(space.start());
        start.outcome = {tuning::Outcome::Kind::valued, 0.004, {}, "not JSON"};
        all.push_back(start);
        model.add(all, 201);
        QCOMPARE(model.startMilliseconds(), 4.0);
        QVERIFY(model.index(0, model.columnOf(PointModel::speedup)).data().toString().contains(QStringLiteral("×")));
        const PointCounts counts = countsOf(model);
        QCOMPARE(counts.timed + counts.refused + counts.wrong + counts.failed, std::size_t(201));
        QVERIFY(counts.right > 0 && counts.refused > 0 && counts.wrong > 0);
        model.begin(tuning::Space(), {});
        QCOMPARE(model.rowCount(), 0);
    }

    void filters_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("number");
        QTest::addColumn<bool>("taken");
        const double none = std::nan("");
        QTest::newRow("empty") << ""
                               << "wrong" << none << true;
        QTest::newRow("number") << "16"
                                << "16" << 16.0 << true;
        QTest::newRow("not its digits") << "16"
                                        << "160" << 160.0 << false;
        QTest::newRow("list") << "8, 16"
                              << "16" << 16.0 << true;
        QTest::newRow("below") << "<16"
                               << "16" << 16.0 << false;
        QTest::newRow("at most") << "<=16"
                                 << "16" << 16.0 << true;
        QTest::newRow("no number") << "<16"
                                   << "" << none << false;
        QTest::newRow("range") << "16..64"
                               << "64" << 64.0 << true;
        QTest::newRow("out of range") << "16..64"
                                      << "65" << 65.0 << false;
        QTest::newRow("decimals as typed") << "0.5"
                                           << "0.512" << 0.512 << true;
        QTest::newRow("words") << "VERI"
                               << "✓ verified" << none << true;
        QTest::newRow("words inside") << "verified"
                                      << "? not verified" << none << true;
        QTest::newRow("whole") << "=verified"
                               << "✓ verified" << none << true;
        QTest::newRow("whole, spaces and case") << "= Not Verified "
                                                << "? not verified" << none << true;
        QTest::newRow("whole, not inside") << "=verified"
                                           << "? not verified" << none << false;
        QTest::newRow("whole, not a share of it") << "=veri"
                                                  << "✓ verified" << none << false;
        QTest::newRow("whole, with what is added") << "=verified"
                                                   << "✓ verified · best" << none << true;
        QTest::newRow("not whole") << "!=verified"
                                   << "✓ verified" << none << false;
        QTest::newRow("not whole, other") << "!=verified"
                                          << "? not verified" << none << true;
        QTest::newRow("whole among others") << "wrong, =verified"
                                            << "? not verified" << none << false;
        QTest::newRow("unfinished whole") << "="
                                          << "✓ verified" << none << true;
        QTest::newRow("not") << "!refused"
                             << "⊘ refused" << none << false;
        QTest::newRow("not, other") << "!refused"
                                    << "✓ verified" << none << true;
        QTest::newRow("unfinished bound") << ">="
                                          << "16" << 16.0 << true;
        QTest::newRow("unfinished range") << "16.."
                                          << "1" << 1.0 << true;
        QTest::newRow("only exclusions") << "!8, !16"
                                         << "32" << 32.0 << true;
    }

    void filters() {
        QFETCH(QString, typed);
        QFETCH(QString, text);
        QFETCH(double, number);
        QFETCH(bool, taken);
        QCOMPARE(ColumnFilter(typed).takes(text, std::isnan(number) ? std::nullopt : std::optional(number)), taken);
    }

    void everyColumnSortsAndNarrows() {
        const Theme theme;
        PointModel model(theme);
        PointFilter filter(model);
        const tuning::Space space = paperSpace();
        model.begin(space, {});
        model.add(paperPoints(space, 5000), 0);
        QCOMPARE(filter.rowCount(), 5000);
        for (int column = 0; column < model.columnCount(); ++column)
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                filter.sort(column, order);
                bool empty = false; // those without a value are last in either direction
                for (int i = 1; i < filter.rowCount(); ++i) {
                    const QVariant a = filter.index(i - 1, column).data(PointModel::sortRole),
                                   b = filter.index(i, column).data(PointModel::sortRole);
                    if (!a.isValid()) empty = true;
                    QVERIFY2(!empty || !b.isValid(), qPrintable(QString::number(column)));
                    if (a.isValid() && b.isValid())
                        QVERIFY(QVariant::compare(a, b) !=
                                (order == Qt::AscendingOrder ? QPartialOrdering::Greater : QPartialOrdering::Less));
                }
            }
        filter.setColumn(2, QStringLiteral("float4"));
        filter.setColumn(1, QStringLiteral(">=256"));
        filter.setColumn(model.columnOf(PointModel::verdict), QStringLiteral("verified, wrong"));
        const auto meant = [](const PointRow& row) {
            const bool wrong = row.kind == tuning::Outcome::Kind::wrong;
            const bool named = wrong || pointVerdictText(row).contains(QStringLiteral("verified"));
            return row.point.at[2] == 2 && row.point.at[1] >= 3 && named;
        };
        const int expected = int(std::count_if(model.rows().begin(), model.rows().end(), meant));
        QVERIFY(expected > 0 && expected < 5000);
        QCOMPARE(filter.rowCount(), expected);
        QVERIFY(filter.isNarrow());
        filter.clearColumns();
        filter.setBrush([](const PointRow& row) { return row.point.at[0] == 1; });
        QCOMPARE(filter.rowCount(), int(std::count_if(model.rows().begin(), model.rows().end(),
                                                      [](const PointRow& row) { return row.point.at[0] == 1; })));
        filter.setBrush(nullptr);
        QCOMPARE(filter.rowCount(), 5000);
    }

    void figuresSayWhatMatters() {
        const Theme theme;
        PointModel model(theme);
        const tuning::Space space = paperSpace();
        const auto all = paperPoints(space, 400);
        model.begin(space, QStringLiteral("modelled on paper"));
        model.add(all, 0);
        const ChartData curve = bestCurve(model, all);
        QCOMPARE(curve.series.size(), 1U); // nobody has looked at the start
        const auto& points = curve.series[0].points;
        for (std::size_t i = 1; i < points.size(); ++i)
            QVERIFY(points[i].x >= points[i - 1].x && points[i].y <= points[i - 1].y);
        QCOMPARE(points.back().y * 1e3, model.bestMilliseconds());
        QCOMPARE(points.back().x, double(all.size()));
        QVERIFY(curve.note.contains(QStringLiteral("modelled on paper")));
        const auto importance = tuning::importanceOf(space, all);
        QVERIFY(importance.has_value());
        const FigureTable table = importanceTable(space, *importance);
        QCOMPARE(table.rows.size(), 4U);
        QCOMPARE(table.rows[0].cells[0].text, QStringLiteral("BLOCK"));
        QVERIFY(importanceSentence(importance, all.size()).contains(QStringLiteral("explains")));
        QVERIFY(!importanceSentence(std::nullopt, 3).isEmpty());
    }

    void theCurvesAxisFitsItsTimes_data() {
        QTest::addColumn<double>("best");
        QTest::addColumn<double>("start");
        QTest::addColumn<bool>("isLog");
        QTest::addColumn<QString>("unit");
        QTest::newRow("microseconds") << 2.9e-6 << 4.4e-6 << false << "µs";
        QTest::newRow("one time") << 2.9e-6 << 2.9e-6 << false << "µs";
        QTest::newRow("wide") << 2.9e-6 << 9e-3 << true << "ms";
        QTest::newRow("milliseconds") << 1.2e-3 << 3.4e-3 << false << "ms";
        QTest::newRow("nearly the same") << 1.0001e-3 << 1.0004e-3 << false << "ms";
        QTest::newRow("seconds") << 1.5 << 2.5 << false << "s";
    }
    void theCurvesAxisFitsItsTimes() {
        QFETCH(const double, best);
        QFETCH(const double, start);
        QFETCH(const bool, isLog);
        QFETCH(const QString, unit);
        const Theme theme;
        PointModel model(theme);
        const tuning::Space space = paperSpace();
        std::vector<tuning::Judged> all;
        const auto add = [&](const std::string& key, double seconds) {
            tuning::Judged judged;
            judged.candidate.key = key;
            judged.outcome.kind = tuning::Outcome::Kind::valued;
            judged.outcome.value = seconds;
            all.push_back(judged);
        };
        add(space.key(space.start()), start);
        add(space.key(space.point(0)), best);
        model.begin(space, QStringLiteral("modelled on paper"));
        model.add(all, 0);
        const ChartData curve = bestCurve(model, all);
        QCOMPARE(curve.yLog, isLog);
        ChartCanvas canvas;
        canvas.resize(800, 400);
        canvas.setData(curve);
        const QCPRange range = canvas.yAxis->range();
        QVERIFY(range.contains(best) && range.contains(start));
        // The times take most of the height, and are not a line at the bottom.
        if (isLog)
            QVERIFY(std::log(start / best) > 0.7 * std::log(range.upper / range.lower));
        else if (start > 1.05 * best)
            QVERIFY(start - best > 0.7 * range.size());
        else // what is all but the same looks so
            QVERIFY(range.size() < 0.25 * best && range.size() > 0.01 * best);
        QVector<double> ticks;
        QVector<QString> labels;
        canvas.yAxis->ticker()->generate(range, QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
        QStringList seen;
        for (int i = 0; i < ticks.size(); ++i)
            if (range.contains(ticks[i])) seen << labels[i];
        QVERIFY2(seen.size() >= 2, qPrintable(seen.join(u' ')));
        QCOMPARE(seen.removeDuplicates(), 0);
        QVERIFY2(seen.back().endsWith(QLatin1Char(' ') + unit), qPrintable(seen.join(u' ')));
    }

    void suggestsAMarkThatReads() {
        const auto plain = suggestMark("const float SCALE = 0.5f;\nconstexpr int ODD = 7;\n"
                                       "constexpr int TILE = 16;\nint a[TILE];\n");
        QVERIFY(plain.has_value());
        QCOMPARE(plain->name, std::string("TILE"));
        QCOMPARE(plain->line, std::size_t(3));
        QVERIFY(plain->text.find("TILE = 16; // tune: 8, 16, 32\n") != std::string::npos);
        QCOMPARE(tuning::readSpaceText(plain->text).parameters.size(), 1U);
        const auto windows = suggestMark("#define BLOCK 256\r\nint x;\r\n");
        QVERIFY(windows && windows->text.find("256 // tune: 128, 256, 512\r\n") != std::string::npos);
        QVERIFY(!suggestMark("int main() { return 0; }\n"));
        QVERIFY(!suggestMark("constexpr int A = 8; // tune: 8, 16\nconstexpr int B = 8;\n"));
        // A comment that is there already stays.
        const auto commented = suggestMark("constexpr int T = 32; // threads\n");
        if (commented) QCOMPARE(tuning::readSpaceText(commented->text).parameters.size(), 1U);
    }
};

} // namespace

KERNELARIUM_TEST(TestPointModel);

} // namespace kernelarium::ui

#include "TestPointModel.moc"
