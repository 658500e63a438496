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
    QTest::newRow("no form") << QStringList{"--task", "3/30"} << "unsupported";
}
void TestSuperopt::badInputIsRefused() {
    QFETCH(QStringList, words);
    QFETCH(QString, code);
    const CliAnswer answer = callCli(explain + words + QStringList{"--json"});
    QCOMPARE(answer.exitCode, 2);
    QCOMPARE(QString::fromStdString(answer.json().at("error").at("code").get<std::string>()), code);
}

KERNELARIUM_TEST(TestSuperopt);
