// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/TestRooflinePlot.h"

#include "tests/TestRegistry.h"
#include "tests/ui_plots/Samples.h"
#include "ui/widgets/EmptyState.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace kernelarium;
using namespace kernelarium::ui;

namespace {

struct ShownRoofline {
    RooflinePlot plot{theme()};

    ShownRoofline() {
        plot.setDevice(*perf::findDeviceSpec("h100-sxm"));
        plot.setPoints(samplePoints());
        plot.setTrail({11, 12, 13, 14, 99});
        present(plot, {900, 480});
    }
    RooflineCanvas& canvas() { return plot.plot(); }
    QPoint at(int mark) { return canvas().markPosition(mark).toPoint(); }
};

int markOf(const RooflineCanvas& canvas, qint64 id) {
    for (int i = 0; i < canvas.markCount(); ++i)
        if (canvas.point(i).id == id) return i;
    return -1;
}

} // namespace

void TestRooflinePlot::init() {
    theme().setChoice(Theme::Choice::light);
}
void TestRooflinePlot::emptyStateTeachesAndAsks() {
    RooflinePlot plot(theme());
    present(plot, {600, 300});
    QVERIFY(plot.isEmpty());
    QSignalSpy asked(&plot, &PlotPanel::actionRequested);
    QVERIFY(plot.emptyState().button()->isVisible());
    QTest::mouseClick(plot.emptyState().button(), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    keepPicture(plot, QStringLiteral("roofline-empty"));
    plot.setPoints(samplePoints()); // without a device there are points but no roofs
    QVERIFY(!plot.isEmpty());
    plot.setPoints({});
    QVERIFY(plot.isEmpty());
}

void TestRooflinePlot::pointsStandWhereTheirFiguresSay() {
    ShownRoofline shown;
    auto& canvas = shown.canvas();
    // Same intensity: one vertical line; faster is higher.
    const QPointF slow = canvas.markPosition(markOf(canvas, 11)), fast = canvas.markPosition(markOf(canvas, 13));
    QVERIFY(std::abs(slow.x() - fast.x()) < 0.01);
    QVERIFY(fast.y() < slow.y());
    // Five times as fast is log10(5) decades higher.
    const double decade = canvas.pixelOf(1, 1e11).y() - canvas.pixelOf(1, 1e12).y();
    QVERIFY(std::abs((slow.y() - fast.y()) / decade - std::log10(5.0)) < 1e-6);
}

void TestRooflinePlot::workWithoutFlopsIsNotDrawn() {
    ShownRoofline shown;
    QCOMPARE(shown.canvas().markCount(), 6);
    QCOMPARE(markOf(shown.canvas(), 20), -1);
    QVERIFY(shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("1 record")));
}

void TestRooflinePlot::measuredRoofsStandBesideTheDataSheet() {
    ShownRoofline shown;
    const perf::DeviceSpec& spec = *perf::findDeviceSpec("h100-sxm");
    QVERIFY(!shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("measured,")));
    perf::MeasuredCeilings ceilings;
    ceilings.device = spec.name;
    ceilings.driver = "580.65";
    ceilings.dateMs = 1'770'000'000'000;
    ceilings.ceilings = {{"device_read", 0.9 * spec.memoryBandwidth, 1980, "loads"},
                         {"fp32", 0.5 * spec.fp32, 900, "fma.f32"}};
    shown.plot.setMeasured(&ceilings, spec);
    const RooflineData& data = shown.canvas().data();
    QCOMPARE(data.measured.memory.size(), std::size_t(1));
    QVERIFY(data.distrust.contains(QStringLiteral("fp32")) && !data.distrust.contains(QStringLiteral("device")));
    const QString svg = shown.plot.svg({900, 480}, lightPalette());
    for (const char* words : {"solid measured", "driver 580.65", "measured, unreliable"})
        QVERIFY2(svg.contains(QString::fromUtf8(words)), words);
    QVERIFY(shown.plot.recordOf(markOf(shown.canvas(), 13)).plain().contains(QStringLiteral("Of the measured roof")));
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        theme().setChoice(choice);
        QTest::qWait(30); // plots are drawn when there is time
        keepPicture(shown.plot, choice == Theme::Choice::dark ? QStringLiteral("roofline-measured-dark")
                                                              : QStringLiteral("roofline-measured-light"));
    }
    shown.plot.setMeasured(nullptr, spec);
    QVERIFY(shown.canvas().data().measured.memory.empty());
}

