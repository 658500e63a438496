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

const QStringList show{QStringLiteral("superopt"), QStringLiteral("show")};

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

void TestSuperopt::showsCandidates() {
    const CliAnswer words = callCli(show + QStringList{"--task", "2/50"});
    QCOMPARE(words.exitCode, 0);
    const QString text = QString::fromUtf8(words.output);
    for (const char* part : {"candidate", "launches", "modelled", "over bound", "convolution", "naive+2", "Refused",
                             "fused: No fused form fits task 2/50", "measure nothing"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QVERIFY(text.indexOf("\nconvolution") < text.indexOf("\nnaive "));
    const CliAnswer answer = callCli(show + QStringList{"--task", "1/12", "--device", "h100-sxm", "--json"});
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QCOMPARE(j.at("device").get<std::string>(), std::string("h100-sxm"));
    double before = 0;
    for (const json& c : j.at("candidates")) {
        const double seconds = c.at("modelled").at("seconds").get<double>();
        QVERIFY(seconds >= before && seconds >= c.at("bound_seconds").get<double>());
        before = seconds;
        QVERIFY(!c.at("levels").at("launches").empty());
        QVERIFY(!c.contains("text") && !c.contains("proof") && !c.contains("verified"));
    }
    QCOMPARE(j.at("refused").at(0).at("code").get<std::string>(), std::string("unsupported"));
    QCOMPARE(callCli(show + QStringList{"--task", "1/12", "--candidate", "magic"}).exitCode, 2);
}

void TestSuperopt::showsOneCandidateInItsLevels() {
    const CliAnswer words = callCli(show + QStringList{"--task", "1/23", "--candidate", "naive", "--prove", "--code"});
    QCOMPARE(words.exitCode, 0);
    const QString text = QString::fromUtf8(words.output);
    for (const char* part :
         {"Device memory, at size full", "Launches, in their order", "softmax_sumKernel", "grid", "loop term",
          "neighbouring threads read", "store softmax to softmax", "Proof: Equal", "PYBIND11_MODULE"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
}

void TestSuperopt::verifiesCandidates() {
    const CliAnswer answer = callCli(show + QStringList{"--task", "1/21", "--verify", "--prove", "--json"});
    constexpr int missingComponent = 3;
    if (answer.exitCode == missingComponent) QSKIP("a component is missing");
    QCOMPARE(answer.exitCode, 0);
    const json all = answer.json().at("candidates");
    QVERIFY(!all.empty());
    for (const json& c : all) {
        QCOMPARE(c.at("proof").at("verdict").get<std::string>(), std::string("equal"));
        QCOMPARE(c.at("proof").at("rungs").size(), std::size_t(5));
        QCOMPARE(c.at("verified").size(), std::size_t(2));
        for (const json& v : c.at("verified")) {
            QVERIFY(v.at("passed").get<bool>());
            QCOMPARE(v.at("backend").get<std::string>(), std::string("emulator"));
        }
    }
}

void TestSuperopt::emitsTheCandidateThatIsAskedFor() {
    const QStringList emitted{QStringLiteral("superopt"), QStringLiteral("emit")};
    const CliAnswer first = callCli(emitted + QStringList{"--task", "2/50", "--json"});
    QCOMPARE(first.exitCode, 0);
    QCOMPARE(first.json().at("skeleton").get<std::string>(), std::string("convolution"));
    const CliAnswer other = callCli(emitted + QStringList{"--task", "2/50", "--candidate", "naive+2", "--json"});
    QCOMPARE(other.exitCode, 0);
    QVERIFY(other.json().at("text").get<std::string>().find("// Rewrite: Linear maps compose") != std::string::npos);
    QCOMPARE(callCli(emitted + QStringList{"--task", "2/50", "--candidate", "fused"}).exitCode, 2);
    QCOMPARE(callCli(emitted + QStringList{"--task", "2/50", "--candidate", "naive", "--naive"}).exitCode, 2);
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
