// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestProgram.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QtTest>

using nlohmann::json;

namespace {
QString programFile(const QString& name) {
    return QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/host/programs/") + name + ".cu";
}
} // namespace

void TestProgram::reportsItsExitCodeBesideOurs() {
    const QStringList call{"run", programFile("arguments"), "--", "-n", "33", "--name=ada", "2.5e1", "0x1f"};
    const CliAnswer text = callCli(call);
    QVERIFY2(text.exitCode == 0, text.messages.constData());
    for (const char* part : {"exit code   7", "./arguments with 5 arguments", "n 33, name ada, x 25.00, hex 31"})
        QVERIFY2(text.output.contains(part), text.output.constData());
    const CliAnswer answer = callCli(QStringList{"run", "--json"} + call.mid(1));
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QCOMPARE(j.at("end").get<std::string>(), std::string("finished"));
    QCOMPARE(j.at("exit_code").get<int>(), 7);
    QVERIFY(j.at("printed").get<std::string>().ends_with("end of arguments\n"));
}

void TestProgram::findingsAreOurExitCode_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("end");
    QTest::addColumn<int>("code");
    QTest::newRow("nothing found") << "constants"
                                   << "finished" << 0;
    QTest::newRow("fault") << "out_of_bounds"
                           << "finished" << 1;
    QTest::newRow("refused launch") << "macro_exit"
                                    << "launch_refused" << 1;
    QTest::newRow("refused by name") << "refused"
                                     << "unsupported" << 1;
    QTest::newRow("uncaught") << "thrown"
                              << "host_exception" << 1;
    QTest::newRow("assertion that the program asked for") << "asserted"
                                                          << "finished" << 0;
    QTest::newRow("assertion that nobody asked for") << "asserted_unseen"
                                                     << "crashed" << 1;
}
void TestProgram::findingsAreOurExitCode() {
    QFETCH(QString, name);
    QFETCH(QString, end);
    QFETCH(int, code);
    const CliAnswer answer = callCli({"run", programFile(name), "--json"});
    QVERIFY2(!answer.json().is_discarded(), answer.messages.constData());
    QCOMPARE(QString::fromStdString(answer.json().at("end").get<std::string>()), end);
    QCOMPARE(answer.exitCode, code);
}

void TestProgram::itsFolderIsSearched() {
    const CliAnswer answer = callCli({"run", programFile("templates")});
    QVERIFY2(answer.exitCode == 0, answer.output.constData());
    QVERIFY(answer.output.contains("double 496"));
}

void TestProgram::isNotVerified() {
    const CliAnswer answer = callCli({"verify", programFile("constants")});
    QCOMPARE(answer.exitCode, 2);
    QVERIFY2(answer.messages.contains("is a program with a main of its own"), answer.messages.constData());
    QVERIFY2(answer.messages.contains("kernelarium-cli run"), answer.messages.constData());
    // Where it is to solve a task it is a module without forward, as it is to Python.
    const CliAnswer judged = callCli({"verify", programFile("constants"), "--task", "1/23"});
    QCOMPARE(judged.exitCode, 1);
    QVERIFY2(judged.output.contains("PYBIND11_MODULE"), judged.output.constData());
}

KERNELARIUM_TEST(TestProgram);
