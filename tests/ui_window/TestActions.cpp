// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestActions.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "tests/ui_window/Shortcuts.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/frame/CommandPalette.h"
#include "ui/source/EditorArea.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolBar>

namespace kernelarium::ui {

namespace {

const QStringList dockNames{QStringLiteral("archive"),     QStringLiteral("lessons"),  QStringLiteral("inspector"),
                            QStringLiteral("diagnostics"), QStringLiteral("verdict"),  QStringLiteral("history"),
                            QStringLiteral("roofline"),    QStringLiteral("counters"), QStringLiteral("session"),
                            QStringLiteral("output"),      QStringLiteral("samples"),  QStringLiteral("audit"),
                            QStringLiteral("steps")};

void collect(const QMenu& menu, QSet<const QAction*>& found) {
    for (const QAction* action : menu.actions()) {
        found << action;
        if (action->menu()) collect(*action->menu(), found);
    }
}

QSet<const QAction*> actionsInMenus(MainWindow& window) {
    QSet<const QAction*> found;
    for (const QAction* top : window.menuBar()->actions())
        if (top->menu()) collect(*top->menu(), found);
    return found;
}

/// Widgets that Tab stops at.
bool isStop(const QWidget* widget) {
    return (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !widget->focusProxy();
}

/// Made by Qt inside another control, which has the name.
bool isInner(const QWidget* widget) {
    if (widget->objectName().startsWith(QLatin1String("qt_"))) return true;
    return qobject_cast<const QTabBar*>(widget->parentWidget()) || widget->inherits("QComboBoxPrivateContainer") ||
           (widget->parentWidget() && widget->parentWidget()->inherits("QComboBoxPrivateContainer")) ||
           widget->inherits("QLineEditIconButton") || widget->inherits("QTableCornerButton");
}

QString nameOf(const QWidget* widget) {
    if (!widget->accessibleName().isEmpty()) return widget->accessibleName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return button->text();
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
        return tabs->count() ? tabs->tabText(0) : QStringLiteral("tabs");
    return {};
}

QString described(const QWidget* widget) {
    QStringList path;
    for (const QWidget* at = widget; at; at = at->parentWidget())
        path.prepend(QLatin1String(at->metaObject()->className()));
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return path.mid(2).join(QLatin1Char('>')) + (button ? QStringLiteral(" \"%1\"").arg(button->text()) : QString());
}

} // namespace

void TestActions::everyActionIsExplainedAndInAMenu() {
    Room room;
    QVERIFY(room.start());
    const auto inMenus = actionsInMenus(*room.window);
    QVERIFY(room.window->actions().all().size() > 20);
    room.press(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(room.window->palette().isVisible());
    const QListWidget& list = room.window->palette().list();
    for (const QAction* action : room.window->actions().all()) {
        const QByteArray bytes = action->objectName().toUtf8();
        const char* const name = bytes.constData();
        const QString text = QString(action->text()).remove(QLatin1Char('&'));
        QVERIFY2(!action->toolTip().isEmpty() && action->toolTip() != text, name);
        QVERIFY2(!action->statusTip().isEmpty(), name);
        QVERIFY2(inMenus.contains(action), name);
        QVERIFY2(!list.findItems(text, Qt::MatchExactly).isEmpty(), name);
        if (!action->isEnabled()) QVERIFY2(action->toolTip().contains(QStringLiteral("Not now: ")), name);
    }
    for (const QAction* action : inMenus)
        if (!action->isSeparator() && !action->menu())
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
}

void TestActions::noTwoActionsShareAKey() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    const auto keys = boundKeys(*room.window);
    QVERIFY(keys.size() > 30);
    QStringList problems;
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = i + 1; j < keys.size(); ++j)
            if (collide(keys[i], keys[j]))
                problems << QStringLiteral("%1: %2, %3").arg(keys[i].key.toString(), keys[i].name, keys[j].name);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
}

void TestActions::everyShortcutArrivesFromEveryPanel() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    QStringList problems;
    QList<QWidget*> places{&room.window->editorArea().editor()};
    for (const QString& name : dockNames) {
        room.window->actions().action(QStringLiteral("go.") + name)->trigger();
        if (QWidget* focus = QApplication::focusWidget(); focus && !places.contains(focus)) places << focus;
    }
    room.window->archive().focusSearch();
    places << QApplication::focusWidget();
    QVERIFY(places.size() >= 8);
    for (QAction* action : room.window->actions().all()) // what they do is looked at elsewhere
        action->disconnect(SIGNAL(triggered(bool)));
    for (QWidget* place : places) {
        for (const QString& name : dockNames)
            if (auto* dock = room.window->findChild<QDockWidget*>(name); dock->isAncestorOf(place))
                room.window->showDock(name);
        for (QAction* action : room.window->actions().all()) {
            if (action->shortcut().isEmpty() || action->shortcutContext() == Qt::WidgetShortcut)
                continue; // the widget's own
            place->setFocus();
            action->setEnabled(true);
            QSignalSpy triggered(action, &QAction::triggered);
            QTest::keySequence(place, action->shortcut());
            if (triggered.size() != 1)
                problems << QStringLiteral("%1 %2 from %3: %4 times")
                                .arg(action->objectName(), action->shortcut().toString(), described(place))
                                .arg(triggered.size());
        }
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
}

void TestActions::everyPanelIsReachedByKeyboard() {
    Room room;
    QVERIFY(room.start());
    for (const bool withKernel : {false, true}) {
        if (withKernel) QVERIFY(room.openKernel(1, 23, "online"));
        for (int i = 0; i < dockNames.size(); ++i) {
            room.window->activateWindow();
            if (i < 9)
                room.press(Qt::Key(Qt::Key_1 + i), Qt::AltModifier);
            else if (dockNames[i] == QStringLiteral("audit"))
                room.press(Qt::Key_U, Qt::AltModifier);
            else // Output is beside Run, Steps beside Step through: Alt+F5, Alt+F6
                room.press(dockNames[i] == QStringLiteral("steps")     ? Qt::Key_F6
                           : dockNames[i] == QStringLiteral("samples") ? Qt::Key_F7
                                                                       : Qt::Key_F5,
                           Qt::AltModifier);
            auto* dock = room.window->findChild<QDockWidget*>(dockNames[i]);
            WAIT_VERIFY2(dock && isInFront(*dock), qPrintable(dockNames[i]));
            const QWidget* focus = QApplication::focusWidget();
            QVERIFY2(focus && dock->isAncestorOf(focus),
                     qPrintable(dockNames[i] + (focus ? described(focus) : QString())));
            room.press(Qt::Key_F1);
            WAIT_VERIFY(isInFront(*room.window->findChild<QDockWidget*>(QStringLiteral("help"))));
        }
    }
    room.press(Qt::Key_0, Qt::AltModifier);
    QCOMPARE(QApplication::focusWidget(), &room.window->editorArea().editor());
}

void TestActions::everyControlHasAName() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    room.window->actions().action(QStringLiteral("edit.replace"))->trigger();
    room.workspace->trials().verify();
    QVERIFY(room.waitUntilIdle());
    QStringList problems;
    for (const QWidget* widget : room.window->findChildren<QWidget*>()) {
        if (isInner(widget)) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button && !button->isVisible() && button->text().isEmpty() && button->icon().isNull())
            continue; // not filled yet
        if ((isStop(widget) || button) && nameOf(widget).isEmpty())
            problems << QStringLiteral("no name: ") + described(widget);
        if (button && button->toolTip().isEmpty()) problems << QStringLiteral("no tool tip: ") + described(widget);
    }
    problems.removeDuplicates();
    for (const QString& problem : problems)
        qInfo("%s", qPrintable(problem));
    QVERIFY(problems.isEmpty());
}

