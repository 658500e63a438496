// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/ArrayScript.h"
#include "tests/TestRegistry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace kernelarium::cluster {
namespace {

const ScriptWords words{"${TASK:?}", "${CPUS:-1}"};

class TestArrayScript : public QObject {
    Q_OBJECT

private slots:
    void everyWordArrives();
    void marksHowItEnded_data();
    void marksHowItEnded();
    void controlCharactersAreRefused();

private:
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("absent");
    }
    /// Runs the script of a command as task 7 with 3 processors.
    static int run(const QString& folder, std::vector<TaskWord> command) {
        const auto script = arrayScript(
            {"a title\n#SBATCH --array=1-9", folder.toStdString(), folder.toStdString(), 9, std::move(command)}, words);
        if (!script) return -1;
        QFile file(folder + "/array.sh");
        if (!file.open(QIODevice::WriteOnly)) return -1;
        file.write(QByteArray::fromStdString(*script));
        file.close();
        if (QByteArray::fromStdString(*script).contains("\n#SBATCH")) return -1;
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TASK", "7");
        environment.insert("CPUS", "3");
        process.setProcessEnvironment(environment);
        process.start("bash", {file.fileName()});
        process.waitForFinished(120000);
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    }
};

void TestArrayScript::everyWordArrives() {
    const QTemporaryDir parent;
    const QString folder = parent.filePath("it's \"a\" $(touch x) `touch y` 50% \\n & ; | * ünd");
    QVERIFY(QDir().mkpath(folder));
    const std::string hard = "a'b\"c $HOME $(touch z) `touch z` \\ %j * ? [a] ; & | < > # ~ !1 ''";
    QCOMPARE(run(folder, {"printf", "<%s>\\n", hard, "", TaskWord("before'", "$after"), TaskWord("", "/9"),
                          processorsWord(), "--last"}),
             0);
    const QByteArray log = read(folder + "/task-7.log");
    for (const std::string& word : {hard, std::string(), std::string("before'7$after"), std::string("7/9"),
                                    std::string("3"), std::string("--last")})
        QVERIFY2(log.contains("<" + QByteArray::fromStdString(word) + ">\n"), log);
    QCOMPARE(read(folder + "/task-7.ended").trimmed(), QByteArray("0"));
    for (const char* made : {"x", "y", "z"})
        QVERIFY(!QFile::exists(folder + '/' + made) && !QFile::exists(parent.filePath(made)));
}

void TestArrayScript::marksHowItEnded_data() {
    QTest::addColumn<std::string>("command");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("mark");
    QTest::newRow("in order") << std::string("exit 0") << 0 << QByteArray("0");
    QTest::newRow("an error") << std::string("exit 3") << 3 << QByteArray("3");
    QTest::newRow("interrupted") << std::string("exit 130") << 130 << QByteArray("absent");
    QTest::newRow("killed") << std::string("kill -9 $$") << 137 << QByteArray("absent");
}

void TestArrayScript::marksHowItEnded() {
    QFETCH(const std::string, command);
    QFETCH(const int, code);
    QFETCH(const QByteArray, mark);
    const QTemporaryDir folder;
    QFile earlier(folder.filePath("task-7.ended"));
    QVERIFY(earlier.open(QIODevice::WriteOnly));
    earlier.write("0\n");
    earlier.close();
    QCOMPARE(run(folder.path(), {"bash", "-c", command}), code);
    QCOMPARE(read(folder.filePath("task-7.ended")).trimmed(), mark);
}

void TestArrayScript::controlCharactersAreRefused() {
    for (const char* bad : {"a\nb", "a\rb", "a\x1b"}) {
        QCOMPARE(arrayScript({"t", bad, "/", 1, {"true"}}, words).error().code, "bad_input");
        QCOMPARE(arrayScript({"t", "/", "/", 1, {"true", bad}}, words).error().code, "bad_input");
        QCOMPARE(arrayScript({"t", "/", "/", 1, {"true", TaskWord("", bad)}}, words).error().code, "bad_input");
    }
}

KERNELARIUM_TEST(TestArrayScript);

} // namespace
} // namespace kernelarium::cluster

#include "TestArrayScript.moc"
