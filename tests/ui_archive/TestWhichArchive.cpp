// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/TestWhichArchive.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_archive/Rows.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchiveButton.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/frame/NoticeBar.h"

#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace kernelarium::ui {

namespace {

/// An archive of the room's own with so many rows, open when this returns true.
bool makeArchive(Room& room, const QString& name, int rows) {
    const QString lines = room.write(name + QStringLiteral(".jsonl"), madeRows(rows));
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.workspace->archive().import({lines}, room.file(name));
    return QTest::qWaitFor([&] { return ended.size() == 1; }, longWait) && room.waitForArchive() &&
           room.workspace->archive().path() == room.file(name);
}

/// The menu's entries while it is open; the one of this text is triggered.
QStringList entriesOf(ArchiveButton& button, const QString& wanted = {}) {
    QStringList entries;
    QTimer::singleShot(0, &button, [&] {
        for (QAction* action : button.menu()->actions()) {
            if (!action->isSeparator()) entries << action->text().remove(QLatin1Char('&'));
            if (!wanted.isEmpty() && entries.last() == wanted) action->trigger();
        }
        button.menu()->close();
    });
    button.setFocus();
    QTest::keyClick(&button, Qt::Key_Space);
    return entries;
}

} // namespace

void TestWhichArchive::saysWhichIsOpen() {
    Room room;
    QVERIFY(room.start());
    const ArchiveButton& button = room.window->archive().archiveButton();
    QCOMPARE(button.text(), QStringLiteral("The starter archive"));
    QVERIFY(room.window->windowTitle().contains(QStringLiteral("the starter archive")));
    QVERIFY(button.toolTip().contains(room.paths.starterArchive));
    QVERIFY(makeArchive(room, QStringLiteral("mine.sqlite"), 3));
    QCOMPARE(button.text(), QStringLiteral("mine.sqlite"));
    QVERIFY(button.toolTip().contains(room.file(QStringLiteral("mine.sqlite"))));
    QVERIFY2(room.window->windowTitle().contains(QStringLiteral("mine.sqlite")),
             qPrintable(room.window->windowTitle()));
    room.keepPicture(QStringLiteral("which-archive"));
    // A long name keeps both its ends.
    const QString name = QStringLiteral("a-rather-long-name-of-an-archive-of-kernels-2026.sqlite");
    QVERIFY(makeArchive(room, name, 2));
    QVERIFY2(button.text().startsWith(QStringLiteral("a-rather")) && button.text().endsWith(QStringLiteral(".sqlite")),
             qPrintable(button.text()));
    QVERIFY(button.text().size() < name.size());
}

void TestWhichArchive::opensThoseOfLate() {
    Room room;
    QVERIFY(room.start());
    ArchiveButton& button = room.window->archive().archiveButton();
    QCOMPARE(entriesOf(button).size(), 4); // what else there is to open
    QVERIFY(makeArchive(room, QStringLiteral("one.sqlite"), 3));
    QVERIFY(makeArchive(room, QStringLiteral("two.sqlite"), 5));
    const QStringList entries = entriesOf(button, QStringLiteral("one.sqlite"));
    QCOMPARE(entries.mid(0, 2), (QStringList{QStringLiteral("two.sqlite"), QStringLiteral("one.sqlite")}));
    WAIT_COMPARE(button.text(), QStringLiteral("one.sqlite"));
    WAIT_COMPARE(room.workspace->archive().table()->size(), std::size_t(3));
    // At the next start they are there again.
    room.window->close();
    room.stop();
    QVERIFY(room.start());
    ArchiveButton& again = room.window->archive().archiveButton();
    WAIT_COMPARE(again.text(), QStringLiteral("one.sqlite"));
    QVERIFY(entriesOf(again).contains(QStringLiteral("two.sqlite")));
    QVERIFY(!entriesOf(again, QStringLiteral("Open the starter archive")).isEmpty());
    WAIT_COMPARE(again.text(), QStringLiteral("The starter archive"));
}

void TestWhichArchive::droppedRowsJoinTheOpenOne() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(makeArchive(room, QStringLiteral("mine.sqlite"), 3));
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPath(room.write(QStringLiteral("more.jsonl"), madeRows(4, 100)));
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(room.waitForArchive());
    QCOMPARE(room.workspace->archive().path(), room.file(QStringLiteral("mine.sqlite")));
    QCOMPARE(room.workspace->archive().table()->size(), std::size_t(7));
    // Not the one that comes with the program.
    room.window->openPath(room.paths.starterArchive);
    WAIT_COMPARE(room.workspace->archive().path(), room.paths.starterArchive);
    QVERIFY(room.waitForArchive());
    room.window->openPath(room.file(QStringLiteral("more.jsonl")));
    WAIT_COMPARE(ended.size(), 2);
    QVERIFY(room.waitForArchive());
    QCOMPARE(room.workspace->archive().path(), room.file(QStringLiteral("archive.sqlite")));
}

void TestWhichArchive::saysThatTheLastOneIsGone() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(makeArchive(room, QStringLiteral("mine.sqlite"), 3));
    room.window->archive().focusTable();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
    room.window->close();
    room.stop();
    QVERIFY(QFile::rename(room.file(QStringLiteral("mine.sqlite")), room.file(QStringLiteral("moved.sqlite"))));
    QVERIFY(room.start());
    WAIT_COMPARE(room.window->archive().archiveButton().text(), QStringLiteral("The starter archive"));
    QVERIFY2(room.notice().contains(room.file(QStringLiteral("mine.sqlite")) + QStringLiteral(" is gone; the starter")),
             qPrintable(room.notice()));
    QCOMPARE(room.window->notices().count(), 1);
}

void TestWhichArchive::aKernelOfAnotherArchiveIsNoTrouble() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(makeArchive(room, QStringLiteral("mine.sqlite"), 3));
    room.window->close();
    room.stop();
    QVERIFY(room.start());
    WAIT_COMPARE(room.window->archive().archiveButton().text(), QStringLiteral("mine.sqlite"));
    QTest::qWait(50);
    QVERIFY2(room.notice().isEmpty(), qPrintable(room.notice()));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestWhichArchive);
