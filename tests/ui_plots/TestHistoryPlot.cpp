// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/TestHistoryPlot.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_plots/Samples.h"
#include "ui/plots/HistoryPlot.h"
#include "ui/widgets/EmptyState.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>

using namespace kernelarium::ui;

namespace {

const QString h200 = QStringLiteral("NVIDIA H200");
const QString t4 = QStringLiteral("NVIDIA T4");

HistoryEntry attempt(qint64 number, double ms, Origin origin, const char* verdict, const QString& device = h200,
                     const char* size = "full") {
    HistoryEntry e;
    e.attempt = number;
    e.when = QDateTime(QDate(2026, 3, 2), QTime(9, 30)).addSecs(number * number * 40);
    e.label = QStringLiteral("attempt %1").arg(number);
    e.milliseconds = ms;
    e.origin = origin;
    e.verdict = QString::fromUtf8(verdict);
    e.device = device;
    e.size = QString::fromUtf8(size);
    if (origin == Origin::measured) e.noise = 0.04;
    return e;
}

std::vector<HistoryEntry> entries() {
    using enum Origin;
    return {attempt(1, 8.1, modelled, "verified"),     attempt(2, 3.0, modelled, "verified"),
            attempt(3, 1.1, modelled, "wrong"),        attempt(4, 2.4, measured, "verified"),
            attempt(5, 9.0, measured, "verified", t4), attempt(6, 1.6, measured, "verified"),
            attempt(7, 1.9, measured, "verified"),     attempt(8, 0.02, measured, "verified", h200, "small"),
            attempt(9, 1.2, measured, "suspicious")};
}

std::vector<ReferenceLine> references() {
    return {{QStringLiteral("Archived"), 2.1, Origin::archived, h200, QStringLiteral("full")},
            {QStringLiteral("PyTorch eager"), 5.2, Origin::measured, h200, QStringLiteral("full")},
            {QStringLiteral("torch.compile"), 4.9, Origin::measured, {}, QStringLiteral("full")},
            {QStringLiteral("Elsewhere"), 7.0, Origin::archived, t4, QStringLiteral("full")}};
}

struct Shown {
    HistoryPlot plot{theme()};
    Shown() {
        plot.setEntries(entries());
        plot.setReferences(references());
        plot.select(6);
        present(plot, {900, 440});
    }
    HistoryCanvas& canvas() { return plot.plot(); }
    int mark(qint64 number) {
        for (int i = 0; i < canvas().markCount(); ++i)
            if (canvas().entry(i).attempt == number) return i;
        return -1;
    }
    QPoint at(qint64 number) { return canvas().markPosition(mark(number)).toPoint(); }
};

} // namespace

