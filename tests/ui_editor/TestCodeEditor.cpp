// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestCodeEditor.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_editor/InTheme.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/CudaLexer.h"

#include <QApplication>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QMainWindow>
#include <QMimeData>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace kernelarium::ui;

namespace {

using S = QsciScintilla;

void show(QWidget& widget) {
    widget.resize(700, 400);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget, longWait));
    widget.setFocus();
}

int styleOf(const CodeEditor& editor, const char* text) {
    const qsizetype at = editor.text().toUtf8().indexOf(text);
    return int(editor.SendScintilla(S::SCI_GETSTYLEAT, static_cast<unsigned long>(at))) & 0xff;
}

/// The bytes that carry the indicator of a severity, joined.
QByteArray squiggled(const CodeEditor& editor, EditorMark::Severity severity) {
    const QByteArray bytes = editor.text().toUtf8();
    QByteArray found;
    for (qsizetype i = 0; i < bytes.size(); ++i)
        if (editor.SendScintilla(S::SCI_INDICATORVALUEAT, 8UL + static_cast<unsigned long>(severity), long(i)) != 0)
            found.append(bytes[i]);
    return found;
}

QPoint pointOf(const CodeEditor& editor, long position) {
    return {int(editor.SendScintilla(S::SCI_POINTXFROMPOSITION, 0UL, position)) + 2,
            int(editor.SendScintilla(S::SCI_POINTYFROMPOSITION, 0UL, position)) + 4};
}

constexpr auto error = EditorMark::Severity::error;
constexpr auto warning = EditorMark::Severity::warning;
constexpr auto note = EditorMark::Severity::note;
constexpr auto fault = EditorMark::Severity::fault;

} // namespace

void TestCodeEditor::opensWithNothingToUndo() {
    CodeEditor editor(m_theme);
    QSignalSpy edited(&editor, &CodeEditor::edited);
    editor.open(QStringLiteral("int a;\n"));
    QCOMPARE(editor.text(), QStringLiteral("int a;\n"));
    QVERIFY(!editor.isModified());
    QVERIFY(!editor.isUndoAvailable());
    QCOMPARE(edited.count(), 0);
    QCOMPARE(editor.cursorLine(), 1);
    editor.setReadOnly(true);
    editor.open(QStringLiteral("int b;\n"));
    QCOMPARE(editor.text(), QStringLiteral("int b;\n"));
    QVERIFY(editor.isReadOnly());
}

void TestCodeEditor::typesAndUndoes() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("// start\n"));
    QSignalSpy edited(&editor, &CodeEditor::edited);
    QSignalSpy moved(&editor, &CodeEditor::cursorLineChanged);
    QTest::keyClick(&editor, Qt::Key_Down);
    WAIT_COMPARE(moved.count(), 1);
    QCOMPARE(moved[0][0].toInt(), 2);
    QTest::keyClicks(&editor, "x = 1;");
    QCOMPARE(editor.text(), QStringLiteral("// start\nx = 1;"));
    QCOMPARE(edited.count(), 6);
    QVERIFY(editor.isModified());
    QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor.text(), QStringLiteral("// start\n"));
    QVERIFY(!editor.isModified());
    QTest::keyClick(&editor, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(editor.text(), QStringLiteral("// start\nx = 1;"));
}

void TestCodeEditor::indentsByItself() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open({});
    QTest::keyClicks(&editor, "void f() {");
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, "a();");
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, "}");
    QCOMPARE(editor.text(), QStringLiteral("void f() {\n    a();\n}"));
}

void TestCodeEditor::replacesInOneStepAndKeepsTheLine() {
    CodeEditor editor(m_theme);
    const QString before = QStringLiteral("one\ntwo\nthree\nfour\n");
    editor.open(before);
    editor.setCursorPosition(2, 2);
    QSignalSpy edited(&editor, &CodeEditor::edited);
    const QString after = QStringLiteral("ONE\ntwo\nTHREE\nfour\n");
    editor.replaceText(after);
    QCOMPARE(editor.text(), after);
    QCOMPARE(editor.cursorLine(), 3);
    QVERIFY(edited.count() >= 1);
    editor.undo();
    QCOMPARE(editor.text(), before);
    QVERIFY(!editor.isUndoAvailable());
    QVERIFY(!editor.isModified());
    edited.clear();
    editor.replaceText(before);
    QCOMPARE(edited.count(), 0);
    QVERIFY(!editor.isUndoAvailable());
}

