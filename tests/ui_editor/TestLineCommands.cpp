// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestLineCommands.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_editor/InTheme.h"
#include "ui/editor/Bookmarks.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/FindBar.h"
#include "ui/editor/Symbols.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace kernelarium::ui;

namespace {

using Sci = QsciScintilla;
constexpr auto control = Qt::ControlModifier;
constexpr auto shift = Qt::ShiftModifier;
constexpr auto alt = Qt::AltModifier;

/// An editor that is shown, with a text.
struct Sheet {
    Sheet(Theme& theme, const QString& text)
        : editor(theme) {
        editor.resize(700, 400);
        editor.show();
        (void)QTest::qWaitForWindowExposed(&editor, longWait);
        editor.setFocus();
        editor.open(text);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&editor, key, modifiers); }
    void cursorAt(int line, int column) { editor.setCursorPosition(line - 1, column); }
    void select(int fromLine, int fromColumn, int toLine, int toColumn) {
        editor.setSelection(fromLine - 1, fromColumn, toLine - 1, toColumn);
    }
    [[nodiscard]] QPoint pointOf(const char* text) const {
        const long position = long(editor.text().toUtf8().indexOf(text));
        return {int(editor.SendScintilla(Sci::SCI_POINTXFROMPOSITION, 0UL, position)) + 1,
                int(editor.SendScintilla(Sci::SCI_POINTYFROMPOSITION, 0UL, position)) + 5};
    }
    [[nodiscard]] long cursors() const { return editor.SendScintilla(Sci::SCI_GETSELECTIONS); }

    CodeEditor editor;
};

} // namespace

void TestLineCommands::commentsAndBack() {
    const QString text = QStringLiteral("void f() {\n    a();\n\n        b();\n    // c();\n}\n");
    Sheet sheet(m_theme, text);
    sheet.select(2, 2, 5, 0); // the last line is not touched
    sheet.press(Qt::Key_Slash, control);
    QCOMPARE(sheet.editor.text(), QStringLiteral("void f() {\n    // a();\n\n    //     b();\n    // c();\n}\n"));
    sheet.press(Qt::Key_Slash, control);
    QCOMPARE(sheet.editor.text(), text);
    sheet.select(2, 0, 5, 3); // not all are comments: the one that is gets a second
    sheet.press(Qt::Key_Slash, control);
    QVERIFY(sheet.editor.text().contains(QStringLiteral("    // // c();")));
    sheet.press(Qt::Key_Z, control);
    QCOMPARE(sheet.editor.text(), text);
    sheet.cursorAt(3, 0); // nothing on it
    sheet.press(Qt::Key_Slash, control);
    QCOMPARE(sheet.editor.text(), text);
    sheet.editor.open(QStringLiteral("\ta;\n//b"));
    sheet.cursorAt(2, 3);
    sheet.press(Qt::Key_Slash, control);
    QCOMPARE(sheet.editor.text(), QStringLiteral("\ta;\nb"));
}

void TestLineCommands::movesLines() {
    Sheet sheet(m_theme, QStringLiteral("1\n2\n3\n4"));
    sheet.cursorAt(2, 1);
    sheet.press(Qt::Key_Down, alt);
    QCOMPARE(sheet.editor.text(), QStringLiteral("1\n3\n2\n4"));
    sheet.press(Qt::Key_Down, alt); // past the last, which has no line break
    QCOMPARE(sheet.editor.text(), QStringLiteral("1\n3\n4\n2"));
    sheet.press(Qt::Key_Down, alt);
    QCOMPARE(sheet.editor.text(), QStringLiteral("1\n3\n4\n2"));
    QCOMPARE(sheet.editor.cursorLine(), 4);
    for (int i = 0; i < 5; ++i)
        sheet.press(Qt::Key_Up, alt);
    QCOMPARE(sheet.editor.text(), QStringLiteral("2\n1\n3\n4"));
    QCOMPARE(sheet.editor.cursorLine(), 1);
    sheet.select(1, 0, 2, 1); // together, and selected after it
    sheet.press(Qt::Key_Down, alt);
    QCOMPARE(sheet.editor.text(), QStringLiteral("3\n2\n1\n4"));
    QCOMPARE(sheet.editor.selectedText(), QStringLiteral("2\n1"));
    sheet.editor.open(QStringLiteral("a\nb\n")); // the empty line behind the last break stays last
    sheet.cursorAt(2, 0);
    sheet.press(Qt::Key_Down, alt);
    QCOMPARE(sheet.editor.text(), QStringLiteral("a\nb\n"));
}

