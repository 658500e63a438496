// SPDX-License-Identifier: GPL-3.0-or-later
//
// The laboratory on page HGEMM, by mouse and keyboard: without a GPU, and with a child that has one as far as messages
// go (tests/ui_workspace/GpuChild.cpp).
#include "core/hgemm/laboratory/ShapeClass.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_statistics/StatisticsRoom.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/hgemm/LaboratoryView.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>
#include <cmath>

namespace kernelarium::ui {

namespace {

const QString h200 = QStringLiteral("NVIDIA H200"), h100 = QStringLiteral("NVIDIA H100 80GB HBM3");

/// Of one device, in device time.
std::size_t recordedIn(hgemm::Mode mode, const QString& device) {
    const auto& rows = hgemm::shippedBestTable();
    return std::size_t(std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
        return row.mode == mode && row.device == device.toStdString();
    }));
}

/// Alt+M, and a click on Laboratory.
LaboratoryView& enter(StatisticsRoom& room) {
    QTest::keyClick(room.window.get(), Qt::Key_M, Qt::AltModifier);
    HgemmPage& page = room.window->hgemm();
    QTest::mouseClick(&page.laboratoryButton(), Qt::LeftButton);
    return page.laboratory();
}

void type(QLineEdit& field, const QString& text) {
    field.setFocus();
    QTest::keySequence(&field, QKeySequence::SelectAll);
    QTest::keyClicks(&field, text);
}

hgemm::Measured timed(hgemm::Subject::Kind kind, double seconds) {
    hgemm::Measured m;
    m.subject = {kind, hgemm::Layout::tn, {}, false};
    m.time.count = 10;
    m.time.median = seconds;
    m.time.relativeNoise = 0.01;
    return m;
}

class TestHgemmLaboratory : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void measuredTakesTheRecordedOnesPlace() {
        using Kind = hgemm::Subject::Kind;
        hgemm::Configuration c;
        const std::vector<hgemm::BestRow> recorded{{"old", {64, 64, 64}, hgemm::Mode::hot, c, 4e-6, 2e-6},
                                                   {"old", {128, 64, 64}, hgemm::Mode::hot, c, 1e-6, 2e-6},
                                                   {"old", {64, 64, 64}, hgemm::Mode::cold, c, 1e-6, 8e-6}};
        hgemm::Comparison now{{64, 64, 64}, hgemm::Mode::hot, false, {}};
        now.answer.measured = {timed(Kind::family, 1e-6), timed(Kind::ltFastest, 3e-6), timed(Kind::cublas, 5e-6)};
        now.answer.measured[0].joules = 2e-3;
        HgemmDesk::Results published(1);
        published[0].table = hgemm::parseHgemmTable("mnk,cuBLASLt-auto-tuning-max\n64_64_64,1.25\n",
                                                    "set_h100_F32F16F16F32_speedup_offline.csv")
                                 .value();
        const QString old = QStringLiteral("old");
        now.answer.device = "old";
        const std::vector measured{now};
        const LaboratorySources both{recorded, {}, measured}, record{recorded, {}, {}};
        const auto entries = laboratoryEntries(old, hgemm::Mode::hot, both, published);
        QCOMPARE(entries.size(), std::size_t(2));
        QVERIFY(entries[0].origin == LaboratoryOrigin::now && entries[0].device == old);
        QCOMPARE(entries[0].speedup().value_or(0), 3.0);
        QCOMPARE(entries[0].over(entries[0].cublas).value_or(0), 5.0);
        QCOMPARE(entries[0].claimed.value_or(0), 1.25);
        QVERIFY(entries[0].ours && entries[0].ours->joules == 2e-3 && entries[0].ours->noise == 0.01);
        QVERIFY(entries[1].ours && !entries[1].ours->noise); // the search keeps none
        QVERIFY(entries[1].origin == LaboratoryOrigin::searched && !entries[1].claimed);
        // Only the recorded one, which falls back, counts as 1.
        const auto before = laboratoryEntries(old, hgemm::Mode::hot, record, {});
        QVERIFY(before[0].fellBack);
        QCOMPARE(before[0].speedup().value_or(0), 1.0);
        QVERIFY(laboratorySentence(before, old, hgemm::Mode::hot).contains(hgemmRatioOf(std::sqrt(2.0))));
        // A time stands with its noise and its energy, and each row says its clock.
        const FigureTable figures = laboratoryFigures(entries, hgemm::Mode::hot);
        QCOMPARE(figures.rows.size(), std::size_t(2));
        QStringList titles;
        for (const FigureColumn& column : figures.columns)
            titles << column.title;
        const auto cell = [&](std::size_t row, const char* title) {
            const qsizetype at = titles.indexOf(QString::fromLatin1(title));
            return at < 0 ? QStringLiteral("no column") : figures.rows[row].cells[std::size_t(at)].text;
        };
        QCOMPARE(figures.rows[0].cells.size(), figures.columns.size());
        QCOMPARE(cell(0, "Noise, ours"), QStringLiteral("1%"));
        QCOMPARE(cell(0, "Energy, ours"), QStringLiteral("2 mJ"));
        QCOMPARE(cell(1, "Noise, ours"), QStringLiteral("not recorded"));
        QCOMPARE(cell(1, "Energy, ours"), QStringLiteral("not recorded"));
        QCOMPARE(cell(1, "Mode"), modeText(hgemm::Mode::hot));
        // Modes do not meet.
        QCOMPARE(laboratoryEntries(old, hgemm::Mode::cold, both, {}).size(), std::size_t(1));
        QVERIFY(laboratoryEntries(old, hgemm::Mode::offline, both, {}).empty());

