// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestWalking.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/source/EditorArea.h"
#include "ui/widgets/ElidedLabel.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QToolBar>

namespace kernelarium::ui {

namespace {

bool says(const EditorArea& area, const QString& text) {
    for (const auto* label : area.findChildren<ElidedLabel*>())
        if (label->text().contains(text)) return true;
    return false;
}

void clickInto(CodeEditor& editor) {
    QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, QPoint(editor.viewport()->width() / 2, 60));
}

} // namespace

void TestWalking::tabPassesTheEditor() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    CodeEditor& editor = room.window->editorArea().editor();
    const QString before = editor.text();
    for (const bool edited : {false, true}) { // the user's own text is passed, too
        if (edited) {
            room.window->editorArea().focusEditor();
            QTest::keyClicks(&editor, QStringLiteral("/**/"));
        }
        const QString text = editor.text();
        for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
            room.window->findChild<QToolBar*>(QStringLiteral("toolbar"))->setFocus();
            int visits = 0;
            const QWidget* first = nullptr;
            for (int i = 0; i < 400; ++i) {
                room.press(key);
                const QWidget* focus = QApplication::focusWidget();
                if (!first)
                    first = focus;
                else if (focus == first)
                    break;
                if (focus == &editor) ++visits;
            }
            QCOMPARE(visits, 1);
            QCOMPARE(editor.text(), text);
        }
    }
    QVERIFY(editor.text() != before);
}

void TestWalking::archivedTextIsNotChangedByAccident() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    CodeEditor& editor = room.window->editorArea().editor();
    const QString before = editor.text();
    QVERIFY(says(room.window->editorArea(), QStringLiteral("archived text, unchanged")));
    editor.setCursorPosition(3, 0);
    room.window->editorArea().focusEditor();
    for (const Qt::Key key : {Qt::Key_Backspace, Qt::Key_Delete, Qt::Key_Return, Qt::Key_Enter}) {
        room.press(key);
        QCOMPARE(editor.text(), before);
    }
    WAIT_VERIFY(!room.window->status().typingText().isEmpty());
    room.press(Qt::Key_Tab);
    QVERIFY(QApplication::focusWidget() != &editor);
    QVERIFY(room.window->status().typingText().isEmpty());
    QCOMPARE(editor.text(), before);
    // A click alone does not make Tab type either.
    clickInto(editor);
    QCOMPARE(QApplication::focusWidget(), &editor);
    room.press(Qt::Key_Tab);
    QVERIFY(QApplication::focusWidget() != &editor);
    QCOMPARE(editor.text(), before);
    // What is dropped, and the middle button's paste.
    QMimeData data;
    data.setText(QStringLiteral("dropped"));
    QDropEvent drop(QPointF(90, 60), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(editor.viewport(), &drop);
    QCOMPARE(editor.text(), before);
    if (QApplication::clipboard()->supportsSelection())
        QApplication::clipboard()->setText(QStringLiteral("selected"), QClipboard::Selection);
    QTest::mouseClick(editor.viewport(), Qt::MiddleButton, {}, QPoint(90, 60));
    QCOMPARE(editor.text(), before);
    QVERIFY(!room.workspace->bench().isEdited());
}

void TestWalking::typingIsDeliberate() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    CodeEditor& editor = room.window->editorArea().editor();
    const QString before = editor.text();
    room.window->editorArea().focusEditor();
    QTest::keyClicks(&editor, QStringLiteral("x"));
    QCOMPARE(editor.text(), QLatin1Char('x') + before);
    QVERIFY(says(room.window->editorArea(), QStringLiteral("edited")));
    QVERIFY(!says(room.window->editorArea(), QStringLiteral("archived text, unchanged")));
    room.press(Qt::Key_Backspace);
    room.press(Qt::Key_Tab); // deliberate since the first edit, also where it was taken back
    QCOMPARE(editor.text(), QStringLiteral("    ") + before);
    room.press(Qt::Key_Z, Qt::ControlModifier);
    // After a click Backspace means the place.
    QVERIFY(room.openKernel(1, 19, "naive"));
    const QString other = editor.text();
    editor.setCursorPosition(0, 0);
    clickInto(editor);
    room.press(Qt::Key_Backspace);
    QVERIFY(editor.text().size() < other.size());
    // Pasting is deliberate, too; and Delete of what was selected.
    QVERIFY(room.openKernel(1, 23, "online"));
    QApplication::clipboard()->setText(QStringLiteral("pasted"));
    room.window->editorArea().focusEditor();
    editor.setCursorPosition(0, 0);
    room.press(Qt::Key_V, Qt::ControlModifier);
    QVERIFY(editor.text().startsWith(QStringLiteral("pasted")));
}

void TestWalking::tabMovesWhereAsked() {
    Room room;
    QVERIFY(room.start());
    room.window->openPath(room.write(QStringLiteral("add.cu"), addSource()));
    WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
    CodeEditor& editor = room.window->editorArea().editor();
    room.window->editorArea().focusEditor();
    editor.setCursorPosition(0, 0);
    const QString before = editor.text();
    room.press(Qt::Key_Tab);
    QCOMPARE(editor.text(), QStringLiteral("    ") + before);
    QVERIFY(room.window->status().typingText().isEmpty());
    room.press(Qt::Key_M, Qt::ControlModifier);
    QCOMPARE(room.window->status().typingText(), QStringLiteral("Tab moves the focus"));
    QVERIFY(room.window->actions().action(QStringLiteral("edit.tabMoves"))->isChecked());
    room.press(Qt::Key_Tab);
    QVERIFY(QApplication::focusWidget() != &editor);
    QCOMPARE(editor.text(), QStringLiteral("    ") + before);
    // Kept to the next start.
    room.window->close();
    room.stop();
    QVERIFY(room.start());
    QVERIFY(room.window->editorArea().tabMoves());
    QCOMPARE(room.window->status().typingText(), QStringLiteral("Tab moves the focus"));
    room.press(Qt::Key_M, Qt::ControlModifier);
    QVERIFY(!room.window->editorArea().tabMoves());
}

void TestWalking::ctrlF6WalksTheParts() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    room.window->editorArea().focusEditor();
    const QWidget* editor = &room.window->editorArea().editor();
    QCOMPARE(QApplication::focusWidget(), editor);
    for (const Qt::KeyboardModifiers modifiers :
         {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::KeyboardModifiers(Qt::ControlModifier | Qt::ShiftModifier)}) {
        QSet<const QWidget*> parts;
        for (int i = 0; i < 10; ++i) {
            room.press(Qt::Key_F6, modifiers);
            const QWidget* focus = QApplication::focusWidget();
            QVERIFY(focus && focus->isVisible());
            if (focus == editor) break;
            parts << focus;
        }
        QCOMPARE(QApplication::focusWidget(), editor);
        QVERIFY2(parts.size() >= 3, qPrintable(QString::number(parts.size())));
    }
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestWalking);
