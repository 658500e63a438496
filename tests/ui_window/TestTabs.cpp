// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestTabs.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/CudaLexer.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/source/KernelTabs.h"

#include <QTableView>
#include <QTest>

namespace kernelarium::ui {

namespace {

QString openFile(Room& room, const QString& name, const QByteArray& text = addSource()) {
    room.window->openPath(room.write(name, text));
    const auto isThere = [&] { return room.workspace->bench().kernel().title == name; };
    return QTest::qWaitFor(isThere, longWait) ? room.workspace->bench().kernel().key : QString();
}

QStringList titles(const KernelTabs& tabs) {
    QStringList texts;
    for (int i = 0; i < tabs.count(); ++i)
        texts << tabs.tabText(i);
    return texts;
}

void clickTab(KernelTabs& tabs, int index, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mouseClick(&tabs, button, {}, tabs.tabRect(index).center());
}

} // namespace

void TestTabs::lookingTakesOneTab() {
    Room room;
    QVERIFY(room.start());
    KernelTabs& tabs = room.window->editorArea().tabs();
    QTableView& table = room.window->archive().table();
    WAIT_VERIFY(table.model()->rowCount() > 3);
    const auto clickRow = [&](int row) {
        const QString before = room.workspace->bench().kernel().key;
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 1)).center());
        return QTest::qWaitFor([&] { return room.workspace->bench().kernel().key != before; }, longWait);
    };
    for (int row = 0; row < 3; ++row) {
        QVERIFY(clickRow(row));
        QCOMPARE(tabs.count(), 1);
        QVERIFY(tabs.isPreview(0));
        QVERIFY(!tabs.isVisible());
    }
    // An edit keeps it.
    room.window->editorArea().focusEditor();
    QTest::keyClicks(&room.window->editorArea().editor(), QStringLiteral("x"));
    QVERIFY(!tabs.isPreview(0));
    QVERIFY(clickRow(0));
    QCOMPARE(tabs.count(), 2);
    QVERIFY(tabs.isVisible());
    QVERIFY(tabs.isPreview(1) && !tabs.isPreview(0));
    QVERIFY(tabs.tabText(0).startsWith(QStringLiteral("• ")));
    QCOMPARE(tabs.currentIndex(), 1);
    room.keepPicture(QStringLiteral("tabs"));
    // So does a double click on the tab; and the next one takes a tab of its own.
    QTest::mouseDClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(1).center());
    QVERIFY(!tabs.isPreview(1));
    QVERIFY(clickRow(1));
    QCOMPARE(tabs.count(), 3);
    // A file is not only looked at.
    QVERIFY(!openFile(room, QStringLiteral("a.cu")).isEmpty());
    QCOMPARE(tabs.count(), 4);
    QVERIFY(!tabs.isPreview(tabs.currentIndex()));
}