        const ChartData claims = laboratoryChart(entries, LaboratoryPlot::claims, LaboratoryAxis::m, hgemm::Mode::hot);
        QCOMPARE(claims.series.size(), std::size_t(1));
        QCOMPARE(claims.series[0].points[0].x, 1.25);
        QCOMPARE(claims.series[0].points[0].y, 3.0);
        const ChartData byM = laboratoryChart(entries, LaboratoryPlot::speedup, LaboratoryAxis::m, hgemm::Mode::hot);
        QCOMPARE(byM.series[0].points.size(), std::size_t(2)); // a mean for each M
        QCOMPARE(byM.xWords, (QStringList{QStringLiteral("64"), QStringLiteral("128")}));
        QCOMPARE(byM.series[0].points[1].x, 1.0);
        const ChartData stages =
            laboratoryChart(before, LaboratoryPlot::stages, LaboratoryAxis::shapeClass, hgemm::Mode::hot);
        QCOMPARE(stages.xWords.size(), hgemm::shapeClasses);
        QCOMPARE(stages.series[0].points[0].y, double(c.stages));
        // Shapes at one place are one point, which has them all; what falls back is told apart.
        const std::vector<hgemm::BestRow> same{{"old", {64, 64, 64}, hgemm::Mode::hot, c, 1e-6, 2e-6},
                                               {"old", {64, 128, 64}, hgemm::Mode::hot, c, 1e-6, 2e-6},
                                               {"old", {64, 256, 64}, hgemm::Mode::hot, c, 3e-6, 2e-6}};
        const ChartData together = laboratoryChart(laboratoryEntries(old, hgemm::Mode::hot, {same, {}, {}}, {}),
                                                   LaboratoryPlot::stages, LaboratoryAxis::k, hgemm::Mode::hot);
        QCOMPARE(together.series.size(), std::size_t(2));
        QCOMPARE(together.series[1].points.size(), std::size_t(1));
        QCOMPARE(together.series[1].points[0].record.rows.size(), 2);
        QVERIFY(together.series[1].points[0].label.startsWith(QLatin1Char('2')));
    }

    void devicesAreNotMixed() {
        hgemm::Configuration c;
        const std::vector<hgemm::BestRow> chosen{{"one", {64, 64, 64}, hgemm::Mode::hot, c, 1e-6, 2e-6},
                                                 {"two", {64, 64, 64}, hgemm::Mode::hot, c, 1e-6, 4e-6}};
        const auto time = [](double seconds) { return hgemm::ComparedTime{seconds, 0.002}; };
        const std::vector<hgemm::ComparedRow> compared{
            {"one", {64, 64, 64}, hgemm::Mode::hot, time(2e-6), time(3e-6), time(5e-6), time(6e-6)},
            {"one", {64, 64, 64}, hgemm::Mode::offline, time(1e-5), time(2e-5), {}, {}}};
        hgemm::Comparison now{{64, 64, 64}, hgemm::Mode::hot, false, {}};
        now.answer.device = "three";
        now.answer.measured = {timed(hgemm::Subject::Kind::family, 1e-6), timed(hgemm::Subject::Kind::ltFastest, 7e-6)};
        const std::vector measured{now};
        const LaboratorySources sources{chosen, compared, measured};
        QCOMPARE(laboratoryDevices(QStringLiteral("two"), sources),
                 (QStringList{QStringLiteral("two"), QStringLiteral("three"), QStringLiteral("one")}));
        using Origin = LaboratoryOrigin;
        for (const auto& [device, origin, speedup] :
             {std::tuple("one", Origin::fresh, 1.5), {"two", Origin::searched, 4.0}, {"three", Origin::now, 7.0}}) {
            const QString name = QString::fromLatin1(device);
            const auto entries = laboratoryEntries(name, hgemm::Mode::hot, sources, {});
            QCOMPARE(entries.size(), std::size_t(1));
            QVERIFY(entries[0].origin == origin && entries[0].device == name);
            QVERIFY(std::abs(entries[0].speedup().value_or(0) - speedup) < 1e-9);
            QVERIFY(laboratorySentence(entries, name, hgemm::Mode::hot).contains(name));
            QVERIFY(!laboratoryOrigins(entries).isEmpty());
        }
        // Wall times are those of the fresh process alone: the search has none.
        QCOMPARE(laboratoryEntries(QStringLiteral("one"), hgemm::Mode::offline, sources, {})[0].speedup().value_or(0),
                 2.0);
        QVERIFY(laboratoryEntries(QStringLiteral("two"), hgemm::Mode::offline, sources, {}).empty());
    }

    void withoutAGpuTheRecordIsShown_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void withoutAGpuTheRecordIsShown() {
        QFETCH(bool, dark);
        StatisticsRoom room(dark ? Theme::Choice::dark : Theme::Choice::light);
        QVERIFY(room.start());
        LaboratoryView& laboratory = enter(room);
        QVERIFY(laboratory.isVisible());
        WAIT_VERIFY(laboratory.obstacle().isVisible());
        QVERIFY(laboratory.obstacle().text().contains(h200));
        QVERIFY(!laboratory.obstacle().text().contains(QStringLiteral("emulator"))); // it has no such times
        QVERIFY(!laboratory.bar().startButton().isEnabled());
        QVERIFY(!laboratory.bar().startButton().toolTip().isEmpty());
        QAbstractItemModelTester models(laboratory.table().model());
        QCOMPARE(std::size_t(laboratory.table().model()->rowCount()), recordedIn(hgemm::Mode::hot, h200));
        const QString headline = room.window->hgemm().headline();
        QVERIFY(headline.startsWith(modeText(hgemm::Mode::hot)) && headline.contains(h200));
        QVERIFY2(headline.contains(QStringLiteral(" 100 shapes")), qPrintable(headline));
        room.keepPicture(dark ? QStringLiteral("hgemm-laboratory-dark") : QStringLiteral("hgemm-laboratory"));
        // The other device by keyboard, and back.
        QCOMPARE(laboratory.deviceBox().count(), 2);
        laboratory.deviceBox().setFocus();
        QTest::keyClick(&laboratory.deviceBox(), Qt::Key_Down);
        QCOMPARE(laboratory.device(), h100);
        QVERIFY(room.window->hgemm().headline().contains(h100) && laboratory.obstacle().text().contains(h100));
        QCOMPARE(std::size_t(laboratory.table().model()->rowCount()), recordedIn(hgemm::Mode::hot, h100));
        const QByteArray state = laboratory.saveState();
        QTest::keyClick(&laboratory.deviceBox(), Qt::Key_Up);
        QCOMPARE(laboratory.device(), h200);
        laboratory.restoreState(state);
        QCOMPARE(laboratory.device(), h100);
        QTest::keyClick(&laboratory.deviceBox(), Qt::Key_Home);
        // The mode by keyboard: cold is another table, wall times were measured in a process of their own.
        laboratory.bar().modeBox().setFocus();
        QTest::keyClick(&laboratory.bar().modeBox(), Qt::Key_Down);
        QCOMPARE(std::size_t(laboratory.table().model()->rowCount()), recordedIn(hgemm::Mode::cold, h200));
        QTest::keyClick(&laboratory.bar().modeBox(), Qt::Key_Down);
        QCOMPARE(laboratory.table().model()->rowCount(), 100);
        QVERIFY(room.window->hgemm().headline().startsWith(modeText(hgemm::Mode::offline)));
        QTest::keyClick(&laboratory.bar().modeBox(), Qt::Key_Home);
        // Each plot over each axis has something of the record, but claims, which have to be imported.
        for (int plot = 0; plot < laboratory.plotBox().count(); ++plot) {
            for (int axis = 0; axis < laboratory.axisBox().count(); ++axis) {
                laboratory.axisBox().setCurrentIndex(axis);
                if (axis == 3)
                    room.keepPicture(QStringLiteral("hgemm-laboratory-plot%1%2")
                                         .arg(plot)
                                         .arg(dark ? QStringLiteral("-dark") : QString()));
                const bool claims = LaboratoryPlot(plot) == LaboratoryPlot::claims;
                QCOMPARE(laboratory.chart().isEmpty(), claims);
                QCOMPARE(laboratory.axisBox().isEnabled(), !claims);
            }
            laboratory.plotBox().setFocus();
            QTest::keyClick(&laboratory.plotBox(), Qt::Key_Down);
        }
        // And back by mouse.
        QTest::mouseClick(&room.window->hgemm().publishedButton(), Qt::LeftButton);
        QVERIFY(!laboratory.isVisible());
    }

    void measuresAndCancels() {
        StatisticsRoom room;
        room.paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/gpu_child");
        QVERIFY(room.start());
        LaboratoryView& laboratory = enter(room);
        LaboratoryBar& bar = laboratory.bar();
        WAIT_VERIFY(bar.startButton().isEnabled());
        QVERIFY(!laboratory.obstacle().isVisible());
        type(bar.shapes(), QStringLiteral("64x64"));
        QTest::keyClick(&bar.shapes(), Qt::Key_Return);
        QCOMPARE(laboratory.desk().state().stage, Stage::idle);
        QCOMPARE(bar.job().error().code, std::string("bad_input"));
        type(bar.shapes(), QStringLiteral("24x40x48, 72"));
        bar.energy().setFocus();
        QTest::keyClick(&bar.energy(), Qt::Key_Space);
        QTest::mouseClick(&bar.startButton(), Qt::LeftButton);
        WAIT_COMPARE(laboratory.desk().state().stage, Stage::finished);
        QCOMPARE(laboratory.desk().state().answer, std::size_t(2));
        WAIT_COMPARE(laboratory.desk().measured().size(), std::size_t(2));
        const auto& entries = laboratory.entries();
        QVERIFY(entries[0].origin == LaboratoryOrigin::now && entries[0].shape == (hgemm::Shape{24, 40, 48}));
        QVERIFY(entries[0].autotuned && entries[0].autotuned->seconds == 2e-6 && entries[0].autotuned->joules);
        QVERIFY(entries[0].fellBack ? !entries[0].ours : entries[0].speedup() == 2.0);
        QCOMPARE(std::size_t(laboratory.table().model()->rowCount()), recordedIn(hgemm::Mode::hot, h200) + 2);
        // One that takes for ever is cancelled, and what came before it stays.
        type(bar.shapes(), QStringLiteral("88, 8x64x64, 96"));
        QTest::keyClick(&bar.shapes(), Qt::Key_Return);
        WAIT_COMPARE(laboratory.desk().measured().size(), std::size_t(3));
        QCOMPARE(bar.startButton().text(), LaboratoryBar::tr("Cancel"));
        QVERIFY(bar.progressText().contains(QStringLiteral("of 3")));
        QTest::mouseClick(&bar.startButton(), Qt::LeftButton);
        WAIT_COMPARE(laboratory.desk().state().stage, Stage::cancelled);
        QCOMPARE(laboratory.desk().measured().size(), std::size_t(3));
        QCOMPARE(bar.startButton().text(), LaboratoryBar::tr("Measure"));
    }

private:
    static QString hgemmRatioOf(double ratio) { return QString::number(ratio, 'f', 3); }
};

KERNELARIUM_TEST(TestHgemmLaboratory);

} // namespace

} // namespace kernelarium::ui

#include "TestHgemmLaboratory.moc"
