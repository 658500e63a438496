// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestUsage.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QTemporaryDir>
#include <QtTest>

void TestUsage::versionAndHelpSucceed() {
    const CliAnswer version = callCli({"--version"});
    QCOMPARE(version.exitCode, 0);
    QVERIFY(version.output.startsWith("kernelarium-cli "));
    const CliAnswer help = callCli({"--help"});
    QCOMPARE(help.exitCode, 0);
    for (const char* word : {"verify", "run", "time", "worker", "archive", "--json"})
        QVERIFY2(help.output.contains(word), word);
}

void TestUsage::everyCommandHasHelp_data() {
    QTest::addColumn<QStringList>("command");
    QTest::newRow("verify") << QStringList{"verify"};
    QTest::newRow("run") << QStringList{"run"};
    QTest::newRow("time") << QStringList{"time"};
    QTest::newRow("worker") << QStringList{"worker"};
    QTest::newRow("worker compile") << QStringList{"worker", "compile"};
    QTest::newRow("worker run") << QStringList{"worker", "run"};
    QTest::newRow("worker tools") << QStringList{"worker", "tools"};
}

void TestUsage::everyCommandHasHelp() {
    QFETCH(QStringList, command);
    const CliAnswer help = callCli(command + QStringList{"--help"});
    QCOMPARE(help.exitCode, 0);
    QVERIFY(help.output.size() > 100);
}

void TestUsage::badUsageIsTwo_data() {
    QTest::addColumn<QStringList>("arguments");
    const QString add = fixture("add.cu");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{"frobnicate"};
    QTest::newRow("unknown option") << QStringList{"verify", add, "--frobnicate"};
    QTest::newRow("no kernel") << QStringList{"verify"};
    QTest::newRow("missing file") << QStringList{"verify", "/nowhere/kernel.cu", "--task", "1/1"};
    QTest::newRow("directory") << QStringList{"verify", "/tmp", "--task", "1/1"};
    QTest::newRow("not text") << QStringList{"verify", KERNELARIUM_BIN_DIR "/kernelarium-cli", "--task", "1/1"};
    QTest::newRow("file and id") << QStringList{"verify", add, "--kernel", "3"};
    QTest::newRow("unknown task") << QStringList{"verify", add, "--task", "9/999"};
    QTest::newRow("bad task") << QStringList{"verify", add, "--task", "one"};
    QTest::newRow("bad size") << QStringList{"verify", add, "--task", "1/1", "--size", "enormous"};
    QTest::newRow("a size without a task") << QStringList{"run", add, "--size", "odd", "--arg", "float32[4]"};
    QTest::newRow("both sizes at once") << QStringList{"run", add, "--task", "1/1", "--size", "both"};
    QTest::newRow("bad backend") << QStringList{"verify", add, "--task", "1/1", "--backend", "abacus"};
    QTest::newRow("bad seed") << QStringList{"verify", add, "--task", "1/1", "--seed", "minus"};
    QTest::newRow("bad time limit") << QStringList{"verify", add, "--task", "1/1", "--time-limit", "-3"};
    QTest::newRow("no folder") << QStringList{"run", add, "-I", "/nowhere/at/all", "--arg", "float32[2]"};
    QTest::newRow("no macro") << QStringList{"run", add, "-D2", "--arg", "float32[2]"};
    QTest::newRow("too few registers") << QStringList{"compile", add, "--max-registers", "1"};
    QTest::newRow("bad argument") << QStringList{"run", add, "--arg", "float33[2]"};
    QTest::newRow("no archive") << QStringList{"verify", "--kernel", "1", "--db", "/nowhere/archive.sqlite"};
    QTest::newRow("missing reference") << QStringList{"verify",        add,     "--reference",
                                                      "/nowhere/o.cu", "--arg", "float32[4]"};
    QTest::newRow("broken reference") << QStringList{
        "verify", add, "--reference", fixture("add_syntax_error.cu"), "--arg", "float32[4]", "--arg", "float32[4]"};
    QTest::newRow("unknown worker") << QStringList{"worker", "sleep"};
}

void TestUsage::badUsageIsTwo() {
    QFETCH(QStringList, arguments);
    const CliAnswer text = callCli(arguments);
    QVERIFY(!text.crashed);
    QCOMPARE(text.exitCode, 2);
    QVERIFY2(text.output.isEmpty(), text.output.constData());
    QVERIFY(!text.messages.trimmed().isEmpty());
    const CliAnswer json = callCli(arguments + QStringList{"--json"});
    QCOMPARE(json.exitCode, 2);
    const auto document = json.json();
    QVERIFY2(!document.is_discarded(), json.output.constData());
    QVERIFY(document.at("error").at("message").is_string());
    QVERIFY(document.at("error").at("code").is_string());
}

void TestUsage::boundsAreInWords() {
    const CliAnswer none = callCli({"schedule", "explain", fixture("add.cu"), "--line", "0"});
    QCOMPARE(none.exitCode, 2);
    QVERIFY2(none.messages.contains("0 is not above 0"), none.messages);
    const CliAnswer below = callCli({"archive", "list", "--limit", "-1"});
    QCOMPARE(below.exitCode, 2);
    QVERIFY2(below.messages.contains("-1 is not 0 or above"), below.messages);
}

void TestUsage::deviceListNamesWhatIsThere() {
    const CliAnswer json = callCli({"device", "list", "--json"});
    QCOMPARE(json.exitCode, 0);
    const auto document = json.json();
    QCOMPARE(document.at("devices").at(0).at("backend"), nlohmann::json("emulator"));
    const bool hasGpu = document.at("devices").size() > 1;
    QCOMPARE(document.at("missing").is_null(), hasGpu);
    if (!hasGpu) QCOMPARE(document.at("missing").at("code"), nlohmann::json("missing_component"));
    const CliAnswer text = callCli({"device", "list"});
    QCOMPARE(text.exitCode, 0);
    QVERIFY2(text.output.contains("emulator") && text.output.contains(hasGpu ? "cuda" : "No GPU: "),
             text.output.constData());
    QCOMPARE(callCli({"device"}).exitCode, 2);
}

void TestUsage::missingComponentsAreThree_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("cuda") << QStringList{"verify", fixture("add.cu"), "--task", "1/1", "--backend", "cuda"};
    QTest::newRow("time") << QStringList{"time", fixture("add.cu"), "--task", "1/1", "--backend", "cuda"};
    QTest::newRow("time in the emulator")
        << QStringList{"time", fixture("add.cu"), "--task", "1/1", "--backend", "emulator"};
}

void TestUsage::missingComponentsAreThree() {
    QFETCH(QStringList, arguments);
    const bool hasGpu = callCli({"device", "list", "--json"}).json().at("missing").is_null();
    if (hasGpu && arguments.contains("cuda")) QSKIP("there is a GPU here");
    QCOMPARE(callCli(arguments).exitCode, 3);
    const CliAnswer json = callCli(arguments + QStringList{"--json"});
    QCOMPARE(json.exitCode, 3);
    QCOMPARE(json.json().at("error").at("code"), nlohmann::json("missing_component"));
}

KERNELARIUM_TEST(TestUsage);
