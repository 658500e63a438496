// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/frame/Actions.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/FormulaView.h"
#include "ui/superopt/NewKernelDialog.h"
#include "ui/superopt/RewriteModel.h"
#include "ui/superopt/SuperoptBar.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/tour/Keys.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

namespace {

SuperoptPage& superoptOf(Room& room) {
    return *room.window->findChild<SuperoptPage*>();
}

void chooseTask(SuperoptPage& page, int level, int task) {
    QComboBox& tasks = page.bar().tasks();
    tasks.setCurrentIndex(tasks.findData(QPoint(level, task)));
}

bool waitUntilSettled(SuperoptPage& page) {
    return QTest::qWaitFor([&page] { return page.isSettled(); }, longWait);
}

const TaskExplanation* shownBy(const SuperoptPage& page) {
    return const_cast<SuperoptPage&>(page).desk().state().answer.get();
}

} // namespace

class TestSuperoptPage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void anEmptyBenchSaysWhatToDo() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        SuperoptPage& page = superoptOf(room);
        QVERIFY(page.isVisible());
        WAIT_VERIFY(page.bar().tasks().hasFocus());
        QVERIFY(waitUntilSettled(page));
        QCOMPARE(page.headline(), QStringLiteral("No kernel on the bench"));
        QVERIFY(page.emptyState().isVisible() && page.emptyState().button()->isVisible());
        room.keepPicture(QStringLiteral("superopt-empty"));
        QTest::mouseClick(page.emptyState().button(), Qt::LeftButton);
        auto* const dialog = room.window->findChild<NewKernelDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        pressKey(*dialog, Qt::Key_Escape);
        WAIT_VERIFY(!room.window->findChild<NewKernelDialog*>());
        room.window->activateWindow(); // as a desktop does when a dialog closes
        QVERIFY(QTest::qWaitForWindowActive(room.window.get(), longWait));
        // A kernel without a task has another way on.
        Kernel kernel;
        kernel.key = QStringLiteral("new:add");
        kernel.title = QStringLiteral("add");
        kernel.origin = Kernel::Origin::fresh;
        kernel.original = QString::fromUtf8(addSource());
        room.workspace->bench().openText(kernel);
        room.press(Qt::Key_Z, Qt::AltModifier);
        WAIT_COMPARE(page.headline(), QStringLiteral("This kernel has no task"));
    }

    void theKernelsTaskIsExplained() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 36, "naive"));
        room.press(Qt::Key_Z, Qt::AltModifier);
        SuperoptPage& page = superoptOf(room);
        WAIT_VERIFY(shownBy(page) && page.isSettled());
        QCOMPARE(shownBy(page)->card->key(), std::string("1/36"));
        QVERIFY(page.bar().tasks().itemText(0).contains(QStringLiteral("1/36")));
        const QAbstractItemModelTester tester(&page.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        chooseTask(page, 1, 12);
        WAIT_VERIFY(shownBy(page) && page.isSettled() && shownBy(page)->card->key() == "1/12");
        QVERIFY2(page.headline().contains(QStringLiteral("1/8192 of its FLOPs")), qPrintable(page.headline()));
        QVERIFY2(page.headline().contains(QStringLiteral("Its bound falls from ")) &&
                     page.headline().contains(QStringLiteral("NVIDIA H200")),
                 qPrintable(page.headline()));
        QVERIFY2(page.subline().contains(QStringLiteral("size full")), qPrintable(page.subline()));
        // By the keyboard through the list: what it says and shows follows.
        page.rewrites().setFocus();
        QCOMPARE(page.rewrites().currentIndex().row(), 0);
        QVERIFY(page.formulasBefore().changedLines() > 0 && page.formulasAfter().changedLines() > 0);
        QVERIFY(page.formulasBefore().toPlainText().contains(QStringLiteral("\n- ")) ||
                page.formulasBefore().toPlainText().startsWith(QStringLiteral("- ")));
        room.keepPicture(QStringLiteral("superopt-all"));
        pressKey(page.rewrites(), Qt::Key_Down);
        QCOMPARE(page.rewrites().currentIndex().row(), 1);
        QVERIFY2(page.details().toPlainText().contains(QStringLiteral("Why: ")),
                 qPrintable(page.details().toPlainText()));
        QVERIFY(page.formulasAfter().changedLines() > 0);
        room.keepPicture(QStringLiteral("superopt-step"));
        // By the mouse: the graph, and the other row.
        QTabBar& tabs = *page.views().tabBar();
        QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(1).center());
        QCOMPARE(page.views().currentIndex(), 1);
        QCOMPARE(page.graphBefore().graph().nodes.size(), page.model().before(1).tensors.size() + 1);
        const QRect first = page.rewrites().visualRect(page.model().index(0, 0));
        QTest::mouseClick(page.rewrites().viewport(), Qt::LeftButton, {}, first.center());
        QCOMPARE(page.rewrites().currentIndex().row(), 0);
        QCOMPARE(page.graphAfter().graph().nodes.size(), page.model().after(0).tensors.size() + 1);
        page.graphAfter().setFocus();
        pressKey(page.graphAfter(), Qt::Key_Right);
        QVERIFY(page.graphAfter().current() >= 0);
        room.keepPicture(QStringLiteral("superopt-graph"));
        // Another size and another device: another bound, the same task.
        page.bar().sizes().setCurrentText(QStringLiteral("small"));
        WAIT_VERIFY(page.isSettled() && shownBy(page)->size == "small");
        QVERIFY2(page.subline().contains(QStringLiteral("size small")), qPrintable(page.subline()));
        QComboBox& devices = page.bar().devices();
        devices.setCurrentIndex(devices.findData(QStringLiteral("t4")));
        WAIT_VERIFY(page.isSettled() && shownBy(page)->explanation->device->id == "t4");
        // The window remembers what was chosen.
        room.window->close();
        QVERIFY(room.start());
        SuperoptPage& again = superoptOf(room);
        room.press(Qt::Key_Z, Qt::AltModifier);
        WAIT_VERIFY(shownBy(again) && again.isSettled());
        QCOMPARE(shownBy(again)->card->key(), std::string("1/12"));
        QCOMPARE(shownBy(again)->size, std::string("small"));
        QCOMPARE(shownBy(again)->explanation->device->id, std::string("t4"));
    }

    void degenerateAndStatedStructureAreSaid() {
        Room room(Theme::Choice::dark);
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        SuperoptPage& page = superoptOf(room);
        chooseTask(page, 2, 13);
        WAIT_VERIFY(shownBy(page) && page.isSettled());
        QVERIFY2(page.headline().startsWith(QStringLiteral("This task is degenerate")), qPrintable(page.headline()));
        QVERIFY(page.model().rowCount() > 1);
        room.keepPicture(QStringLiteral("superopt-degenerate"));
        chooseTask(page, 1, 15); // a triangle of zeros
        WAIT_VERIFY(shownBy(page) && page.isSettled() && shownBy(page)->card->key() == "1/15");
        QVERIFY2(page.details().toPlainText().contains(QStringLiteral("Assumed: ")),
                 qPrintable(page.details().toPlainText()));
        const double drawn = shownBy(page)->explanation->derivation.after.flops;
        page.bar().anyInputsBox().click();
        WAIT_VERIFY(page.isSettled() && shownBy(page)->question.anyInputs);
        QVERIFY(shownBy(page)->explanation->derivation.after.flops > drawn);
        room.keepPicture(QStringLiteral("superopt-dark"));
        room.window->resize(1024, 700);
        QTest::qWait(50);
        room.keepPicture(QStringLiteral("superopt-narrow"));
    }

    /// A card whose operator has no formula: of a user's own, since all built-in ones have theirs.
    void aTaskWithoutFormulasIsRefusedByName() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        SuperoptPage& page = superoptOf(room);
        QVERIFY(waitUntilSettled(page));
        auto card = task::loadCard(1, 19); // relu
        QVERIFY(card && card->graph.size() == 1);
        card->graph.front().op = "aten.erfinv.default";
        ExplanationQuestion question;
        question.task = {1, 19};
        question.card = std::make_shared<const task::Card>(*card);
        question.size = "full";
        question.device = perf::findDeviceSpec("h200");
        page.desk().ask(question);
        WAIT_VERIFY(shownBy(page) && !page.desk().isBusy());
        QCOMPARE(page.headline(), QStringLiteral("Task 1/19 has no formulas"));
        QVERIFY(!shownBy(page)->explanation);
        QVERIFY2(shownBy(page)->refusal.message.find("erfinv") != std::string::npos,
                 shownBy(page)->refusal.message.c_str());
        QVERIFY(page.emptyState().isVisible());
        QCOMPARE(page.model().rowCount(), 0);
        room.keepPicture(QStringLiteral("superopt-refused"));
        chooseTask(page, 1, 19);
        WAIT_VERIFY(page.isSettled() && shownBy(page) && shownBy(page)->explanation);
    }

    void aLongSearchIsCancelled() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        SuperoptPage& page = superoptOf(room);
        chooseTask(page, 3, 16); // a large network
        WAIT_VERIFY(page.desk().isBusy());
        QVERIFY(page.bar().cancelButton().isVisible());
        page.bar().cancelButton().click();
        QCOMPARE(page.desk().state().stage, Stage::cancelled);
        QVERIFY(!page.bar().cancelButton().isVisible());
        QCOMPARE(page.headline(), QStringLiteral("The search was cancelled"));
        QVERIFY(page.emptyState().button()->isVisible());
        // What the thread still found is not heard, and the next question is.
        chooseTask(page, 1, 12);
        WAIT_VERIFY(shownBy(page) && page.isSettled());
        QCOMPARE(shownBy(page)->card->key(), std::string("1/12"));
    }

    /// Only the last of many questions is answered, whatever order the kernels come in.
    void kernelsThatFollowQuickly() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        SuperoptPage& page = superoptOf(room);
        for (const auto& [level, task] : {std::pair{3, 10}, {1, 14}, {3, 16}, {2, 50}, {1, 12}}) {
            chooseTask(page, level, task);
            QCoreApplication::processEvents();
        }
        WAIT_VERIFY(shownBy(page) && page.isSettled());
        QCOMPARE(shownBy(page)->card->key(), std::string("1/12"));
        QVERIFY(page.headline().contains(QStringLiteral("1/8192")));
        // The kernel's own again, while it is exchanged.
        page.bar().tasks().setCurrentIndex(0);
        QVERIFY(room.openKernel(1, 36, "naive")); // the window shows it, and nothing is searched for a page nobody sees
        room.press(Qt::Key_Z, Qt::AltModifier);
        WAIT_VERIFY(shownBy(page) && page.isSettled() && shownBy(page)->card->key() == "1/36");
        QVERIFY(page.headline() != QStringLiteral("No kernel on the bench"));
    }
};

KERNELARIUM_TEST(TestSuperoptPage);

} // namespace kernelarium::ui

#include "TestSuperoptPage.moc"
