// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/TestRowsIn.h"

#include "core/archive/import/Import.h"
#include "core/archive/import/SourceFile.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/archive/ArchiveContent.h"
#include "tests/archive/DuckDbWriter.h"
#include "tests/ui_archive/Rows.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/window/InterruptedImport.h"

#include <QApplication>
#include <QDirIterator>
#include <QDropEvent>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

void dropOn(QWidget& target, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(target.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(target.rect().center()), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &event);
}

/// The file that an import below this folder writes to; empty while there is none.
QString workFileBelow(const QString& folder) {
    QDirIterator files(folder, {QStringLiteral("*.import")}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    return files.hasNext() ? files.next() : QString();
}

} // namespace

void TestRowsIn::saysWhenDuckDbIsMissing() {
    qputenv("KERNELARIUM_DUCKDB", "/nowhere/libduckdb.so");
    {
        Room room;
        QVERIFY(room.start());
        QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
        room.window->openPath(room.write(QStringLiteral("a.parquet"), "PAR1 and so on PAR1"));
        WAIT_COMPARE(ended.size(), 1);
        QVERIFY2(room.notice().contains(QStringLiteral("DuckDB")), qPrintable(room.notice()));
        QVERIFY2(room.notice().contains(QStringLiteral("install")), qPrintable(room.notice()));
        QVERIFY(!QFile::exists(room.file(QStringLiteral("archive.sqlite"))));
    }
    qunsetenv("KERNELARIUM_DUCKDB");
}

void TestRowsIn::opensSeveralFilesOfBothKinds() {
    if (const std::string missing = duckDbMissing(); !missing.empty()) QSKIP(missing.c_str());
    Room room;
    QVERIFY(room.start());
    const QString lines = room.write(QStringLiteral("first.jsonl"), madeRows(300));
    const QString other = room.write(QStringLiteral("second.jsonl"), madeRows(200, 300));
    const QString parquet = room.file(QStringLiteral("second.parquet"));
    QCOMPARE(writeParquet(other, parquet), QString());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    dropOn(*room.window, {lines, parquet});
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(ended.front().at(2).toBool(), qPrintable(ended.front().at(0).toString()));
    WAIT_COMPARE(room.window->archive().model().rowCount(), 500);
    QCOMPARE(room.workspace->archive().table()->size(), 500U);
    QVERIFY(room.openKernel(1 + 450 % 3, 1 + 450 % 7, "made_450")); // one of those that were Parquet
    QVERIFY(room.workspace->bench().source().contains(QStringLiteral("+= 450;")));
    room.window->openPath(parquet); // again: nothing is added
    WAIT_COMPARE(ended.size(), 2);
    QVERIFY2(room.notice().contains(QStringLiteral("0 kernels added")), qPrintable(room.notice()));
    WAIT_COMPARE(room.workspace->archive().table()->size(), 500U);
}

void TestRowsIn::tableFillsAsRowsCome() {
    Room room;
    QVERIFY(room.start());
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0);
    const int starter = room.window->archive().model().rowCount();
    const QString lines = room.write(QStringLiteral("many.jsonl"), madeRows(30000));
    ArchiveDesk& desk = room.workspace->archive();
    QSignalSpy ended(&desk, &ArchiveDesk::importEnded);
    int parts = 0;
    bool saidSo = false, saidRate = false;
    connect(&desk, &ArchiveDesk::arrivingChanged, room.window.get(), [&] { parts += desk.arriving() != nullptr; });
    connect(&desk, &ArchiveDesk::importProgress, room.window.get(), [&](const QString& what) {
        saidRate |= what.contains(QStringLiteral("rows/s")) && what.contains(QStringLiteral("left"));
    });
    room.window->openPath(lines);
    WAIT_VERIFY(desk.arriving() || !ended.isEmpty());
    QVERIFY2(ended.isEmpty(), "over before a row was seen");
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0 && room.window->archive().model().rowCount() != starter);
    QVERIFY(room.window->archive().model().rowCount() <= 30000);
    saidSo = room.window->archive().status().contains(QStringLiteral("so far"));
    QVERIFY2(saidSo, qPrintable(room.window->archive().status()));
    QVERIFY(room.window->status().workText().startsWith(QStringLiteral("Importing")));
    room.window->archive().table().setCurrentIndex(room.window->archive().model().index(0, 1)); // no code yet
    QVERIFY(room.workspace->bench().kernel().isEmpty());
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(ended.front().at(2).toBool(), qPrintable(ended.front().at(0).toString()));
    WAIT_VERIFY(!desk.arriving()); // the last part may have had all rows: the archive itself opens after it
    WAIT_COMPARE(room.window->archive().model().rowCount(), 30000);
    QVERIFY(parts > 0);
    QVERIFY(saidRate);
    QVERIFY(room.openKernel(1, 1, "made_0"));
}

void TestRowsIn::escapeLeavesEverythingAsItWas() {
    Room room;
    QVERIFY(room.start());
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0);
    const int starter = room.window->archive().model().rowCount();
    const QString lines = room.write(QStringLiteral("many.jsonl"), madeRows(30000));
    ArchiveDesk& desk = room.workspace->archive();
    QSignalSpy ended(&desk, &ArchiveDesk::importEnded);
    room.window->openPath(lines);
    WAIT_VERIFY(desk.arriving() || !ended.isEmpty());
    QVERIFY(ended.isEmpty());
    room.press(Qt::Key_Escape);
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!ended.front().at(2).toBool());
    WAIT_COMPARE(room.window->archive().model().rowCount(), starter);
    QVERIFY(room.window->status().workText().isEmpty());
    QVERIFY(!QFile::exists(room.file(QStringLiteral("archive.sqlite"))));
    QVERIFY(room.openKernel(1, 23, "online"));
}