void TestCodeEditor::replacesTextBeyondAscii() {
    // ä and ö share their first byte in UTF-8, 𝛼 and 𝛽 their first three: the common part must end before them.
    CodeEditor editor(m_theme);
    editor.open(QStringLiteral("// ä 𝛼\n"));
    for (const QString& text :
         {QStringLiteral("// ö 𝛽\n"), QStringLiteral("// öö𝛽\n"), QStringLiteral("ö"), QString()}) {
        editor.replaceText(text);
        QCOMPARE(editor.text(), text);
    }
    editor.undo();
    editor.undo();
    editor.undo();
    editor.undo();
    QCOMPARE(editor.text(), QStringLiteral("// ä 𝛼\n"));
}

void TestCodeEditor::marksTheTokenAtByteColumns() {
    CodeEditor editor(m_theme);
    // Before `undefinedName` stand 2 umlauts (2 bytes each) and a letter outside the BMP (4 bytes).
    const QString line = QStringLiteral("/* äö 𝛼 */ undefinedName = 1;");
    editor.open(QStringLiteral("int x;\n") + line + QStringLiteral("\n  call(y)\n"));
    const int column = int(line.toUtf8().indexOf("undefinedName")) + 1;
    QCOMPARE(column, 17);
    editor.setDiagnostics({{2, column, error, QStringLiteral("no such name")},
                           {3, 0, warning, QStringLiteral("the whole line")},
                           {1, 6, note, QStringLiteral("one sign")},
                           {99, 50, fault, QStringLiteral("past the end")},
                           {0, 0, error, QStringLiteral("of no line")}});
    QCOMPARE(squiggled(editor, error), QByteArray("undefinedName"));
    QCOMPARE(squiggled(editor, warning), QByteArray("call(y)"));
    QCOMPARE(squiggled(editor, note), QByteArray(";"));
    QCOMPARE(editor.markersAtLine(1) & 0xf, 1U);
    QCOMPARE(editor.markersAtLine(2) & 0xf, 2U);
    QCOMPARE(editor.markersAtLine(0) & 0xf, 4U);
    QCOMPARE(int(editor.diagnostics().size()), 4);
    editor.setDiagnostics({});
    QCOMPARE(squiggled(editor, error), QByteArray());
    QCOMPARE(editor.markersAtLine(1), 0U);
}

void TestCodeEditor::marksFollowEdits() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("int a;\nint bad;\nint c;\n"));
    editor.setDiagnostics({{2, 5, error, QStringLiteral("bad")}, {3, 5, warning, QStringLiteral("c")}});
    editor.setCursorPosition(0, 0);
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, "// ");
    std::vector<EditorMark> marks = editor.diagnostics();
    QCOMPARE(marks[0].line, 3);
    QCOMPARE(marks[0].column, 5);
    QCOMPARE(marks[1].line, 4);
    QCOMPARE(squiggled(editor, error), QByteArray("bad"));
    editor.setCursorPosition(2, 0);
    QTest::keyClicks(&editor, "  ");
    QCOMPARE(editor.diagnostics()[0].column, 7);
    QCOMPARE(editor.markersAtLine(2) & 0xf, 1U);
    editor.setSelection(2, 0, 3, 0);
    QTest::keyClick(&editor, Qt::Key_Delete);
    marks = editor.diagnostics();
    QCOMPARE(marks[1].line, 3);
    QCOMPARE(squiggled(editor, error), QByteArray());
}

