// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestFindBar.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_editor/InTheme.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/FindBar.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace kernelarium::ui;

namespace {

/// An editor with its bar in a window.
struct Desk {
    explicit Desk(Theme& theme, const QString& text)
        : editor(new CodeEditor(theme))
        , bar(new FindBar(theme, *editor)) {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(editor);
        layout->addWidget(bar);
        window.resize(700, 400);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window, longWait);
        editor->setFocus();
        editor->open(text);
    }
    QLineEdit* edit(int index) { return bar->findChildren<QLineEdit*>()[index]; }

    QWidget window;
    CodeEditor* editor;
    FindBar* bar;
};

} // namespace

void TestFindBar::countsAndSteps() {
    Desk desk(m_theme, QStringLiteral("alpha beta\nALPHA\n gamma alphabet\n"));
    QTest::keyClick(desk.editor, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(desk.bar->isVisible());
    QVERIFY(desk.edit(0)->hasFocus());
    QTest::keyClicks(desk.edit(0), "alpha");
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("1 of 3"));
    QCOMPARE(desk.editor->selectedText(), QStringLiteral("alpha"));
    QTest::keyClick(desk.edit(0), Qt::Key_Return);
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("2 of 3"));
    QCOMPARE(desk.editor->selectedText(), QStringLiteral("ALPHA"));
    QTest::keyClick(desk.edit(0), Qt::Key_Return, Qt::ShiftModifier);
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("1 of 3"));
    QTest::keyClick(desk.edit(0), Qt::Key_F3, Qt::ShiftModifier);
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("3 of 3"));
    QTest::keyClick(desk.edit(0), Qt::Key_Escape);
    QVERIFY(!desk.bar->isVisible());
    QVERIFY(desk.editor->hasFocus());
    QTest::keyClick(desk.editor, Qt::Key_F3);
    WAIT_COMPARE(desk.editor->cursorLine(), 1);
    QCOMPARE(desk.editor->selectedText(), QStringLiteral("alpha"));
}

void TestFindBar::options_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("caseSensitive");
    QTest::addColumn<bool>("wholeWord");
    QTest::addColumn<bool>("regular");
    QTest::addColumn<int>("count");
    QTest::newRow("plain") << "sum" << false << false << false << 4;
    QTest::newRow("case") << "sum" << true << false << false << 3;
    QTest::newRow("word") << "sum" << false << true << false << 2;
    QTest::newRow("both") << "sum" << true << true << false << 1;
    QTest::newRow("expression") << "^\\w+sum" << true << false << true << 1;
    QTest::newRow("not an expression") << "a[i]" << false << false << false << 1;
    QTest::newRow("empty matches") << "z*" << false << false << true << 0;
}

void TestFindBar::options() {
    QFETCH(QString, pattern);
    QFETCH(bool, caseSensitive);
    QFETCH(bool, wholeWord);
    QFETCH(bool, regular);
    QFETCH(int, count);
    const QByteArray text("sum Sum\nrowsum sums a[i] ai\n");
    const SearchResult result = searchText(text, {pattern, caseSensitive, wholeWord, regular}, {}, {});
    QCOMPARE(int(result.matches.size()), count);
}

void TestFindBar::findsBytesBeyondAscii() {
    const QByteArray text = QStringLiteral("// ä€𝛼 needle äöü\n").toUtf8();
    const SearchResult result = searchText(text, {QStringLiteral("needle"), true, true, false}, {}, {});
    QCOMPARE(int(result.matches.size()), 1);
    QCOMPARE(result.matches[0].start, long(text.indexOf("needle")));
    const SearchResult umlauts = searchText(text, {QStringLiteral("ÄÖ"), false, false, false}, {}, {});
    QCOMPARE(int(umlauts.matches.size()), 1);
    QCOMPARE(umlauts.matches[0].end - umlauts.matches[0].start, 4L);
}

void TestFindBar::saysWhatIsNoPattern() {
    Desk desk(m_theme, QStringLiteral("a(b\n"));
    desk.bar->openFind();
    desk.edit(0)->setText(QStringLiteral("zz"));
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("No match"));
    for (QToolButton* button : desk.bar->findChildren<QToolButton*>())
        if (button->accessibleName() == QStringLiteral("Match case") ||
            button->accessibleName() == QStringLiteral("Whole words"))
            button->click();
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("No match (matching case, whole words only)"));
    for (const QLabel* label : desk.bar->findChildren<QLabel*>())
        if (label->text() == desk.bar->status()) QCOMPARE(label->accessibleDescription(), label->text());
    const SearchResult result = searchText("a(b", {QStringLiteral("a("), false, false, true}, {}, {});
    QVERIFY(!result.error.isEmpty());
    QVERIFY(result.matches.empty());
}

