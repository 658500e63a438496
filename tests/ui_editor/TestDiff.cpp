// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestDiff.h"

#include "tests/ui_editor/Warnings.h"
#include "ui/editor/DiffView.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace kernelarium::ui;

namespace {

std::vector<int> randomList(QRandomGenerator& random, int length, int values) {
    std::vector<int> list;
    for (int i = 0; i < length; ++i)
        list.push_back(int(random.bounded(values)));
    return list;
}

std::vector<int> applied(const std::vector<int>& a, const std::vector<int>& b, const std::vector<DiffChunk>& chunks) {
    std::vector<int> result;
    int at = 0;
    for (const DiffChunk& chunk : chunks) {
        result.insert(result.end(), a.begin() + at, a.begin() + chunk.oldFirst);
        result.insert(result.end(), b.begin() + chunk.newFirst, b.begin() + chunk.newFirst + chunk.newCount);
        at = chunk.oldFirst + chunk.oldCount;
    }
    result.insert(result.end(), a.begin() + at, a.end());
    return result;
}

int edits(const std::vector<DiffChunk>& chunks) {
    int count = 0;
    for (const DiffChunk& chunk : chunks)
        count += chunk.oldCount + chunk.newCount;
    return count;
}

/// By the longest common subsequence, the plain way.
int fewestEdits(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j)
            common[i][j] =
                a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1 : std::max(common[i - 1][j], common[i][j - 1]);
    return int(a.size() + b.size()) - 2 * common[a.size()][b.size()];
}

QString randomText(QRandomGenerator& random, int lines) {
    QString text;
    for (int i = 0; i < lines; ++i)
        text += QStringLiteral("line %1\n").arg(random.bounded(6));
    if (random.bounded(2) == 0) text.chop(1);
    return text;
}

} // namespace

void TestDiff::init() {
    Warnings::watch();
}

void TestDiff::cleanup() {
    VERIFY_NO_WARNINGS();
}

void TestDiff::applyingGivesTheOther() {
    QRandomGenerator random(1);
    for (int round = 0; round < 3000; ++round) {
        const int values = 1 + int(random.bounded(12));
        const auto a = randomList(random, int(random.bounded(40)), values);
        const auto b = randomList(random, int(random.bounded(40)), values);
        const auto chunks = sequenceDiff(a, b);
        QCOMPARE(applied(a, b, chunks), b);
        for (std::size_t i = 1; i < chunks.size(); ++i)
            QVERIFY(chunks[i].oldFirst > chunks[i - 1].oldFirst + chunks[i - 1].oldCount);
    }
    QVERIFY(sequenceDiff({}, {}).empty());
    QVERIFY(sequenceDiff({1, 2}, {1, 2}).empty());
}

void TestDiff::isShortest() {
    QRandomGenerator random(2);
    for (int round = 0; round < 1500; ++round) {
        const int values = 1 + int(random.bounded(8));
        const auto a = randomList(random, int(random.bounded(24)), values);
        const auto b = randomList(random, int(random.bounded(24)), values);
        QCOMPARE(edits(sequenceDiff(a, b)), fewestEdits(a, b));
    }
}

void TestDiff::largeTextsEnd() {
    QRandomGenerator random(3);
    // Few values and little order: beyond the searched edits, where the script is cut off.
    const auto a = randomList(random, 150000, 300);
    const auto b = randomList(random, 150000, 300);
    QElapsedTimer clock;
    clock.start();
    const auto chunks = sequenceDiff(a, b);
    qInfo("150,000 lines against as many unlike: %lld ms", static_cast<long long>(clock.elapsed()));
    QCOMPARE(applied(a, b, chunks), b);
    QVERIFY(edits(chunks) < 300000);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(applied(a, b, sequenceDiff(a, b, stop.get_token())), b);
}

void TestDiff::wordsOfALine() {
    const auto chunks = wordDiff(QStringLiteral("sum += row[i];"), QStringLiteral("total += row[i + 1];"));
    QCOMPARE(chunks, (std::vector<DiffChunk>{{0, 3, 0, 5}, {12, 0, 14, 4}}));
}

void TestDiff::unifiedText() {
    QCOMPARE(unifiedDiff(QStringLiteral("a\nb\n"), QStringLiteral("a\nb\n")), QString());
    QCOMPARE(
        unifiedDiff(QStringLiteral("a\nb\nc\n"), QStringLiteral("a\nB\nc"), QStringLiteral("x"), QStringLiteral("y")),
        QStringLiteral("--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n"));
    QCOMPARE(unifiedDiff({}, QStringLiteral("new\n")),
             QStringLiteral("--- original\n+++ edited\n@@ -0,0 +1 @@\n+new\n"));
}

void TestDiff::patchAppliesIt() {
    const QString patch = QStandardPaths::findExecutable(QStringLiteral("patch"));
    if (patch.isEmpty()) QSKIP("patch is not in the path");
    QTemporaryDir folder;
    QRandomGenerator random(4);
    for (int round = 0; round < 25; ++round) {
        const QString a = randomText(random, int(random.bounded(40))),
                      b = randomText(random, 1 + int(random.bounded(40)));
        const QString text = unifiedDiff(a, b);
        if (text.isEmpty()) continue;
        QFile original(folder.filePath(QStringLiteral("file")));
        QVERIFY(original.open(QIODevice::WriteOnly | QIODevice::Truncate));
        original.write(a.toUtf8());
        original.close();
        QProcess process;
        process.start(patch, {QStringLiteral("-s"), QStringLiteral("--fuzz=0"), original.fileName()});
        process.write(text.toUtf8());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());
        QVERIFY2(process.exitCode() == 0, process.readAllStandardOutput().constData());
        QVERIFY(original.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(original.readAll()), b);
        original.close();
    }
}

void TestDiff::showsBothSides() {
    DiffView view(m_theme);
    view.resize(900, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QSignalSpy compared(&view, &DiffView::compared);
    const QString original = QStringLiteral("// ä\nint a = 1;\nint b;\nint c;\nint d;\n");
    view.setTexts(original, original);
    QTRY_COMPARE(compared.count(), 1);
    QCOMPARE(view.changes(), 0);
    QVERIFY(!view.editedSide().isVisible());
    view.setTexts(original, QStringLiteral("// ä\nint a = 2;\nint more;\nint b;\nint c;\n"));
    QTRY_COMPARE(compared.count(), 2);
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
            b = reverted(a, b, lineDiff(splitLines(a), splitLines(b)).back());
        }
    }
    DiffView view(m_theme);
    view.resize(900, 400);
    view.show();
    QSignalSpy compared(&view, &DiffView::compared);
    QSignalSpy asked(&view, &DiffView::revertRequested);
    view.setTexts(QStringLiteral("a\nb\nc\n"), QStringLiteral("a\nB\nc\nd\n"));
    QTRY_COMPARE(compared.count(), 1);
    view.revertChange();
    QCOMPARE(asked.count(), 0);
    view.nextChange();
    view.revertChange();
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toString(), QStringLiteral("a\nb\nc\nd\n"));
}
