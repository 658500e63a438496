// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Card.h"
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/superopt/NewKernelDialog.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/tour/Keys.h"
#include "ui/words/GeneratedKernels.h"
#include "ui/words/ParentWords.h"

#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QRadioButton>
#include <QtTest>

namespace kernelarium::ui {

namespace {

/// By its shortcut; null: it did not come.
NewKernelDialog* askedDialog(Room& room) {
    room.window->activateWindow(); // a dialog that was closed leaves none active where there is no window manager
    if (!QTest::qWaitForWindowActive(room.window.get(), longWait)) return nullptr;
    room.press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    const auto there = [&room] {
        auto* dialog = room.window->findChild<NewKernelDialog*>();
        return dialog && dialog->isVisible() && dialog->search().hasFocus();
    };
    return QTest::qWaitFor(there, longWait) ? room.window->findChild<NewKernelDialog*>() : nullptr;
}

bool waitForTheWindow(Room& room) {
    const auto gone = [&room] { return !room.window->findChild<NewKernelDialog*>(); };
    if (!QTest::qWaitFor(gone, longWait)) return false;
    room.window->activateWindow();
    return QTest::qWaitForWindowActive(room.window.get(), longWait);
}

QString chosenIn(NewKernelDialog& dialog) {
    return dialog.tasks().currentIndex().data().toString();
}

/// Of a card that no built-in one is: its numbers are others.
QByteArray ownCard(const std::string& op = {}) {
    auto card = task::loadCard(1, 19);
    if (!card) return {};
    card->level = 100;
    card->task = 7;
    card->name = "7_Own_relu";
    if (!op.empty()) card->graph.front().op = op;
    return QByteArray::fromStdString(task::writeCard(*card));
}

} // namespace

class TestNewKernel : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void keysSayWhereAKernelComesFrom() {
        const GeneratedFrom from{{2, 50}, QStringLiteral("rows, split"), 2};
        const auto read = generatedFrom(from.key());
        QVERIFY(read);
        QCOMPARE(read->task, from.task);
        QCOMPARE(read->skeleton, from.skeleton);
        QCOMPARE(read->number, 2);
        QCOMPARE(from.title(), QStringLiteral("2_50_rows_split-2.cu"));
        for (const char* other : {"new:1", "generated:2/50", "archive:L1/T1/a@1", ""})
            QVERIFY(!generatedFrom(QString::fromLatin1(other)));
        session::AttemptSummary attempt;
        attempt.kernelKey = from.key().toStdString();
        attempt.kernelTitle = "2_50_rows_split-2.cu";
        QCOMPARE(parentsSentence(attempt),
                 QStringLiteral("Written from the card of task 2/50 in the form rows, split."));
        attempt.takenFrom.push_back({"archive:a", "a", 0});
        QVERIFY(parentsSentence(attempt).endsWith(QStringLiteral("changes taken from a.")));
    }

    /// From nothing to a verdict without the mouse.
    void aTaskIsFoundWrittenAndVerifiedByKeyboard() {
        Room room;
        QVERIFY(room.start());
        NewKernelDialog* const asked = askedDialog(room);
        QVERIFY(asked);
        NewKernelDialog& dialog = *asked;
        WAIT_VERIFY(chosenIn(dialog).contains(QStringLiteral("  "))); // names have come
        typeText(dialog.search(), QStringLiteral("softmax"));
        QVERIFY(dialog.tasks().model()->rowCount() > 1);
        const QString first = chosenIn(dialog);
        pressKey(dialog.search(), Qt::Key_Down);
        QVERIFY(chosenIn(dialog) != first && dialog.search().hasFocus());
        pressKey(dialog.search(), Qt::Key_Up);
        QCOMPARE(chosenIn(dialog), first);
        dialog.search().selectAll();
        typeText(dialog.search(), QStringLiteral("no such thing"));
        QVERIFY(!dialog.create().isEnabled() && !dialog.problem().isEmpty());
        dialog.search().selectAll();
        typeText(dialog.search(), QStringLiteral("1/2")); // and not 1/20, which has it as well
        QVERIFY2(chosenIn(dialog).startsWith(QStringLiteral("1/2  ")), qPrintable(chosenIn(dialog)));
        dialog.search().selectAll();
        typeText(dialog.search(), QStringLiteral("1/19"));
        test::keepPicture(dialog, QStringLiteral("new-kernel"));
        pressKey(dialog.search(), Qt::Key_Return);
        Bench& bench = room.workspace->bench();
        WAIT_COMPARE(bench.kernel().title, QStringLiteral("1_19_naive.cu"));
        QCOMPARE(*bench.kernel().task, (task::TaskKey{1, 19}));
        QVERIFY(bench.source().contains(QStringLiteral("kernelarium: task 1/19")) && !bench.isEdited());
        QVERIFY(room.workspace->assignment().card());
        QVERIFY(waitForTheWindow(room));
        room.press(Qt::Key_Return, Qt::ControlModifier);
        WAIT_VERIFY(room.workspace->runner().verifyState().answer);
        QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
        QVERIFY(room.waitUntilIdle());
        // Another of the same has a name of its own.
        NewKernelDialog* const again = askedDialog(room);
        QVERIFY(again);
        WAIT_VERIFY(chosenIn(*again).startsWith(QStringLiteral("1/19  "))); // the bench's
        pressKey(again->search(), Qt::Key_Return);
        WAIT_COMPARE(bench.kernel().title, QStringLiteral("1_19_naive-2.cu"));
        const QString text = bench.source(), key = bench.kernel().key;
        // The text is the session's: it is there after a restart, unedited as it is.
        room.window->close();
        QVERIFY(room.start());
        WAIT_COMPARE(room.workspace->bench().kernel().key, key);
        QCOMPARE(room.workspace->bench().source(), text);
        QCOMPARE(room.workspace->bench().kernel().title, QStringLiteral("1_19_naive-2.cu"));
        QVERIFY(!room.workspace->bench().isEdited());
        WAIT_VERIFY(room.workspace->assignment().card());
    }

