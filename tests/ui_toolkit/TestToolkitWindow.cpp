// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_toolkit/TestToolkitWindow.h"

#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/toolkit/WheelMaker.h"
#include "tests/ui_window/Room.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/dialogs/GetToolkitDialog.h"
#include "ui/dialogs/PreferencesDialog.h"
#include "ui/dialogs/ToolkitPage.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

namespace kernelarium::ui {

namespace {

std::unique_ptr<QTemporaryDir> userData;
QString hiddenToolkit; ///< the one of this machine

void useIndex(const HubServer& server) {
    qputenv("KERNELARIUM_TOOLKIT_INDEX", (server.host() + QStringLiteral("/simple/")).toUtf8());
}

/// Opened by its action, with the source's answer there.
GetToolkitDialog* answeredDialog(Room& room) {
    room.window->actions().action(QStringLiteral("toolkit.get"))->trigger();
    auto* dialog = room.window->findChild<GetToolkitDialog*>();
    const bool answered = dialog && QTest::qWaitFor([dialog] { return dialog->offered() != nullptr; }, longWait);
    return answered ? dialog : nullptr;
}

} // namespace

void TestToolkitWindow::initTestCase() {
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
    const toolkit::Toolkits found = toolkit::findToolkits();
    if (const auto from = found.usedOf[std::size_t(toolkit::Part::nvrtc)])
        hiddenToolkit = QString::fromStdString(found.found[*from].root);
    qunsetenv("CUDA_PATH");
    qunsetenv("CUDA_HOME");
}

void TestToolkitWindow::init() {
    userData = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", userData->path().toUtf8());
    qputenv("KERNELARIUM_TEST_SYSTEM_ROOT", userData->filePath(QStringLiteral("root")).toUtf8());
}

void TestToolkitWindow::cleanup() {
    qunsetenv("KERNELARIUM_TOOLKIT_INDEX");
    qunsetenv("KERNELARIUM_TEST_SYSTEM_ROOT");
    qunsetenv("XDG_DATA_HOME");
    userData.reset();
}

void TestToolkitWindow::offersWhatCompilingNeeds() {
    const HubServer server(indexOf(smallWheels()));
    useIndex(server);
    Room room;
    QVERIFY(room.start());
    room.window->showDock(QStringLiteral("diagnostics"));
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    QCOMPARE(room.workspace->compiler().state().stage, Stage::failed);
    const int narrowest = room.window->diagnostics().minimumSizeHint().width(); // what is said is wrapped
    QVERIFY2(narrowest < 600, qPrintable(QString::number(narrowest)));
    QVERIFY2(room.notice().contains(QStringLiteral("the CUDA toolkit is missing")), qPrintable(room.notice()));
    QVERIFY2(room.window->diagnostics().summary().contains(QStringLiteral("Preferences")),
             qPrintable(room.window->diagnostics().summary()));
    auto* notices = room.window->findChild<NoticeBar*>();
    QCOMPARE(notices->action().text(), QStringLiteral("Get it…"));
    notices->action().click();
    auto* dialog = room.window->findChild<GetToolkitDialog*>();
    QVERIFY(dialog);
    WAIT_VERIFY(dialog->offered());
    QCOMPARE(dialog->wheels().topLevelItemCount(), int(toolkit::pinnedWheels().size()));
    QVERIFY2(dialog->finding().contains(QStringLiteral("To download:")), qPrintable(dialog->finding()));
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("licence"))->text().contains(QStringLiteral("docs.nvidia.com")));
    test::keepPicture(*dialog, QStringLiteral("get-toolkit"));
    // Nothing before the licence is accepted.
    QVERIFY(!dialog->install().isEnabled());
    QVERIFY(dialog->install().toolTip().contains(QStringLiteral("licence")));
    dialog->accepts().setChecked(true);
    QVERIFY(dialog->install().isEnabled());
    dialog->accepts().setChecked(false);
    QVERIFY(!dialog->install().isEnabled());
    dialog->reject();
    QVERIFY(server.contentRequests().isEmpty());
    QVERIFY(!room.workspace->toolkits().isBusy());
}