void TestActions::tabWalksThroughEveryPanel() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online") &&
            room.waitUntilCompiled()); // before, there are no diagnostics to walk through
    QStringList stuck;
    for (const QString& name : dockNames) {
        auto* dock = room.window->findChild<QDockWidget*>(name);
        room.window->showDock(name);
        QTest::qWait(10);
        QSet<const QWidget*> reached;
        QWidget* first = &room.window->editorArea().editor();
        for (QWidget* at = first->nextInFocusChain(); at != first; at = at->nextInFocusChain())
            if (isStop(at) && at->isVisible() && at->isEnabled() && dock->isAncestorOf(at)) reached << at;
        QVERIFY2(!reached.isEmpty(), qPrintable(name));
        // Tab leaves every one of them, and is back within the panel's own number of steps and a few of the rest.
        room.window->actions().action(QStringLiteral("go.") + name)->trigger();
        QSet<const QWidget*> walked;
        for (int i = 0; i < 200 && QApplication::focusWidget() && QApplication::focusWidget() != first; ++i) {
            const QWidget* before = QApplication::focusWidget();
            walked << before;
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            if (QApplication::focusWidget() == before) break;
        }
        const QWidget* last = QApplication::focusWidget();
        QVERIFY2(last == first || walked.contains(last), qPrintable(name));
        if (walked.size() <= 1 && last != first) stuck << name;
    }
    // Some bottom panels' controls are a circle of their own in Qt's focus chain; Alt and a number leads out of them.
    const QStringList known{QStringLiteral("verdict"),  QStringLiteral("history"), QStringLiteral("roofline"),
                            QStringLiteral("counters"), QStringLiteral("session"), QStringLiteral("output")};
    for (const QString& name : stuck)
        QVERIFY2(known.contains(name), qPrintable(name + QStringLiteral(" keeps Tab to itself")));
    if (!stuck.isEmpty())
        QEXPECT_FAIL("", qPrintable(QStringLiteral("Tab does not leave ") + stuck.join(QStringLiteral(", "))),
                     Continue);
    QVERIFY(stuck.isEmpty());
}

