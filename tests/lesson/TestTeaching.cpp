// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/ClassTable.h"
#include "core/lesson/LessonLibrary.h"
#include "tests/TestRegistry.h"

#include <algorithm>
#include <filesystem>

#include <QtTest>
#include <nlohmann/json.hpp>

namespace kernelarium::lesson {
namespace {

/// A teacher's folder with a right and a broken lesson, and a class of three.
class TestTeaching : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path path(const QString& name) const {
        return m_folder.filePath(name).toStdString();
    }
    void write(const QString& name, const QByteArray& text) {
        std::filesystem::create_directories(path(name).parent_path());
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), qint64(text.size()));
    }
    static QByteArray lesson(const QByteArray& check) {
        return "---\ntitle: Counting\nminutes: 5\ndifficulty: beginner\nlearn:\n  - to count\n---\n\nCount.\n\n"
               "## How many lanes\n\nA warp has 32 lanes.\n\n```check\n" +
               check +
               "\n```\n\n## How many warps\n\nA block of 64 threads has two.\n\n```check\n"
               "answer warps = 2 within 0% \"How many warps?\"\n```\n";
    }
    static std::vector<Lesson> lessons(const std::filesystem::path& folder) { return loadLessonFolder(folder).lessons; }
    static ClassRecord recordFor(const char* student, std::size_t steps, std::span<const Lesson> lessons) {
        Progress progress;
        auto& of = progress.lessons[lessons[0].id];
        for (std::size_t k = 0; k < steps; ++k) {
            StepProgress& step = of.steps[lessons[0].steps[k].id];
            step.state = StepProgress::State::met;
            step.metAtMs = 1000 * std::int64_t(k + 1);
            step.metVersion = lessons[0].version;
        }
        return recordOf(student, progress, lessons, 5000);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        write(QStringLiteral("course/counting/lesson.md"), lesson("answer lanes = 32 within 0% \"How many lanes?\""));
        write(QStringLiteral("course/broken/lesson.md"), lesson("answer lanes about 32"));
        write(QStringLiteral("course/starterless/lesson.md"),
              lesson("task 1/19\nstarter missing.cu\nverdict = verified"));
        write(QStringLiteral("empty/notes.txt"), "nothing here");
    }

    void aFolderHasItsLessonsAndSaysWhatIsWrongWithOthers() {
        const OwnLessons own = loadLessonFolder(path(QStringLiteral("course")));
        QCOMPARE(own.lessons.size(), std::size_t(1));
        QCOMPARE(own.lessons[0].id, std::string("course:counting"));
        QCOMPARE(own.lessons[0].steps.size(), std::size_t(2));
        QCOMPARE(own.problems.size(), std::size_t(2));
        const auto found = std::find_if(own.problems.begin(), own.problems.end(),
                                        [](const LessonProblem& p) { return p.file == "course/broken/lesson.md"; });
        QVERIFY(found != own.problems.end());
        QCOMPARE(found->line, 16);
        QVERIFY2(found->text().starts_with("course/broken/lesson.md:16: "), found->text().c_str());
        const auto missing = std::find_if(own.problems.begin(), own.problems.end(), [](const LessonProblem& p) {
            return p.file.starts_with("course/starterless/") && p.message.find("missing.cu") != std::string::npos;
        });
        QVERIFY(missing != own.problems.end());
    }

    void nothingToReadIsAProblem() {
        QCOMPARE(loadLessonFolder(path(QStringLiteral("empty"))).problems.size(), std::size_t(1));
        QCOMPARE(loadLessonFolder(path(QStringLiteral("nowhere"))).problems.size(), std::size_t(1));
    }

    void recordsComeBackAndDamageIsFound() {
        const auto known = lessons(path(QStringLiteral("course")));
        QVERIFY(!known.empty());
        const std::string text = recordText(recordFor("Ada Lovelace", 2, known));
        const auto back = recordFromText(text);
        QVERIFY(back.ok());
        QCOMPARE(back->student, std::string("Ada Lovelace"));
        QCOMPARE(back->lessons.at(0).passed.size(), std::size_t(2));
        QCOMPARE(back->lessons.at(0).passed.at(1).atMs, std::int64_t(2000));
        for (const std::string& damaged : {std::string(), text.substr(0, text.size() / 2), std::string("[]"),
                                           std::string(text).replace(text.find("Ada"), 3, "Eve")})
            QVERIFY2(!recordFromText(damaged).ok(), damaged.c_str());
        // A file of somebody who knows how checksums are made.
        ClassRecord odd = recordFor("=1+1", 2, known);
        const ClassTable table = merged(std::vector<NamedRecord>{{"-odd.json", odd}}, known);
        QVERIFY(csvOf(table).find("\n'=1+1,") != std::string::npos);
        odd.lessons[0].passed[0].atMs = -5;
        QVERIFY(!recordFromText(recordText(odd)).ok());
        odd.lessons[0].passed[0].atMs = 1;
        odd.lessons[0].steps = std::size_t(-1);
        QVERIFY(!recordFromText(recordText(odd)).ok());
        for (const char* name : {"", "a\nb"})
            QVERIFY(!checkStudentName(name).ok());
    }

    void aClassOfThreeIsATable() {
        const auto known = lessons(path(QStringLiteral("course")));
        QVERIFY(!known.empty());
        std::vector<NamedRecord> records{{"ada.json", recordFor("Ada", 2, known)},
                                         {"alan.json", recordFor("Alan", 1, known)},
                                         {"grace.json", recordFor("Grace", 1, known)},
                                         {"older.json", recordFor(" ada ", 1, known)}};
        records[2].record.lessons[0].passed[0].version = "another";
        const ClassTable table = merged(records, known);
        QCOMPARE(table.rows.size(), std::size_t(3));
        QCOMPARE(table.columns.size(), std::size_t(1));
        QCOMPARE(table.columns[0].steps, std::size_t(2));
        const ClassCell& ada = table.rows[0].cells.at("course:counting");
        QCOMPARE(ada.passed, std::size_t(2));
        QCOMPARE(ada.file, std::string("ada.json"));
        QCOMPARE(ada.firstMs, std::int64_t(1000));
        QCOMPARE(ada.lastMs, std::int64_t(2000));
        QCOMPARE(table.rows[0].files.size(), std::size_t(2));
        QCOMPARE(table.rows[1].cells.at("course:counting").passed, std::size_t(1));
        QCOMPARE(table.rows[2].cells.at("course:counting").otherVersion, std::string("another"));
        QVERIFY(!table.notes.empty());
        const std::string csv = csvOf(table);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t(4));
        QCOMPARE(toJson(table).dump().find("Ada") != std::string::npos, true);
    }
};

} // namespace

KERNELARIUM_TEST(TestTeaching);

} // namespace kernelarium::lesson

#include "TestTeaching.moc"
