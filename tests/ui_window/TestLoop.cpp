// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestLoop.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <cstdio>

namespace kernelarium::ui {

namespace {
constexpr int importedRows = 151;
} // namespace

void TestLoop::wholeLoopWithImportedRows() {
    const QString sample =
        qEnvironmentVariable("KERNELARIUM_SHARED", KERNELARIUM_SHARED_DIR) + QStringLiteral("/archive_sample/");
    const QStringList inputs{sample + QStringLiteral("full_rows.jsonl"),
                             sample + QStringLiteral("one_kernel_per_task.jsonl")};
    for (const QString& input : inputs)
        if (!QFile::exists(input)) QSKIP(qPrintable(input + QStringLiteral(" is absent")));
    Room room(Theme::Choice::light);
    const QString archive = room.file(QStringLiteral("archive.sqlite"));
    QVERIFY(QFile::copy(room.paths.starterArchive, archive));
    QVERIFY(QFile::setPermissions(archive, QFile::ReadOwner | QFile::WriteOwner));
    room.paths.starterArchive = archive;
    QVERIFY(room.start());
    const auto before = room.workspace->archive().table()->size();
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.workspace->archive().import(inputs, archive);
    QVERIFY(ended.wait(longWait));
    QVERIFY2(ended.front().at(2).toBool(), qPrintable(ended.front().at(0).toString()));
    WAIT_COMPARE(room.workspace->archive().table()->size(), before + importedRows);

    Tour tour(*room.window, {});
    int stages = 0;
    tour.afterStage = [&](const QString&) { ++stages; };
    const QString problem = room.takeTour(tour);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QVERIFY(stages >= 14);
    const auto& worked = tour.meter().worked();
    const auto& waited = tour.meter().waited();
    std::printf("window's thread: worked %.1f ms without a break at most (%s); an event waited %.1f ms at most (%s)\n",
                worked.ms, qUtf8Printable(worked.phase), waited.ms, qUtf8Printable(waited.phase));
    // Figures, not bounds: even processor time doubles where two threads share a core.
    QVERIFY(worked.ms > 0 && !worked.phase.isEmpty());
    QVERIFY(waited.ms > 0 && !waited.phase.isEmpty());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST_PART(kernelarium::ui::TestLoop, "loop");