void TestActions::paletteFindsAndRuns() {
    Room room;
    QVERIFY(room.start());
    room.window->archive().focusTable();
    const QWidget* before = QApplication::focusWidget();
    room.press(Qt::Key_K, Qt::ControlModifier);
    CommandPalette& palette = room.window->palette();
    QVERIFY(palette.isVisible());
    QCOMPARE(QApplication::focusWidget(), &palette.field());
    room.press(Qt::Key_Escape);
    QVERIFY(!palette.isVisible());
    QCOMPARE(QApplication::focusWidget(), before);
    room.press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(&palette.field(), QStringLiteral("theme"));
    QVERIFY(palette.list().count() >= 1);
    QVERIFY(palette.list().currentItem()->text().contains(QStringLiteral("theme")));
    const Theme::Choice choice = room.theme.choice();
    room.press(Qt::Key_Return);
    QVERIFY(room.theme.choice() != choice);
    QVERIFY(!palette.isVisible());
    room.press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(&palette.field(), QStringLiteral("roofl"));
    QTest::mouseClick(palette.list().viewport(), Qt::LeftButton, {},
                      palette.list().visualItemRect(palette.list().item(0)).center());
    WAIT_VERIFY(isInFront(*room.window->findChild<QDockWidget*>(QStringLiteral("roofline"))));
    room.press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(&palette.field(), QStringLiteral("qqqqxx"));
    QCOMPARE(palette.list().count(), 1);
    QVERIFY(palette.list().item(0)->text().startsWith(QStringLiteral("No matching action")) &&
            palette.list().item(0)->flags() == Qt::NoItemFlags);
    room.press(Qt::Key_Return);
    QVERIFY(palette.isVisible());
    room.press(Qt::Key_Escape);
}

void TestActions::altArrowsWalkTheHistory() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    const QString first = room.workspace->bench().kernel().key;
    QVERIFY(room.openKernel(1, 19, "naive"));
    const QString second = room.workspace->bench().kernel().key;
    room.window->editorArea().focusEditor();
    room.press(Qt::Key_Left, Qt::AltModifier);
    WAIT_COMPARE(room.workspace->bench().kernel().key, first);
    room.window->archive().focusTable();
    room.press(Qt::Key_Right, Qt::AltModifier);
    WAIT_COMPARE(room.workspace->bench().kernel().key, second);
}

void TestActions::mouseDoesTheSame() {
    Room room(Theme::Choice::dark);
    QVERIFY(room.start());
    QTableView& table = room.window->archive().table();
    WAIT_VERIFY(room.window->archive().model().rowCount() > 1);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(1, 1)).center());
    WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
    QVERIFY(room.waitUntilCompiled());
    auto* bar = room.window->findChild<QToolBar*>();
    QTest::mouseClick(bar->widgetForAction(room.window->actions().action(QStringLiteral("kernel.verify"))),
                      Qt::LeftButton);
    QVERIFY(room.workspace->trials().isBusy());
    QVERIFY(room.waitUntilIdle());
    QCOMPARE(room.workspace->runner().verifyState().stage, Stage::finished);
    QTest::mouseClick(bar->widgetForAction(room.window->actions().action(QStringLiteral("kernel.diff"))),
                      Qt::LeftButton);
    QVERIFY(room.window->editorArea().isShowingDiff());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestActions);
