// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/LineDiff.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <string>

using namespace kernelarium::diff;

namespace {

std::vector<int> randomList(QRandomGenerator& random, int length, int values) {
    std::vector<int> list;
    for (int i = 0; i < length; ++i)
        list.push_back(int(random.bounded(values)));
    return list;
}

std::vector<int> applied(const std::vector<int>& a, const std::vector<int>& b, const std::vector<Change>& changes) {
    std::vector<int> result;
    int at = 0;
    for (const Change& change : changes) {
        result.insert(result.end(), a.begin() + at, a.begin() + change.oldFirst);
        result.insert(result.end(), b.begin() + change.newFirst, b.begin() + change.newFirst + change.newCount);
        at = change.oldFirst + change.oldCount;
    }
    result.insert(result.end(), a.begin() + at, a.end());
    return result;
}

int edits(const std::vector<Change>& changes) {
    int count = 0;
    for (const Change& change : changes)
        count += change.oldCount + change.newCount;
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

std::string randomText(QRandomGenerator& random, int mostLines) {
    std::string text;
    const int lines = int(random.bounded(mostLines + 1));
    for (int i = 0; i < lines; ++i)
        text += std::string("line ") + char('a' + random.bounded(6)) + "\n";
    if (!text.empty() && random.bounded(3) == 0) text.pop_back();
    return text;
}

/// As `diff -u` prints it and `patch` reads it.
std::string patchText(const std::vector<Hunk>& hunks) {
    std::string text;
    if (!hunks.empty()) text = "--- file\n+++ file\n";
    for (const Hunk& hunk : hunks) {
        text += "@@ -" + std::to_string(hunk.oldBegin) + "," + std::to_string(hunk.oldCount) + " +" +
                std::to_string(hunk.newBegin) + "," + std::to_string(hunk.newCount) + " @@\n";
        for (const Line& line : hunk.lines) {
            text += line.kind == Line::Kind::context ? ' ' : line.kind == Line::Kind::removed ? '-' : '+';
            text += line.text;
            text += line.endsInLine ? "\n" : "\n\\ No newline at end of file\n";
        }
    }
    return text;
}

void write(const QString& path, const std::string& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text.data(), qint64(text.size())), qint64(text.size()));
}

} // namespace

class TestDiff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void applyingGivesTheOther() {
        QRandomGenerator random(1);
        for (int round = 0; round < 3000; ++round) {
            const int values = 1 + int(random.bounded(12));
            const auto a = randomList(random, int(random.bounded(40)), values);
            const auto b = randomList(random, int(random.bounded(40)), values);
            const auto changes = sequenceDiff(a, b);
            QCOMPARE(applied(a, b, changes), b);
            for (std::size_t i = 1; i < changes.size(); ++i)
                QVERIFY(changes[i].oldFirst > changes[i - 1].oldFirst + changes[i - 1].oldCount);
        }
        QVERIFY(sequenceDiff({}, {}).empty());
        QVERIFY(sequenceDiff({1, 2}, {1, 2}).empty());
    }

    void isShortest() {
        QRandomGenerator random(2);
        for (int round = 0; round < 1500; ++round) {
            const int values = 1 + int(random.bounded(8));
            const auto a = randomList(random, int(random.bounded(24)), values);
            const auto b = randomList(random, int(random.bounded(24)), values);
            QCOMPARE(edits(sequenceDiff(a, b)), fewestEdits(a, b));
        }
        // Myers' own example: five edits.
        QCOMPARE(edits(lineDiff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n")), 5);
    }

    void largeTextsEnd() {
        QRandomGenerator random(3);
        // Few values and little order: beyond the searched edits, where the script is cut off.
        const auto a = randomList(random, 150000, 300);
        const auto b = randomList(random, 150000, 300);
        QElapsedTimer clock;
        clock.start();
        const auto changes = sequenceDiff(a, b);
        qInfo("150,000 lines against as many unlike: %lld ms", static_cast<long long>(clock.elapsed()));
        QCOMPARE(applied(a, b, changes), b);
        QVERIFY(edits(changes) < 300000);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(applied(a, b, sequenceDiff(a, b, stop.get_token())), b);
    }

    void linesKeepTheirEnds() {
        QCOMPARE(splitLines("a\nb\r\n\nc"), (std::vector<std::string_view>{"a\n", "b\r\n", "\n", "c"}));
        QVERIFY(splitLines("").empty());
        QCOMPARE(lineDiff("a\nb\n", "a\nb"), (std::vector<Change>{{1, 1, 1, 1}}));
        QCOMPARE(lineDiff("a\nb\n", "a\r\nb\n"), (std::vector<Change>{{0, 1, 0, 1}}));
    }

    void hunksLookAsPatchReadsThem() {
        QCOMPARE(patchText(hunks("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n")),
                 std::string("--- file\n+++ file\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"));
        QCOMPARE(patchText(hunks("", "a")),
                 std::string("--- file\n+++ file\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n"));
        QCOMPARE(
            patchText(hunks("a\nb\nc\n", "a\nB\nc")),
            std::string("--- file\n+++ file\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n"));
        QVERIFY(hunks("same", "same").empty());
    }

    void distantChangesAreApart() {
        std::string before;
        for (int i = 0; i < 40; ++i)
            before += std::to_string(i) + "\n";
        std::string after = before;
        after.replace(after.find("\n5\n"), 3, "\nfive\n");
        after.replace(after.find("\n30\n"), 4, "\nthirty\n");
        const auto apart = hunks(before, after);
        QCOMPARE(apart.size(), std::size_t{2});
        QCOMPARE(apart[1].oldBegin, std::size_t{28});
        QCOMPARE(apart[1].oldCount, std::size_t{7});
        // Twenty-four lines between them: two contexts of twelve meet.
        QCOMPARE(hunks(before, after, 11).size(), std::size_t{2});
        QCOMPARE(hunks(before, after, 12).size(), std::size_t{1});
    }

    /// The system's patch turns the one text into the other.
    void patchAgrees() {
        if (QStandardPaths::findExecutable("patch").isEmpty()) QSKIP("patch is not in the path");
        QTemporaryDir folder;
        QRandomGenerator random(4);
        for (int round = 0; round < 60; ++round) {
            const std::string before = randomText(random, 30);
            const std::string after = randomText(random, 30);
            const std::string text = patchText(hunks(before, after, random.bounded(4)));
            if (before == after || after.empty()) continue; // patch removes a file that becomes empty
            write(folder.filePath("file"), before);
            write(folder.filePath("change"), text);
            QProcess patch;
            patch.setWorkingDirectory(folder.path());
            patch.start("patch", {"--binary", "-s", "file", "change"});
            QVERIFY(patch.waitForFinished(longWait));
            QVERIFY2(patch.exitCode() == 0, (patch.readAllStandardOutput() + text.c_str()).constData());
            QFile file(folder.filePath("file"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll().toStdString(), after);
        }
    }

    void nothingInCommonIsOneHunk() {
        std::string before;
        std::string after;
        for (int i = 0; i < 60'000; ++i) {
            before += "b" + std::to_string(i) + "\n";
            after += "a" + std::to_string(i) + "\n";
        }
        QCOMPARE(lineDiff(before, after), (std::vector<Change>{{0, 60'000, 0, 60'000}}));
    }
};

KERNELARIUM_TEST(TestDiff);

#include "TestDiff.moc"