    void aCardOfOnesOwnIsTheTask() {
        Room room;
        QVERIFY(room.start());
        const QString path = room.write(QStringLiteral("own.json"), ownCard());
        QVERIFY(!path.isEmpty());
        NewKernelDialog* const asked = askedDialog(room);
        QVERIFY(asked);
        NewKernelDialog& dialog = *asked;
        for (int i = 0; i < 9 && !dialog.cardPath().hasFocus(); ++i)
            pressKey(*QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(dialog.cardPath().hasFocus());
        typeText(dialog.cardPath(), path);
        QVERIFY(dialog.byCard().isChecked());
        pressKey(dialog.cardPath(), Qt::Key_Return);
        WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty() || !dialog.problem().isEmpty());
        QVERIFY(!room.workspace->bench().kernel().isEmpty()); // and the dialog is gone
        QCOMPARE(room.workspace->bench().kernel().title, QStringLiteral("100_7_naive.cu"));
        QVERIFY(room.workspace->assignment().card());
        QCOMPARE(room.workspace->assignment().card()->name, std::string("7_Own_relu"));
        QVERIFY(!room.workspace->assignment().versions().card.empty());
        QVERIFY(waitForTheWindow(room));
        room.press(Qt::Key_Return, Qt::ControlModifier);
        WAIT_VERIFY(room.workspace->runner().verifyState().answer);
        QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
        QVERIFY(room.waitUntilIdle());
        // The page follows it, and so does the next start of the program.
        room.press(Qt::Key_Z, Qt::AltModifier);
        auto& page = *room.window->findChild<SuperoptPage*>();
        WAIT_VERIFY(page.desk().state().answer && page.isSettled());
        QCOMPARE(page.desk().state().answer->card->key(), std::string("100/7"));
        room.window->close();
        QVERIFY(room.start());
        WAIT_VERIFY(room.workspace->assignment().card());
        QCOMPARE(room.workspace->assignment().card()->name, std::string("7_Own_relu"));
    }

    void aRefusalIsShownByItsText() {
        Room room(Theme::Choice::dark);
        QVERIFY(room.start());
        NewKernelDialog* const asked = askedDialog(room);
        QVERIFY(asked);
        NewKernelDialog& dialog = *asked;
        dialog.cardPath().setText(room.file(QStringLiteral("missing.json")));
        pressKey(dialog.cardPath(), Qt::Key_Return);
        WAIT_VERIFY(!dialog.problem().isEmpty());
        QVERIFY2(dialog.problem().contains(QStringLiteral("missing.json")), qPrintable(dialog.problem()));
        QVERIFY(dialog.isVisible() && room.workspace->bench().kernel().isEmpty());
        // A network is refused in the fused forms, by what none of them has.
        dialog.search().setFocus();
        dialog.fused().click();
        typeText(dialog.search(), QStringLiteral("3/5"));
        QVERIFY2(chosenIn(dialog).startsWith(QStringLiteral("3/5")), qPrintable(chosenIn(dialog)));
        QVERIFY(dialog.problem().isEmpty()); // of the former choice
        pressKey(dialog.search(), Qt::Key_Return);
        WAIT_VERIFY(!dialog.problem().isEmpty());
        test::keepPicture(dialog, QStringLiteral("new-kernel-refused"));
        QVERIFY(dialog.isVisible() && dialog.create().isEnabled());
        QTest::mouseClick(&dialog.naive(), Qt::LeftButton);
        QVERIFY(dialog.problem().isEmpty());
        pressKey(dialog.search(), Qt::Key_Escape);
        WAIT_VERIFY(!room.window->findChild<NewKernelDialog*>());
    }

    void writingIsCancelledFirstAndTheDialogThen() {
        Room room;
        QVERIFY(room.start());
        NewKernelDialog* const asked = askedDialog(room);
        QVERIFY(asked);
        NewKernelDialog& dialog = *asked;
        typeText(dialog.search(), QStringLiteral("3/16")); // a large network
        pressKey(dialog.search(), Qt::Key_Return);
        QVERIFY(!dialog.create().isEnabled());
        pressKey(dialog, Qt::Key_Escape);
        QVERIFY(dialog.isVisible());
        QVERIFY2(dialog.problem().startsWith(QStringLiteral("Cancelled")), qPrintable(dialog.problem()));
        QTest::qWait(50);
        QVERIFY(room.workspace->bench().kernel().isEmpty());
        pressKey(dialog, Qt::Key_Escape);
        WAIT_VERIFY(!room.window->findChild<NewKernelDialog*>());
        QVERIFY(room.workspace->bench().kernel().isEmpty());
    }

    void emptyStatesOfferIt() {
        Room room;
        QVERIFY(room.start());
        QPushButton* fresh = nullptr;
        for (QPushButton* button : room.window->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("New kernel for a task…")) fresh = button;
        QVERIFY(fresh);
        room.keepPicture(QStringLiteral("empty-bench"));
        QTest::mouseClick(fresh, Qt::LeftButton);
        auto* const dialog = room.window->findChild<NewKernelDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        pressKey(*dialog, Qt::Key_Escape);
        WAIT_VERIFY(!room.window->findChild<NewKernelDialog*>());
        QVERIFY(room.window->actions().action(QStringLiteral("file.newForTask"))->isEnabled());
    }
};

KERNELARIUM_TEST_PART(TestNewKernel, "new", "1");

} // namespace kernelarium::ui

#include "TestNewKernel.moc"
