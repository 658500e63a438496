// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestReading.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/diagnostics/DiagnosticsModel.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/DiffView.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/inspector/InspectorPanel.h"
#include "ui/inspector/PythonHighlighter.h"
#include "ui/lessons/HintPanel.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/source/EditorArea.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>

namespace kernelarium::ui {

void TestReading::noticesMoveNoText() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    CodeEditor& editor = room.window->editorArea().editor();
    NoticeBar& notices = room.window->notices();
    notices.dismiss();
    QTest::qWait(50);
    const auto textTop = [&] { return editor.viewport()->mapToGlobal(QPoint()).y(); };
    const int before = textTop();
    notices.show(QStringLiteral("Something went wrong."), true);
    WAIT_VERIFY(notices.isVisible() && notices.height() > 10);
    QTest::qWait(50);
    QCOMPARE(textTop(), before);
    QVERIFY(notices.mapToGlobal(QPoint()).y() >= editor.mapToGlobal(QPoint(0, editor.height())).y() - 1);
    notices.dismiss();
    QTest::qWait(50);
    QCOMPARE(textTop(), before);
}

void TestReading::factsFitANarrowPanel() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    Workspace& w = *room.workspace;
    InspectorPanel panel({w.bench(), w.assignment(), w.past(), w.standing(), w.runner(), w.cards()}, room.theme);
    for (const int width : {420, 300, 240, 200}) {
        panel.resize(width, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel, longWait));
        QTest::qWait(20);
        QVERIFY2(
            panel.factsView().horizontalScrollBar()->maximum() == 0,
            qPrintable(QStringLiteral("%1: %2").arg(width).arg(panel.factsView().horizontalScrollBar()->maximum())));
        QVERIFY(panel.factsView().toPlainText().contains(QStringLiteral("archived")));
    }
}

void TestReading::pythonIsColoured() {
    Theme theme;
    theme.setChoice(Theme::Choice::light);
    QPlainTextEdit text(
        QStringLiteral("import torch  # first\n\"\"\"def\nnone\"\"\"\ndef forward(x):\n    return x * 2.5\n"));
    const PythonHighlighter highlighter(*text.document(), theme);
    const auto colourAt = [&](int line, int column) {
        for (const auto& range : text.document()->findBlockByNumber(line).layout()->formats())
            if (column >= range.start && column < range.start + range.length) return range.format.foreground().color();
        return QColor();
    };
    WAIT_COMPARE(colourAt(0, 0), theme.colours().keyword);
    QCOMPARE(colourAt(0, 8), theme.colours().builtin);
    QCOMPARE(colourAt(0, 15), theme.colours().comment);
    QCOMPARE(colourAt(1, 4), theme.colours().string); // goes on over the line's end
    QCOMPARE(colourAt(2, 1), theme.colours().string);
    QCOMPARE(colourAt(3, 5), theme.colours().type);
    QCOMPARE(colourAt(4, 16), theme.colours().number);
    QVERIFY(!colourAt(4, 11).isValid());
    theme.setChoice(Theme::Choice::dark);
    QCOMPARE(colourAt(0, 0), theme.colours().keyword);
}

void TestReading::smallGraphsFillTheirBox() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 19, "naive"));
    InspectorPanel& panel = room.window->inspector();
    room.window->showDock(QStringLiteral("inspector"));
    panel.showTab(InspectorPanel::task);
    OperatorGraphView& graph = panel.graph();
    WAIT_VERIFY(graph.isVisible() && !graph.sceneRect().isEmpty());
    QTest::qWait(50);
    const double scale = graph.transform().m11();
    const double share = graph.sceneRect().height() * scale / graph.viewport()->height();
    QVERIFY2(share > 0.3, qPrintable(QStringLiteral("%1 of the box").arg(share)));
    room.keepPicture(QStringLiteral("task-graph"));
}