void TestToolkitWindow::compilesWithWhatItBrought() {
    if (hiddenToolkit.isEmpty()) QSKIP("There is no toolkit here to make wheels of.");
    const auto wheels = wheelsOf(hiddenToolkit);
    if (wheels.isEmpty()) QSKIP("The toolkit here is another release than the one that is brought.");
    const HubServer server(indexOf(wheels));
    useIndex(server);
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    QCOMPARE(room.workspace->compiler().state().stage, Stage::failed);
    GetToolkitDialog* dialog = answeredDialog(room);
    QVERIFY(dialog);
    dialog->accepts().setChecked(true);
    QSignalSpy ended(&room.workspace->toolkits(), &ToolkitDesk::ended);
    QSignalSpy progress(&room.workspace->toolkits(), &ToolkitDesk::progressChanged);
    dialog->install().click();
    QVERIFY(room.workspace->toolkits().isBusy());
    QVERIFY(!room.window->findChild<StatusLine*>()->workText().isEmpty());
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(ended[0][1].toBool(), qPrintable(ended[0][0].toString()));
    QVERIFY(progress.size() > 3);
    // What is on the bench is compiled by itself.
    WAIT_VERIFY(room.workspace->compiler().state().stage == Stage::finished);
    QVERIFY(room.workspace->compiler().state().answer->ok);
    room.window->actions().action(QStringLiteral("kernel.verify"))->trigger();
    WAIT_VERIFY(room.workspace->runner().verifyState().stage == Stage::finished);
    QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
    QVERIFY(room.window->findChild<StatusLine*>()->workText().isEmpty());
}

void TestToolkitWindow::listsWhatTheCommandLineLists() {
    const QDir root(userData->filePath(QStringLiteral("root/usr/local/cuda-12.2")));
    for (const char* file : {"lib64/libnvrtc.so.12", "lib64/libnvrtc-builtins.so.12.2", "bin/nvdisasm"}) {
        root.mkpath(QFileInfo(root.filePath(QLatin1String(file))).path());
        QFile made(root.filePath(QLatin1String(file)));
        QVERIFY(made.open(QIODevice::WriteOnly));
    }
    const QTemporaryDir wheels;
    writeWheels(smallWheels(), QDir(wheels.path()));
    const auto offer = toolkit::askSource({{}, wheels.path().toStdString()});
    QVERIFY(offer.ok());
    QVERIFY(toolkit::bring({*offer, toolkit::toolkitFolder(), true, {}}).ok());
    QProcess program;
    program.start(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli"), {"toolkit", "show"});
    QVERIFY(program.waitForFinished(longWait));
    const QString said = QString::fromUtf8(program.readAllStandardOutput());
    Room room;
    QVERIFY(room.start());
    PreferencesDialog dialog(room.workspace->cards(), room.workspace->toolkits(), room.workspace->kept(),
                             room.window.get());
    dialog.show();
    auto* page = dialog.findChild<ToolkitPage*>();
    QVERIFY(page);
    WAIT_COMPARE(page->list().topLevelItemCount(), 2);
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 4; ++column) {
            const QString cell = page->list().topLevelItem(row)->text(column);
            QVERIFY2(said.contains(cell), qPrintable(cell + "\n" + said));
        }
    QVERIFY(page->list().topLevelItem(0)->text(3).contains(QStringLiteral("compiling")));
    QCOMPARE(page->list().topLevelItem(1)->text(3), QStringLiteral("SASS listings"));
    test::keepPicture(dialog, QStringLiteral("preferences-toolkits"));
    QVERIFY(page->remove().isEnabled());
    page->remove().click();
    WAIT_COMPARE(page->list().topLevelItemCount(), 1);
    QVERIFY(!page->remove().isEnabled());
    QVERIFY2(page->finding().contains(QStringLiteral("nvJitLink is missing")), qPrintable(page->finding()));
    QVERIFY(!toolkit::broughtToolkit(toolkit::toolkitFolder()));
}

