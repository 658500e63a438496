// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestManners.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/desks/CompileDesk.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/dialogs/AboutDialog.h"
#include "ui/dialogs/KernelSetupDialog.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/DiffView.h"
#include "ui/frame/Actions.h"
#include "ui/frame/HelpPanel.h"
#include "ui/frame/NoticeBar.h"
#include "ui/source/EditorArea.h"
#include "ui/source/SecondAssembly.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/workspace/Place.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

QString pathOf(const QWidget* widget) {
    QStringList path;
    for (; widget; widget = widget->parentWidget())
        path.prepend(QLatin1String(widget->metaObject()->className()));
    return path.join(QLatin1Char('>'));
}

/// Tool bar, left, middle, below, right, status: as the reader's eye goes.
int placeOf(const MainWindow& window, const QWidget& widget) {
    for (const QWidget* at = &widget; at; at = at->parentWidget()) {
        if (qobject_cast<const QToolBar*>(at) && at->parentWidget() == &window) return 0;
        if (at == window.centralWidget()) return 2;
        if (const auto* dock = qobject_cast<const QDockWidget*>(at))
            switch (window.dockWidgetArea(const_cast<QDockWidget*>(dock))) {
            case Qt::LeftDockWidgetArea: return 1;
            case Qt::BottomDockWidgetArea: return 3;
            default: return 4;
            }
    }
    return -1; // tabs, status
}

QToolButton* buttonOf(const NoticeBar& bar, const QString& text) {
    for (auto* button : bar.findChildren<QToolButton*>())
        if (button->text() == text) return button;
    return nullptr;
}

void click(QWidget* widget) {
    QTest::mouseClick(widget, Qt::LeftButton);
}

} // namespace

void TestManners::tabGoesOnlyToWhatIsSeen() {
    Room room;
    QVERIFY(room.start());
    MainWindow& window = *room.window;
    window.resize(1440, 900);
    window.findChild<QToolBar*>(QStringLiteral("toolbar"))->setFocus();
    QList<QWidget*> seen;
    QList<int> places;
    for (const bool next : {true, false}) {
        QList<QWidget*> round;
        for (int i = 0; i < 400; ++i) {
            room.press(next ? Qt::Key_Tab : Qt::Key_Backtab);
            QWidget* focus = QApplication::focusWidget();
            QVERIFY(focus);
            QVERIFY2(focus->isVisible(), qPrintable(pathOf(focus)));
            const QPoint centre = focus->mapTo(&window, focus->rect().center());
            QVERIFY2(window.rect().contains(centre),
                     qPrintable(QStringLiteral("%1 at %2, %3").arg(pathOf(focus)).arg(centre.x()).arg(centre.y())));
            if (round.contains(focus)) break;
            round << focus;
        }
        QVERIFY(round.size() > 15);
        if (next)
            seen = round;
        else
            QCOMPARE(QSet<QWidget*>(round.begin(), round.end()), QSet<QWidget*>(seen.begin(), seen.end()));
    }
    // From the tool bar on, one region after the other.
    const auto first = std::find_if(seen.begin(), seen.end(), [&](QWidget* w) { return placeOf(window, *w) == 0; });
    QVERIFY(first != seen.end());
    std::rotate(seen.begin(), first, seen.end());
    for (QWidget* widget : seen)
        if (const int place = placeOf(window, *widget); place >= 0) places << place;
    QVERIFY(std::is_sorted(places.begin(), places.end()));
    QVERIFY(places.contains(1) && places.contains(2) && places.contains(4));
    QVERIFY(room.workspace->bench().kernel().isEmpty());
}

void TestManners::theFocusLeavesAHiddenPanel() {
    Room room;
    QVERIFY(room.start());
    room.window->showDock(QStringLiteral("session"));
    room.window->actions().action(QStringLiteral("go.session"))->trigger();
    auto* dock = room.window->findChild<QDockWidget*>(QStringLiteral("session"));
    WAIT_VERIFY(dock->isAncestorOf(QApplication::focusWidget()));
    room.window->showDock(QStringLiteral("verdict"));
    WAIT_VERIFY(!isInFront(*dock));
    WAIT_VERIFY(QApplication::focusWidget() && !dock->isAncestorOf(QApplication::focusWidget()));
}