void TestCodeEditor::hoveringSaysTheMark() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("int a;\nstd::vector<int> wrong;\n"));
    editor.setDiagnostics({{2, 18, error, QStringLiteral("not a <type>")}, {2, 1, note, QStringLiteral("here")}});
    QCOMPARE(editor.tipAt(pointOf(editor, 7 + 18)), QStringLiteral("Error: not a <type>"));
    QCOMPARE(editor.tipAt(pointOf(editor, 7 + 1)), QStringLiteral("Note: here"));
    QCOMPARE(editor.tipAt(pointOf(editor, 1)), QString());
    const QPoint margin(4, pointOf(editor, 8).y());
    QCOMPARE(editor.tipAt(margin), QStringLiteral("Note: here\nError: not a <type>"));
    QCOMPARE(editor.tipAt(QPoint(4, 300)), QString());
    const QPoint at = pointOf(editor, 7 + 18);
    QHelpEvent help(QEvent::ToolTip, at, editor.viewport()->mapToGlobal(at));
    QApplication::sendEvent(editor.viewport(), &help);
    WAIT_VERIFY(QToolTip::isVisible());
    QVERIFY(QToolTip::text().contains(QStringLiteral("not a &lt;type&gt;")));
    QToolTip::hideText();
}

void TestCodeEditor::walksTheMarks() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("a\nbb cc\nd\n"));
    editor.setDiagnostics({{2, 4, error, {}}, {3, 1, warning, {}}, {2, 1, note, {}}});
    QStringList places;
    const auto step = [&](Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(&editor, Qt::Key_F8, modifiers);
        int line = 0, index = 0;
        editor.getCursorPosition(&line, &index);
        places.append(QStringLiteral("%1:%2").arg(line + 1).arg(index + 1));
    };
    for (int i = 0; i < 4; ++i)
        step(Qt::NoModifier);
    for (int i = 0; i < 2; ++i)
        step(Qt::ShiftModifier);
    QCOMPARE(places.join(QLatin1Char(' ')), QStringLiteral("2:1 2:4 3:1 2:1 3:1 2:4"));
}

void TestCodeEditor::manyMarksAndAFileOfMegabytes() {
    CodeEditor editor(m_theme);
    show(editor);
    QString text;
    for (int i = 0; text.size() < 5000000; ++i)
        text += QStringLiteral("    float value%1 = input[%1] * 2.0f;\n").arg(i);
    editor.open(text);
    std::vector<EditorMark> marks;
    for (int i = 0; i < 1000; ++i)
        marks.push_back({i * 100 + 1, 11, EditorMark::Severity(i % 4), QStringLiteral("mark %1").arg(i)});
    editor.setDiagnostics(marks);
    QCOMPARE(editor.diagnostics(), marks);
    editor.goToLine(50000);
    QCOMPARE(editor.cursorLine(), 50000);
    QElapsedTimer clock;
    clock.start();
    QTest::keyClicks(&editor, "abcdefghij");
    qInfo("10 keys with 1000 marks in 5 MB: %lld ms", static_cast<long long>(clock.elapsed()));
    QCOMPARE(editor.diagnostics(), marks);
    QTest::keyClick(&editor, Qt::Key_Escape);
    QTest::keyClick(&editor, Qt::Key_Return);
    marks[700].line += 1;
    QCOMPARE(editor.diagnostics()[700], marks[700]);
}