void TestRooflinePlot::everythingIsInTheFirstView() {
    ShownRoofline shown;
    for (int i = 0; i < shown.canvas().markCount(); ++i)
        QVERIFY(shown.canvas().plotArea().contains(shown.canvas().markPosition(i)));
    const auto& roofline = shown.canvas().data().roofline;
    QVERIFY(shown.canvas().yAxis->range().contains(roofline.find(perf::Precision::tensorFp16)->flopsPerSecond));
}

void TestRooflinePlot::labelsKeepOffRoofsAndEachOther_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1100, 380), QSize(900, 480), QSize(740, 260), QSize(560, 220)})
        QTest::addRow("%d x %d", size.width(), size.height()) << size;
}

void TestRooflinePlot::labelsKeepOffRoofsAndEachOther() {
    QFETCH(QSize, size);
    ShownRoofline shown;
    shown.plot.resize(size);
    QTest::qWait(60); // plots are drawn when there is time
    const RooflineCanvas& canvas = shown.canvas();
    const auto& given = canvas.labels().given();
    QVERIFY(given.size() >= 3);
    const RooflineData& data = canvas.data();
    double fastest = 0;
    for (const auto& roof : data.roofline.memory)
        if (data.memory.contains(roof.level)) fastest = std::max(fastest, roof.bytesPerSecond);
    int roofs = 0;
    for (const auto& roof : data.roofline.compute) {
        if (!data.compute.contains(roof.precision)) continue;
        ++roofs;
        const QPointF left = canvas.pixelOf(roof.flopsPerSecond / fastest, roof.flopsPerSecond);
        for (const QRectF& label : given)
            QVERIFY2(label.right() < left.x() || label.top() > left.y() || label.bottom() < left.y(),
                     "a roof strikes a label through");
    }
    QVERIFY(roofs >= 2);
    for (std::size_t i = 0; i < given.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(!given[i].intersects(given[j]));
}

void TestRooflinePlot::leadersCrossNoLabel() {
    LabelPlacer placer(QRectF(0, 0, 300, 200));
    // Marks so close together that their labels have to stand apart.
    std::vector<QPointF> marks;
    for (int i = 0; i < 24; ++i)
        marks.emplace_back(130 + 9 * (i % 6), 85 + 9 * (i / 6));
    for (const QPointF& mark : marks)
        placer.occupy(QRectF(mark - QPointF(4, 4), QSizeF(8, 8)));
    std::vector<std::pair<QPointF, QRectF>> placed;
    for (const QPointF& mark : marks)
        if (const auto label = placer.beside(mark, {60, 14})) placed.emplace_back(mark, *label);
    QVERIFY(placed.size() >= 4);
    int leaders = 0;
    for (const auto& [mark, own] : placed) {
        const auto line = LabelPlacer::leader(mark, own);
        if (!line) continue;
        ++leaders;
        for (const auto& [other, label] : placed)
            if (label != own)
                for (double way = 0; way <= 1; way += 0.02)
                    QVERIFY(!label.adjusted(1, 1, -1, -1).contains(line->pointAt(way)));
    }
    QVERIFY(leaders >= 2);
}

void TestRooflinePlot::hoverTellsTheRecordAndWhy() {
    ShownRoofline shown;
    const int mark = markOf(shown.canvas(), 11);
    hover(shown.canvas(), shown.at(mark));
    QVERIFY(shown.plot.card().isVisible());
    const QString text = shown.plot.card().text();
    for (const char* words : {"attempt 1", "8 ms, modelled", "emulator sectors", "left of the ridge", "full"})
        QVERIFY2(text.contains(QString::fromUtf8(words)), qPrintable(text));
    QVERIFY(shown.plot.rect().contains(shown.plot.card().geometry()));
    hover(shown.canvas(), {2, 2});
    QVERIFY(!shown.plot.card().isVisible());
}

void TestRooflinePlot::theCardStaysWhileThePointDoes() {
    ShownRoofline shown;
    const QPoint at = shown.at(markOf(shown.canvas(), 2));
    QSignalSpy entered(&shown.canvas(), &PlotCanvas::markEntered);
    hover(shown.canvas(), at);
    const QRect place = shown.plot.card().geometry();
    for (const QPoint step : {QPoint(1, 0), QPoint(2, 1), QPoint(-2, 1), QPoint(0, 3)}) {
        hover(shown.canvas(), at + step);
        QCOMPARE(shown.plot.card().geometry(), place);
    }
    QCOMPARE(entered.count(), 1);
}

void TestRooflinePlot::clickSelects() {
    ShownRoofline shown;
    QSignalSpy activated(&shown.plot, &RooflinePlot::pointActivated);
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.at(markOf(shown.canvas(), 2)));
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toLongLong(), 2);
    QCOMPARE(shown.canvas().data().selected.value(), 2);
    shown.plot.select(13); // says nothing by itself
    QCOMPARE(activated.count(), 1);
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, QPoint(3, 3));
    QCOMPARE(activated.count(), 1);
}

