// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestHostile.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using nlohmann::json;

namespace {

QStringList arguments(const QString& kernel) {
    return {"verify",        kernel,  "--reference",   fixture("add.cu"), "--arg",
            "float32[1000]", "--arg", "float32[1000]", "--json"};
}
QString textOf(const json& j) {
    return QString::fromStdString(j.get<std::string>());
}

/// Kills the child whose command line contains the word, once.
std::function<void(qint64)> killer(const QByteArray& word, bool& killed) {
    return [word, &killed](qint64 pid) {
        if (killed) return;
        for (const qint64 child : childrenOf(pid)) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(child));
            if (!file.open(QIODevice::ReadOnly) || !file.readAll().replace('\0', ' ').contains("worker " + word))
                continue;
            killed = ::kill(pid_t(child), SIGKILL) == 0;
        }
    };
}

std::vector<json> events(const QByteArray& output) {
    std::vector<json> all;
    for (const QByteArray& line : output.split('\n'))
        if (!line.isEmpty()) all.push_back(json::parse(line.toStdString(), nullptr, false));
    return all;
}

} // namespace

void TestHostile::endlessLoopsEnd_data() {
    QTest::addColumn<QString>("kernel");
    QTest::newRow("kernel") << "add_endless_kernel.cu";
    QTest::newRow("host code") << "add_endless_host.cu";
}

void TestHostile::endlessLoopsEnd() {
    QFETCH(QString, kernel);
    // The reference runs under the same limit: long enough for it on a busy machine.
    const CliAnswer answer = callCli(arguments(fixture(kernel)) + QStringList{"--time-limit", "10"});
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 1);
    QVERIFY2(textOf(answer.json().at("verdict")) == "timeout", answer.output.constData());
}

void TestHostile::aSourceOfFiveMegabytesEnds_data() {
    QTest::addColumn<QByteArray>("filler");
    QTest::addColumn<QString>("verdict");
    QTest::newRow("comment") << QByteArray("// nothing of note in this line\n") << "verified";
    QTest::newRow("garbage") << QByteArray("int ]] garbage %% {{ ;\n") << "compile_error";
}

void TestHostile::aSourceOfFiveMegabytesEnds() {
    QFETCH(QByteArray, filler);
    QFETCH(QString, verdict);
    QFile kernel(fixture("add.cu"));
    QVERIFY(kernel.open(QIODevice::ReadOnly));
    QByteArray source = kernel.readAll();
    source += filler.repeated((5 << 20) / filler.size());
    QTemporaryDir folder;
    QFile file(folder.filePath("large.cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(source);
    file.close();
    const CliAnswer answer = callCli(arguments(file.fileName()));
    QVERIFY(!answer.crashed);
    QVERIFY2(textOf(answer.json().at("verdict")) == verdict, answer.output.left(2000).constData());
    QVERIFY(answer.output.size() < (4 << 20)); // however many errors there are
}

void TestHostile::aKilledRunChildIsNamed() {
    bool killed = false;
    const CliAnswer answer = callCli(arguments(fixture("add_endless_kernel.cu")) + QStringList{"--time-limit", "60"},
                                     {}, killer("run", killed));
    QVERIFY(killed);
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 1);
    const json error = answer.json().at("error");
    QCOMPARE(textOf(error.at("code")), QString("child_died"));
    QVERIFY(textOf(error.at("message")).contains("SIGKILL"));
}

void TestHostile::aKilledCompileChildIsNamed() {
    bool killed = false;
    const CliAnswer answer = callCli(arguments(fixture("add.cu")), {}, killer("compile", killed));
    QVERIFY(killed);
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(textOf(answer.json().at("error").at("code")), QString("child_died"));
}

void TestHostile::brokenLinesToTheWorkers_data() {
    QTest::addColumn<QString>("kind");
    QTest::newRow("compile") << "compile";
    QTest::newRow("run") << "run";
    QTest::newRow("tools") << "tools";
}

void TestHostile::brokenLinesToTheWorkers() {
    QFETCH(QString, kind);
    const CliAnswer answer =
        callCli({"worker", kind}, "{\"id\": 1, \n"
                                  "[]\n"
                                  "\xff\xfe\n"
                                  "{\"id\": 2, \"method\": \"dance\"}\n"
                                  "{\"id\": 3, \"method\": \"compile\", \"params\": {}}\n"
                                  "{\"id\": 4, \"method\": \"verify\", \"params\": {\"unit\": 7}}\n");
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 0);
    const std::vector<json> all = events(answer.output);
    QCOMPARE(all.size(), std::size_t(7));
    QCOMPARE(textOf(all[0].at("event")), QString("hello"));
    QCOMPARE(textOf(all[0].at("kind")), kind);
    for (std::size_t i = 1; i < all.size(); ++i) {
        QCOMPARE(textOf(all[i].at("event")), QString("failed"));
        QVERIFY(all[i].at("message").is_string());
    }
}

void TestHostile::aHugeLineToTheWorkers_data() {
    brokenLinesToTheWorkers_data();
}

void TestHostile::aHugeLineToTheWorkers() {
    QFETCH(QString, kind);
    const QByteArray line = "{\"id\": 1, \"method\": \"compile\", \"params\": {\"source\": \"" +
                            QByteArray(100 << 20, 'x') + "\"}}\n{\"id\": 2, \"method\": \"dance\"}\n";
    const CliAnswer answer = callCli({"worker", kind}, line);
    QVERIFY(!answer.crashed);
    const std::vector<json> all = events(answer.output);
    QCOMPARE(all.size(), std::size_t(3));
    QCOMPARE(textOf(all[1].at("code")), QString("too_large"));
    QCOMPARE(textOf(all[2].at("code")), QString("bad_request"));
    QCOMPARE(all[2].at("id"), json(2));
}

void TestHostile::tooMuchMemoryIsSaid() {
    const CliAnswer answer =
        callCli({"run", fixture("add.cu"), "--arg", "float32[65536,60000]", "--arg", "float32[65536,60000]", "--json"});
    QVERIFY(!answer.crashed);
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(textOf(answer.json().at("error").at("code")), QString("out_of_memory"));
}

KERNELARIUM_TEST(TestHostile);