void TestCodeEditor::heatIsSaidByLine() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("a\nb\nc\nd\n"));
    QCOMPARE(editor.marginWidth(2), 0);
    editor.setHeat(
        {{1, 0.0, QStringLiteral("never")}, {2, 0.1, QStringLiteral("seldom")}, {3, 1.0, QStringLiteral("hot")}});
    QVERIFY(editor.marginWidth(2) > 0);
    QCOMPARE(editor.markersAtLine(0), 0U);
    QCOMPARE(editor.markersAtLine(1), 1U << 8);
    QCOMPARE(editor.markersAtLine(2), 1U << 15);
    const int x = editor.marginWidth(0) + editor.marginWidth(1) + 4;
    QCOMPARE(editor.tipAt(QPoint(x, pointOf(editor, 4).y())), QStringLiteral("hot"));
    editor.setCursorPosition(0, 0);
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(editor.tipAt(QPoint(x, pointOf(editor, 5).y())), QStringLiteral("hot"));
    QCOMPARE(editor.markersAtLine(3), 1U << 15);
    // The text does not jump back: the margin keeps its place, empty.
    const int width = editor.marginWidth(2);
    editor.setHeat({});
    QCOMPARE(editor.marginWidth(2), width);
    QCOMPARE(editor.markersAtLine(3), 0U);
    QCOMPARE(editor.tipAt(QPoint(x, pointOf(editor, 5).y())), QString());
    editor.open(QStringLiteral("a\nb\n"));
    QCOMPARE(editor.marginWidth(2), width);
    // A finding has a mark of its own beside the bar.
    editor.setHeat({{1, 0.5, QStringLiteral("slow"), true}, {2, 0.0, QStringLiteral("noted"), true}});
    QCOMPARE(editor.markersAtLine(0), 1U << 11 | 1U << 16);
    QCOMPARE(editor.markersAtLine(1), 1U << 16);
}

void TestCodeEditor::completesFromDocumentAndNames() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("int columnsOfTile;\n"));
    editor.setCursorPosition(1, 0);
    QTest::keyClicks(&editor, "co");
    QVERIFY(!editor.isListActive());
    QTest::keyClicks(&editor, "l");
    QVERIFY(editor.isListActive());
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(editor.text(1), QStringLiteral("columnsOfTile"));
    QTest::keyClicks(&editor, " __syncth");
    QVERIFY(editor.isListActive());
    QTest::keyClick(&editor, Qt::Key_Tab);
    QVERIFY2(editor.text(1).endsWith(QStringLiteral("__syncthreads")), qPrintable(editor.text(1)));
    QTest::keyClicks(&editor, " t");
    QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(editor.isListActive());
    QTest::keyClick(&editor, Qt::Key_Escape);
    QVERIFY(!editor.isListActive());
}

void TestCodeEditor::completesTensorMembers() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open({});
    QTest::keyClicks(&editor, "x.conti");
    QVERIFY(editor.isListActive());
    QTest::keyClick(&editor, Qt::Key_Tab);
    QCOMPARE(editor.text(), QStringLiteral("x.contiguous"));
    QTest::keyClicks(&editor, "; y = torch::layer_n");
    QTest::keyClick(&editor, Qt::Key_Tab);
    QVERIFY(editor.text().endsWith(QStringLiteral("torch::layer_norm")));
}

void TestCodeEditor::completionLeavesCommentsAlone() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open({});
    QTest::keyClicks(&editor, "// __sync");
    QVERIFY(!editor.isListActive());
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, "12345");
    QVERIFY(!editor.isListActive());
}

void TestCodeEditor::showsCallTips() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open({});
    QTest::keyClicks(&editor, "a = __shfl_down_sync");
    QTest::keyClick(&editor, Qt::Key_Escape);
    QVERIFY(!editor.isCallTipActive());
    QTest::keyClicks(&editor, "(");
    QVERIFY(editor.isCallTipActive());
    QTest::keyClicks(&editor, "0xff, v, 1)");
    QVERIFY(!editor.isCallTipActive());
    QTest::keyClicks(&editor, "; unknown(");
    QVERIFY(!editor.isCallTipActive());
}