void TestRooflinePlot::arrowsWalkThePoints() {
    ShownRoofline shown;
    QSignalSpy activated(&shown.plot, &RooflinePlot::pointActivated);
    shown.canvas().setFocus();
    std::vector<int> walked;
    for (int i = 0; i < 8; ++i) {
        QTest::keyClick(&shown.canvas(), Qt::Key_Right);
        walked.push_back(shown.canvas().current());
    }
    QCOMPARE(walked[5], walked[7]); // the last one stays
    QCOMPARE(std::set<int>(walked.begin(), walked.end()).size(), std::size_t(6));
    QCOMPARE(walked.back(), markOf(shown.canvas(), 2)); // the rightmost
    QVERIFY(shown.plot.card().isVisible());
    QVERIFY(shown.canvas().accessibleDescription().contains(QStringLiteral("archived matmul")));
    QTest::keyClick(&shown.canvas(), Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toLongLong(), 2);
    QTest::keyClick(&shown.canvas(), Qt::Key_Left);
    QVERIFY(shown.canvas().current() != walked.back());
    QTest::keyClick(&shown.canvas(), Qt::Key_Escape);
    QVERIFY(!shown.plot.card().isVisible());
}

void TestRooflinePlot::theWheelZoomsAtTheCursor() {
    ShownRoofline shown;
    auto& canvas = shown.canvas();
    const QPoint at = canvas.plotArea().center().toPoint() + QPoint(60, -30);
    const double x = canvas.xAxis->pixelToCoord(at.x()), y = canvas.yAxis->pixelToCoord(at.y());
    const double decades = std::log10(canvas.xAxis->range().upper / canvas.xAxis->range().lower);
    wheel(canvas, at, 3);
    QVERIFY(std::log10(canvas.xAxis->range().upper / canvas.xAxis->range().lower) < decades * 0.6);
    QVERIFY(std::abs(canvas.xAxis->pixelToCoord(at.x()) / x - 1) < 1e-6);
    QVERIFY(std::abs(canvas.yAxis->pixelToCoord(at.y()) / y - 1) < 1e-6);
    QVERIFY(canvas.isZoomed());
    const QCPRange range = canvas.xAxis->range();
    shown.plot.setTrail({11}); // new data leaves the reader's view alone
    QCOMPARE(canvas.xAxis->range(), range);
    const auto seen = [&] { return std::log10(canvas.xAxis->range().upper / canvas.xAxis->range().lower); };
    for (int i = 0; i < 60; ++i)
        wheel(canvas, at, 3);
    QVERIFY(seen() > decades / 1001); // zooming ends somewhere
    for (int i = 0; i < 60; ++i)
        wheel(canvas, at, -3);
    QVERIFY(seen() < decades * 7);
}