void TestHistoryPlot::init() {
    theme().setChoice(Theme::Choice::light);
}
void TestHistoryPlot::emptyStateTeachesAndAsks() {
    HistoryPlot plot(theme());
    present(plot, {600, 300});
    QVERIFY(plot.isEmpty());
    QVERIFY(!plot.filter().isVisible());
    QSignalSpy asked(&plot, &PlotPanel::actionRequested);
    QTest::mouseClick(plot.emptyState().button(), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    plot.setEntries(entries());
    QVERIFY(!plot.isEmpty() && plot.filter().isVisible());
}

void TestHistoryPlot::devicesAndSizesNeverMix() {
    Shown shown;
    QCOMPARE(shown.plot.filter().count(), 3);
    for (int choice = 0; choice < 3; ++choice) {
        shown.plot.filter().setCurrentIndex(choice);
        const auto& seen = shown.canvas().data().entries;
        QVERIFY(!seen.empty());
        for (const HistoryEntry& e : seen)
            QVERIFY(e.device == seen.front().device && e.size == seen.front().size);
    }
    shown.plot.select(5); // goes to its device
    QCOMPARE(shown.canvas().data().entries.front().device, t4);
}

void TestHistoryPlot::theFilterStaysWhereTheReaderPutIt() {
    Shown shown;
    shown.plot.select(5);
    auto more = entries();
    more.push_back(attempt(10, 1.0, Origin::measured, "verified"));
    shown.plot.setEntries(more);
    QCOMPARE(shown.canvas().data().entries.front().device, t4);
    shown.plot.setEntries({attempt(11, 2, Origin::measured, "verified")});
    QCOMPARE(shown.canvas().data().entries.front().device, h200);
}

void TestHistoryPlot::referencesOfOtherSizesAreNotShown() {
    Shown shown;
    QCOMPARE(shown.canvas().data().lines.size(), std::size_t(3));
    shown.plot.select(8); // the small size
    QCOMPARE(shown.canvas().data().lines.size(), std::size_t(0));
}

void TestHistoryPlot::onlyVerifiedAttemptsAreTheBest() {
    Shown shown;
    QCOMPARE(shown.canvas().entry(shown.canvas().best(Origin::measured)).attempt, 6);
    QCOMPARE(shown.canvas().entry(shown.canvas().best(Origin::modelled)).attempt, 2);
    QCOMPARE(shown.canvas().best(Origin::archived), -1);
}

void TestHistoryPlot::hoverTellsTheRecord() {
    Shown shown;
    hover(shown.canvas(), shown.at(9));
    QVERIFY(shown.plot.card().isVisible());
    const QString text = shown.plot.card().text();
    for (const char* words :
         {"attempt 9", "1.2 ms ± 4%, measured", "suspicious", "NVIDIA H200", "PyTorch eager: 4.33×"})
        QVERIFY2(text.contains(QString::fromUtf8(words)), qPrintable(text));
}

/// New times come while the mouse rests on a point: what the card told is not there any more.
void TestHistoryPlot::cardsGoWithTheirPoints() {
    Shown shown;
    shown.canvas().clearFocus(); // the keyboard is elsewhere
    hover(shown.canvas(), shown.at(9));
    QVERIFY(shown.plot.card().isVisible());
    std::vector<HistoryEntry> more = entries();
    more.push_back(attempt(10, 0.4, Origin::measured, "verified"));
    shown.plot.setEntries(more);
    QVERIFY(!shown.plot.card().isVisible());
    // Who walks by keys stays at the point.
    shown.canvas().setFocus();
    QTest::keyClick(&shown.canvas(), Qt::Key_Home);
    const int current = shown.canvas().current();
    QVERIFY(current >= 0 && shown.plot.card().isVisible());
    shown.plot.setEntries(more);
    QCOMPARE(shown.canvas().current(), current);
    QVERIFY(shown.plot.card().isVisible());
}

void TestHistoryPlot::clickAndKeysSelect() {
    Shown shown;
    QSignalSpy activated(&shown.plot, &HistoryPlot::attemptActivated);
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.at(4));
    QCOMPARE(activated.takeFirst().at(0).toLongLong(), 4);
    QCOMPARE(shown.canvas().data().selected.value(), 4);
    shown.canvas().setFocus();
    QTest::keyClick(&shown.canvas(), Qt::Key_Home);
    QTest::keyClick(&shown.canvas(), Qt::Key_Right);
    QTest::keyClick(&shown.canvas(), Qt::Key_Return);
    QCOMPARE(activated.takeFirst().at(0).toLongLong(), 2);
}

void TestHistoryPlot::keysAskForMore() {
    Shown shown;
    QSignalSpy compare(&shown.plot, &HistoryPlot::compareRequested);
    QSignalSpy restore(&shown.plot, &HistoryPlot::restoreRequested);
    QSignalSpy rename(&shown.plot, &HistoryPlot::nameRequested);
    shown.plot.activateWindow();
    shown.canvas().setFocus();
    WAIT_VERIFY(shown.canvas().hasFocus());
    QTest::keyClick(&shown.canvas(), Qt::Key_End);
    QTest::keyClick(&shown.canvas(), Qt::Key_C);
    QTest::keyClick(&shown.canvas(), Qt::Key_R);
    QTest::keyClick(&shown.canvas(), Qt::Key_F2);
    QCOMPARE(compare.count() + restore.count() + rename.count(), 3);
    QCOMPARE(compare[0][0].toLongLong(), 9);
    QTest::keyClick(&shown.canvas(), Qt::Key_Escape);
    QTest::keyClick(&shown.canvas(), Qt::Key_C); // the chosen one, when the keyboard is on none
    QCOMPARE(compare[1][0].toLongLong(), 6);
}

void TestHistoryPlot::quartilesAreTold() {
    Shown shown;
    auto with = entries();
    for (HistoryEntry& e : with)
        if (e.attempt == 6) e.lower = 1.5, e.upper = 1.8;
    shown.plot.setEntries(with);
    QSignalSpy race(&shown.plot, &HistoryPlot::raceRequested);
    QSignalSpy samples(&shown.plot, &HistoryPlot::samplesRequested);
    const Record record = shown.plot.recordOf(shown.mark(6));
    QVERIFY2(record.plain().contains(QStringLiteral("1.5 ms – 1.8 ms")), qPrintable(record.plain()));
    QVERIFY(!shown.plot.recordOf(shown.mark(7)).plain().contains(QStringLiteral("Quartiles")));
    QVERIFY(shown.plot.numbers().contains(QStringLiteral("\t1.5\t1.8\t")));
    shown.plot.activateWindow();
    shown.canvas().setFocus();
    WAIT_VERIFY(shown.canvas().hasFocus());
    QTest::keyClick(&shown.canvas(), Qt::Key_A); // of the chosen one
    QTest::keyClick(&shown.canvas(), Qt::Key_S);
    QCOMPARE(race.count() + samples.count(), 2);
    QCOMPARE(race[0][0].toLongLong(), 6);
    keepPicture(shown.plot, QStringLiteral("history-measured"));
}

