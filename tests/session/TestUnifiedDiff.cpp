// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/UnifiedDiff.h"
#include "tests/session/Tests.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <random>

namespace kernelarium::session {
namespace {

void write(const QString& path, const std::string& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text.data(), static_cast<qint64>(text.size())), static_cast<qint64>(text.size()));
}

std::size_t edits(const std::vector<DiffHunk>& hunks) {
    std::size_t count = 0;
    for (const auto& hunk : hunks)
        count += static_cast<std::size_t>(std::count_if(hunk.lines.begin(), hunk.lines.end(), [](const DiffLine& line) {
            return line.kind != DiffLine::Kind::context;
        }));
    return count;
}

std::string randomText(std::mt19937& random, int mostLines) {
    std::string text;
    const auto lines = std::uniform_int_distribution(0, mostLines)(random);
    for (int i = 0; i < lines; ++i)
        text += std::string("line ") + static_cast<char>('a' + random() % 6) + "\n";
    if (!text.empty() && random() % 3 == 0) text.pop_back();
    return text;
}

class TestUnifiedDiff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksAsPatchReadsIt() {
        QCOMPARE(unifiedDiff("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n", "old", "new"),
                 std::string("--- old\n+++ new\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"));
        QCOMPARE(unifiedDiff("", "a", "old", "new"),
                 std::string("--- old\n+++ new\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n"));
        QCOMPARE(unifiedDiff("same", "same", "old", "new"), std::string());
    }

    void distantChangesAreApart() {
        std::string before;
        for (int i = 0; i < 40; ++i)
            before += std::to_string(i) + "\n";
        std::string after = before;
        after.replace(after.find("\n5\n"), 3, "\nfive\n");
        after.replace(after.find("\n30\n"), 4, "\nthirty\n");
        const auto hunks = diff(before, after);
        QCOMPARE(hunks.size(), std::size_t{2});
        QCOMPARE(hunks[1].oldBegin, std::size_t{28});
        QCOMPARE(hunks[1].oldCount, std::size_t{7});
    }

    /// The system's patch turns the one text into the other.
    void patchAgrees() {
        if (QStandardPaths::findExecutable("patch").isEmpty()) QSKIP("patch is not in the path");
        QTemporaryDir folder;
        std::mt19937 random(1);
        for (int round = 0; round < 60; ++round) {
            const std::string before = randomText(random, 30);
            const std::string after = randomText(random, 30);
            DiffOptions options;
            options.context = random() % 4;
            options.mostEdits = round % 4 == 0 ? 2 : 2000;
            const std::string text = unifiedDiff(before, after, "file", "file", options);
            if (before == after || after.empty()) continue; // patch removes a file that becomes empty
            write(folder.filePath("file"), before);
            write(folder.filePath("change"), text);
            QProcess patch;
            patch.setWorkingDirectory(folder.path());
            patch.start("patch", {"--binary", "-s", "file", "change"});
            QVERIFY(patch.waitForFinished());
            QVERIFY2(patch.exitCode() == 0, (patch.readAllStandardOutput() + text.c_str()).constData());
            QFile file(folder.filePath("file"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll().toStdString(), after);
        }
    }

    void shortestScriptIsFound() {
        // Myers' own example: five edits.
        QCOMPARE(edits(diff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n")), std::size_t{5});
    }

    void effortIsBounded() {
        std::string before;
        std::string after;
        for (int i = 0; i < 60'000; ++i) {
            before += "b" + std::to_string(i) + "\n";
            after += "a" + std::to_string(i) + "\n";
        }
        QCOMPARE(edits(diff(before, after)), std::size_t{120'000});
    }
};

} // namespace

int testUnifiedDiff(int argc, char** argv) {
    TestUnifiedDiff test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace kernelarium::session

#include "TestUnifiedDiff.moc"