void TestFindBar::replacesOneByOne() {
    Desk desk(m_theme, QStringLiteral("one two one two one\n"));
    QTest::keyClick(desk.editor, Qt::Key_H, Qt::ControlModifier);
    QTest::keyClicks(desk.edit(0), "one");
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("1 of 3"));
    desk.edit(1)->setText(QStringLiteral("öne"));
    QTest::keyClick(desk.edit(1), Qt::Key_Return);
    WAIT_COMPARE(desk.editor->text(), QStringLiteral("öne two one two one\n"));
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("1 of 2"));
    QTest::keyClick(desk.edit(1), Qt::Key_Return);
    WAIT_COMPARE(desk.editor->text(), QStringLiteral("öne two öne two one\n"));
}

void TestFindBar::replacesAllInOneStep() {
    for (const int lines : {20, 3000}) {
        QString text, wanted;
        for (int i = 0; i < lines; ++i) {
            text += QStringLiteral("x%1 = old; // ä old\n").arg(i);
            wanted += QStringLiteral("x%1 = newer; // ä newer\n").arg(i);
        }
        Desk desk(m_theme, text);
        desk.editor->setDiagnostics({{10, 6, EditorMark::Severity::error, QStringLiteral("e")}});
        desk.bar->openReplace();
        QSignalSpy replaced(desk.bar, &FindBar::replaced);
        desk.edit(0)->setText(QStringLiteral("old"));
        desk.edit(1)->setText(QStringLiteral("newer"));
        QTest::keyClick(desk.edit(1), Qt::Key_Return, Qt::ControlModifier);
        WAIT_COMPARE(replaced.count(), 1);
        QCOMPARE(replaced[0][0].toInt(), 2 * lines);
        QCOMPARE(desk.editor->text(), wanted);
        if (lines == 20) QCOMPARE(desk.editor->diagnostics()[0].line, 10);
        desk.editor->undo();
        QCOMPARE(desk.editor->text(), text);
        QVERIFY(!desk.editor->isUndoAvailable());
    }
}

void TestFindBar::replacesGroups() {
    const SearchResult result = searchText("load(a, b)", {QStringLiteral("(\\w), (\\w)"), false, false, true},
                                           QStringLiteral("\\2,\\n\\1\\\\"), {});
    QCOMPARE(int(result.matches.size()), 1);
    QCOMPARE(result.matches[0].replacement, QByteArray("b,\na\\"));
}

void TestFindBar::followsEdits() {
    Desk desk(m_theme, QStringLiteral("aa bb aa\n"));
    desk.bar->openFind();
    desk.edit(0)->setText(QStringLiteral("aa"));
    WAIT_COMPARE(desk.bar->status(), QStringLiteral("1 of 2"));
    desk.editor->setFocus();
    desk.editor->setCursorPosition(0, 0);
    QTest::keyClicks(desk.editor, "aa ");
    WAIT_VERIFY2(desk.bar->status().endsWith(QStringLiteral("3")) || desk.bar->status() == QStringLiteral("3 matches"),
                 qPrintable(desk.bar->status()));
}

void TestFindBar::searchesMegabytesAside() {
    QString text;
    for (int i = 0; text.size() < 5000000; ++i)
        text += QStringLiteral("float value%1 = input[%1];\n").arg(i);
    Desk desk(m_theme, text);
    QSignalSpy searched(desk.bar, &FindBar::searched);
    desk.bar->openFind();
    QElapsedTimer clock;
    clock.start();
    desk.edit(0)->setText(QStringLiteral("input"));
    qInfo("the GUI was held for %lld ms", static_cast<long long>(clock.elapsed()));
    WAIT_VERIFY(!searched.isEmpty() && searched.last()[0].toInt() > 100000);
    qInfo("%d matches in 5 MB after %lld ms", searched.last()[0].toInt(), static_cast<long long>(clock.elapsed()));
    QCOMPARE(desk.editor->selectedText(), QStringLiteral("input"));
}

KERNELARIUM_TEST(InTheme<TestFindBar, kernelarium::ui::Theme::Choice::light>);
KERNELARIUM_TEST(InTheme<TestFindBar, kernelarium::ui::Theme::Choice::dark>);
