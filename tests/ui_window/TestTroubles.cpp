// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestTroubles.h"

#include "tests/RawDatabase.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableModel.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace kernelarium::ui {

namespace {

/// An archive's beginning and nothing that follows from it.
QByteArray damaged() {
    return QByteArrayLiteral("SQLite format 3\0") + QByteArray(20000, 'x');
}

} // namespace

void TestTroubles::damagedArchive() {
    Room room;
    QVERIFY(room.start());
    const auto size = room.workspace->archive().table()->size();
    const QString path = room.write(QStringLiteral("damaged.sqlite"), damaged());
    room.window->openPath(path);
    WAIT_COMPARE(room.workspace->archive().stage(), Stage::failed);
    QVERIFY2(isOneLine(room.notice()), qPrintable(room.notice()));
    QVERIFY2(room.notice().contains(QStringLiteral("damaged.sqlite")), qPrintable(room.notice()));
    // The one before is still there, and searched, texts and all.
    QCOMPARE(room.workspace->archive().table()->size(), size);
    QVERIFY(room.openKernel(1, 23, "online"));
    room.window->archive().focusSearch();
    typeText(*room.window->archive().filters().findChild<QLineEdit*>(), QStringLiteral("__shfl_xor_sync"));
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0 && room.window->archive().model().rowCount() < int(size));
}

void TestTroubles::damagedArchiveOfTheLastTime() {
    Room room;
    const QString archive = room.file(QStringLiteral("archive.sqlite"));
    QVERIFY(QFile::copy(room.paths.starterArchive, archive));
    QVERIFY(QFile::setPermissions(archive, QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(room.start());
    room.window->openPath(archive);
    WAIT_VERIFY(room.workspace->archive().path() == archive && room.workspace->archive().stage() == Stage::finished);
    QVERIFY(room.openKernel(1, 23, "online"));
    room.window->close();
    room.stop();
    QVERIFY(QFile::remove(archive));
    QVERIFY(!room.write(QStringLiteral("archive.sqlite"), damaged()).isEmpty());
    QVERIFY2(room.start(), "no archive at all, though there is a starter archive");
    QVERIFY2(room.notice().contains(QStringLiteral("archive.sqlite")), qPrintable(room.notice()));
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0);
}

void TestTroubles::damagedSession() {
    Room room;
    QVERIFY(!room.write(QStringLiteral("sessions.sqlite"), damaged()).isEmpty());
    QVERIFY(room.start());
    QVERIFY2(isOneLine(room.notice()), qPrintable(room.notice()));
    QVERIFY2(room.notice().contains(QStringLiteral("kept as")), qPrintable(room.notice()));
    const QStringList files = QDir(room.folder.path()).entryList({QStringLiteral("sessions*")}, QDir::Files);
    bool aside = false;
    for (const QString& name : files) {
        QFile file(room.file(name));
        aside |= file.open(QIODevice::ReadOnly) && file.readAll() == damaged();
    }
    QVERIFY2(aside, "what was in it is gone");
    QVERIFY(room.openKernel(1, 23, "online")); // and the new one takes what is typed
    CodeEditor& editor = room.window->editorArea().editor();
    typeText(editor, QStringLiteral("//"));
    WAIT_VERIFY(room.workspace->session().draft(room.workspace->bench().kernel().key));
    room.stop();
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.workspace->bench().isEdited());
}

void TestTroubles::soundFilesAreNotPutAside_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("said");
    QTest::newRow("of a newer version") << "PRAGMA user_version = 99"
                                        << "written by a newer version";
    QTest::newRow("another program's") << "PRAGMA application_id = 1"
                                       << "not a session file";
}

/// An older program that is started once takes nothing from the newer one: what that kept is there when it comes back.
void TestTroubles::soundFilesAreNotPutAside() {
    QFETCH(QString, change);
    QFETCH(QString, said);
    Room room;
    QVERIFY(room.start());
    room.stop();
    executeRaw(room.paths.sessionFile.toStdString(), change.toUtf8().constData());
    QFile file(room.paths.sessionFile);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    file.close();
    QVERIFY(room.start());
    for (const QString& words : {said, QStringLiteral("Nothing that you type"), QStringLiteral("--session-file")})
        QVERIFY2(room.notice().contains(words), qPrintable(room.notice()));
    room.stop();
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
    QCOMPARE(QDir(room.folder.path()).entryList({QStringLiteral("*aside*")}).size(), 0);
}

void TestTroubles::sessionThatCannotBeWritten() {
    Room room;
    QVERIFY(!room.write(QStringLiteral("file"), "not a folder").isEmpty());
    room.paths.sessionFile = room.file(QStringLiteral("file/sessions.sqlite"));
    QVERIFY(room.start());
    QVERIFY2(isOneLine(room.notice()), qPrintable(room.notice()));
    for (const char* words : {"file/sessions.sqlite", "cannot be used", "Nothing that you type", "--session-file"})
        QVERIFY2(room.notice().contains(QLatin1String(words)), qPrintable(room.notice()));
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    QCOMPARE(room.window->notices().count(), 1); // and is said once
    QVERIFY(room.notice().contains(QStringLiteral("cannot be used")));
    room.workspace->trials().verify();
    QVERIFY(room.waitUntilIdle());
    QCOMPARE(room.workspace->runner().verifyState().stage, Stage::finished);
    QVERIFY(!room.notice().isEmpty()); // that the attempt is not kept
}

void TestTroubles::noCompiler() {
    Room room;
    room.paths.program = room.file(QStringLiteral("no-such-program"));
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    QCOMPARE(room.workspace->compiler().state().stage, Stage::failed);
    QVERIFY2(room.window->diagnostics().summary().contains(QStringLiteral("no-such-program")),
             qPrintable(room.window->diagnostics().summary()));
    QVERIFY(room.window->status().compileText().startsWith(QStringLiteral("✗ ")));
    room.window->notices().dismiss();
    room.press(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(room.waitUntilIdle());
    QVERIFY2(isOneLine(room.notice()), qPrintable(room.notice()));
    typeText(room.window->editorArea().editor(), QStringLiteral("//")); // the editor is an editor all the same
    QVERIFY(room.workspace->bench().isEdited());
    QVERIFY(room.waitUntilCompiled());
}

void TestTroubles::refusesBadImports() {
    Room room;
    QVERIFY(room.start());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPath(room.file(QStringLiteral("absent.jsonl")));
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!ended.front().at(2).toBool());
    QVERIFY2(room.notice().contains(QStringLiteral("absent.jsonl")), qPrintable(room.notice()));
    room.window->openPath(room.write(QStringLiteral("bad.jsonl"), "this is not a row\n"));
    WAIT_COMPARE(ended.size(), 2);
    QVERIFY2(room.notice().contains(QStringLiteral("bad.jsonl")), qPrintable(room.notice()));
    const QByteArray row =
        R"({"Op_Name":"1_Add","Level_ID":1,"Task_ID":1,"Kernel_Name":"made","CUDA_Code":"__global__ void made() {}"})";
    room.window->openPath(room.write(QStringLiteral("mixed.jsonl"), row + "\nthis is not a row\n"));
    WAIT_COMPARE(ended.size(), 3);
    const QString summary = ended.back().at(0).toString();
    QVERIFY2(summary.startsWith(QStringLiteral("1 kernel added, 0 already there, 1 bad row skipped")),
             qPrintable(summary));
    QVERIFY(room.window->isVisible());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestTroubles);
