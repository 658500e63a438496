// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/schedule/MeasureChoice.h"
#include "ui/schedule/SchedulePage.h"

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

namespace kernelarium::ui {

/// The page Schedule on this machine's GPU.
class TestScheduleOnGpu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuresAndConfirms() {
        Room room;
        QVERIFY(room.start());
        WAIT_VERIFY(room.workspace->devices().at({}).stage == Stage::finished ||
                    room.workspace->devices().at({}).stage == Stage::failed);
        const protocol::DeviceSummary* gpu = room.workspace->devices().at({}).answer.gpu();
        if (!gpu) QSKIP("no GPU tests: there is none on this machine");
        room.workspace->place().choose({}, gpu, 0);
        QVERIFY(room.openKernel(1, 1, "register_tile"));
        QVERIFY(room.waitUntilCompiled());
        if (!room.workspace->compiler().state().answer->ok) QSKIP("nothing compiles here: is the CUDA Toolkit there?");
        room.press(Qt::Key_D, Qt::AltModifier);
        auto& page = *room.window->findChild<SchedulePage*>();
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QCOMPARE(page.startButton().text(), QStringLiteral("Start measuring"));
        page.measuring().sizes().setCurrentText(QStringLiteral("small"));
        page.steps().setValue(20);
        page.worsen().setValue(40);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QVERIFY2(page.desk().state().stage == Stage::finished, qPrintable(page.said()));
        const schedule::ScheduleHistory& history = page.desk().result()->history;
        QCOMPARE(history.faults(), 0);
        QVERIFY(history.steps.front().pairs > 0 && history.unconfirmed().empty());
        QVERIFY(history.finals.size() == 2 || history.bestWords == history.subject.words());
        QCOMPARE(page.startButton().text(), QStringLiteral("Searched"));
    }
};

KERNELARIUM_TEST(TestScheduleOnGpu);

} // namespace kernelarium::ui

#include "TestScheduleOnGpu.moc"
