// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/source/EditorArea.h"

#include <QtTest>

namespace kernelarium::ui {

/// Texts beside the one on the bench.
class TestComparedTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The text that it was asked beside is gone when the other one comes.
    void anotherKernelIsNotCompared() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        ArchiveDesk& archive = room.workspace->archive();
        EditorArea& area = room.window->editorArea();
        const auto id = archive.table()->id.front();
        const auto waitForTexts = [&] { // which come one after the other
            bool isThere = false;
            archive.fetch(id, [&](const Result<ArchiveDesk::Fetched>&) { isThere = true; });
            return QTest::qWaitFor([&] { return isThere; }, longWait);
        };
        area.compareWithArchived(id);
        QVERIFY(waitForTexts());
        QVERIFY(area.isShowingDiff());
        area.showDiff(false);
        area.compareWithArchived(id);
        Kernel kernel;
        kernel.key = QStringLiteral("new:other");
        kernel.title = QStringLiteral("other");
        kernel.origin = Kernel::Origin::fresh;
        kernel.original = QStringLiteral("__global__ void k() {}\n");
        room.workspace->bench().openText(kernel);
        QVERIFY(waitForTexts());
        QVERIFY(!area.isShowingDiff());
    }
};

KERNELARIUM_TEST(TestComparedTexts);

} // namespace kernelarium::ui

#include "TestComparedTexts.moc"