void TestTabs::eachTabKeepsItsOwn() {
    Room room;
    QVERIFY(room.start());
    CodeEditor& editor = room.window->editorArea().editor();
    KernelTabs& tabs = room.window->editorArea().tabs();
    QByteArray longText = addSource();
    for (int i = 0; i < 300; ++i)
        longText += "// line " + QByteArray::number(i) + '\n';
    const QString first = openFile(room, QStringLiteral("first.cu"), longText);
    room.window->editorArea().focusEditor();
    editor.goToLine(200);
    editor.setSelection(199, 2, 199, 6);
    QTest::keyClicks(&editor, QStringLiteral("typed"));
    const QString typed = editor.text();
    const long top = editor.SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE);
    const QString second = openFile(room, QStringLiteral("second.cu"));
    QVERIFY(first != second);
    QVERIFY(!editor.isUndoAvailable());
    QTest::keyClicks(&editor, QStringLiteral("y"));
    const QString other = editor.text();
    // By mouse, and by keys.
    clickTab(tabs, 0);
    WAIT_COMPARE(room.workspace->bench().kernel().key, first);
    QCOMPARE(tabs.currentIndex(), 0);
    QCOMPARE(editor.text(), typed);
    QCOMPARE(room.workspace->bench().source(), typed);
    QCOMPARE(editor.cursorLine(), 200);
    QCOMPARE(editor.SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE), top);
    QVERIFY(editor.isUndoAvailable());
    editor.setFocus();
    room.press(Qt::Key_PageDown, Qt::ControlModifier);
    WAIT_COMPARE(room.workspace->bench().kernel().key, second);
    QCOMPARE(editor.text(), other);
    room.press(Qt::Key_PageUp, Qt::ControlModifier);
    WAIT_COMPARE(room.workspace->bench().kernel().key, first);
    for (int i = 0; i < 10 && editor.isUndoAvailable(); ++i)
        room.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor.text(), QString::fromUtf8(longText));
    QVERIFY(!room.workspace->bench().isEdited());
    clickTab(tabs, 1);
    WAIT_COMPARE(room.workspace->bench().kernel().key, second);
    room.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor.text(), QString::fromUtf8(addSource()));
    // Compiled is what is shown.
    QVERIFY(room.waitUntilCompiled());
    // A file that was changed by others meanwhile is read again.
    clickTab(tabs, 0);
    WAIT_COMPARE(room.workspace->bench().kernel().key, first);
    QVERIFY(!room.write(QStringLiteral("second.cu"), addSource() + "// more\n").isEmpty());
    clickTab(tabs, 1);
    WAIT_VERIFY(editor.text().endsWith(QStringLiteral("// more\n")));
    QVERIFY(!editor.isUndoAvailable());
}

void TestTabs::tabsCloseAndMove() {
    Room room;
    QVERIFY(room.start());
    KernelTabs& tabs = room.window->editorArea().tabs();
    QStringList keys;
    for (const char* name : {"a.cu", "b.cu", "c.cu", "d.cu"})
        keys << openFile(room, QLatin1String(name));
    QCOMPARE(titles(tabs).join(QLatin1Char(' ')), QStringLiteral("a.cu b.cu c.cu d.cu"));
    clickTab(tabs, 1, Qt::MiddleButton); // one that is not shown
    QCOMPARE(titles(tabs).join(QLatin1Char(' ')), QStringLiteral("a.cu c.cu d.cu"));
    QCOMPARE(room.workspace->bench().kernel().key, keys[3]);
    room.window->editorArea().focusEditor();
    QTest::keyClicks(&room.window->editorArea().editor(), QStringLiteral("x"));
    room.press(Qt::Key_W, Qt::ControlModifier);
    WAIT_COMPARE(titles(tabs).join(QLatin1Char(' ')), QStringLiteral("a.cu c.cu"));
    WAIT_COMPARE(room.workspace->bench().kernel().key, keys[2]);
    // What was typed there is kept.
    QVERIFY(!openFile(room, QStringLiteral("d.cu")).isEmpty());
    QVERIFY(room.workspace->bench().isEdited());
    QCOMPARE(titles(tabs).join(QLatin1Char(' ')), QStringLiteral("a.cu c.cu • d.cu"));
    tabs.moveTab(2, 0); // what dragging does
    QCOMPARE(tabs.currentIndex(), 0);
    QCOMPARE(room.workspace->bench().kernel().title, QStringLiteral("d.cu"));
    clickTab(tabs, 1);
    WAIT_COMPARE(room.workspace->bench().kernel().key, keys[0]);
    // The last one stays.
    room.press(Qt::Key_W, Qt::ControlModifier);
    WAIT_COMPARE(tabs.count(), 2);
    WAIT_VERIFY(room.workspace->bench().kernel().key != keys[0]);
    room.press(Qt::Key_W, Qt::ControlModifier);
    WAIT_COMPARE(tabs.count(), 1);
    QVERIFY(!tabs.isVisible());
    QVERIFY(!room.window->actions().action(QStringLiteral("file.closeTab"))->isEnabled());
    room.window->actions().run(QStringLiteral("file.closeTab"));
    QCOMPARE(tabs.count(), 1);
    // A tab whose file is gone says so and goes nowhere.
    const QString last = openFile(room, QStringLiteral("last.cu"));
    clickTab(tabs, 0);
    WAIT_VERIFY(room.workspace->bench().kernel().key != last);
    const QString here = room.workspace->bench().kernel().key;
    QVERIFY(QFile::remove(room.file(QStringLiteral("last.cu"))));
    clickTab(tabs, 1);
    WAIT_VERIFY(room.notice().contains(QStringLiteral("last.cu")));
    QCOMPARE(room.workspace->bench().kernel().key, here);
    QCOMPARE(tabs.currentIndex(), 0);
}