void TestReading::aCancelledCompilationIsTakenUpAgain() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    DiagnosticsPanel& panel = room.window->diagnostics();
    room.window->showDock(QStringLiteral("diagnostics"));
    QVERIFY(!panel.againButton().isVisible());
    CompileDesk& compiler = room.workspace->compiler();
    Bench& bench = room.workspace->bench();
    bench.setSource(bench.source() + QStringLiteral("\n"), 0);
    compiler.cancel();
    WAIT_COMPARE(compiler.state().stage, Stage::cancelled);
    const QString text = bench.source();
    WAIT_VERIFY(panel.againButton().isVisible());
    QTest::mouseClick(&panel.againButton(), Qt::LeftButton);
    QVERIFY(room.waitUntilCompiled());
    QCOMPARE(compiler.state().stage, Stage::finished);
    QVERIFY(compiler.state().answer->ok);
    QCOMPARE(bench.source(), text); // nobody had to edit it
    WAIT_VERIFY(!panel.againButton().isVisible());
}

void TestReading::countsAreTheSameEverywhere() {
    Room room;
    QVERIFY(room.start());
    QByteArray source = addSource();
    source.replace("if (i < n)", "int never; int again = 2.5f, more = nothing; if (i < n)");
    room.window->openPath(room.write(QStringLiteral("broken.cu"), source));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("broken.cu"));
    QVERIFY(room.waitUntilCompiled());
    const DiagnosticsModel& model = room.window->diagnostics().model();
    WAIT_VERIFY(model.errors() > 0 && model.warnings() > 0);
    QStringList said;
    for (const auto* label : room.window->status().findChildren<QLabel*>())
        said << label->text();
    const QString all = said.join(QLatin1Char('\n'));
    const auto counted = [](int count, const char* one) {
        return QStringLiteral("%1 %2%3").arg(count).arg(QLatin1String(one), QLatin1String(count == 1 ? "" : "s"));
    };
    QVERIFY2(all.contains(counted(model.errors(), "error")), qPrintable(all));
    QVERIFY2(all.contains(counted(model.warnings(), "warning")), qPrintable(all));
}

/// The starter again, one's own text back by undo, and ours beside it.
void TestReading::lessonsKernelsAreStartedOver() {
    Room room;
    QVERIFY(room.start());
    LessonsPage& page = room.window->panel<LessonDesk>().page();
    const QString lesson = QStringLiteral("coalescing"), step = QStringLiteral("walk-along-the-rows");
    WAIT_VERIFY(page.show(lesson, step));
    Q_EMIT page.starterRequested(lesson, step);
    Bench& bench = room.workspace->bench();
    WAIT_VERIFY(!bench.kernel().isEmpty());
    const QString starter = bench.source();
    CodeEditor& editor = room.window->editorArea().editor();
    bench.replaceSource(starter + QStringLiteral("// mine\n"));
    WAIT_VERIFY(editor.text().endsWith(QStringLiteral("// mine\n")));
    Q_EMIT page.starterRequested(lesson, step); // what was typed stays, and that is said
    QVERIFY(bench.source().endsWith(QStringLiteral("// mine\n")));
    const auto says = [&](const QString& text) {
        for (const auto* label : page.findChildren<QLabel*>())
            if (label->text().contains(text)) return true;
        return false;
    };
    QVERIFY(says(QStringLiteral("as you left it")));
    Q_EMIT page.startOverRequested(lesson, step);
    QCOMPARE(bench.source(), starter);
    QVERIFY(!says(QStringLiteral("as you left it")));
    editor.undo();
    WAIT_VERIFY(bench.source().endsWith(QStringLiteral("// mine\n")));
    Q_EMIT page.comparisonRequested(lesson, step);
    DiffView& diff = room.window->editorArea().diff();
    WAIT_VERIFY(room.window->editorArea().isShowingDiff() && diff.changes() > 0);
    QCOMPARE(diff.sideName(0), QStringLiteral("our solution"));
    QVERIFY(diff.sideName(1).contains(QStringLiteral("your text")));
    QVERIFY(bench.source().endsWith(QStringLiteral("// mine\n")));
}

KERNELARIUM_TEST(TestReading);

} // namespace kernelarium::ui