void TestManners::longNamesDoNotWidenTheWindow() {
    Room room;
    QVERIFY(room.start());
    room.window->resize(1280, 720);
    QTest::qWait(50);
    const int least = room.window->minimumSizeHint().width();
    const QString name = QString(200, QLatin1Char('k')) + QStringLiteral(".cu");
    room.window->openPath(room.write(name, addSource()));
    WAIT_COMPARE(room.workspace->bench().kernel().title, name);
    QTest::qWait(50);
    QCOMPARE(room.window->width(), 1280);
    QVERIFY2(room.window->minimumSizeHint().width() <= std::max(least, 1280),
             qPrintable(QString::number(room.window->minimumSizeHint().width())));
    const ElidedLabel* title = nullptr;
    for (const auto* label : room.window->editorArea().findChildren<ElidedLabel*>())
        if (label->text() == name) title = label;
    QVERIFY(title);
    QCOMPARE(title->toolTip(), name);
    QVERIFY(title->shownText().contains(QChar(0x2026)) && title->shownText().endsWith(QStringLiteral(".cu")));
}

/// 1920 by 1080 pixels at 200%.
void TestManners::smallScreensHoldTheWindow() {
    Room room;
    QVERIFY(room.start());
    constexpr QSize screen(960, 500); // less the frame and a task bar
    for (const bool withKernel : {false, true}) {
        if (withKernel) QVERIFY(room.openKernel(1, 23, "online"));
        room.window->resize(screen);
        QVERIFY2(room.window->size() == screen,
                 qPrintable(QStringLiteral("%1 by %2").arg(room.window->width()).arg(room.window->height())));
    }
    const auto holds = [&](const QString& what) {
        QTest::qWait(50);
        const QString said =
            QStringLiteral("%1: %2 by %3").arg(what).arg(room.window->width()).arg(room.window->height());
        QVERIFY2(room.window->size() == screen, qPrintable(said));
    };
    for (const auto* dock : room.window->findChildren<QDockWidget*>()) {
        room.window->showDock(dock->objectName());
        holds(dock->objectName());
    }
    room.keepPicture(QStringLiteral("small-screen"));
    EditorArea& area = room.window->editorArea();
    area.showPtx(true);
    area.showSass(true);
    area.showSecond(true);
    holds(QStringLiteral("all assembly"));
    area.showSass(false);
    holds(QStringLiteral("two assemblies"));
    for (const QWidget* pane : {static_cast<QWidget*>(&area.editor()), static_cast<QWidget*>(&area.second())})
        QVERIFY2(pane->width() >= 120, qPrintable(QString::number(pane->width()))); // none is squeezed to nothing
    room.keepPicture(QStringLiteral("small-screen-assembly"));
    area.showSecond(false);
    area.showPtx(false);
    // What was squeezed has its room again.
    const auto width = [&](const char* name) {
        return room.window->findChild<QDockWidget*>(QLatin1String(name))->width();
    };
    const int squeezed = width("archive");
    room.window->resize(1440, 900);
    WAIT_VERIFY2(width("archive") > squeezed && width("inspector") >= 300,
                 qPrintable(QStringLiteral("%1 and %2").arg(width("archive")).arg(width("inspector"))));
}

void TestManners::everyPanelKeepsItsRoom() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "block_per_row"));
    const auto width = [&](const char* name) {
        return room.window->findChild<QDockWidget*>(QLatin1String(name))->width();
    };
    for (const int size : {1440, 1280, 1160, 1080}) {
        room.window->resize(size, 720);
        QTest::qWait(50);
        WAIT_VERIFY2(room.window->width() <= size,
                     qPrintable(QStringLiteral("%1 wide instead of %2").arg(room.window->width()).arg(size)));
        WAIT_VERIFY2(width("inspector") >= 280,
                     qPrintable(QStringLiteral("%1 at %2").arg(width("inspector")).arg(size)));
        WAIT_VERIFY2(room.window->editorArea().width() >= 400,
                     qPrintable(QString::number(room.window->editorArea().width())));
    }
}

