// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestJudged.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/dialogs/KernelSetupDialog.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/inspector/InspectorPanel.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"
#include "ui/verdict/VerdictPanel.h"

#include <QPushButton>
#include <QTest>
#include <QTextBrowser>

namespace kernelarium::ui {

void TestJudged::offersWhatIsMissing() {
    Room room;
    QVERIFY(room.start());
    room.window->openPath(room.write(QStringLiteral("mine.cu"), addSource())); // of no task
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("mine.cu"));
    QVERIFY(room.waitUntilCompiled());
    VerdictPanel& panel = room.window->verdict();
    room.window->showDock(QStringLiteral("verdict"));
    WAIT_VERIFY(panel.offerButton().isVisible());
    QCOMPARE(panel.offerButton().text(), QStringLiteral("Task and reference…"));
    QVERIFY2(panel.emptyText().contains(QStringLiteral("say what to compare it with")), qPrintable(panel.emptyText()));
    QTest::mouseClick(&panel.offerButton(), Qt::LeftButton);
    auto* dialog = room.window->findChild<KernelSetupDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    // Return is for OK, and the arguments' types are those of forward.
    QCOMPARE(dialog->arguments(), QStringList(2, QStringLiteral("float32[64,96]")));
    for (const auto* button : dialog->findChildren<QPushButton*>())
        QCOMPARE(button->autoDefault() && button->text().contains(QStringLiteral("Choose")), false);
    dialog->reject();
    WAIT_VERIFY(!room.window->findChild<KernelSetupDialog*>());
    // The key that verifies leads to the same place.
    QAction* verify = room.window->actions().action(QStringLiteral("kernel.verify"));
    QCOMPARE(verify->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Return));
    verify->trigger();
    WAIT_VERIFY(room.window->findChild<KernelSetupDialog*>());
    room.window->findChild<KernelSetupDialog*>()->reject();
    room.workspace->assignment().setTask(task::TaskKey{1, 19});
    WAIT_COMPARE(panel.offerButton().text(), QStringLiteral("Verify"));
    QVERIFY(room.window->actions().action(QStringLiteral("kernel.verify"))->isEnabled());
}

void TestJudged::namesWhatCannotBeLoaded() {
    Room room;
    QVERIFY(room.start());
    QByteArray source = "// kernelarium: task 1/19\n" + addSource();
    source.truncate(source.indexOf("PYBIND11_MODULE")); // compiles, and is not a module
    room.window->openPath(room.write(QStringLiteral("part.cu"), source));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("part.cu"));
    QVERIFY(room.waitUntilCompiled());
    room.workspace->trials().verify();
    QVERIFY(room.waitUntilIdle());
    const VerifyState& state = room.workspace->runner().verifyState();
    QCOMPARE(state.stage, Stage::finished);
    QCOMPARE(state.answer->kind, verify::VerdictKind::compile_error); // as it is kept
    QCOMPARE(QString::fromStdString(state.answer->stage), QStringLiteral("import"));
    QCOMPARE(room.window->verdict().word(), QStringLiteral("cannot be loaded"));
    QVERIFY(room.window->inspector().factsView().toPlainText().contains(QStringLiteral("cannot be loaded")));
}

void TestJudged::panelsAgreeAfterARestart() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    room.workspace->trials().verify();
    QVERIFY(room.waitUntilIdle());
    QCOMPARE(room.window->verdict().word(), QStringLiteral("verified (small size only)"));
    room.window->close();
    QVERIFY(room.start());
    WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
    VerdictPanel& panel = room.window->verdict();
    WAIT_VERIFY2(panel.emptyText().contains(QStringLiteral("verified earlier, on ")), qPrintable(panel.emptyText()));
    QVERIFY(room.window->inspector().factsView().toPlainText().contains(QStringLiteral("verified earlier, on ")));
    room.window->showDock(QStringLiteral("verdict"));
    WAIT_VERIFY(panel.earlierButton().isVisible());
    QCOMPARE(panel.offerButton().text(), QStringLiteral("Verify again"));
    QTest::mouseClick(&panel.earlierButton(), Qt::LeftButton);
    WAIT_COMPARE(panel.word(), QStringLiteral("verified (small size only)"));
    QVERIFY(panel.model().rowCount() > 0);
    // Return in the Archive panel brings the same.
    QVERIFY(room.openKernel(1, 23, "naive"));
    room.window->showDock(QStringLiteral("diagnostics"));
    QVERIFY(room.openKernel(1, 23, "online"));
    WAIT_VERIFY(panel.emptyText().contains(QStringLiteral("verified earlier, on ")));
    QTest::keyClick(&room.window->archive().table(), Qt::Key_Return);
    WAIT_COMPARE(panel.word(), QStringLiteral("verified (small size only)"));
    WAIT_VERIFY(panel.isVisible());
}

void TestJudged::sessionVerdictsAreKnown() {
    Room room;
    QVERIFY(room.start());
    const QString path = room.write(QStringLiteral("mine.cu"), "// kernelarium: task 1/19\n" + addSource());
    room.window->openPath(path);
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("mine.cu"));
    QVERIFY(room.waitUntilCompiled());
    room.workspace->trials().verify();
    QVERIFY(room.waitUntilIdle());
    const QString word = room.window->verdict().word();
    QVERIFY(!word.isEmpty());
    room.window->close();
    QVERIFY(room.start());
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("mine.cu"));
    QTextBrowser& facts = room.window->inspector().factsView();
    WAIT_VERIFY(facts.toPlainText().contains(QStringLiteral(" earlier, on ")));
    typeText(room.window->editorArea().editor(), QStringLiteral("//")); // of another text nothing is known
    WAIT_VERIFY(facts.toPlainText().contains(QStringLiteral("not verified yet")));
    QVERIFY(!room.window->verdict().emptyText().contains(QStringLiteral("earlier")));
    room.workspace->bench().replaceSource(room.workspace->bench().kernel().original);
    WAIT_VERIFY(facts.toPlainText().contains(QStringLiteral(" earlier, on ")));
    room.workspace->past().showEarlier();
    WAIT_COMPARE(room.window->verdict().word(), word);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestJudged);
