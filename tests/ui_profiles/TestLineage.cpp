// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_profiles/TestLineage.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_profiles/ProfiledRoom.h"
#include "ui/editor/DiffView.h"
#include "ui/plots/LineagePanel.h"
#include "ui/source/EditorArea.h"
#include "ui/widgets/EmptyState.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

namespace kernelarium::ui {

namespace {

struct Shown {
    ProfiledRoom room;
    LineagePanel panel{{room.workspace->bench(), room.workspace->assignment(), room.workspace->archive(),
                        room.workspace->past(), room.workspace->verdicts(), room.workspace->notices()},
                       roomTheme()};
    Shown() {
        panel.resize(900, 360);
        panel.show();
    }
    LineageCanvas& canvas() { return panel.plot().plot(); }
    [[nodiscard]] bool at(const std::string& kernel) {
        if (!room.open() || !room.openKernel(kernel) || !QTest::qWaitForWindowExposed(&panel, longWait)) return false;
        const bool shown = QTest::qWaitFor(
            [&] { return canvas().markCount() == 7 && canvas().data().selected == room.idOf(kernel); }, longWait);
        QCoreApplication::processEvents();
        return shown;
    }
    [[nodiscard]] int mark(const QString& name) {
        for (int i = 0; i < canvas().markCount(); ++i)
            if (canvas().entry(i).name == name) return i;
        return -1;
    }
    [[nodiscard]] QPoint place(const char* name) {
        return canvas().markPosition(mark(QString::fromUtf8(name))).toPoint();
    }
    [[nodiscard]] QStringList records() {
        QStringList names;
        for (const int i : canvas().records())
            names << canvas().entry(i).name;
        return names;
    }
};

/// Our verdict on the kernel whose claim is not true.
void refute(Shown& shown) {
    audit::StoredVerdict verdict;
    const auto& table = *shown.room.workspace->archive().table();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table.name[i] == "refuted") verdict.key = {table.level[i], table.task[i], table.name[i], table.codeHash[i]};
    verdict.verdict = "wrong";
    shown.room.workspace->verdicts().learn(shown.room.workspace->verdicts().path(), {verdict});
}

} // namespace

void TestLineage::initTestCase() {
    listenToWarnings();
}
void TestLineage::cleanup() {
    QCOMPARE(warningsTaken(), QStringList());
}

void TestLineage::emptyStateTeaches() {
    Shown shown;
    QVERIFY(shown.panel.plot().isEmpty());
}

void TestLineage::kernelsStandInTheOrderOfTheirMaking() {
    Shown shown;
    QVERIFY(shown.at("tiled_base"));
    QStringList names;
    for (int i = 0; i < shown.canvas().markCount(); ++i)
        names << shown.canvas().entry(i).name;
    QCOMPARE(names, QStringList({QStringLiteral("first"), QStringLiteral("tiled_base"), QStringLiteral("broken"),
                                 QStringLiteral("wrong_edit_1"), QStringLiteral("odd"), QStringLiteral("fast_edit_1"),
                                 QStringLiteral("refuted")}));
    QCOMPARE(shown.canvas().data().nativeMilliseconds.value(), 4.0);
    QCOMPARE(shown.canvas().data().compileMilliseconds.value(), 3.5);
    // Times beside an axis of milliseconds are milliseconds.
    const QString svg = shown.panel.plot().svg({900, 360}, lightPalette());
    QVERIFY(svg.contains(QStringLiteral("PyTorch 4 ms")) && svg.contains(QStringLiteral("torch.compile 3.5 ms")));
    QVERIFY(shown.place("first").x() < shown.place("refuted").x());
    QVERIFY(shown.place("first").y() < shown.place("fast_edit_1").y()); // lower is faster
    QVERIFY(shown.place("broken").y() > shown.place("refuted").y());    // it has no time
    QVERIFY(std::isnan(shown.canvas().entry(shown.mark(QStringLiteral("broken"))).milliseconds));
}

void TestLineage::bestSoFarIsOfWhatStandsAsCorrect() {
    Shown shown;
    QVERIFY(shown.at("first"));
    // The wrong kernel is faster than all before it, and counts for nothing.
    QCOMPARE(shown.records(), QStringList({QStringLiteral("first"), QStringLiteral("tiled_base"),
                                           QStringLiteral("fast_edit_1"), QStringLiteral("refuted")}));
    refute(shown);
    WAIT_COMPARE(shown.records().size(), 3);
    QCOMPARE(shown.records().last(), QStringLiteral("fast_edit_1"));
    const int mark = shown.mark(QStringLiteral("refuted"));
    QCOMPARE(shown.canvas().entry(mark).standing, LineageEntry::Standing::refuted);
    QVERIFY(shown.panel.plot().recordOf(mark).plain().contains(QStringLiteral("not counted as the best")));
}

