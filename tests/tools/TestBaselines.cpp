// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/TestBaselines.h"

#include "gpu/tools/TorchBaselines.h"
#include "gpu/tools/TorchSource.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace kernelarium;

/// Python itself looks at the syntax of every card's function, where there is one.
void TestBaselines::everyCardIsPython() {
    std::string all;
    for (const task::TaskKey& key : task::builtInCards()) {
        const auto card = task::loadCard(key.level, key.task);
        const auto source = tools::torchSource(*card, *card->size("full"));
        QVERIFY2(source.ok(), source ? "" : source.error().text().c_str());
        QVERIFY(source->find("return n") != std::string::npos);
        all += *source;
    }
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("there is no python3 to look at the syntax");
    QTemporaryDir folder;
    QFile file(folder.filePath("cards.py"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(all.c_str());
    file.close();
    QProcess process;
    process.start(python, {"-c", "import sys; compile(open(sys.argv[1]).read(), 'cards', 'exec')", file.fileName()});
    QVERIFY(process.waitForFinished(longWait));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void TestBaselines::cardsAreQuoted() {
    task::Card card = *task::loadCard(1, 19);
    task::Node& node = card.graph.front();
    node.arguments.push_back({std::string("'); import os  # \" \n")});
    const auto quoted = tools::torchSource(card, *card.size("small"));
    QVERIFY(quoted.ok());
    QVERIFY2(quoted->find("\"'); import os  # \\\" \\n\"") != std::string::npos, quoted->c_str());
    node.name = "a b; print(1)";                                  // names of nodes are never written
    QVERIFY(!tools::torchSource(card, *card.size("small")).ok()); // what forward returns is not a node any more
    card = *task::loadCard(1, 19);
    card.graph.front().op = "aten.relu.default(t0) or print";
    QCOMPARE(tools::torchSource(card, *card.size("small")).error().code, std::string("bad_card"));
    card = *task::loadCard(1, 19);
    card.graph.front().keywords.push_back({"x=1, y", {true}});
    QCOMPARE(tools::torchSource(card, *card.size("small")).error().code, std::string("bad_card"));
}

void TestBaselines::answersAreRead() {
    const auto good = tools::torchAnswer(
        R"(kernelarium {"way": "native", "version": "PyTorch 2.9", "seconds": [0.001, 0.003, 0.002, -1, "x"]})",
        "cold");
    QVERIFY(good.has_value());
    QCOMPARE(good->name, std::string("PyTorch native"));
    QCOMPARE(good->samples.size(), std::size_t(3));
    QCOMPARE(good->summary.median, 0.002);
    const auto bad = tools::torchAnswer(R"(kernelarium {"way": "compile", "problem": "no compiler"})", "server");
    QCOMPARE(bad->remark, std::string("no compiler"));
    QCOMPARE(bad->mode, std::string("cold"));
    QVERIFY(!tools::torchAnswer("a warning of PyTorch's", "cold"));
    QVERIFY(!tools::torchAnswer("kernelarium [1, 2", "cold"));
    QVERIFY(!tools::torchAnswer("kernelarium {\"way\": 3}", "cold"));
}

void TestBaselines::aPythonThatIsNotThereIsARemark() {
    const auto card = task::loadCard(1, 1);
    const auto answers = tools::timeTorch(*card, {"small", "cold", 0.1, 1, "/nowhere/python3", {}}, {});
    QVERIFY2(answers.ok(), answers ? "" : answers.error().text().c_str());
    QCOMPARE(answers->size(), std::size_t(2));
    for (const protocol::BaselineSummary& answer : *answers) {
        QVERIFY(answer.samples.empty());
        QVERIFY2(answer.remark.find("/nowhere/python3") != std::string::npos, answer.remark.c_str());
    }
}

void TestBaselines::whatAPythonDoesWrongIsARemark_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<QString>("remark");
    QTest::addColumn<int>("samples");
    const QString good = R"(echo 'kernelarium {"way": "native", "version": "PyTorch 2.9", "seconds": [0.001, 0.002]}')";
    QTest::newRow("ends at once") << "exit 3"
                                  << "without an answer" << 0;
    QTest::newRow("ends half way") << good + "; echo chatter"
                                   << "without an answer" << 2;
    QTest::newRow("answers both") << good + R"(; echo 'kernelarium {"way": "compile", "problem": "no triton"}')"
                                  << "no triton" << 2;
}

/// A Python that says that it has PyTorch, and then does something else.
void TestBaselines::whatAPythonDoesWrongIsARemark() {
    QFETCH(QString, behaviour);
    QFETCH(QString, remark);
    QFETCH(int, samples);
    QTemporaryDir folder;
    QFile program(folder.filePath("python3"));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write(("#!/bin/sh\nif [ \"$1\" = -c ]; then echo; echo 'kernelarium {\"python\": \"3.11\", \"torch\": "
                   "\"2.9.0\"}'; exit 0; fi\n" +
                   behaviour + "\n")
                      .toUtf8());
    program.close();
    QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const auto card = task::loadCard(1, 1);
    const auto answers = tools::timeTorch(*card, {"small", "cold", 0.1, 1, program.fileName().toStdString(), {}}, {});
    QVERIFY2(answers.ok(), answers ? "" : answers.error().text().c_str());
    QCOMPARE(answers->size(), std::size_t(2));
    QCOMPARE(int(answers->front().samples.size()), samples);
    QVERIFY2(QString::fromStdString(answers->back().remark).contains(remark), answers->back().remark.c_str());
}

KERNELARIUM_TEST(TestBaselines);
