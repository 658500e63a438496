// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestOutputs.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QtTest>

using nlohmann::json;

namespace {
QString wordOf(const json& j) {
    return QString::fromStdString(j.get<std::string>());
}
} // namespace

void TestOutputs::aTaskVerifiesThem_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const QStringList& options, const char* verdict, const char* reason) {
        QTest::newRow(name) << options << QString::fromLatin1(verdict) << QString::fromLatin1(reason);
    };
    row("returned", {"--function", "relu"}, "verified", "");
    row("last", {"--function", "relu_into"}, "verified", "");
    row("first", {"--function", "relu_first"}, "verified", "");
    row("by reference", {"--function", "relu_reference"}, "verified", "");
    row("in place", {"--function", "relu_in_place"}, "verified", "");
    row("named", {"--function", "relu_into", "--out", "1"}, "verified", "");
    row("named first", {"--function", "relu_first", "--out", "0"}, "verified", "");
    row("wrongly named", {"--function", "relu_into", "--out", "0"}, "wrong", "unwritten_output");
    row("half of it", {"--function", "relu_half"}, "wrong", "unwritten_output");
    row("nothing", {"--function", "nothing"}, "wrong", "unwritten_output");
    row("an input besides", {"--function", "relu_changing_input"}, "suspicious", "changes_input");
    row("forward returns", {}, "wrong", "host_exception");
    row("forward, named", {"--out", "1"}, "verified", "");
}

void TestOutputs::aTaskVerifiesThem() {
    QFETCH(QStringList, options);
    QFETCH(QString, verdict);
    QFETCH(QString, reason);
    const json answer =
        callCli(QStringList{"verify", fixture("written_outputs.cu"), "--task", "1/19", "--json"} + options).json();
    QVERIFY2(!answer.is_discarded() && answer.contains("verdict"), answer.dump(1).c_str());
    QVERIFY2(wordOf(answer["verdict"]) == verdict, answer.dump(1).c_str());
    if (!reason.isEmpty()) {
        const auto& reasons = answer["reasons"];
        QVERIFY2(std::find(reasons.begin(), reasons.end(), reason.toStdString()) != reasons.end(),
                 answer.dump(1).c_str());
    }
}

void TestOutputs::anotherKernelVerifiesThem() {
    const QStringList verify{
        "verify",        fixture("written_outputs.cu"), "--reference", fixture("relu_right.cu"), "--json", "--arg",
        "float32[12,70]"};
    const json into = callCli(verify + QStringList{"--function", "relu_into", "--arg", "float32[12,70]~out"}).json();
    QVERIFY2(wordOf(into["verdict"]) == "verified", into.dump(1).c_str());
    const json half = callCli(verify + QStringList{"--function", "relu_half", "--arg", "float32[12,70]~out"}).json();
    QVERIFY2(wordOf(half["verdict"]) == "wrong", half.dump(1).c_str());
}

void TestOutputs::runShowsWhatIsWritten_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("outputs");
    QTest::addColumn<bool>("noted");
    const QString x = "float32[8]~constant(3)";
    QTest::newRow("fresh") << QStringList{"--function", "relu_into", "--arg", x, "--arg", "float32[8]~out"} << 1
                           << true;
    QTest::newRow("changed") << QStringList{"--function", "relu_into", "--arg", x, "--arg", "float32[8]~constant(0)"}
                             << 1 << true;
    QTest::newRow("updated") << QStringList{"--function", "relu_into",
                                            "--arg",      x,
                                            "--arg",      "float32[8]~constant(0)~out"}
                             << 1 << false;
    QTest::newRow("two") << QStringList{"--function", "both",           "--arg", x,
                                        "--arg",      "float32[8]~out", "--arg", "float32[8]~out"}
                         << 2 << true;
    QTest::newRow("returned") << QStringList{"--function", "relu", "--arg", x} << 1 << false;
}

void TestOutputs::runShowsWhatIsWritten() {
    QFETCH(QStringList, options);
    QFETCH(int, outputs);
    QFETCH(bool, noted);
    const json ran = callCli(QStringList{"run", fixture("written_outputs.cu"), "--json"} + options).json();
    QVERIFY2(!ran.is_discarded() && ran.contains("end"), ran.dump(1).c_str());
    QCOMPARE(wordOf(ran["end"]), QString("finished"));
    QCOMPARE(int(ran["outputs"].size()), outputs);
    for (const json& output : ran["outputs"])
        QCOMPARE(output["min"].get<double>(), 3.0);
    QCOMPARE(!ran["notes"].empty(), noted);
}

void TestOutputs::placesAreRefused() {
    const QStringList run{"run", fixture("written_outputs.cu"), "--function", "relu_into", "--arg", "float32[8]"};
    QCOMPARE(callCli(run + QStringList{"--out", "1"}).exitCode, 2);
    QCOMPARE(callCli(run + QStringList{"--arg", "(float32[8]~out)"}).exitCode, 2);
    QCOMPARE(callCli(run + QStringList{"--arg", "3~out"}).exitCode, 2);
}

KERNELARIUM_TEST(TestOutputs);
