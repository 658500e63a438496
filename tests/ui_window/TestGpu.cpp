// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestGpu.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/dialogs/DeviceDialog.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/frame/TargetMenu.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/plots/RooflinePanel.h"
#include "ui/plots/SamplesPanel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDockWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

void usesGpu(Room& room) {
    room.paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/gpu_child");
}

bool devicesKnown(Room& room) {
    return QTest::qWaitFor([&] { return room.workspace->devices().at({}).stage == Stage::finished; }, longWait);
}

/// The entry of the target menu, as it is when opened; null: there is none.
QAction* entry(Room& room, const QString& text) {
    QMenu* menu = room.window->status().target().menu();
    Q_EMIT menu->aboutToShow();
    for (QAction* action : menu->actions())
        if (action->text().startsWith(text)) return action;
    return nullptr;
}

void keepWindow(Room& room, const char* name) {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    if (!folder.isEmpty())
        room.window->grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
}

} // namespace

void TestGpu::init() {
    qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
}
void TestGpu::cleanup() {
    qunsetenv("XDG_DATA_HOME");
}

void TestGpu::theMenuSaysWhatIsThereAndWhatIsMissing() {
    Room room;
    QVERIFY(room.start() && devicesKnown(room));
    if (room.workspace->devices().at({}).answer.gpu()) QSKIP("There is a GPU here.");
    QAction* emulator = entry(room, QStringLiteral("Emulator"));
    QVERIFY(emulator && emulator->isChecked());
    QAction* missing = entry(room, QStringLiteral("No GPU"));
    QVERIFY(missing && !missing->isEnabled() && !missing->toolTip().isEmpty());
    QVERIFY(room.window->status().target().text().startsWith(QStringLiteral("emulator, sm_90")));
    for (const char* name :
         {"target.smallSize", "target.fullSize", "target.bothSizes", "target.cold", "target.hot", "target.server"}) {
        const QAction* action = room.window->actions().action(QLatin1String(name));
        QVERIFY2(!action->isEnabled() && action->toolTip().contains(QStringLiteral("emulator")), name);
    }
}

void TestGpu::theLoopRunsOnAGpu() {
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        Room room(choice);
        usesGpu(room);
        QVERIFY(room.start() && devicesKnown(room));
        QAction* gpu = entry(room, QStringLiteral("NVIDIA H200"));
        QVERIFY(gpu && !gpu->isChecked());
        gpu->trigger();
        QVERIFY(entry(room, QStringLiteral("NVIDIA H200"))->isChecked());
        QVERIFY(room.window->status().target().text().startsWith(QStringLiteral("NVIDIA H200")));
        room.window->actions().action(QStringLiteral("target.baselines"))->trigger();
        QVERIFY(room.openKernel(1, 23, "online") && room.waitUntilCompiled());
        room.press(Qt::Key_Return, Qt::ControlModifier);
        WAIT_VERIFY(room.workspace->runner().verifyState().stage == Stage::finished);
        QCOMPARE(room.workspace->runner().verifyState().answer->backend, std::string("cuda"));
        QSignalSpy kept(&room.workspace->trials(), &Trials::timeKept);
        room.press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        WAIT_VERIFY(!kept.isEmpty());
        QVERIFY(isInFront(*room.window->findChild<QDockWidget*>(QStringLiteral("history"))));
        const auto& shown = room.window->history().plot().plot().data().entries; // of the GPU, once it is listed
        WAIT_VERIFY(shown.size() == 1 && shown.front().origin == Origin::measured);
        const HistoryEntry& entry = room.window->history().plot().plot().entry(0);
        QVERIFY(entry.origin == Origin::measured && entry.lower < entry.milliseconds &&
                entry.milliseconds < entry.upper);
        QCOMPARE(entry.verdict, QStringLiteral("verified"));
        const auto& lines = room.window->history().plot().plot().data().lines; // the archived ones, and the baseline
        QCOMPARE(std::count_if(lines.begin(), lines.end(), [](const auto& l) { return l.origin == Origin::measured; }),
                 std::ptrdiff_t(1));
        QCOMPARE(lines.size(), std::size_t(4));
        keepWindow(room, choice == Theme::Choice::dark ? "gpu-history-dark" : "gpu-history-light");
        room.press(Qt::Key_F7, Qt::AltModifier);
        WAIT_COMPARE(room.window->samples().plot().plot().sets().size(), std::size_t(1));
        QVERIFY2(room.window->samples().facts().contains(QStringLiteral("second_kernel")),
                 qPrintable(room.window->samples().facts()));
        QTest::qWait(50);
        keepWindow(room, choice == Theme::Choice::dark ? "gpu-samples-dark" : "gpu-samples-light");
        const qint64 first = kept[0][0].toLongLong();
        room.workspace->bench().replaceSource(room.workspace->bench().source() + QStringLiteral("\n// faster\n"));
        room.workspace->trials().race(first);
        WAIT_VERIFY(kept.size() == 2);
        WAIT_VERIFY2(room.window->samples().sentence().contains(QStringLiteral("19 of 20 pairs")),
                     qPrintable(room.window->samples().sentence()));
        WAIT_COMPARE(room.window->samples().second().count(), 2);
        room.window->samples().second().setCurrentIndex(1);
        WAIT_COMPARE(room.window->samples().plot().plot().sets().size(), std::size_t(2));
        QTest::qWait(50);
        keepWindow(room, choice == Theme::Choice::dark ? "gpu-race-dark" : "gpu-race-light");
        QVERIFY(room.waitUntilIdle());
    }
}