void TestLineage::clickAndKeysPutAKernelOnTheBench() {
    Shown shown;
    QVERIFY(shown.at("first"));
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.place("odd"));
    WAIT_COMPARE(shown.room.workspace->bench().kernel().title, QStringLiteral("odd"));
    WAIT_COMPARE(shown.canvas().data().selected.value(), shown.room.idOf("odd"));
    shown.canvas().setFocus();
    QTest::keyClick(&shown.canvas(), Qt::Key_Home);
    QTest::keyClick(&shown.canvas(), Qt::Key_Right);
    QTest::keyClick(&shown.canvas(), Qt::Key_Return);
    WAIT_COMPARE(shown.room.workspace->bench().kernel().title, QStringLiteral("tiled_base"));
    // A kernel of another task brings that task's lineage.
    QVERIFY(shown.room.openKernel("elsewhere"));
    WAIT_COMPARE(shown.canvas().markCount(), 1);
}

void TestLineage::hoverTellsTheRecord() {
    Shown shown;
    QVERIFY(shown.at("first"));
    const QPoint at = shown.place("fast_edit_1");
    QMouseEvent move(QEvent::MouseMove, QPointF(at), QPointF(shown.canvas().mapToGlobal(at)), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&shown.canvas(), &move);
    const QString text = shown.panel.plot().card().text();
    for (const char* words : {"fast_edit_1", "1 ms, archived", "Place: 6 of 7", "4.00×", "The fastest until then."})
        QVERIFY2(text.contains(QString::fromUtf8(words)), qPrintable(text));
}

void TestLineage::anyTwoAreCompared() {
    Shown shown;
    EditorArea area(editorAround(*shown.room.workspace), roomTheme());
    area.resize(700, 400);
    area.show();
    connect(&shown.panel, &LineagePanel::compareRequested, &area, &EditorArea::compareWithArchived);
    QVERIFY(shown.at("first"));
    const QPoint at = shown.place("odd");
    QContextMenuEvent event(QContextMenuEvent::Mouse, shown.canvas().mapTo(&shown.panel.plot(), at),
                            shown.canvas().mapToGlobal(at));
    QApplication::sendEvent(&shown.panel.plot(), &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QStringList texts;
    for (QAction* action : menu->actions()) {
        QVERIFY(action->isSeparator() || !action->toolTip().isEmpty());
        texts << action->text();
        if (action->text() == QLatin1String("Compare with the current text")) action->trigger();
    }
    QVERIFY(texts.contains(QStringLiteral("Open odd")) && texts.contains(QStringLiteral("Save chart…")));
    menu->close();
    WAIT_VERIFY(area.isShowingDiff());
    WAIT_COMPARE(area.diff().changes(), 1); // the line with the name
    QVERIFY(area.diff().originalSide().text().contains(QStringLiteral("// odd")));
    QVERIFY(area.diff().editedSide().text().contains(QStringLiteral("// first")));
}

void TestLineage::itIsExported() {
    Shown shown;
    QVERIFY(shown.at("first"));
    QCOMPARE(shown.panel.plot().numbers().count(QLatin1Char('\n')), 8);
    for (const char* name : {"lineage.svg", "lineage.png", "lineage.csv"})
        QVERIFY2(shown.panel.plot().saveTo(shown.room.folder.filePath(QString::fromUtf8(name))).ok(), name);
    QFile svg(shown.room.folder.filePath(QStringLiteral("lineage.svg")));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    for (const char* words : {"torch.compile 3.5 ms", "7 kernels: 5 archived as correct", "Time (ms)"})
        QVERIFY2(text.contains(words), words);
}

void TestLineage::pictures() {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    if (folder.isEmpty()) QSKIP("KERNELARIUM_PICTURES names no folder");
    QDir().mkpath(folder);
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        roomTheme().setChoice(choice);
        Shown shown;
        QVERIFY(shown.at("tiled_base"));
        refute(shown);
        WAIT_COMPARE(shown.records().size(), 3);
        QVERIFY(shown.panel.grab().save(QStringLiteral("%1/lineage-%2.png").arg(folder, Theme::word(choice))));
    }
    roomTheme().setChoice(Theme::Choice::light);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestLineage);
