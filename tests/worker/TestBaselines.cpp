// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/worker/TestBaselines.h"

#include "gpu/device/timing/LibraryBaselines.h"
#include "gpu/worker/RunSubject.h"
#include "gpu/worker/TorchBaselines.h"
#include "gpu/worker/TorchSource.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace kernelarium;
using device::LibraryWork;

void TestBaselines::libraryWorkIsToldFromOtherTasks_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("task");
    QTest::addColumn<device::LibraryWork>("work");
    QTest::newRow("square matrices") << 1 << 1 << LibraryWork::product;
    QTest::newRow("rectangular matrices") << 1 << 2 << LibraryWork::product;
    QTest::newRow("batches") << 1 << 3 << LibraryWork::product;
    QTest::newRow("matrix and vector") << 1 << 4 << LibraryWork::product;
    QTest::newRow("a scalar") << 1 << 5 << LibraryWork::none;
    QTest::newRow("einsum of four dimensions") << 1 << 11 << LibraryWork::product;
    QTest::newRow("a diagonal matrix") << 1 << 12 << LibraryWork::none;
    QTest::newRow("a transposed operand") << 1 << 16 << LibraryWork::product;
    QTest::newRow("relu") << 1 << 19 << LibraryWork::none;
    QTest::newRow("linear and more") << 2 << 9 << LibraryWork::none;
    QTest::newRow("a convolution") << 1 << 55 << LibraryWork::convolution;
    QTest::newRow("a convolution of one dimension") << 1 << 67 << LibraryWork::convolution;
    QTest::newRow("a transposed convolution of three") << 1 << 61 << LibraryWork::convolution;
    QTest::newRow("a depthwise convolution") << 1 << 82 << LibraryWork::none;
    QTest::newRow("a convolution and more") << 2 << 6 << LibraryWork::none;
    QTest::newRow("a network") << 3 << 1 << LibraryWork::none;
}

void TestBaselines::libraryWorkIsToldFromOtherTasks() {
    QFETCH(int, level);
    QFETCH(int, task);
    QFETCH(device::LibraryWork, work);
    const auto card = task::loadCard(level, task);
    QVERIFY(card.ok());
    for (const char* size : {"small", "full"}) {
        const Result<device::LibraryWork> found = device::libraryWorkOf(*card, size);
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QCOMPARE(*found, work);
    }
}

/// Python itself looks at the syntax of every card's function, where there is one.
void TestBaselines::everyCardIsPython() {
    std::string all;
    for (const task::TaskKey& key : task::builtInCards()) {
        const auto card = task::loadCard(key.level, key.task);
        const auto source = worker::torchSource(*card, *card->size("full"));
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
    QVERIFY(process.waitForFinished(60000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

void TestBaselines::cardsAreQuoted() {
    task::Card card = *task::loadCard(1, 19);
    task::Node& node = card.graph.front();
    node.arguments.push_back({std::string("'); import os  # \" \n")});
    const auto quoted = worker::torchSource(card, *card.size("small"));
    QVERIFY(quoted.ok());
    QVERIFY2(quoted->find("\"'); import os  # \\\" \\n\"") != std::string::npos, quoted->c_str());
    node.name = "a b; print(1)";                                   // names of nodes are never written
    QVERIFY(!worker::torchSource(card, *card.size("small")).ok()); // what forward returns is not a node any more
    card = *task::loadCard(1, 19);
    card.graph.front().op = "aten.relu.default(t0) or print";
    QCOMPARE(worker::torchSource(card, *card.size("small")).error().code, std::string("bad_card"));
    card = *task::loadCard(1, 19);
    card.graph.front().keywords.push_back({"x=1, y", {true}});
    QCOMPARE(worker::torchSource(card, *card.size("small")).error().code, std::string("bad_card"));
}

void TestBaselines::answersAreRead() {
    const auto good = worker::torchAnswer(
        R"(kernelarium {"way": "native", "version": "PyTorch 2.9", "seconds": [0.001, 0.003, 0.002, -1, "x"]})",
        "cold");
    QVERIFY(good.has_value());
    QCOMPARE(good->name, std::string("PyTorch native"));
    QCOMPARE(good->samples.size(), std::size_t(3));
    QCOMPARE(good->summary.median, 0.002);
    const auto bad = worker::torchAnswer(R"(kernelarium {"way": "compile", "problem": "no compiler"})", "server");
    QCOMPARE(bad->remark, std::string("no compiler"));
    QCOMPARE(bad->mode, std::string("cold"));
    QVERIFY(!worker::torchAnswer("a warning of PyTorch's", "cold"));
    QVERIFY(!worker::torchAnswer("kernelarium [1, 2", "cold"));
    QVERIFY(!worker::torchAnswer("kernelarium {\"way\": 3}", "cold"));
}

void TestBaselines::aPythonThatIsNotThereIsARemark() {
    const auto card = task::loadCard(1, 1);
    const auto answers = worker::timeTorch(*card, {"small", "cold", 0.1, 1, "/nowhere/python3", {}}, {});
    QVERIFY2(answers.ok(), answers ? "" : answers.error().text().c_str());
    QCOMPARE(answers->size(), std::size_t(2));
    for (const worker::BaselineSummary& answer : *answers) {
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
    const auto answers = worker::timeTorch(*card, {"small", "cold", 0.1, 1, program.fileName().toStdString(), {}}, {});
    QVERIFY2(answers.ok(), answers ? "" : answers.error().text().c_str());
    QCOMPARE(answers->size(), std::size_t(2));
    QCOMPARE(int(answers->front().samples.size()), samples);
    QVERIFY2(QString::fromStdString(answers->back().remark).contains(remark), answers->back().remark.c_str());
}

void TestBaselines::memoryOfAVerificationIsBounded() {
    QVERIFY(worker::heldByVerification(2e9, 6e9) > 30e9); // task 1/11
    QVERIFY(worker::heldByVerification(2e9, 6e9) < 60e9);
    QVERIFY(worker::checkHostRoom(10e9, 20e9, "1/11").ok());
    const Result<void> refused = worker::checkHostRoom(40e9, 20e9, "1/11");
    QCOMPARE(refused.error().code, std::string("out_of_memory"));
    QVERIFY2(refused.error().message.find("40 GB") != std::string::npos &&
                 refused.error().message.find("20 GB") != std::string::npos,
             refused.error().message.c_str());
}