void TestLineCommands::duplicates() {
    Sheet sheet(m_theme, QStringLiteral("ab\ncd"));
    sheet.cursorAt(2, 1);
    sheet.press(Qt::Key_D, control | shift);
    QCOMPARE(sheet.editor.text(), QStringLiteral("ab\ncd\ncd"));
    QCOMPARE(sheet.editor.cursorLine(), 3);
    sheet.select(1, 0, 1, 1);
    sheet.press(Qt::Key_D, control | shift);
    QCOMPARE(sheet.editor.text(), QStringLiteral("aab\ncd\ncd"));
    QCOMPARE(sheet.editor.selectedText(), QStringLiteral("a"));
    QTest::keyClicks(&sheet.editor, QStringLiteral("x")); // the second
    QCOMPARE(sheet.editor.text(), QStringLiteral("axb\ncd\ncd"));
}

void TestLineCommands::deletesLines() {
    Sheet sheet(m_theme, QStringLiteral("one\ntwo\nthree\nfour"));
    sheet.cursorAt(2, 2);
    sheet.press(Qt::Key_K, control | shift);
    QCOMPARE(sheet.editor.text(), QStringLiteral("one\nthree\nfour"));
    QTest::keyClicks(&sheet.editor, QStringLiteral("X")); // in the same column
    QCOMPARE(sheet.editor.text(), QStringLiteral("one\nthXree\nfour"));
    sheet.cursorAt(3, 1);
    sheet.press(Qt::Key_K, control | shift);
    QCOMPARE(sheet.editor.text(), QStringLiteral("one\nthXree"));
    sheet.select(1, 1, 2, 1);
    sheet.press(Qt::Key_K, control | shift);
    QCOMPARE(sheet.editor.text(), QString());
    sheet.press(Qt::Key_K, control | shift);
    QCOMPARE(sheet.editor.text(), QString());
}

void TestLineCommands::selectsOccurrences() {
    Sheet sheet(m_theme, QStringLiteral("i = ii + i;\nI = i;\n"));
    sheet.cursorAt(1, 0);
    sheet.press(Qt::Key_J, alt);
    QCOMPARE(sheet.editor.selectedText(), QStringLiteral("i"));
    QCOMPARE(sheet.cursors(), 1L);
    sheet.press(Qt::Key_J, alt);
    sheet.press(Qt::Key_J, alt);
    QCOMPARE(sheet.cursors(), 3L);
    QTest::keyClicks(&sheet.editor, QStringLiteral("row"));
    QCOMPARE(sheet.editor.text(), QStringLiteral("row = ii + row;\nI = row;\n"));
    sheet.press(Qt::Key_Escape);
    QCOMPARE(sheet.cursors(), 1L);
    sheet.cursorAt(2, 5);
    sheet.press(Qt::Key_L, control | shift);
    QCOMPARE(sheet.cursors(), 3L);
    sheet.press(Qt::Key_Delete);
    QCOMPARE(sheet.editor.text(), QStringLiteral(" = ii + ;\nI = ;\n"));
}

