// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_tuning/TuningRoom.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/frame/HelpPanel.h"
#include "ui/frame/StatusLine.h"
#include "ui/source/EditorArea.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/tuning/ParallelView.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/PointTable.h"
#include "ui/tuning/ScatterPlot.h"
#include "ui/tuning/TuneBar.h"
#include "ui/tuning/TunePage.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QtTest>
#include <set>

namespace kernelarium::ui {

namespace {

/// Every point, and the results of each.
void choose(TunePage& page, const QString& strategy, int jobs) {
    TuneBar& bar = page.bar();
    bar.strategyBox().setCurrentIndex(bar.strategyBox().findData(strategy));
    bar.budgetUnit().setCurrentIndex(2); // no limit
    bar.jobsBox().setValue(jobs);
}

int rowOf(const TunePage& page, const char* key) {
    const auto& rows = const_cast<TunePage&>(page).model().rows();
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].key == key) return int(i);
    return -1;
}

std::set<std::string> keysOf(const TuneDesk& desk) {
    std::set<std::string> keys;
    for (const tuning::Judged& judged : desk.points())
        keys.insert(judged.candidate.key);
    return keys;
}

class TestTunePage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void anEmptyPageSaysHowToMark() {
        TuningRoom room;
        QVERIFY(room.start());
        QTest::keyClick(room.window.get(), Qt::Key_N, Qt::AltModifier);
        TunePage& page = room.page();
        QVERIFY(page.isVisible() && page.emptyState().isVisible());
        QVERIFY(!page.emptyState().button()->isVisible());
        QVERIFY(!page.bar().isVisible());
        QByteArray text = markedRelu();
        text.replace(" // tune: 64, 128, 256, 2048", "").replace("    // tune: 0, 1", "");
        text.replace("// tune where: BLOCK != 256 || KEEP == 0\n", "");
        QVERIFY(room.open(text));
        QVERIFY(page.emptyState().isVisible());
        QVERIFY2(page.emptyState().accessibleDescription().contains(QStringLiteral("// tune: 8, 16, 32")),
                 qPrintable(page.emptyState().accessibleDescription()));
        QVERIFY(page.emptyState().button()->isVisible());
        QVERIFY2(page.emptyState().button()->text().contains(QStringLiteral("BLOCK")),
                 qPrintable(page.emptyState().button()->text()));
        WAIT_VERIFY(page.emptyState().button()->hasFocus());
        room.keepPicture(QStringLiteral("tune-empty"));
        QVERIFY(!room.window->actions().action(QStringLiteral("tune.start"))->isEnabled());
        // By keyboard: the button marks it, and the space is there; undo takes the mark back.
        room.press(Qt::Key_Space);
        WAIT_VERIFY(page.bar().isVisible());
        QVERIFY(room.workspace->bench().source().contains(QStringLiteral("BLOCK = 128; // tune: 64, 128, 256")));
        QVERIFY2(page.headline().contains(QStringLiteral("3 points")), qPrintable(page.headline()));
        WAIT_VERIFY(room.window->actions().action(QStringLiteral("tune.start"))->isEnabled());
        room.window->editorArea().editor().undo();
        QCOMPARE(room.workspace->bench().source().toUtf8(), text);
        WAIT_VERIFY(page.emptyState().isVisible());
    }

    void withoutALiteralHelpIsOffered() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(addSource()));
        TunePage& page = room.page();
        QVERIFY(page.emptyState().button()->isVisible());
        QTest::mouseClick(page.emptyState().button(), Qt::LeftButton);
        WAIT_VERIFY(room.window->panel<HelpPanel>().isVisible());
        QVERIFY(room.window->panel<HelpPanel>().toPlainText().contains(QStringLiteral("tune where")));
    }

    void problemsLeadToTheirLines() {
        TuningRoom room;
        QVERIFY(room.start());
        QByteArray text = markedRelu();
        text.replace("tune: 0, 1", "tune: 1, 2");
        QVERIFY(room.open(text));
        TunePage& page = room.page();
        QListWidget& list = page.troubles();
        QVERIFY(list.isVisible());
        QVERIFY(list.count() >= 1);
        QVERIFY2(list.item(0)->text().startsWith(QStringLiteral("Line 5")), qPrintable(list.item(0)->text()));
        room.keepPicture(QStringLiteral("tune-problems"));
        WAIT_VERIFY(!page.obstacle().isEmpty()); // a text is read on another thread
        list.setFocus();
        list.setCurrentRow(0);
        QTest::keyClick(&list, Qt::Key_Return);
        WAIT_VERIFY(!room.window->isShowingPage());
        QCOMPARE(room.window->editorArea().editor().cursorLine(), 5);
    }

    /// Through real children, by mouse and keyboard, to a point on the bench that is tried.
    void tunesTheKernelOnTheBench() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        TunePage& page = room.page();
        const QAbstractItemModelTester tester(&page.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester filtered(page.table().model(),
                                                QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY2(page.headline().contains(QStringLiteral("8 points, 7 of them allowed")), qPrintable(page.headline()));
        QVERIFY2(page.subline().contains(QStringLiteral("modelled on NVIDIA H200")), qPrintable(page.subline()));
        for (int i = 0; i < page.bar().strategyBox().count(); ++i)
            QVERIFY(!page.bar().strategyBox().itemData(i, Qt::ToolTipRole).toString().isEmpty());
        choose(page, QStringLiteral("exhaustive"), 2);
        page.bar().verifyBox().setCurrentIndex(1); // every point
        QVERIFY(room.stores().isEmpty());          // looking makes no file
        QSignalSpy changed(&page.desk(), &TuneDesk::changed);
        WAIT_VERIFY(page.bar().startButton().isEnabled());
        QTest::mouseClick(&page.bar().startButton(), Qt::LeftButton);
        WAIT_VERIFY(page.desk().isRunning());
        QVERIFY(!page.bar().strategyBox().isEnabled());
        WAIT_VERIFY(room.window->status().workText().contains(QStringLiteral("Tuning")));
        QVERIFY(room.waitUntilEnded());
        QVERIFY2(page.desk().state().stage == Stage::finished, page.desk().state().error.text().c_str());
        QVERIFY(room.window->status().workText().isEmpty());
        QCOMPARE(page.model().rowCount(), 7);
        QCOMPARE(room.stores().size(), 1);
        using Kind = tuning::Outcome::Kind;
        for (const PointRow& row : page.model().rows()) {
            const bool tooLarge = row.key.find("BLOCK=2048") != std::string::npos;
            const Kind expected = tooLarge                                      ? Kind::refused
                                  : row.key.find("KEEP=1") != std::string::npos ? Kind::wrong
                                                                                : Kind::valued;
            QVERIFY2(row.kind == expected, (row.key + ": " + row.said.toStdString()).c_str());
            if (expected != Kind::valued) QVERIFY(!row.ranks && !row.said.isEmpty());
        }
        QVERIFY(page.model().best() >= 0);
        QCOMPARE(page.model().rows()[std::size_t(page.model().best())].verdict, QStringLiteral("verified"));
        QVERIFY(!std::isnan(page.model().startMilliseconds()));
        WAIT_VERIFY2(page.bar().progressText().contains(QStringLiteral("3 right")),
                     qPrintable(page.bar().progressText()));
        WAIT_VERIFY(page.subline().contains(QStringLiteral("best ")));
        WAIT_VERIFY(!page.curve().isEmpty());
        for (int view = 0; view < page.views().count(); ++view) {
            page.views().setCurrentIndex(view);
            QTest::qWait(0);
            room.keepPicture(QStringLiteral("tune-light-%1").arg(view));
        }
        // Return on a point puts its text on the bench, as a text that can be undone.
        const QString before = room.workspace->bench().source();
        page.table().setFocus();
        page.table().goTo(rowOf(page, "BLOCK=64 KEEP=0"));
        QCOMPARE(page.table().currentRow(), rowOf(page, "BLOCK=64 KEEP=0"));
        QTest::keyClick(&page.table(), Qt::Key_Return);
        WAIT_VERIFY(!room.window->isShowingPage());
        QVERIFY(room.workspace->bench().source().contains(QStringLiteral("BLOCK = 64; // tune: 64, 128")));
        QVERIFY2(room.notice().contains(QStringLiteral("BLOCK=64 KEEP=0")), qPrintable(room.notice()));
        // It is tried like any other text and becomes an attempt.
        QSignalSpy attempts(&room.workspace->trials(), &Trials::attemptAdded);
        room.window->actions().run(QStringLiteral("kernel.verify"));
        WAIT_COMPARE(attempts.size(), 1);
        QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
        // The page knows that it is a point of the same sweep.
        room.window->actions().run(QStringLiteral("go.tune"));
        QVERIFY(room.waitUntilLooked());
        QCOMPARE(page.model().rowCount(), 7);
        WAIT_VERIFY2(page.subline().contains(QStringLiteral("on the bench: BLOCK=64 KEEP=0")),
                     qPrintable(page.subline()));
        room.window->editorArea().editor().undo();
        QCOMPARE(room.workspace->bench().source(), before);
        QVERIFY(changed.size() > 2);
    }

    void pausedStoppedAndResumedAfterARestart() {
        TuningRoom room(Theme::Choice::dark);
        QVERIFY(room.start());
        // So many points that a fast machine does not end before it is stopped.
        const QByteArray text = markedRelu().replace("64, 128, 256, 2048", "64..1024 step 64");
        constexpr std::size_t all = 31;
        QVERIFY(room.open(text));
        choose(room.page(), QStringLiteral("random"), 1);
        room.window->actions().run(QStringLiteral("tune.start"));
        TunePage* page = &room.page();
        WAIT_VERIFY(page->desk().isRunning());
        WAIT_VERIFY(page->desk().points().size() >= 2);
        QTest::mouseClick(&page->bar().startButton(), Qt::LeftButton);
        QVERIFY(page->desk().state().paused && page->desk().isRunning());
        QCOMPARE(page->bar().startButton().text(), QStringLiteral("Go on"));
        // What was under way ends, and nothing begins.
        WAIT_COMPARE(page->desk().state().progress.underWay, std::uint64_t(0));
        QVERIFY(page->desk().points().size() < all);
        room.keepPicture(QStringLiteral("tune-dark-paused"));
        // Escape stops first what is waited for, such as clang-tidy.
        WAIT_VERIFY(!isBusy(room.workspace->tidy().state().stage) && !room.workspace->toolkits().isBusy());
        room.window->actions().run(QStringLiteral("tune.pause"));
        QVERIFY(!page->desk().state().paused);
        const std::size_t before = page->desk().points().size();
        WAIT_VERIFY(page->desk().points().size() > before);
        room.window->actions().run(QStringLiteral("kernel.cancel")); // Escape
        QVERIFY(room.waitUntilEnded());
        const auto kept = keysOf(page->desk());
        QVERIFY2(kept.size() >= 3 && kept.size() < all, qPrintable(QString::number(kept.size())));
        // Another start of the program has them, and does the rest.
        QVERIFY(room.start());
        QVERIFY(room.open(text));
        page = &room.page();
        WAIT_COMPARE(keysOf(page->desk()), kept);
        QCOMPARE(page->model().rowCount(), int(kept.size()));
        QCOMPARE(page->bar().startButton().text(), QStringLiteral("Resume"));
        QCOMPARE(page->bar().strategyBox().currentData().toString(), QStringLiteral("random")); // remembered
        page->bar().startButton().setFocus();
        WAIT_VERIFY(page->bar().startButton().isEnabled());
        QTest::keyClick(&page->bar().startButton(), Qt::Key_Space);
        WAIT_VERIFY(page->desk().isRunning());
        QVERIFY(room.waitUntilEnded());
        QCOMPARE(page->desk().state().stage, Stage::finished);
        QCOMPARE(page->desk().points().size(), all); // each once
        QCOMPARE(page->desk().state().progress.resumed, std::uint64_t(kept.size()));
        QCOMPARE(room.stores().size(), 1);
        room.keepPicture(QStringLiteral("tune-dark"));
    }

    /// Resume is offered where there is something left, and else what to do instead.
    void whatIsLeftIsOffered() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        TunePage* page = &room.page();
        TuneBar* bar = &page->bar();
        choose(*page, QStringLiteral("exhaustive"), 1);
        bar->budgetUnit().setCurrentIndex(0); // points
        bar->budgetBox().setValue(2);
        QVERIFY(!bar->bestButton().isVisible());
        WAIT_VERIFY(bar->startButton().isEnabled());
        QTest::mouseClick(&bar->startButton(), Qt::LeftButton);
        WAIT_VERIFY(page->desk().isRunning());
        QVERIFY(room.waitUntilEnded());
        WAIT_VERIFY2(bar->progressText().contains(QStringLiteral("the budget of 2 points is spent: raise it")),
                     qPrintable(bar->progressText()));
        WAIT_VERIFY(!bar->startButton().isEnabled());
        QCOMPARE(bar->startButton().text(), QStringLiteral("Start"));
        WAIT_VERIFY(bar->bestButton().hasFocus()); // what the keyboard does next
        QVERIFY(!room.window->actions().action(QStringLiteral("tune.start"))->isEnabled());
        room.keepPicture(QStringLiteral("tune-light-budget-spent"));
        const std::size_t before = page->desk().points().size();
        page->start();
        QVERIFY(!page->desk().isRunning());
        bar->budgetBox().setFocus();
        QTest::keyClick(&bar->budgetBox(), Qt::Key_Up);
        QCOMPARE(bar->startButton().text(), QStringLiteral("Resume"));
        QVERIFY(bar->startButton().isEnabled());
        bar->budgetBox().setValue(60);
        QTest::mouseClick(&bar->startButton(), Qt::LeftButton);
        WAIT_VERIFY(page->desk().isRunning());
        QVERIFY(!bar->bestButton().isVisible());
        QVERIFY(room.waitUntilEnded());
        QVERIFY(page->desk().points().size() > before);
        QCOMPARE(page->model().rowCount(), 7);
        // Another start of the program knows it, whatever the budget and the strategy.
        for (int again = 0; again < 2; ++again) {
            WAIT_VERIFY2(bar->progressText().contains(QStringLiteral("every point has been looked at: open the best")),
                         qPrintable(bar->progressText()));
            QVERIFY(!bar->startButton().isEnabled());
            bar->budgetUnit().setCurrentIndex(2);
            bar->strategyBox().setCurrentIndex(bar->strategyBox().findData(QStringLiteral("random")));
            QVERIFY(!bar->startButton().isEnabled());
            QVERIFY2(bar->startButton().toolTip().contains(QStringLiteral("open the best")),
                     qPrintable(bar->startButton().toolTip()));
            if (again > 0) break;
            QVERIFY(room.start());
            QVERIFY(room.open(markedRelu()));
            page = &room.page();
            bar = &page->bar();
            WAIT_COMPARE(page->model().rowCount(), 7);
        }
        const QString best = QString::fromStdString(page->model().rows()[std::size_t(page->model().best())].key);
        QVERIFY(bar->bestButton().isVisible());
        bar->bestButton().setFocus();
        room.press(Qt::Key_Space);
        WAIT_VERIFY(!room.window->isShowingPage());
        QVERIFY2(room.notice().contains(best), qPrintable(room.notice()));
        // More values are a sweep of their own.
        QByteArray more = markedRelu();
        more.replace("64, 128, 256, 2048", "32, 64, 128, 256, 2048");
        QVERIFY(room.open(more, QStringLiteral("more.cu")));
        WAIT_VERIFY(bar->startButton().isEnabled());
        QCOMPARE(bar->startButton().text(), QStringLiteral("Start"));
        QVERIFY(bar->progressText().isEmpty());
    }

    /// A sweep stays with its kernel while another is looked at, and its points come back to it.
    void anotherKernelComesOnTheBench() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        TunePage& page = room.page();
        choose(page, QStringLiteral("exhaustive"), 1);
        WAIT_VERIFY(page.bar().startButton().isEnabled());
        page.start();
        WAIT_VERIFY(page.desk().isRunning());
        WAIT_VERIFY(page.desk().points().size() >= 1);
        room.workspace->bench().openFile(room.write(QStringLiteral("add.cu"), addSource()));
        WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("add.cu"));
        room.window->actions().run(QStringLiteral("go.tune"));
        QVERIFY2(page.headline().contains(QStringLiteral("relu.cu")), qPrintable(page.headline()));
        WAIT_VERIFY2(page.subline().contains(QStringLiteral("another kernel")), qPrintable(page.subline()));
        page.open(0);
        WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("relu.cu"));
        WAIT_VERIFY(room.notice().contains(QString::fromStdString(page.model().rows()[0].key)));
        page.stop();
        QVERIFY(room.waitUntilEnded());
        QCOMPARE(page.desk().state().stage, Stage::cancelled);
    }

    void theEditorCompletesMarks() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(addSource()));
        room.window->actions().run(QStringLiteral("go.editor"));
        CodeEditor& editor = room.window->editorArea().editor();
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_End, Qt::ControlModifier);
        QTest::keyClicks(&editor, QStringLiteral("constexpr int TILE = 16; // tun"));
        QVERIFY(editor.isListActive());
        QTest::keyClick(&editor, Qt::Key_Tab);
        QVERIFY2(editor.text().trimmed().endsWith(QStringLiteral("// tune:")), qPrintable(editor.text().right(60)));
        QTest::keyClicks(&editor, QStringLiteral(" 8, 16"));
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, QStringLiteral("// tune where: TI"));
        QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
        if (editor.isListActive()) QTest::keyClick(&editor, Qt::Key_Tab);
        QVERIFY2(editor.text().trimmed().endsWith(QStringLiteral("where: TILE")), qPrintable(editor.text().right(60)));
        // A comment that is no mark is left alone.
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, QStringLiteral("// turning"));
        QVERIFY(!editor.isListActive());
    }

    void aDamagedStoreIsSaid() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        TunePage& page = room.page();
        const QString store = QString::fromStdString(page.desk().subject()->store.string());
        QVERIFY(QDir().mkpath(QFileInfo(store).path()));
        QFile file(store);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is no store\n");
        file.close();
        room.workspace->bench().openFile(room.write(QStringLiteral("add.cu"), addSource()));
        WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("add.cu"));
        QVERIFY(room.open(markedRelu()));
        WAIT_COMPARE(page.desk().lookState().stage, Stage::failed);
        QVERIFY(page.emptyState().isVisible());
        QVERIFY2(page.emptyState().accessibleDescription().contains(QFileInfo(store).fileName()),
                 qPrintable(page.emptyState().accessibleDescription()));
        QVERIFY(!page.obstacle().isEmpty());
    }
};

} // namespace

KERNELARIUM_TEST(TestTunePage);

} // namespace kernelarium::ui

#include "TestTunePage.moc"