void TestCodeEditor::coloursFollowTheTheme() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("__global__ void f(float4* a) { torch::Tensor t; if (threadIdx.x) a = 1; } // c\n"));
    editor.recolor();
    QCOMPARE(styleOf(editor, "__global__"), int(QsciLexerCPP::KeywordSet2));
    QCOMPARE(styleOf(editor, "threadIdx"), int(QsciLexerCPP::KeywordSet2));
    QCOMPARE(styleOf(editor, "float4"), int(QsciLexerCPP::GlobalClass));
    QCOMPARE(styleOf(editor, "if"), int(QsciLexerCPP::Keyword));
    QCOMPARE(styleOf(editor, "torch"), CudaLexer::TorchName);
    QCOMPARE(styleOf(editor, "Tensor"), CudaLexer::TorchName);
    const auto colour = [&](int style) {
        const long bgr = editor.SendScintilla(S::SCI_STYLEGETFORE, style);
        return QColor(int(bgr & 0xff), int((bgr >> 8) & 0xff), int((bgr >> 16) & 0xff));
    };
    for (const auto choice : {Theme::Choice::dark, Theme::Choice::light}) {
        m_theme.setChoice(choice);
        const Palette& p = m_theme.colours();
        QCOMPARE(colour(QsciLexerCPP::Keyword), p.keyword);
        QCOMPARE(colour(QsciLexerCPP::KeywordSet2), p.builtin);
        QCOMPARE(colour(QsciLexerCPP::GlobalClass), p.type);
        QCOMPARE(colour(CudaLexer::TorchName), p.builtin);
        QCOMPARE(colour(QsciLexerCPP::CommentLine), p.comment);
        const QImage image = editor.grab().toImage();
        QCOMPARE(image.pixelColor(image.width() / 2, image.height() - 30), p.field);
    }
}

void TestCodeEditor::goesToALine() {
    CodeEditor editor(m_theme);
    show(editor);
    QString text;
    for (int i = 1; i <= 500; ++i)
        text += QStringLiteral("    line%1;\n").arg(i);
    editor.open(text);
    editor.goToLine(250);
    int line = 0, index = 0;
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 249);
    QCOMPARE(index, 4);
    const int first = editor.firstVisibleLine();
    const int shown = int(editor.SendScintilla(S::SCI_LINESONSCREEN));
    QVERIFY(std::abs(first + shown / 2 - 249) <= 2);
    editor.goToLine(100000);
    QCOMPARE(editor.cursorLine(), 501);
    editor.goToLine(-3);
    QCOMPARE(editor.cursorLine(), 1);
}

void TestCodeEditor::takesDroppedFiles() {
    CodeEditor editor(m_theme);
    show(editor);
    editor.open(QStringLiteral("int a;\n"));
    QSignalSpy dropped(&editor, &CodeEditor::filesDropped);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/data/a.cu"))});
    QDragEnterEvent enter(QPoint(50, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(editor.viewport(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(50, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(editor.viewport(), &drop);
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(dropped[0][0].toStringList(), QStringList{QStringLiteral("/data/a.cu")});
    QCOMPARE(editor.text(), QStringLiteral("int a;\n"));
}

void TestCodeEditor::givesUpTheWindowsKeys() {
    QMainWindow window;
    auto* editor = new CodeEditor(m_theme);
    window.setCentralWidget(editor);
    QStringList fired;
    for (const char* keys :
         {"Ctrl+D", "Ctrl+K", "Ctrl+Return", "Ctrl+Shift+Return", "Ctrl+L", "F1", "Alt+Left", "Ctrl+F"}) {
        auto* shortcut = new QShortcut(QKeySequence(QString::fromLatin1(keys)), &window);
        QObject::connect(shortcut, &QShortcut::activated, &window,
                         [&fired, keys] { fired.append(QString::fromLatin1(keys)); });
    }
    show(window);
    editor->open(QStringLiteral("first\nsecond\n"));
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_D, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_K, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(editor, Qt::Key_L, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_F1);
    QTest::keyClick(editor, Qt::Key_Left, Qt::AltModifier);
    QTest::keyClick(editor, Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(fired.join(QLatin1Char(' ')),
             QStringLiteral("Ctrl+D Ctrl+K Ctrl+Return Ctrl+Shift+Return Ctrl+L F1 Alt+Left Ctrl+F"));
    QCOMPARE(editor->text(), QStringLiteral("first\nsecond\n"));
}

KERNELARIUM_TEST(InTheme<TestCodeEditor, kernelarium::ui::Theme::Choice::light>);
KERNELARIUM_TEST(InTheme<TestCodeEditor, kernelarium::ui::Theme::Choice::dark>);
