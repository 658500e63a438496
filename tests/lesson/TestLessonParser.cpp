// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/KnownNames.h"
#include "core/lesson/LessonLibrary.h"
#include "core/perf/Counters.h"
#include "core/verify/Explanation.h"
#include "core/verify/Verdict.h"
#include "tests/TestRegistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <set>

namespace kernelarium::lesson {
namespace {

const std::string head = "---\ntitle: T\nminutes: 5\ndifficulty: beginner\nlearn:\n  - a thing\n---\nHello.\n";

const FileReader someFiles = [](const std::string& name) -> std::optional<std::string> {
    if (name == "start.cu" || name == "done.cu" || name == "other.cu") return "// " + name;
    return std::nullopt;
};

Result<Lesson> parsed(const std::string& text) {
    return parseLesson("l", text, someFiles, "test");
}

std::string fixture(const char* name) {
    QFile file(QString(KERNELARIUM_SOURCE_DIR "/tests/lesson/fixtures/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

class TestLessonParser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStatementIsRead() {
        const auto lesson = parsed(fixture("every_statement.md"));
        ;
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        QCOMPARE(lesson->introduction, std::string("Hello."));
        QCOMPARE(lesson->steps.size(), std::size_t{2});
        const Step& step = lesson->steps[0];
        QCOMPARE(step.id, std::string("read-a-whole-sector"));
        QCOMPARE(step.text, std::string("Text with code:\n\n```cuda\n## this is no heading\n```\n\n\n\nMore text."));
        QCOMPARE(step.hints, (std::vector<std::string>{"First.", "```cuda\nsecond\n```"}));
        QCOMPARE(step.kernel.level, 1);
        QCOMPARE(step.kernel.task, 5);
        QCOMPARE(step.kernel.starter, std::string("// start.cu"));
        QCOMPARE(step.kernel.solutionName, std::string("done.cu"));
        QCOMPARE(step.conditions.size(), std::size_t{8});
        QCOMPARE(step.conditions[1].perCounter, std::string("b"));
        QCOMPARE(step.conditions[1].label, std::string("a for each b"));
        QVERIFY(step.conditions[2].comparison == Condition::Comparison::above);
        QCOMPARE(step.conditions[3].bound, 0.08);
        QCOMPARE(step.conditions[4].device, std::string("T4"));
        QCOMPARE(step.conditions[6].word, std::string("atomicAdd("));
        QCOMPARE(step.conditions[7].tolerance, 0.02);
        const StepKernel& second = lesson->steps[1].kernel;
        QCOMPARE(second.arguments, (std::vector<std::string>{"float32[4,4]", "3"}));
        QCOMPARE(second.reference, std::string("// other.cu"));
    }

    void faultsNameTheLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("complaint");
        const QString front = QString::fromStdString(head);
        const auto check = [&](const QString& statement) { return front + "## S\n```check\n" + statement + "\n```\n"; };
        QTest::newRow("empty") << "" << 0 << "three hyphens";
        QTest::newRow("front open") << "---\ntitle: x\n" << 2 << "not closed";
        QTest::newRow("field") << "---\ntitel: x\n---\n" << 2 << "titel";
        QTest::newRow("no minutes") << "---\ntitle: x\n---\n" << 3 << "minutes";
        QTest::newRow("minutes") << "---\nminutes: soon\n---\n" << 2 << "whole number";
        QTest::newRow("difficulty") << "---\ndifficulty: hard\n---\n" << 2 << "hard";
        QTest::newRow("no steps") << front << 8 << "no step";
        QTest::newRow("no condition") << front + "## S\ntext\n" << 9 << "no condition";
        QTest::newRow("open fence") << front + "## S\n```cuda\ntext\n" << 10 << "not closed";
        QTest::newRow("same title") << check("answer a = 1 within 1% \"q\"") + "## S\n" << 13 << "two steps";
        QTest::newRow("early check") << front + "```check\n```\n" << 9 << "before the first step";
        QTest::newRow("two checks") << check("answer a = 1 within 1% \"q\"") + "```check\n```\n" << 13 << "one check";
        QTest::newRow("empty hint") << front + "## S\n```hint\n```\n" << 11 << "hint is empty";
        QTest::newRow("statement") << check("verify = verified") << 11 << "not a statement";
        QTest::newRow("verdict") << check("verdict = fine") << 11 << "not a verdict";
        QTest::newRow("reason") << check("reason = rase") << 11 << "\"rase\" is not a reason";
        QTest::newRow("reason's verb") << check("reason is race") << 11 << "\"=\" or \"lacks\"";
        QTest::newRow("figure") << check("figure ocupancy >= 3") << 11 << "\"ocupancy\" is not a figure";
        QTest::newRow("figure's bound") << check("figure occupancy >= half") << 11 << "not a number";
        QTest::newRow("starter's verdict") << check("starter_verdict = fine") << 11 << "not a verdict";
        QTest::newRow("starter's reason") << check("starter_verdict = fault rase") << 11 << "not a reason";
        QTest::newRow("comparison") << check("counter a ~ 3") << 11 << "not a comparison";
        QTest::newRow("bound") << check("counter a <= three") << 11 << "not a number";
        QTest::newRow("nan") << check("counter a <= nan") << 11 << "not a number";
        QTest::newRow("left over") << check("counter a <= 3 ms") << 11 << "unexpected";
        QTest::newRow("quote") << check("counter a <= 3 \"ms") << 11 << "not closed";
        QTest::newRow("unit") << check("modelled_time <= 3 h on H200 size full") << 11 << "unit of time";
        QTest::newRow("size") << check("modelled_time <= 3 ms on H200 size big") << 11 << "not a size";
        QTest::newRow("task") << check("task 1/") << 11 << "not a task";
        QTest::newRow("missing file") << check("task 1/1\nstarter gone.cu") << 12 << "gone.cu";
        QTest::newRow("outside") << check("starter ../start.cu") << 11 << "beside the lesson";
        QTest::newRow("question") << check("answer a = 1 within 1%") << 11 << "question";
        QTest::newRow("percent") << check("answer a = 1 within 1 \"q\"") << 11 << "percentage";
        QTest::newRow("no starter") << check("task 1/1\nverdict = verified") << 9 << "no starter";
        QTest::newRow("no task") << check("starter start.cu\nsolution done.cu\nverdict = verified") << 9 << "neither";
    }

    void faultsNameTheLine() {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(QString, complaint);
        const auto lesson = parsed(text.toStdString());
        QVERIFY(!lesson.ok());
        QCOMPARE(lesson.error().code, std::string("bad_lesson"));
        const QString message = QString::fromStdString(lesson.error().message);
        const QString place = line > 0 ? QString(":%1").arg(line) : QString(); // 0: the file as a whole
        QVERIFY2(message.startsWith("l/lesson.md" + place + ": "), qPrintable(message));
        QVERIFY2(message.contains(complaint), qPrintable(message));
    }

    void namesAreThoseOfVerification() {
        std::set<std::string_view> reasons;
        for (const auto& reason : verify::everyReason())
            reasons.insert(reason.name);
        const auto known = reasonNames();
        QVERIFY(std::is_sorted(known.begin(), known.end()));
        for (const auto name : known)
            QVERIFY2(reasons.contains(name), std::string(name).c_str());
        for (const auto name : reasons)
            QVERIFY2(std::binary_search(known.begin(), known.end(), name), std::string(name).c_str());
        for (const auto name : verdictNames())
            QVERIFY2(verify::parseVerdictKind(name), std::string(name).c_str());
    }

    void foldersOfOnesOwnAreLoaded() {
        QTemporaryDir folder;
        for (const char* name : {"b", "a", "broken", "other"})
            QVERIFY(QDir(folder.path()).mkdir(name));
        const QByteArray good = QByteArray::fromStdString(head) +
                                "## S\n```check\ntask 1/1\nstarter s.cu\nsolution s.cu\nverdict = wrong\n```\n";
        for (const char* name : {"a", "b"}) {
            write(folder.filePath(QString(name) + "/lesson.md"), good);
            write(folder.filePath(QString(name) + "/s.cu"), "int i;\r\n");
        }
        write(folder.filePath("broken/lesson.md"), "no");
        const auto found = loadLessonFolder(folder.path().toStdString());
        QCOMPARE(found.lessons.size(), std::size_t{2});
        const std::string collection = QDir(folder.path()).dirName().toStdString();
        QCOMPARE(found.lessons[0].id, collection + ":a"); // never that of a lesson that is built in
        QCOMPARE(found.lessons[0].steps[0].kernel.starter, std::string("int i;\r\n"));
        QCOMPARE(found.problems.size(), std::size_t{1});
        QCOMPARE(found.problems[0].file, collection + "/broken/lesson.md");
        QCOMPARE(found.problems[0].line, 1);
        QCOMPARE(loadLesson(folder.filePath("other").toStdString()).error().code, std::string("unreadable_file"));
        QVERIFY(loadLessonFolder(folder.filePath("none").toStdString()).lessons.empty());
    }

    void builtInLessonsAreThoseOfTheResources() {
        const auto lessons = builtInLessons();
        QVERIFY2(lessons.ok(), lessons.ok() ? "" : lessons.error().text().c_str());
        QStringList ids;
        for (const auto& lesson : *lessons) {
            ids.append(QString::fromStdString(lesson.id));
            QVERIFY(lesson.steps.size() >= 3 && lesson.steps.size() <= 6);
            for (const auto& step : lesson.steps)
                for (const auto& condition : step.conditions)
                    if (condition.kind == Condition::Kind::counter)
                        for (const auto& key : {condition.counter, condition.perCounter})
                            QVERIFY2(key.empty() || perf::findMetric(key) != nullptr, key.c_str());
            const auto onDisk = loadLesson(KERNELARIUM_SOURCE_DIR "/resources/lessons/" + lesson.id);
            QVERIFY(onDisk.ok());
            QCOMPARE(onDisk->introduction, lesson.introduction);
            QCOMPARE(onDisk->steps.size(), lesson.steps.size());
        }
        ids.sort();
        QDir folder(KERNELARIUM_SOURCE_DIR "/resources/lessons");
        QCOMPARE(ids, folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name));
    }
};

} // namespace

KERNELARIUM_TEST(TestLessonParser);

} // namespace kernelarium::lesson

#include "TestLessonParser.moc"