void TestRooflinePlot::dragMovesAndIsNoClick() {
    ShownRoofline shown;
    auto& canvas = shown.canvas();
    QSignalSpy activated(&shown.plot, &RooflinePlot::pointActivated);
    const QPoint from = shown.at(markOf(canvas, 2));
    const double before = canvas.markPosition(markOf(canvas, 2)).x();
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 5; ++i) {
        QMouseEvent move(QEvent::MouseMove, QPointF(from + QPoint(-12 * i, 4 * i)),
                         QPointF(canvas.mapToGlobal(from + QPoint(-12 * i, 4 * i))), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&canvas, &move);
    }
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + QPoint(-60, 20));
    QCOMPARE(activated.count(), 0);
    QVERIFY(std::abs(canvas.markPosition(markOf(canvas, 2)).x() - (before - 60)) < 2);
}

void TestRooflinePlot::doubleClickShowsEverything() {
    ShownRoofline shown;
    const QCPRange home = shown.canvas().xAxis->range();
    wheel(shown.canvas(), {200, 200}, 4);
    QTest::mouseDClick(&shown.canvas(), Qt::LeftButton, {},
                       shown.canvas().plotArea().topLeft().toPoint() + QPoint(9, 9));
    QCOMPARE(shown.canvas().xAxis->range(), home);
    QVERIFY(!shown.canvas().isZoomed());
}

void TestRooflinePlot::theFastestAttemptIsTheBest() {
    ShownRoofline shown;
    QCOMPARE(shown.canvas().best().value(), 13);
    QVERIFY(shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("best: attempt 3")));
    shown.plot.setTrail({});
    QVERIFY(!shown.canvas().best());
}

void TestRooflinePlot::roofsCanBeHidden() {
    ShownRoofline shown;
    QVERIFY(shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("L2 cache")));
    QVERIFY(!shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("Float64")));
    for (QAction* action : shown.plot.roofActions())
        if (action->objectName() == QLatin1String("l2") || action->objectName() == QLatin1String("fp64"))
            action->toggle();
    QVERIFY(!shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("L2 cache")));
    QVERIFY(shown.plot.svg({900, 480}, lightPalette()).contains(QStringLiteral("Float64")));
}

void TestRooflinePlot::referencesStandOnTheRoof() {
    ShownRoofline shown;
    const auto references = shown.canvas().references();
    QCOMPARE(references.size(), std::size_t(7));
    const perf::Roofline& roofline = shown.canvas().data().roofline;
    const auto* memory = roofline.find(perf::MemoryLevel::device);
    const auto* compute = shown.canvas().mainRoof();
    const double ridge = shown.canvas().pixelOf(perf::ridge(*memory, *compute), 1e12).x();
    for (const auto& reference : references) {
        const QPointF at = shown.canvas().referencePosition(reference);
        QVERIFY2(shown.canvas().plotArea().contains(at), reference.key.c_str());
        const double roof = perf::attainable(*memory, *compute, reference.amount.intensity());
        QVERIFY(std::abs(at.y() - shown.canvas().pixelOf(1, roof).y()) < 0.01);
        if (reference.kind == perf::ReferencePoint::Kind::generation) QVERIFY(at.x() < ridge);
        if (reference.kind == perf::ReferencePoint::Kind::context) QVERIFY(at.x() > ridge);
    }
    const auto pictured = [&] { return shown.plot.svg({1400, 700}, lightPalette()); };
    QVERIFY(pictured().contains(QStringLiteral("LLM generation: GEMM")));
    QVERIFY(shown.plot.referenceAction()->isChecked());
    shown.plot.referenceAction()->trigger();
    QVERIFY(shown.canvas().references().empty());
    QVERIFY(!pictured().contains(QStringLiteral("LLM generation: GEMM")));
    shown.plot.referenceAction()->trigger();
    QCOMPARE(shown.canvas().references().size(), std::size_t(7));
    // Half as many bytes under the roof of half precision: twice the intensity.
    std::vector<RooflinePoint> points = samplePoints();
    points[0].precision = perf::Precision::tensorFp16;
    shown.plot.setPoints(points);
    shown.plot.select(points[0].id);
    QCOMPARE(shown.canvas().references()[0].amount.intensity(), 2 * references[0].amount.intensity());
}