void TestGpu::theDeviceIsMeasuredAndItsRoofsAreDrawn() {
    Room room;
    usesGpu(room);
    QVERIFY(room.start() && devicesKnown(room));
    room.window->actions().action(QStringLiteral("target.measure"))->trigger();
    auto* dialog = room.window->findChild<DeviceDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(!dialog->measureButton().isEnabled() &&
            dialog->measureButton().toolTip().contains(QStringLiteral("emulator")));
    entry(room, QStringLiteral("NVIDIA H200"))->trigger();
    QVERIFY(dialog->measureButton().isEnabled());
    QTest::mouseClick(&dialog->measureButton(), Qt::LeftButton);
    QVERIFY(room.workspace->trials().isBusy());
    WAIT_COMPARE(dialog->model().rowCount(), 4);
    QVERIFY2(dialog->facts().contains(QStringLiteral("580.65.06")), qPrintable(dialog->facts()));
    WAIT_VERIFY(!room.window->roofline().plot().plot().data().measured.memory.empty());
    if (const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES"); !folder.isEmpty())
        dialog->grab().save(folder + QStringLiteral("/gpu-device.png"));
    dialog->close();
    QVERIFY(room.waitUntilIdle());
}

void TestGpu::ceilingsAreAModel() {
    CeilingModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    perf::MeasuredCeilings ceilings;
    ceilings.device = "NVIDIA H200";
    ceilings.ceilings = {{"device_read", 1e12, 1980, "loads"}, {"special", 4e12, 0, "ex2"}};
    model.setCeilings(ceilings);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, CeilingModel::ratio).data().toString(), QStringLiteral("21%"));
    QVERIFY(model.index(0, CeilingModel::name).data(Qt::ToolTipRole).toString().contains(QStringLiteral("80%")));
    QCOMPARE(model.text().count(QLatin1Char('\n')), 3);
    ceilings.device = "A GPU without a data sheet";
    model.setCeilings(ceilings);
    QCOMPARE(model.index(0, CeilingModel::datasheet).data().toString(), QStringLiteral("–"));
    QVERIFY(model.index(0, CeilingModel::doubt).data().toString().isEmpty());
    model.setCeilings(std::nullopt);
    QCOMPARE(model.rowCount(), 0);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestGpu);