void TestLineCommands::typesAtSeveralCursors() {
    Sheet sheet(m_theme, QStringLiteral("    a {\n    b\n\n    c"));
    sheet.cursorAt(1, 7);
    sheet.press(Qt::Key_Down, control | alt);
    sheet.press(Qt::Key_Down, control | alt);
    sheet.press(Qt::Key_Down, control | alt);
    QCOMPARE(sheet.cursors(), 4L);
    sheet.press(Qt::Key_Return);
    QCOMPARE(sheet.editor.text(), QStringLiteral("    a {\n        \n    b\n    \n\n\n    c\n    "));
    QTest::keyClicks(&sheet.editor, QStringLiteral("x"));
    QCOMPARE(sheet.editor.text(), QStringLiteral("    a {\n        x\n    b\n    x\n\nx\n    c\n    x"));
    sheet.press(Qt::Key_Backspace);
    sheet.press(Qt::Key_Escape);
    sheet.cursorAt(3, 4);
    sheet.press(Qt::Key_Up, control | alt);
    QCOMPARE(sheet.cursors(), 2L);
    sheet.press(Qt::Key_Slash, control);
    QVERIFY(sheet.editor.text().contains(QStringLiteral("    // b")));
}

void TestLineCommands::altClickAddsACursor() {
    Sheet sheet(m_theme, QStringLiteral("one\ntwo\nthree\n"));
    sheet.cursorAt(1, 0);
    QTest::mouseClick(sheet.editor.viewport(), Qt::LeftButton, alt, sheet.pointOf("two"));
    QTest::mouseClick(sheet.editor.viewport(), Qt::LeftButton, alt, sheet.pointOf("three"));
    QCOMPARE(sheet.cursors(), 3L);
    QTest::keyClicks(&sheet.editor, QStringLiteral("-"));
    QCOMPARE(sheet.editor.text(), QStringLiteral("-one\n-two\n-three\n"));
    sheet.press(Qt::Key_Home);
    QTest::mouseClick(sheet.editor.viewport(), Qt::LeftButton, alt, sheet.pointOf("-two")); // away again
    QCOMPARE(sheet.cursors(), 2L);
    QTest::mouseClick(sheet.editor.viewport(), Qt::LeftButton, {}, sheet.pointOf("three"));
    QCOMPARE(sheet.cursors(), 1L);
}

void TestLineCommands::altDragSelectsARectangle() {
    Sheet sheet(m_theme, QStringLiteral("abcd\nefgh\nijkl\n"));
    QTest::mousePress(sheet.editor.viewport(), Qt::LeftButton, alt, sheet.pointOf("bcd"));
    for (const char* on : {"cd", "gh", "kl", "kl"}) { // Scintilla passes over some
        const QPointF to = sheet.pointOf(on);
        QMouseEvent move(QEvent::MouseMove, to, sheet.editor.viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         alt);
        QApplication::sendEvent(sheet.editor.viewport(), &move); // QTest's own has no buttons
    }
    QTest::mouseRelease(sheet.editor.viewport(), Qt::LeftButton, alt, sheet.pointOf("kl"));
    QCOMPARE(sheet.cursors(), 3L);
    QTest::keyClicks(&sheet.editor, QStringLiteral("-"));
    QCOMPARE(sheet.editor.text(), QStringLiteral("a-cd\ne-gh\ni-kl\n"));
    // The same by keyboard.
    sheet.editor.open(QStringLiteral("abcd\nefgh\nijkl\n"));
    sheet.cursorAt(1, 1);
    sheet.press(Qt::Key_Down, alt | shift);
    sheet.press(Qt::Key_Right, alt | shift);
    QCOMPARE(sheet.cursors(), 2L);
    QTest::keyClicks(&sheet.editor, QStringLiteral("-"));
    QVERIFY2(sheet.editor.text().startsWith(QStringLiteral("a-")), qPrintable(sheet.editor.text()));
    QVERIFY(sheet.editor.text().contains(QStringLiteral("\ne-")));
    QVERIFY(sheet.editor.text().endsWith(QStringLiteral("\nijkl\n")));
}

void TestLineCommands::everyCommandIsOneUndoStep() {
    const QString text = QStringLiteral("void f() {\n    int i = i + 1;\n    i = 2;\n}\n");
    for (const LineCommand& command : lineCommands()) {
        Sheet sheet(m_theme, text);
        sheet.select(2, 3, 3, 5);
        QTest::keySequence(&sheet.editor, command.key);
        if (sheet.editor.text() == text) continue; // it only selects
        sheet.press(Qt::Key_Z, control);
        QVERIFY2(sheet.editor.text() == text, command.name);
        QVERIFY(!sheet.editor.isUndoAvailable());
    }
}