void TestManners::noticesGoWithTheirOccasion() {
    Theme theme;
    NoticeBar bar(theme);
    bar.show(QStringLiteral("saved"), false);
    bar.show(QStringLiteral("news"), false);
    QCOMPARE(bar.count(), 1); // no news is kept below newer ones
    QCOMPARE(bar.text(), QStringLiteral("news"));
    bar.show(QStringLiteral("wrong"), true);
    bar.show(QStringLiteral("nothing is kept"), true, true);
    bar.show(QStringLiteral("more news"), false);
    bar.settleNews();
    QCOMPARE(bar.text(), QStringLiteral("nothing is kept"));
    QCOMPARE(bar.count(), 2);
    bar.settle();
    QCOMPARE(bar.count(), 1);
    QCOMPARE(bar.text(), QStringLiteral("nothing is kept"));
    bar.show(QStringLiteral("nothing is kept"), true); // the same again lasts still
    bar.settle();
    QCOMPARE(bar.count(), 1);
    bar.dismiss();
    QVERIFY(bar.isHidden() && bar.text().isEmpty());
}

void TestManners::problemsAreQueued() {
    Theme theme;
    NoticeBar bar(theme);
    int acted = 0;
    bar.offer(QStringLiteral("offer"), QStringLiteral("Go on"), QStringLiteral("tip"), [&] { ++acted; });
    bar.show(QStringLiteral("first"), true);
    bar.show(QStringLiteral("second"), true);
    QCOMPARE(bar.text(), QStringLiteral("second"));
    QVERIFY(bar.action().isHidden());
    click(buttonOf(bar, QStringLiteral("Close")));
    QCOMPARE(bar.text(), QStringLiteral("first"));
    click(buttonOf(bar, QStringLiteral("Close")));
    QCOMPARE(bar.text(), QStringLiteral("offer"));
    QVERIFY(!bar.action().isHidden());
    click(&bar.action());
    QCOMPARE(acted, 1);
    QVERIFY(bar.isHidden());
}

void TestManners::noticesOfTheBench() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    room.workspace->notices().post(QStringLiteral("The verification was cancelled."));
    room.workspace->trials().verify();
    QVERIFY2(room.notice().isEmpty(), qPrintable(room.notice()));
    QVERIFY(room.waitUntilIdle());
    // A page that has the text assembled for itself has nothing to do with what was said.
    room.workspace->notices().post(QStringLiteral("The verification was cancelled."));
    bool assembled = false;
    room.workspace->compiler().assemble(room.workspace->bench().source(), room.workspace->place().target(),
                                        [&](const auto&) { assembled = true; });
    QVERIFY(room.workspace->trials().isBusy() && !room.workspace->trials().isTrying());
    WAIT_VERIFY(assembled);
    QCOMPARE(room.notice(), QStringLiteral("The verification was cancelled."));
    room.workspace->notices().post(QStringLiteral("a problem of this kernel"), true);
    QVERIFY(room.openKernel(1, 19, "naive"));
    QVERIFY2(room.notice().isEmpty(), qPrintable(room.notice()));
}

void TestManners::missingFilesAreNamed() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    room.window->close();
    QVERIFY(room.start()); // and, as with a name on the command line:
    room.window->openPath(room.file(QStringLiteral("absent.cu")));
    WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty()); // that of the last time
    QVERIFY2(room.notice().contains(QStringLiteral("absent.cu")), qPrintable(room.notice()));
}

void TestManners::unknownThemesAreRefused() {
    QProcess program;
    program.start(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium"),
                  {QStringLiteral("--theme"), QStringLiteral("foo")});
    QVERIFY(program.waitForFinished(longWait));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 2);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("foo") && said.contains("system, light or dark"), said.constData());
}