void TestHistoryPlot::menuAsksForTheMarkUnderIt() {
    Shown shown;
    QSignalSpy restore(&shown.plot, &HistoryPlot::restoreRequested);
    const QPoint at = shown.at(2);
    QContextMenuEvent event(QContextMenuEvent::Mouse, shown.canvas().mapTo(&shown.plot, at),
                            shown.canvas().mapToGlobal(at));
    QApplication::sendEvent(&shown.plot, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    for (QAction* action : menu->actions()) {
        QVERIFY(action->isSeparator() || !action->toolTip().isEmpty());
        if (action->text() == QLatin1String("Restore")) action->trigger();
    }
    QCOMPARE(restore.count(), 1);
    QCOMPARE(restore[0][0].toLongLong(), 2);
    menu->close();
}

void TestHistoryPlot::menuOpensByMouseAndKeys() {
    Shown shown;
    const auto menu = [] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); };
    const auto closed = [&] {
        const bool open = menu() && !menu()->actions().isEmpty();
        if (menu()) menu()->close();
        return open;
    };
    QWindow* window = shown.plot.window()->windowHandle();
    QTest::mouseClick(window, Qt::RightButton, {}, shown.canvas().mapTo(shown.plot.window(), shown.at(2)));
    WAIT_VERIFY(menu());
    QVERIFY(closed());
    shown.canvas().setFocus();
    WAIT_VERIFY(shown.canvas().hasFocus());
    QTest::keyClick(window, Qt::Key_Menu);
    WAIT_VERIFY(menu());
    QVERIFY(closed());
    QTest::keyClick(window, Qt::Key_F10, Qt::ShiftModifier);
    WAIT_VERIFY(menu());
    QVERIFY(closed());
}

void TestHistoryPlot::noVerdictIsNoBlame() {
    Shown shown;
    const auto seen = [&](const char* verdict) {
        shown.plot.setEntries(
            {attempt(1, 2.0, Origin::measured, "verified"), attempt(2, 3.0, Origin::measured, verdict)});
        shown.plot.select(1);
        const QString svg = shown.plot.svg({800, 400}, lightPalette());
        return qMakePair(svg.contains(QStringLiteral("undecided")),
                         svg.contains(QStringLiteral("failed verification")));
    };
    QCOMPARE(seen(""), qMakePair(true, false));
    QCOMPARE(seen("unsupported"), qMakePair(true, false));
    QCOMPARE(seen("wrong"), qMakePair(false, true));
    QCOMPARE(seen("verified"), qMakePair(false, false));
}

void TestHistoryPlot::timeAxisPlacesByTheClock() {
    Shown shown;
    const auto gap = [&](qint64 a, qint64 b) { return double(shown.at(b).x() - shown.at(a).x()); };
    QVERIFY(std::abs(gap(1, 2) - gap(2, 3)) <= 1.5); // by number
    shown.plot.axis().setCurrentIndex(1);
    shown.canvas().replot();
    // Attempt n was made at 40 n^2 seconds.
    QVERIFY(std::abs(gap(6, 7) / gap(1, 4) - 13.0 / 15.0) < 0.03);
}

void TestHistoryPlot::numbersAreOfWhatIsShown() {
    Shown shown;
    QCOMPARE(shown.plot.numbers().count(QLatin1Char('\n')), 8);
    QVERIFY(!shown.plot.numbers().contains(t4));
}

void TestHistoryPlot::svgHasTheLines() {
    Shown shown;
    shown.plot.select(4); // the best is named when it is not the chosen one
    const QString svg = shown.plot.svg({800, 400}, lightPalette());
    for (const char* words :
         {"Archived 2.1 ms", "PyTorch eager 5.2 ms", "best: 1.6 ms", "failed verification", "Time (ms)"})
        QVERIFY2(svg.contains(QString::fromUtf8(words)), words);
    QVERIFY(!svg.contains(QStringLiteral("Elsewhere")));
}

void TestHistoryPlot::pictures() {
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        theme().setChoice(choice);
        Shown shown;
        keepPicture(shown.plot, QStringLiteral("history-") + Theme::word(choice));
        hover(shown.canvas(), shown.at(7));
        keepPicture(shown.plot, QStringLiteral("history-hover-") + Theme::word(choice));
        const QColor before = shown.plot.grab().toImage().pixelColor(5, 300);
        theme().setChoice(choice == Theme::Choice::light ? Theme::Choice::dark : Theme::Choice::light);
        QCoreApplication::processEvents();
        QVERIFY(shown.plot.grab().toImage().pixelColor(5, 300) != before);
    }
}

KERNELARIUM_TEST(TestHistoryPlot);
