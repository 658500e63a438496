// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestSuperopt.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {

const QStringList explain{QStringLiteral("superopt"), QStringLiteral("explain")};

} // namespace

void TestSuperopt::explainsInWords() {
    const CliAnswer answer = callCli(explain + QStringList{"--task", "1/12"});
    QCOMPARE(answer.exitCode, 0);
    const QString text = QString::fromUtf8(answer.output);
    for (const char* part : {"This task needs 1/8192 of its FLOPs", "A diagonal picks one summand",
                             "Why: ", "137 GFLOP -> 16.8 MFLOP", "bound", "sum over r0"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
}

void TestSuperopt::explainsAsJson() {
    const CliAnswer answer = callCli(explain + QStringList{"--task", "2/50", "--device", "h200", "--json"});
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QCOMPARE(j.at("task").get<std::string>(), std::string("2/50"));
    QVERIFY(j.at("after").at("flops").get<double>() < j.at("before").at("flops").get<double>() / 3);
    QVERIFY(j.at("after").at("bound_seconds").get<double>() < 4e-5);
    QCOMPARE(j.at("after").at("limiter").get<std::string>(), std::string("device memory"));
    bool composed = false;
    for (const json& rewrite : j.at("rewrites"))
        composed = composed || rewrite.at("rule") == "linear_maps_compose";
    QVERIFY(composed);
    QVERIFY(j.at("formulas").size() > 4);
}

void TestSuperopt::provesWhatItExplains() {
    const QStringList prove{QStringLiteral("superopt"), QStringLiteral("prove")};
    const CliAnswer words = callCli(prove + QStringList{"--task", "1/12"});
    QCOMPARE(words.exitCode, 0);
    const QString text = QString::fromUtf8(words.output);
    for (const char* part :
         {"diagonal", "GF(2^61 - 1)", "does not apply", "Not covered", "All are equal by this evidence"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    const CliAnswer answer = callCli(prove + QStringList{"--task", "2/51", "--seed", "7", "--json"});
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QVERIFY(j.at("equal").get<bool>());
    QVERIFY(j.at("stages").size() > 1);
    for (const json& stage : j.at("stages")) {
        QCOMPARE(stage.at("proof").at("verdict").get<std::string>(), std::string("equal"));
        QCOMPARE(stage.at("proof").at("rungs").size(), std::size_t(5));
    }
    QCOMPARE(callCli(prove).exitCode, 2);
}

void TestSuperopt::explainsACardOfOnesOwn() {
    const QTemporaryDir folder;
    const CliAnswer card = callCli({"task", "show", "1/14", "--json"});
    QCOMPARE(card.exitCode, 0);
    QFile file(folder.filePath("card.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(card.output);
    file.close();
    const QStringList own = explain + QStringList{"--card", file.fileName(), "--size", "small", "--json"};
    const json stated = callCli(own).json(), any = callCli(own + QStringList{"--any-inputs"}).json();
    QCOMPARE(stated.at("size").get<std::string>(), std::string("small"));
    QCOMPARE(stated.at("assumptions").size(), std::size_t(2));
    QVERIFY(any.at("assumptions").empty());
    QVERIFY(stated.at("after").at("flops").get<double>() < any.at("after").at("flops").get<double>());
}

void TestSuperopt::refusesAnOperatorWithoutAFormByItsName() {
    const QTemporaryDir folder;
    QByteArray card = callCli({"task", "show", "1/22", "--json"}).output;
    QVERIFY(card.contains("aten.tanh.default"));
    QFile file(folder.filePath("card.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(card.replace("aten.tanh.default", "aten.expm1.default"));
    file.close();
    const CliAnswer answer = callCli(explain + QStringList{"--card", file.fileName(), "--json"});
    QCOMPARE(answer.exitCode, 2);
    const json error = answer.json().at("error");
    QCOMPARE(error.at("code").get<std::string>(), std::string("unsupported"));
    QVERIFY(error.at("message").get<std::string>().find("aten.expm1.default") != std::string::npos);
}

void TestSuperopt::callsDegenerateTasksSo() {
    const CliAnswer answer = callCli(explain + QStringList{"--task", "2/80"});
    QCOMPARE(answer.exitCode, 0);
    QVERIFY(QString::fromUtf8(answer.output).contains("This task is degenerate"));
}

void TestSuperopt::badInputIsRefused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("code");
    QTest::newRow("nothing to explain") << QStringList{} << "bad_usage";
    QTest::newRow("two things") << QStringList{"--task", "1/1", "--card", "x.json"} << "bad_usage";
    QTest::newRow("no such task") << QStringList{"--task", "9/1"} << "unknown_task";
    QTest::newRow("no such size") << QStringList{"--task", "1/1", "--size", "huge"} << "bad_input";
    QTest::newRow("no such device") << QStringList{"--task", "1/1", "--device", "abacus"} << "bad_input";
    QTest::newRow("no such file") << QStringList{"--card", "/nowhere.json"} << "bad_input";
}
void TestSuperopt::badInputIsRefused() {
    QFETCH(QStringList, words);
    QFETCH(QString, code);
    const CliAnswer answer = callCli(explain + words + QStringList{"--json"});
    QCOMPARE(answer.exitCode, 2);
    QCOMPARE(QString::fromStdString(answer.json().at("error").at("code").get<std::string>()), code);
}

KERNELARIUM_TEST(TestSuperopt);
