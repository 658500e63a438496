// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestMenus.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/dialogs/AboutDialog.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/frame/HelpPanel.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QTest>

namespace kernelarium::ui {

void TestMenus::menusHaveTheirOwnLetters() {
    Room room;
    QVERIFY(room.start());
    QStringList problems;
    QList<QMenu*> menus = room.window->menuBar()->findChildren<QMenu*>();
    for (const QMenu* menu : menus) {
        QHash<QKeySequence, QString> letters;
        for (const QAction* action : menu->actions()) {
            const QKeySequence letter = QKeySequence::mnemonic(action->text());
            if (letter.isEmpty()) continue;
            if (letters.contains(letter))
                problems << QStringLiteral("%1: %2, %3").arg(menu->title(), letters[letter], action->text());
            letters[letter] = action->text();
        }
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
}

void TestMenus::editMenuActsOnTheFocus() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    CodeEditor& editor = room.window->editorArea().editor();
    const auto trigger = [&](const char* name) { room.window->actions().action(QLatin1String(name))->trigger(); };
    const QString before = editor.text();
    editor.setFocus();
    trigger("edit.selectAll");
    trigger("edit.copy");
    QCOMPARE(QApplication::clipboard()->text(), before);
    trigger("edit.cut");
    QVERIFY(editor.text().isEmpty());
    QCOMPARE(editor.SendScintilla(QsciScintilla::SCI_GETSCROLLWIDTH), 1L); // nothing is to the right
    trigger("edit.undo");
    QCOMPARE(editor.text(), before);
    trigger("edit.redo");
    QVERIFY(editor.text().isEmpty());
    trigger("edit.undo");
    auto* field = room.window->findChild<QLineEdit*>();
    for (auto* candidate : room.window->findChildren<QLineEdit*>())
        if (candidate->isVisible() && isInFront(*room.window->findChild<QDockWidget*>(QStringLiteral("archive"))))
            field = candidate;
    field->setText(QStringLiteral("softmax"));
    field->setFocus();
    trigger("edit.selectAll");
    trigger("edit.copy");
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("softmax"));
    const long zoom = editor.SendScintilla(QsciScintilla::SCI_GETZOOM);
    trigger("edit.larger");
    QCOMPARE(editor.SendScintilla(QsciScintilla::SCI_GETZOOM), zoom + 1);
    trigger("edit.normalSize");
    QCOMPARE(editor.SendScintilla(QsciScintilla::SCI_GETZOOM), 0L);
    QCOMPARE(room.window->actions().action(QStringLiteral("edit.preferences"))->shortcut(),
             QKeySequence(Qt::CTRL | Qt::Key_Comma));
}

void TestMenus::contextMenuIsTheEditMenus() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    CodeEditor& editor = room.window->editorArea().editor();
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(20, 20), editor.mapToGlobal(QPoint(20, 20)));
    QApplication::sendEvent(editor.viewport(), &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QSet<QString> texts;
    for (const QAction* action : menu->actions()) {
        if (action->isSeparator()) continue;
        const QString text = action->text().remove(QLatin1Char('&'));
        QVERIFY2(!texts.contains(text), qPrintable(text));
        texts << text;
        // A sentence's case: names keep their capital letters.
        for (const QString& word : text.split(QLatin1Char(' ')).mid(1))
            QVERIFY2(word == word.toLower(), qPrintable(text));
    }
    for (const char* name : {"edit.undo", "edit.copy", "edit.find", "edit.nextMark", "edit.larger"})
        QVERIFY2(menu->actions().contains(room.window->actions().action(QLatin1String(name))), name);
    menu->close();
}

void TestMenus::theThemeIsChosenInItsMenu() {
    Room room(Theme::Choice::light);
    QVERIFY(room.start());
    Actions& actions = room.window->actions();
    const auto checked = [&] {
        actions.refresh();
        QStringList names;
        for (const char* name : {"view.themeSystem", "view.themeLight", "view.themeDark"})
            if (actions.action(QLatin1String(name))->isChecked()) names << QLatin1String(name);
        return names.join(QLatin1Char(' '));
    };
    QCOMPARE(checked(), QStringLiteral("view.themeLight"));
    QVERIFY(actions.action(QStringLiteral("view.themeLight"))->actionGroup()); // shown as radio items
    actions.action(QStringLiteral("view.themeDark"))->trigger();
    QCOMPARE(checked(), QStringLiteral("view.themeDark"));
    QVERIFY(room.theme.colours().dark);
    actions.action(QStringLiteral("view.themeDark"))->trigger(); // once more leaves it
    QCOMPARE(checked(), QStringLiteral("view.themeDark"));
    actions.action(QStringLiteral("view.themeSystem"))->trigger();
    QCOMPARE(checked(), QStringLiteral("view.themeSystem"));
    actions.action(QStringLiteral("view.theme"))->trigger();
    QVERIFY(checked() != QStringLiteral("view.themeSystem"));
}

void TestMenus::helpNamesLicencesAndKeys() {
    Room room;
    QVERIFY(room.start());
    room.window->actions().action(QStringLiteral("help.about"))->trigger();
    const auto* about = room.window->findChild<AboutDialog*>();
    QVERIFY(about && about->isVisible());
    for (const char* word : {"GPL-3.0-or-later", "Qt 6", "LGPL", "QScintilla", "QCustomPlot", "SQLite", "MIT"})
        QVERIFY2(about->text().contains(QLatin1String(word)), word);
    room.window->actions().action(QStringLiteral("help.shortcuts"))->trigger();
    const auto* help = room.window->findChild<HelpPanel*>();
    WAIT_VERIFY(help->isVisible());
    for (const char* word : {"Ctrl+Return", "F6", "Ctrl+,", "Ctrl+Shift+T"})
        QVERIFY2(help->toPlainText().contains(QLatin1String(word)), word);
    room.window->actions().action(QStringLiteral("help.contents"))->trigger();
    QCOMPARE(help->page(), QStringLiteral("index"));
    QVERIFY(help->toPlainText().contains(QStringLiteral("Where kernels run")));
}

void TestMenus::keypadEnterVerifies() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    room.window->editorArea().editor().setFocus();
    room.press(Qt::Key_Enter, Qt::ControlModifier | Qt::KeypadModifier);
    QVERIFY(room.workspace->trials().isBusy());
    QVERIFY(room.waitUntilIdle());
    QCOMPARE(room.workspace->runner().verifyState().stage, Stage::finished);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestMenus);