void TestRowsIn::refusesWhatIsNoParquet_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"empty", "text", "truncated", "corrupt", "other columns", "absent"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestRowsIn::refusesWhatIsNoParquet() {
    if (const std::string missing = duckDbMissing(); !missing.empty()) QSKIP(missing.c_str());
    QFETCH(QString, what);
    Room room;
    QVERIFY(room.start());
    const auto size = room.workspace->archive().table()->size();
    const QString good = room.file(QStringLiteral("good.parquet")), bad = room.file(QStringLiteral("bad.parquet"));
    QCOMPARE(writeParquet(room.write(QStringLiteral("rows.jsonl"), madeRows(200)), good), QString());
    QFile file(good);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray content = file.readAll();
    if (what == "empty") content.clear();
    if (what == "text") content = "these are not rows\n";
    if (what == "truncated") content.truncate(content.size() / 2);
    if (what == "corrupt")
        for (qsizetype i = 200; i < content.size() - 8; ++i)
            content[i] = char(content[i] ^ 0x5a);
    if (what != "absent") room.write(QStringLiteral("bad.parquet"), content);
    if (what == "other columns")
        QCOMPARE(duckDbRun(QStringLiteral("COPY (SELECT 1 AS a) TO '%1' (FORMAT parquet)").arg(bad).toStdString()),
                 std::string());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPaths({good, bad}); // all or nothing
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(!ended.front().at(2).toBool(), qPrintable(room.notice()));
    QVERIFY2(room.notice().contains(QStringLiteral("bad.parquet")), qPrintable(room.notice()));
    QVERIFY(!QFile::exists(room.file(QStringLiteral("archive.sqlite"))));
    QCOMPARE(room.workspace->archive().table()->size(), size);
    QVERIFY(room.openKernel(1, 23, "online"));
}

void TestRowsIn::oneImportAtATime() {
    Room room;
    QVERIFY(room.start());
    const QString lines = room.write(QStringLiteral("many.jsonl"), madeRows(20000));
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPath(lines);
    room.window->openPath(lines);
    QVERIFY2(room.notice().contains(QStringLiteral("an import is running")), qPrintable(room.notice()));
    room.press(Qt::Key_Escape);
    WAIT_COMPARE(ended.size(), 1);
}

void TestRowsIn::offersToGoOnAfterAKill() {
    Room room;
    const QString lines = room.write(QStringLiteral("many.jsonl"), madeRows(30000));
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), room.file(QStringLiteral("data")));
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium"),
                  {QStringLiteral("--session-file"), room.paths.sessionFile, lines});
    QVERIFY(program.waitForStarted(longWait));
    QString work;
    WAIT_VERIFY(!(work = workFileBelow(room.file(QStringLiteral("data")))).isEmpty() &&
                QFileInfo(work).size() > (8 << 20));
    program.kill();
    QVERIFY(program.waitForFinished(longWait));
    QCOMPARE(program.exitStatus(), QProcess::CrashExit);
    room.paths.dataFolder = QFileInfo(work).absolutePath();
    const QString archive = room.paths.dataFolder + QStringLiteral("/archive.sqlite");
    QVERIFY2(!QFile::exists(archive), "the import was over before it was killed");

    QVERIFY(room.start());
    QVERIFY2(room.notice().contains(QStringLiteral("many.jsonl was interrupted")), qPrintable(room.notice()));
    QToolButton& goOn = room.window->notices().action();
    QVERIFY(goOn.isVisible());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    QTest::mouseClick(&goOn, Qt::LeftButton);
    QVERIFY(!goOn.isVisible());
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(ended.front().at(2).toBool(), qPrintable(ended.front().at(0).toString()));
    QVERIFY2(ended.front().at(0).toString().contains(QStringLiteral("Resumed an interrupted import")),
             qPrintable(ended.front().at(0).toString()));
    WAIT_COMPARE(room.window->archive().model().rowCount(), 30000);
    room.stop();

    auto sources = archive::openSourceFiles({lines.toStdString()});
    QVERIFY(sources.ok());
    const auto unbroken = room.file(QStringLiteral("unbroken.sqlite")).toStdString();
    QVERIFY(archive::importRows(unbroken, archive::pointersTo(*sources)).ok());
    const std::string expected = contentOf(unbroken);
    QVERIFY(!expected.empty());
    QVERIFY(contentOf(archive.toStdString()) == expected);
    QVERIFY(room.start()); // it is offered no more
    QVERIFY2(room.notice().isEmpty(), qPrintable(room.notice()));
}

void TestRowsIn::saysWhatAnInterruptedImportMisses() {
    Room room;
    QVERIFY(room.start());
    const QString gone = room.file(QStringLiteral("gone.jsonl"));
    room.workspace->session().setValue(QLatin1String(setting::interruptedImport.key),
                                       InterruptedImport{{gone}, room.file(QStringLiteral("archive.sqlite"))}.toJson());
    QVERIFY(room.start());
    QVERIFY2(room.notice().contains(gone), qPrintable(room.notice()));
    QVERIFY(!room.window->notices().action().isVisible());
    for (QToolButton* button : room.window->notices().findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("Close")) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(room.notice().isEmpty());
    QVERIFY(room.start());
    QVERIFY2(room.notice().isEmpty(), "what was closed comes again");
    for (const QByteArray& damaged : {QByteArray("[]"), QByteArray("{\"inputs\": 1}"), QByteArray("nothing")})
        QVERIFY(InterruptedImport::fromJson(damaged).isNone());
}

} // namespace kernelarium::ui

// A part of its own: one of its tests is about a missing DuckDB, which stays where it was loaded once.
KERNELARIUM_TEST_PART(kernelarium::ui::TestRowsIn, "rows");