void TestManners::diagnosticsHaveRoom() {
    Room room;
    QVERIFY(room.start());
    room.window->resize(1380, 850);
    room.window->openPath(
        room.write(QStringLiteral("warned.cu"), addSource().replace("const int i", "int unused = 0; const int i")));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("warned.cu"));
    QVERIFY(room.waitUntilCompiled());
    room.window->showDock(QStringLiteral("diagnostics"));
    DiagnosticsPanel& panel = room.window->diagnostics();
    WAIT_VERIFY(panel.resources().isVisible());
    WAIT_VERIFY(panel.model().rowCount() > 0);
    WAIT_VERIFY2(panel.messages().columnWidth(DiagnosticsModel::text) > 400,
                 qPrintable(QString::number(panel.messages().columnWidth(DiagnosticsModel::text))));
    WAIT_VERIFY(!panel.resources().horizontalScrollBar()->isVisible());
    WAIT_VERIFY(panel.resources().viewport()->height() >= panel.resources().rowHeight(0));
    DiagnosticsPanel wide({room.workspace->bench(), room.workspace->compiler(), room.workspace->tidy()},
                          room.theme); // as on a large screen
    wide.resize(1600, 300);
    wide.show();
    WAIT_VERIFY(wide.resources().isVisible());
    WAIT_COMPARE(wide.messages().mapTo(&wide, QPoint()).y(), wide.resources().mapTo(&wide, QPoint()).y());
}

void TestManners::setupDialogGrowsWithItsProblem() {
    Theme theme;
    Kernel kernel;
    kernel.title = QStringLiteral("mine.cu");
    KernelSetupDialog dialog(kernel, theme);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog, longWait));
    auto* arguments = dialog.findChild<QPlainTextEdit*>();
    arguments->setPlainText(QStringLiteral("float32[8]~what(1,2)\n") + QString(100, QLatin1Char('x')) +
                            QStringLiteral(" y z"));
    WAIT_VERIFY(dialog.problem().isVisible());
    const auto place = [&](const QWidget& w) { return QRect(w.mapTo(&dialog, QPoint()), w.size()); };
    WAIT_VERIFY(place(dialog.problem()).height() >= dialog.problem().heightForWidth(dialog.problem().width()));
    QList<QWidget*> column{arguments, const_cast<QLabel*>(&dialog.problem()), dialog.findChild<QDialogButtonBox*>()};
    for (const auto* label : dialog.findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("Reference kernel"))) column.insert(1, const_cast<QLabel*>(label));
    QCOMPARE(column.size(), 4);
    for (qsizetype i = 1; i < column.size(); ++i)
        QVERIFY(place(*column[i - 1]).bottom() < place(*column[i]).top());
    QVERIFY(dialog.rect().contains(place(*column.back())));
}

void TestManners::stepsSayWhatIsNoCode() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    room.window->editorArea().editor().goToLine(1); // a comment
    room.window->actions().action(QStringLiteral("step.line"))->trigger();
    QVERIFY2(room.notice().contains(QStringLiteral("Line 1 is not code of a kernel")), qPrintable(room.notice()));
    QVERIFY(!room.workspace->trials().isBusy());
}

void TestManners::differencesLeadBack() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    room.window->editorArea().showDiff(true);
    QPushButton* back = nullptr;
    for (auto* button : room.window->editorArea().diff().findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Back to the source")) back = button;
    QVERIFY(back);
    WAIT_VERIFY(back->isVisible());
    click(back);
    QVERIFY(!room.window->editorArea().isShowingDiff());
    QVERIFY(!room.window->actions().action(QStringLiteral("kernel.diff"))->isChecked());
    room.window->editorArea().showDiff(true);
    QVERIFY(room.openKernel(1, 19, "naive"));
    QVERIFY(!room.window->editorArea().isShowingDiff());
    QVERIFY(!room.window->actions().action(QStringLiteral("kernel.diff"))->isChecked());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestManners);