void TestLineCommands::readOnlyTextStays() {
    Sheet sheet(m_theme, QStringLiteral("a\nb\nc\n"));
    sheet.editor.setReadOnly(true);
    for (const LineCommand& command : lineCommands()) {
        sheet.cursorAt(2, 0);
        QTest::keySequence(&sheet.editor, command.key);
        QVERIFY2(sheet.editor.text() == QStringLiteral("a\nb\nc\n"), command.name);
    }
}

void TestLineCommands::ctrlClickGoesToTheDefinition() {
    QString text = QStringLiteral("#define SIDE 4\n__device__ int twice(int a) { return 2 * a; }\n");
    for (int i = 0; i < 200; ++i)
        text += QStringLiteral("// line\n");
    text += QStringLiteral("int here = twice(SIDE); // SIDE\n");
    Sheet sheet(m_theme, text);
    sheet.editor.goToLine(203);
    QTest::mouseClick(sheet.editor.viewport(), Qt::LeftButton, control, sheet.pointOf("twice(SIDE)") + QPoint(3, 0));
    WAIT_COMPARE(sheet.editor.cursorLine(), 2);
    sheet.press(Qt::Key_F12, shift);
    WAIT_COMPARE(sheet.editor.cursorLine(), 203);
    sheet.cursorAt(203, 19); // by keyboard
    sheet.press(Qt::Key_F12);
    WAIT_COMPARE(sheet.editor.cursorLine(), 1);
    sheet.cursorAt(203, 0);
    QSignalSpy said(&sheet.editor.symbols(), &Symbols::said);
    sheet.press(Qt::Key_End); // in the comment
    sheet.press(Qt::Key_F12);
    WAIT_COMPARE(said.count(), 1);
    QCOMPARE(sheet.editor.cursorLine(), 203);
    // Edits in between move the way back; another text has none.
    sheet.cursorAt(203, 19);
    sheet.press(Qt::Key_F12);
    WAIT_COMPARE(sheet.editor.cursorLine(), 1);
    sheet.press(Qt::Key_Home);
    sheet.press(Qt::Key_Return);
    sheet.press(Qt::Key_F12, shift);
    WAIT_COMPARE(sheet.editor.cursorLine(), 204);
    sheet.cursorAt(204, 19);
    sheet.press(Qt::Key_F12);
    WAIT_COMPARE(sheet.editor.cursorLine(), 2);
    sheet.editor.open(text);
    QVERIFY(!sheet.editor.symbols().canGoBack());
}

void TestLineCommands::renamesInOneStep() {
    const QString text = QStringLiteral("__global__ void a(int n) { int m = n; /* n */ }\nvoid b(int n) { n = 1; }\n");
    Sheet sheet(m_theme, text);
    sheet.cursorAt(1, 22);
    Symbols::Places found;
    sheet.editor.symbols().findPlaces([&](Symbols::Places places) { found = std::move(places); });
    WAIT_VERIFY(!found.places.empty());
    QCOMPARE(found.name, QStringLiteral("n"));
    QCOMPARE(found.places.size(), std::size_t(2));
    QVERIFY(!found.wholeFile);
    for (const char* bad : {"", "1", "a b", "int", "n"})
        sheet.editor.symbols().rename(found, QString::fromLatin1(bad));
    QCOMPARE(sheet.editor.text(), text);
    sheet.editor.symbols().rename(found, QStringLiteral("count"));
    QCOMPARE(sheet.editor.text(), QStringLiteral("__global__ void a(int count) { int m = count; /* n */ }\n"
                                                 "void b(int n) { n = 1; }\n"));
    sheet.press(Qt::Key_Z, control);
    QCOMPARE(sheet.editor.text(), text);
}

