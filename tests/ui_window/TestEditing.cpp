// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestEditing.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/PromptBar.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"

#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QTest>

namespace kernelarium::ui {

namespace {

constexpr auto source = "__device__ float half_of(float a) { return a / 2; }\n"
                        "// half_of halves\n"
                        "__global__ void halve(float* data, int n) {\n"
                        "    int i = threadIdx.x;\n"
                        "    if (i < n) data[i] = half_of(data[i]);\n"
                        "}\n";

bool open(Room& room, const QByteArray& text) {
    if (!room.start()) return false;
    room.window->openPath(room.write(QStringLiteral("kernel.cu"), text));
    if (!QTest::qWaitFor([&] { return !room.workspace->bench().kernel().isEmpty(); }, longWait)) return false;
    room.window->editorArea().focusEditor();
    return true;
}

} // namespace

void TestEditing::goesToALineByNumber() {
    Room room;
    QVERIFY(open(room, source));
    CodeEditor& editor = room.window->editorArea().editor();
    PromptBar& prompt = room.window->editorArea().prompt();
    room.window->archive().focusTable(); // from anywhere
    room.press(Qt::Key_G, Qt::ControlModifier);
    QVERIFY(prompt.isVisible());
    QCOMPARE(QApplication::focusWidget(), &prompt.field());
    for (const char* wrong : {"0", "99", "x", "", "4:", "-1", "99999999999"}) {
        prompt.field().setText(QString::fromLatin1(wrong));
        room.press(Qt::Key_Return);
        QVERIFY2(prompt.isVisible() && editor.cursorLine() == 1, wrong);
        QVERIFY(prompt.remark().contains(QStringLiteral("from 1 to 7")));
    }
    prompt.field().clear();
    QTest::keyClicks(&prompt.field(), QStringLiteral("5:9"));
    room.press(Qt::Key_Return);
    QVERIFY(!prompt.isVisible());
    QCOMPARE(QApplication::focusWidget(), &editor);
    int line = 0, column = 0;
    editor.getCursorPosition(&line, &column);
    QCOMPARE(line, 4);
    QCOMPARE(column, 8);
    room.press(Qt::Key_G, Qt::ControlModifier);
    room.press(Qt::Key_Escape);
    QVERIFY(!prompt.isVisible());
    QCOMPARE(QApplication::focusWidget(), &editor);
    QCOMPARE(editor.cursorLine(), 5);
}

void TestEditing::definitionsAreFoundByKey() {
    Room room;
    QVERIFY(open(room, source));
    CodeEditor& editor = room.window->editorArea().editor();
    editor.setCursorPosition(4, 26); // half_of
    room.press(Qt::Key_F12);
    WAIT_COMPARE(editor.cursorLine(), 1);
    room.press(Qt::Key_F12, Qt::ShiftModifier);
    WAIT_COMPARE(editor.cursorLine(), 5);
    editor.setCursorPosition(4, 17); // a parameter
    room.window->actions().action(QStringLiteral("edit.definition"))->trigger();
    WAIT_COMPARE(editor.cursorLine(), 3);
}

void TestEditing::namesAreRenamed() {
    Room room;
    QVERIFY(open(room, source));
    CodeEditor& editor = room.window->editorArea().editor();
    PromptBar& prompt = room.window->editorArea().prompt();
    editor.setCursorPosition(4, 26);
    room.press(Qt::Key_F2);
    WAIT_VERIFY(prompt.isVisible());
    QCOMPARE(prompt.field().text(), QStringLiteral("half_of"));
    QVERIFY2(prompt.remark().startsWith(QStringLiteral("2 place")), qPrintable(prompt.remark()));
    QTest::keyClicks(&prompt.field(), QStringLiteral("float"));
    room.press(Qt::Key_Return);
    QVERIFY(prompt.isVisible());
    prompt.field().selectAll();
    QTest::keyClicks(&prompt.field(), QStringLiteral("data"));
    QVERIFY2(prompt.remark().contains(QStringLiteral("already")), qPrintable(prompt.remark()));
    prompt.field().selectAll();
    QTest::keyClicks(&prompt.field(), QStringLiteral("halved"));
    room.press(Qt::Key_Return);
    QVERIFY(!prompt.isVisible());
    QCOMPARE(editor.text(), QString::fromLatin1(source).replace(QStringLiteral("half_of("), QStringLiteral("halved(")));
    QCOMPARE(editor.cursorLine(), 5);
    room.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor.text(), QString::fromLatin1(source));
    // What was found is of the text as it was: an edit closes the bar.
    room.press(Qt::Key_F2);
    WAIT_VERIFY(prompt.isVisible());
    editor.setFocus();
    QTest::keyClicks(&editor, QStringLiteral("x"));
    QVERIFY(!prompt.isVisible());
}

void TestEditing::linesActOnlyInTheEditor() {
    Room room;
    QVERIFY(open(room, source));
    CodeEditor& editor = room.window->editorArea().editor();
    editor.setCursorPosition(3, 0);
    room.window->archive().focusTable();
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down})
        room.press(key, Qt::AltModifier);
    room.press(Qt::Key_Slash, Qt::ControlModifier);
    room.press(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(editor.text(), QString::fromLatin1(source));
    editor.setFocus();
    room.press(Qt::Key_Slash, Qt::ControlModifier);
    QVERIFY(editor.text().contains(QStringLiteral("    // int i")));
    room.window->actions().action(QStringLiteral("edit.comment"))->trigger(); // by menu or palette
    QCOMPARE(editor.text(), QString::fromLatin1(source));
}

void TestEditing::formats() {
    Room room;
    const QByteArray ugly = QByteArray(source).replace("    int i", "int   i").replace("    if (", "if(");
    QVERIFY(open(room, ugly));
    CodeEditor& editor = room.window->editorArea().editor();
    // One that stands in, of the shell's own words, as it may start nothing: it undoes what was done above, and puts
    // the cursor at 60.
    const QString tool = room.write(QStringLiteral("clang-format"), R"(#!/bin/sh
echo '{ "Cursor": 60, "IncompleteFormat": false }'
while IFS= read -r line; do
    case "$line" in
    'int   i'*) line="    int i${line#int   i}" ;;
    'if('*) line="    if (${line#if?}" ;;
    esac
    printf '%s\n' "$line"
done
)");
    QFile::setPermissions(tool, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    room.workspace->formatter().setTool(tool.toStdString());
    editor.setCursorPosition(1, 0);
    room.press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    WAIT_VERIFY(editor.text() != QString::fromLatin1(ugly) || !room.notice().isEmpty());
    QCOMPARE(editor.text(), QString::fromLatin1(source));
    QCOMPARE(editor.SendScintilla(QsciScintilla::SCI_GETCURRENTPOS), 60L);
    room.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor.text(), QString::fromLatin1(ugly));
    QVERIFY(!editor.isUndoAvailable());
    // Who types meanwhile keeps what was typed.
    room.press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(&editor, QStringLiteral("x"));
    const QString typed = editor.text();
    WAIT_VERIFY(room.notice().contains(QStringLiteral("was not formatted")));
    QCOMPARE(editor.text(), typed);
}

void TestEditing::formatSaysWhatIsMissing() {
    Room room;
    QVERIFY(open(room, source));
    room.workspace->formatter().setTool({});
    room.press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    WAIT_VERIFY(room.notice().contains(QStringLiteral("clang-format was not found")));
    QVERIFY(room.notice().contains(QStringLiteral("package clang-format")));
    QCOMPARE(room.window->editorArea().editor().text(), QString::fromLatin1(source));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestEditing);
