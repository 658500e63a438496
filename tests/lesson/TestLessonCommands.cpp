// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

namespace kernelarium::lesson {
namespace {

struct Said {
    int code = -1;
    QString out;
    QString err;
};

/// A teacher and three students at the command line; names of folders as people give them.
class TestLessonCommands : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    void write(const QString& name, const QByteArray& text) const {
        const QString path = m_folder.filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), qint64(text.size()));
    }
    [[nodiscard]] Said ask(const QStringList& arguments) const {
        QProcess cli;
        cli.setWorkingDirectory(m_folder.path());
        cli.start(KERNELARIUM_BIN_DIR "/kernelarium-cli", QStringList{"lesson"} + arguments);
        if (!cli.waitForFinished(300'000)) return {};
        return {cli.exitCode(), QString::fromUtf8(cli.readAllStandardOutput()),
                QString::fromUtf8(cli.readAllStandardError())};
    }
    static QByteArray lesson(const QByteArray& question) {
        return "---\ntitle: Counting\nminutes: 5\ndifficulty: beginner\nlearn:\n  - to count\n---\n\nCount.\n\n"
               "## How many lanes\n\nA warp has 32 lanes.\n\n```check\n" +
               question +
               "\n```\n\n## How many warps\n\nA block of 64 threads has two.\n\n```check\n"
               "answer warps = 2 within 0% \"How many warps?\"\n```\n";
    }
    static QByteArray good() { return lesson("answer lanes = 32 within 0% \"How many lanes?\""); }

    void pass(const QString& student, const QString& file, const QStringList& steps) const {
        for (const QString& step : steps) {
            const QString answer = step == QLatin1String("1") ? QStringLiteral("lanes=32") : QStringLiteral("warps=2");
            const Said said = ask({"run", "Übung 1:erste Stunde/" + step, "--folder", "Übung 1", "--answer", answer,
                                   "--record", file, "--name", student});
            QVERIFY2(said.code == 0, qPrintable(said.out + said.err));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        write(QStringLiteral("Übung 1/erste Stunde/lesson.md"), good());
    }

    void aBrokenLessonIsNamedWithItsLine() {
        write(QStringLiteral("broken course/good/lesson.md"), good());
        write(QStringLiteral("broken course/bad/lesson.md"), lesson("answer lanes about 32"));
        const Said said = ask({"check", "broken course"});
        QCOMPARE(said.code, 1);
        QVERIFY2(said.out.contains(QLatin1String("broken course:good: 2 steps, fine")), qPrintable(said.out));
        QVERIFY2(said.out.contains(QLatin1String("broken course/bad/lesson.md:16: ")), qPrintable(said.out));
        QCOMPARE(ask({"check", "Übung 1"}).code, 0);
    }

    void aClassOfThreeIsMerged() {
        pass(QStringLiteral("Ada Lovelace"), QStringLiteral("ada.json"), {"1", "2"});
        pass(QStringLiteral("Алан"), QStringLiteral("alan 2.json"), {"1"});
        pass(QStringLiteral("Grace"), QStringLiteral("grace.json"), {"2"});
        pass(QStringLiteral(" ada lovelace"), QStringLiteral("ada again.json"), {"1"});
        const Said wrong = ask({"run", "Übung 1:erste Stunde/1", "--folder", "Übung 1", "--answer", "lanes=31",
                                "--record", "none.json", "--name", "Eve"});
        QCOMPARE(wrong.code, 1);
        QVERIFY(wrong.out.contains(QLatin1String("31 is too small")));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("none.json"))));
        write(QStringLiteral("torn.json"), "{\"kernelarium_class_record\": 1, \"stud");
        write(QStringLiteral("binary.json"), QByteArray("\x7f"
                                                        "ELF\0\0\xff",
                                                        7));
        const QStringList files{"ada.json", "alan 2.json", "grace.json", "ada again.json"};
        const Said table = ask(QStringList{"merge", "--folder", "Übung 1"} + files);
        QVERIFY2(table.code == 0, qPrintable(table.out + table.err));
        for (const char* part : {"Ada Lovelace", "2/2", "Алан", "1/2", "Grace", "has 2 files"})
            QVERIFY2(table.out.contains(QString::fromUtf8(part)), qPrintable(table.out));
        const Said csv = ask(QStringList{"merge", "--csv", "--folder", "Übung 1", "torn.json", "binary.json"} + files);
        QCOMPARE(csv.code, 1); // two were left out, and both are named
        QCOMPARE(csv.out.count(QLatin1Char('\n')), 4);
        QVERIFY2(csv.err.contains(QLatin1String("torn.json: ")) && csv.err.contains(QLatin1String("binary.json: ")),
                 qPrintable(csv.err));
    }

    void aChangedLessonIsNamed() {
        pass(QStringLiteral("Kurt"), QStringLiteral("kurt.json"), {"1"});
        write(QStringLiteral("Übung 1/erste Stunde/lesson.md"), good() + "\n");
        const Said said = ask({"merge", "--folder", "Übung 1", "kurt.json"});
        write(QStringLiteral("Übung 1/erste Stunde/lesson.md"), good());
        QCOMPARE(said.code, 0);
        QVERIFY2(said.out.contains(QLatin1String("Kurt passed 1 of 1 in another version")), qPrintable(said.out));
    }

    /// What lies about in a folder is no reason to end, and is named where it was meant as a lesson.
    void oddFoldersAreTakenAsTheyAre() {
        write(QStringLiteral("odd/binary/lesson.md"), QByteArray("---\0\xff\xfe", 6));
        write(QStringLiteral("odd/huge/lesson.md"), QByteArray(5'000'000, 'x'));
        write(QStringLiteral("odd/kernel/lesson.md"),
              lesson("task 1/19\nstarter a.cu\nsolution a.cu\nverdict = wrong"));
        write(QStringLiteral("odd/kernel/a.cu"), QByteArray("\0\0", 2));
        write(QStringLiteral("odd/a:b/lesson.md"), good());
        write(QStringLiteral("odd/empty/lesson.md"), {});
        write(QStringLiteral("odd/notes.txt"), "notes");
        write(QStringLiteral("odd/fine & \"well\"/lesson.md"), good());
        QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("odd/dir/lesson.md")))); // a folder of that name
        QVERIFY(QFile::link(QStringLiteral("."), m_folder.filePath(QStringLiteral("odd/loop"))));
        const Said said = ask({"check", "odd"});
        QCOMPARE(said.code, 1);
        for (const char* part :
             {"odd/binary/lesson.md: lesson.md is not text", "odd/huge/lesson.md: lesson.md has over",
              "a.cu is not text", "odd/a:b/lesson.md: a lesson's folder may not",
              "odd/empty/lesson.md:", "odd:fine & \"well\": 2 steps, fine"})
            QVERIFY2(said.out.contains(QLatin1String(part)), qPrintable(said.out + part));
        for (const char* folder : {"nowhere", "odd/notes.txt"}) {
            const Said none = ask({"check", QLatin1String(folder)});
            QCOMPARE(none.code, 1);
            QVERIFY(!none.out.isEmpty());
        }
        // Whoever only wants to learn gets the good ones, and is told of the others.
        const Said list = ask({"list", "--folder", "odd"});
        QCOMPARE(list.code, 0);
        QVERIFY(list.out.contains(QLatin1String("odd:fine")) && list.err.contains(QLatin1String("odd/huge")));
    }
};

} // namespace

KERNELARIUM_TEST(TestLessonCommands);

} // namespace kernelarium::lesson

#include "TestLessonCommands.moc"
