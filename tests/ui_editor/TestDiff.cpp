// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestDiff.h"

#include "core/diff/LineDiff.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_editor/InTheme.h"
#include "ui/editor/DiffView.h"
#include "ui/editor/WordDiff.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace kernelarium;
using namespace kernelarium::ui;

namespace {

QString randomText(QRandomGenerator& random, int lines) {
    QString text;
    for (int i = 0; i < lines; ++i)
        text += QStringLiteral("line %1\n").arg(random.bounded(6));
    if (random.bounded(2) == 0) text.chop(1);
    return text;
}

} // namespace

void TestDiff::wordsOfALine() {
    const auto changes = wordDiff(QStringLiteral("sum += row[i];"), QStringLiteral("total += row[i + 1];"));
    QCOMPARE(changes, (std::vector<diff::Change>{{0, 3, 0, 5}, {12, 0, 14, 4}}));
}

void TestDiff::agreesWithReports() {
    QRandomGenerator random(4);
    for (int round = 0; round < 100; ++round) {
        const QString a = randomText(random, int(random.bounded(40))).replace(QLatin1Char('3'), QChar(0x00e4)),
                      b = randomText(random, int(random.bounded(40))).replace(QLatin1Char('3'), QChar(0x00e4));
        const std::string before = a.toStdString(), after = b.toStdString();
        const DiffRows rows = layOutDiff(a, b);
        QCOMPARE(rows.changes, diff::lineDiff(before, after));
        std::size_t changed = 0;
        for (const diff::Hunk& hunk : diff::hunks(before, after))
            for (const diff::Line& line : hunk.lines)
                changed += line.kind != diff::Line::Kind::context ? 1 : 0;
        QCOMPARE(std::size_t(rows.added + rows.removed), changed);
    }
}

void TestDiff::showsBothSides() {
    DiffView view(m_theme);
    view.resize(900, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, longWait));
    QSignalSpy compared(&view, &DiffView::compared);
    const QString original = QStringLiteral("// ä\nint a = 1;\nint b;\nint c;\nint d;\n");
    view.setTexts(original, original);
    WAIT_COMPARE(compared.count(), 1);
    QCOMPARE(view.changes(), 0);
    view.nameSides(QStringLiteral("#11, naive"), QStringLiteral("your text"));
    QCOMPARE(view.sideName(0), QStringLiteral("#11, naive"));
    QCOMPARE(view.editedSide().accessibleName(), QStringLiteral("your text"));
    QVERIFY(!view.editedSide().isVisible());
    view.setTexts(original, QStringLiteral("// ä\nint a = 2;\nint more;\nint b;\nint c;\n"));
    WAIT_COMPARE(compared.count(), 2);
    QVERIFY(view.editedSide().isVisible());
    QCOMPARE(view.changes(), 2);
    QCOMPARE(view.summary(), QStringLiteral("+2 \u22122"));
    QCOMPARE(view.originalSide().text(), QStringLiteral("// ä\nint a = 1;\n\nint b;\nint c;\nint d;\n"));
    QCOMPARE(view.editedSide().text(), QStringLiteral("// ä\nint a = 2;\nint more;\nint b;\nint c;\n\n"));
    const long digit = view.editedSide().text().toUtf8().indexOf("2;");
    QVERIFY(view.editedSide().SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, 9UL, digit) != 0);
    QVERIFY(view.editedSide().SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, 9UL, digit - 2) == 0);
    view.editedSide().setFocus();
    QTest::keyClick(&view.editedSide(), Qt::Key_F7);
    QCOMPARE(view.currentChange(), 0);
    QTest::keyClick(&view.editedSide(), Qt::Key_F7);
    QCOMPARE(view.currentChange(), 1);
    QTest::keyClick(&view.editedSide(), Qt::Key_F7, Qt::ShiftModifier);
    QCOMPARE(view.currentChange(), 0);
}

void TestDiff::revertsEachChange() {
    QRandomGenerator random(5);
    for (int round = 0; round < 200; ++round) {
        const QString a = randomText(random, int(random.bounded(20)));
        QString b = randomText(random, int(random.bounded(20)));
        for (int guard = 0; a != b; ++guard) {
            QVERIFY(guard < 50);
            b = reverted(a, b, layOutDiff(a, b).changes.back());
        }
    }
    DiffView view(m_theme);
    view.resize(900, 400);
    view.show();
    QSignalSpy compared(&view, &DiffView::compared);
    QSignalSpy asked(&view, &DiffView::revertRequested);
    view.setTexts(QStringLiteral("a\nb\nc\n"), QStringLiteral("a\nB\nc\nd\n"));
    WAIT_COMPARE(compared.count(), 1);
    view.revertChange();
    QCOMPARE(asked.count(), 0);
    view.nextChange();
    view.revertChange();
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toString(), QStringLiteral("a\nb\nc\nd\n"));
}

KERNELARIUM_TEST(InTheme<TestDiff, kernelarium::ui::Theme::Choice::light>);
KERNELARIUM_TEST(InTheme<TestDiff, kernelarium::ui::Theme::Choice::dark>);
