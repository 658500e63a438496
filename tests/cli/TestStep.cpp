// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestStep.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QtTest>

using nlohmann::json;

namespace {
QStringList stepping(const QStringList& more) {
    return QStringList{"step", fixture("add_out_of_bounds.cu"), "--arg", "float32[40,25]", "--arg", "float32[40,25]"} +
           more;
}
} // namespace

void TestStep::showsTheStepsOfAWarp() {
    const CliAnswer answer = callCli(stepping({"--block", "3", "--warp", "7", "--json"}));
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QVERIFY2(!j.is_discarded() && j.contains("steps"), answer.messages.constData());
    QCOMPARE(j.at("block")[0].get<int>(), 3);
    QCOMPARE(j.at("grid")[0].get<int>(), 4);
    QCOMPARE(j.at("cut").get<bool>(), false);
    QVERIFY(j.at("steps").size() > 10);
    bool branched = false;
    for (const json& step : j.at("steps")) {
        QCOMPARE(step.at("warp").get<int>(), 7);
        // Threads 992 to 1023 of 1000: lanes 0 to 7 add.
        const json& instruction = j.at("instructions").at(step.at("instruction").get<std::size_t>());
        if (instruction.at("text").get<std::string>().starts_with("add.f32")) {
            branched = true;
            QCOMPARE(step.at("active").get<unsigned>(), 0xffu);
            QCOMPARE(step.at("registers")[0].at("after").size(), std::size_t(8));
        }
    }
    QVERIFY(branched);
    const CliAnswer people = callCli(stepping({"--block", "3", "--warp", "7"}));
    QCOMPARE(people.exitCode, 0);
    for (const char* part :
         {"add_kernel, grid (4, 1, 1)", "block       (3, 0, 0), warp 7 of 8", "if (i < n) c[i] = a[i] + b[i];",
          "add.f32", "reads 4 bytes at argument 1 + 3968 to argument 1 + 3996"})
        QVERIFY2(people.output.contains(part), part);
}

void TestStep::beginsAtALine() {
    const CliAnswer answer = callCli(stepping({"--line", "7", "--warp", "0", "--steps", "20", "--json"}));
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QCOMPARE(j.at("steps").size(), std::size_t(20));
    QVERIFY(j.at("skipped").get<int>() > 0);
    const json& there = j.at("steps").at(j.at("line_step").get<std::size_t>());
    QCOMPARE(j.at("instructions").at(there.at("instruction").get<std::size_t>()).at("line").get<int>(), 7);
    bool fault = false;
    for (const json& step : j.at("steps"))
        if (step.contains("faults"))
            fault = step.at("faults")[0].at("kind") == "out_of_bounds" && step.at("faults")[0].at("lanes") == 1;
    QVERIFY(fault);
    // That line is not of any kernel that the launch runs.
    const CliAnswer missed = callCli(stepping({"--line", "13", "--launch", "1"}));
    QCOMPARE(missed.exitCode, 1);
    QVERIFY2(missed.output.contains("13 was not reached"), missed.output.constData());
}

void TestStep::saysWhatThereIsNot_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QString>("code");
    QTest::newRow("launch") << QStringList{"--launch", "2"} << "no_such_launch";
    QTest::newRow("block") << QStringList{"--block", "4"} << "no_such_block";
    QTest::newRow("warp") << QStringList{"--warp", "8"} << "no_such_warp";
    QTest::newRow("line") << QStringList{"--line", "13"} << "no_such_line";
    QTest::newRow("no place") << QStringList{"--block", "1,x"} << "bad_usage";
    QTest::newRow("too many") << QStringList{"--steps", "100000000"} << "bad_usage";
}

void TestStep::saysWhatThereIsNot() {
    QFETCH(QStringList, more);
    QFETCH(QString, code);
    const CliAnswer answer = callCli(stepping(more + QStringList{"--json"}));
    QCOMPARE(answer.exitCode, 2);
    const json j = answer.json();
    QVERIFY2(!j.is_discarded() && j.contains("error"), answer.output.constData());
    QCOMPARE(QString::fromStdString(j.at("error").at("code").get<std::string>()), code);
}

KERNELARIUM_TEST(TestStep);