void TestRooflinePlot::numbersAreATable() {
    ShownRoofline shown;
    shown.plot.copyNumbers();
    const QStringList lines = QApplication::clipboard()->text().chopped(1).split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 8);
    for (const QString& line : lines)
        QCOMPARE(line.count(QLatin1Char('\t')), 13);
    QVERIFY(lines[3].startsWith(QStringLiteral("11\tattempt 1\tmodelled\t1100000000\t")));
}

void TestRooflinePlot::menuOffersEverything() {
    ShownRoofline shown;
    const QPoint at = shown.at(markOf(shown.canvas(), 1));
    QContextMenuEvent event(QContextMenuEvent::Mouse, shown.canvas().mapTo(&shown.plot, at),
                            shown.canvas().mapToGlobal(at));
    QApplication::sendEvent(&shown.plot, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QStringList texts;
    for (QAction* action : menu->actions()) {
        if (action->isSeparator()) continue;
        texts << action->text();
        QVERIFY2(action->menu() || !action->toolTip().isEmpty(), qPrintable(action->text()));
    }
    QCOMPARE(texts, QStringList({QStringLiteral("Select archived kernel"), QStringLiteral("Roofs"),
                                 QStringLiteral("Reference points"), QStringLiteral("Copy picture"),
                                 QStringLiteral("Copy numbers"), QStringLiteral("Save chart…"),
                                 QStringLiteral("Show everything")}));
    QSignalSpy activated(&shown.plot, &RooflinePlot::pointActivated);
    menu->actions().first()->trigger();
    QCOMPARE(activated.count(), 1);
    menu->close();
}

void TestRooflinePlot::picturesAreSaved() {
    ShownRoofline shown;
    QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(QString::fromUtf8(name)); };
    QVERIFY(shown.plot.saveTo(path("a.svg")).ok());
    QVERIFY(shown.plot.saveTo(path("a.png")).ok());
    QCOMPARE(QImage(path("a.png")).width(), shown.canvas().width() * 2);
    QCOMPARE(shown.plot.saveTo(path("a.gif")).error().code, std::string("bad_input"));
    QCOMPARE(shown.plot.saveTo(path("no/where.png")).error().code, std::string("cannot_write"));
    shown.plot.copyPicture();
    QVERIFY(!QApplication::clipboard()->image().isNull());
}

void TestRooflinePlot::svgIsInThePaletteAskedFor() {
    theme().setChoice(Theme::Choice::dark);
    ShownRoofline shown;
    const QString light = shown.plot.svg({800, 400}, lightPalette());
    QVERIFY(light.contains(QStringLiteral("<svg")));
    QVERIFY(light.contains(lightPalette().series[0].name()));
    QVERIFY(!light.contains(darkPalette().series[0].name()));
    QVERIFY(shown.plot.svg({800, 400}, darkPalette()).contains(darkPalette().series[0].name()));
}

void TestRooflinePlot::anotherDeviceIsSaid() {
    ShownRoofline shown;
    shown.plot.setDevice(*perf::findDeviceSpec("t4"));
    const Record record = shown.plot.recordOf(markOf(shown.canvas(), 1));
    QVERIFY(record.explanation.contains(QStringLiteral("a device other than")));
}

void TestRooflinePlot::pictures() {
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        theme().setChoice(choice);
        ShownRoofline shown;
        shown.plot.select(12);
        QCoreApplication::processEvents();
        keepPicture(shown.plot, QStringLiteral("roofline-") + Theme::word(choice));
        hover(shown.canvas(), shown.at(markOf(shown.canvas(), 14)));
        keepPicture(shown.plot, QStringLiteral("roofline-hover-") + Theme::word(choice));
        // A theme switched under the cursor changes what is drawn.
        const QImage before = shown.plot.grab().toImage();
        theme().setChoice(choice == Theme::Choice::light ? Theme::Choice::dark : Theme::Choice::light);
        QCoreApplication::processEvents();
        QVERIFY(shown.plot.grab().toImage().pixelColor(5, 5) != before.pixelColor(5, 5));
    }
}

KERNELARIUM_TEST(TestRooflinePlot);