void TestTabs::tabsComeBackAtTheNextStart() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    const QString archived = room.workspace->bench().kernel().key;
    const QString file = openFile(room, QStringLiteral("a.cu"));
    room.window->editorArea().focusEditor();
    QTest::keyClicks(&room.window->editorArea().editor(), QStringLiteral("x"));
    QVERIFY(!openFile(room, QStringLiteral("b.cu")).isEmpty());
    const QStringList before = titles(room.window->editorArea().tabs());
    QCOMPARE(before.size(), 3);
    room.window->close();
    room.stop();
    QVERIFY(room.start());
    KernelTabs& tabs = room.window->editorArea().tabs();
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("b.cu"));
    QCOMPARE(titles(tabs), before);
    QVERIFY(tabs.isVisible());
    QVERIFY(tabs.isPreview(0));
    QCOMPARE(tabs.currentIndex(), 2);
    clickTab(tabs, 1);
    WAIT_COMPARE(room.workspace->bench().kernel().key, file);
    QVERIFY(room.window->editorArea().editor().text().startsWith(QLatin1Char('x')));
    clickTab(tabs, 0);
    WAIT_COMPARE(room.workspace->bench().kernel().key, archived);
}

void TestTabs::aSavedTextKeepsItsTab() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(!openFile(room, QStringLiteral("a.cu")).isEmpty());
    room.window->actions().run(QStringLiteral("file.new"));
    WAIT_VERIFY(room.workspace->bench().kernel().origin == Kernel::Origin::fresh);
    CodeEditor& editor = room.window->editorArea().editor();
    QTest::keyClicks(&editor, QStringLiteral("x"));
    KernelTabs& tabs = room.window->editorArea().tabs();
    QCOMPARE(tabs.count(), 2);
    room.workspace->bench().saveToFile(room.file(QStringLiteral("new.cu")));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("new.cu"));
    QCOMPARE(titles(tabs).join(QLatin1Char(' ')), QStringLiteral("a.cu new.cu"));
}

void TestTabs::pagesLookAlike() {
    Room room;
    QVERIFY(room.start());
    CodeEditor& editor = room.window->editorArea().editor();
    // What belongs to a document in Scintilla: colours, folds, encoding, widths; on the first page, the second, the
    // first again.
    const QByteArray text = "// ä\n__global__ void k(torch::Tensor a) {\n    a.size(0);\n}\n";
    QStringList found;
    for (const char* name : {"a.cu", "b.cu", "a.cu"}) {
        QVERIFY(!openFile(room, QLatin1String(name), text).isEmpty());
        editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
        QString look;
        for (const char* word : {"// ä", "__global__", "void", "torch", "size"})
            look += QString::number(editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT,
                                                         static_cast<unsigned long>(text.indexOf(word))) &
                                    0xff) +
                    QLatin1Char(' ');
        look += QStringLiteral("%1 %2 %3 %4")
                    .arg(editor.SendScintilla(QsciScintilla::SCI_GETFOLDLEVEL, 1UL))
                    .arg(editor.SendScintilla(QsciScintilla::SCI_GETCODEPAGE))
                    .arg(editor.SendScintilla(QsciScintilla::SCI_GETTABWIDTH))
                    .arg(editor.SendScintilla(QsciScintilla::SCI_GETUSETABS));
        found << look;
        QCOMPARE(editor.text(), QString::fromUtf8(text));
    }
    QCOMPARE(found[1], found[0]);
    QCOMPARE(found[2], found[0]);
    QVERIFY(found[0].contains(QString::number(CudaLexer::TorchName)));
    editor.setFocus();
    editor.setCursorPosition(2, 0);
    QTest::keyClick(&editor, Qt::Key_Tab);
    QVERIFY(editor.text().contains(QStringLiteral("\n        a.size")));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestTabs);