void TestLineCommands::linesDoNotStayCut() {
    QWidget window;
    auto* editor = new CodeEditor(m_theme);
    auto* bar = new FindBar(m_theme, *editor);
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(editor);
    layout->addWidget(bar);
    window.resize(500, 400);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, longWait));
    const QString far = QStringLiteral("int ") + QString(300, QLatin1Char('x')) + QStringLiteral(" = largest;\n");
    editor->open(QStringLiteral("return largest;\n") + far + QStringLiteral("return 1;\n"));
    editor->setFocus();
    const auto scrolled = [&] { return editor->SendScintilla(Sci::SCI_GETXOFFSET); };
    QTest::keyClick(editor, Qt::Key_F, control);
    auto* pattern = bar->findChildren<QLineEdit*>()[0];
    QTest::keyClicks(pattern, QStringLiteral("largest"));
    WAIT_COMPARE(bar->status(), QStringLiteral("1 of 2"));
    QCOMPARE(scrolled(), 0L);
    QTest::keyClick(pattern, Qt::Key_Return);
    WAIT_COMPARE(bar->status(), QStringLiteral("2 of 2"));
    QVERIFY(scrolled() > 0); // it cannot be seen otherwise
    QTest::keyClick(pattern, Qt::Key_Return);
    WAIT_COMPARE(bar->status(), QStringLiteral("1 of 2"));
    QCOMPARE(scrolled(), 0L);
    // An undo that leads back to the left.
    editor->setFocus();
    editor->setCursorPosition(2, 10);
    QTest::keyClicks(editor, QStringLiteral("2"));
    editor->setCursorPosition(1, 310);
    editor->ensureCursorVisible();
    WAIT_VERIFY(scrolled() > 0);
    QTest::keyClick(editor, Qt::Key_Z, control);
    WAIT_COMPARE(scrolled(), 0L);
    // Another text from elsewhere, and a line that one goes to.
    editor->setCursorPosition(1, 310);
    WAIT_VERIFY(scrolled() > 0);
    editor->goToLine(1);
    QCOMPARE(scrolled(), 0L);
    editor->setCursorPosition(1, 310);
    WAIT_VERIFY(scrolled() > 0);
    editor->replaceText(QStringLiteral("short\ntext\nnow\n"));
    QCOMPARE(scrolled(), 0L);
}

void TestLineCommands::bookmarksMoveWithTheirLines() {
    Sheet sheet(m_theme, QStringLiteral("a\nb\nc\nd\ne\n"));
    for (const int line : {2, 4}) {
        sheet.cursorAt(line, 0);
        sheet.press(Qt::Key_B, control);
    }
    QCOMPARE(bookmarks(sheet.editor), (std::vector<int>{2, 4}));
    sheet.press(Qt::Key_PageDown, alt); // around the end
    QCOMPARE(sheet.editor.cursorLine(), 2);
    sheet.press(Qt::Key_PageUp, alt);
    QCOMPARE(sheet.editor.cursorLine(), 4);
    sheet.editor.insertAt(QStringLiteral("new\n"), 0, 0);
    QCOMPARE(bookmarks(sheet.editor), (std::vector<int>{3, 5}));
    sheet.cursorAt(1, 0);
    sheet.press(Qt::Key_PageDown, alt);
    QCOMPARE(sheet.editor.cursorLine(), 3);
    QVERIFY((sheet.editor.marginMarkerMask(0) & 1 << bookmarkMarker) != 0); // and is seen
    // Another tab's page and back.
    const EditorPage page = sheet.editor.takePage();
    sheet.editor.startPage();
    sheet.editor.open(QStringLiteral("other\n"));
    QVERIFY(bookmarks(sheet.editor).empty());
    QVERIFY(!goToBookmark(sheet.editor, true));
    sheet.editor.showPage(page);
    QCOMPARE(bookmarks(sheet.editor), (std::vector<int>{3, 5}));
    sheet.cursorAt(3, 0);
    sheet.press(Qt::Key_B, control);
    QCOMPARE(bookmarks(sheet.editor), (std::vector<int>{5}));
}

KERNELARIUM_TEST(InTheme<TestLineCommands, kernelarium::ui::Theme::Choice::light>);