void TestToolkitWindow::asksAnIndexThatDoesNotAnswer() {
    qputenv("KERNELARIUM_TOOLKIT_INDEX", "http://127.0.0.1:1/simple/");
    Room room;
    QVERIFY(room.start());
    room.window->actions().action(QStringLiteral("toolkit.get"))->trigger();
    auto* dialog = room.window->findChild<GetToolkitDialog*>();
    QVERIFY(dialog);
    WAIT_VERIFY2(dialog->finding().contains(QStringLiteral("does not answer")), qPrintable(dialog->finding()));
    dialog->accepts().setChecked(true);
    QVERIFY(!dialog->install().isEnabled());
}

void TestToolkitWindow::takesAFolder() {
    qputenv("KERNELARIUM_TOOLKIT_INDEX", "http://127.0.0.1:1/simple/");
    const QTemporaryDir wheels;
    writeWheels(smallWheels("folder"), QDir(wheels.path()));
    Room room;
    QVERIFY(room.start());
    room.window->actions().action(QStringLiteral("toolkit.get"))->trigger();
    auto* dialog = room.window->findChild<GetToolkitDialog*>();
    QVERIFY(dialog);
    dialog->chooseFolder(QStringLiteral("/nowhere"));
    WAIT_VERIFY2(dialog->finding().contains(QStringLiteral("/nowhere cannot be read")), qPrintable(dialog->finding()));
    dialog->chooseFolder(wheels.path());
    WAIT_VERIFY(dialog->offered());
    dialog->accepts().setChecked(true);
    QSignalSpy ended(&room.workspace->toolkits(), &ToolkitDesk::ended);
    dialog->install().click();
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(ended[0][1].toBool(), qPrintable(ended[0][0].toString()));
    QVERIFY(toolkit::broughtToolkit(toolkit::toolkitFolder()));
}

void TestToolkitWindow::stopsAndGoesOn() {
    HubBehaviour behaviour = indexOf(smallWheels());
    behaviour.pieceBytes = 500;
    HubServer server(behaviour);
    useIndex(server);
    Room room;
    QVERIFY(room.start());
    GetToolkitDialog* dialog = answeredDialog(room);
    QVERIFY(dialog);
    dialog->accepts().setChecked(true);
    QSignalSpy ended(&room.workspace->toolkits(), &ToolkitDesk::ended);
    dialog->install().click();
    WAIT_VERIFY(room.workspace->toolkits().fraction() > 0);
    QVERIFY(!room.window->actions().action(QStringLiteral("toolkit.get"))->isEnabled());
    room.window->actions().action(QStringLiteral("kernel.cancel"))->trigger(); // what Escape does
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!ended[0][1].toBool());
    QVERIFY2(room.notice().contains(QStringLiteral("cancelled")), qPrintable(room.notice()));
    QVERIFY(!toolkit::broughtToolkit(toolkit::toolkitFolder()));
    behaviour.pieceBytes = 0;
    server.behave(behaviour);
    server.forgetRequests();
    dialog = answeredDialog(room);
    QVERIFY(dialog);
    dialog->accepts().setChecked(true);
    dialog->install().click();
    WAIT_COMPARE(ended.size(), 2);
    QVERIFY2(ended[1][1].toBool(), qPrintable(ended[1][0].toString()));
    QVERIFY(server.contentRequests().first().range.startsWith("bytes="));
}

void TestToolkitWindow::toursWhatWorks() {
    Room room;
    QVERIFY(room.start());
    Tour tour(*room.window, {});
    QStringList stages;
    tour.afterStage = [&stages](const QString& stage) { stages << stage; };
    const QString problem = room.takeTour(tour);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    for (const char* there : {"find", "open", "no-toolkit", "preferences", "archived-roofline", "statistics", "hgemm"})
        QVERIFY2(stages.contains(QLatin1String(there)), there);
    for (const char* absent : {"edit", "verified", "time"})
        QVERIFY2(!stages.contains(QLatin1String(absent)), absent);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestToolkitWindow);
