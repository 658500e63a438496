// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bounds/TestBounds.h"

#include "tests/TestRegistry.h"
#include "tests/bounds/BoundedSources.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {

constexpr std::uint64_t megabyte = 1 << 20;

/// Most bytes that the process ever held in memory (VmHWM, proc(5)); 0 where it is gone.
std::uint64_t peakOf(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/status").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("VmHWM:")) return line.simplified().split(' ').value(1).toULongLong() * 1024;
    return 0;
}

/// Peaks of a program and of the children that it starts, while it runs.
struct Peaks {
    std::uint64_t parent = 0, child = 0;
    std::function<void(qint64)> look() {
        return [this](qint64 pid) {
            parent = std::max(parent, peakOf(pid));
            for (const qint64 started : childrenOf(pid))
                child = std::max(child, peakOf(started));
        };
    }
};

QString written(const QTemporaryDir& folder, const std::string& text) {
    QFile file(folder.filePath("greedy.cu"));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text.data(), qint64(text.size()));
    return file.fileName();
}

std::string endOf(const json& answer) {
    if (!answer.is_object()) return "no answer";
    if (answer.contains("error")) return answer.at("error").at("code").get<std::string>();
    return answer.value("end", "no end");
}

/// A source for the compile child, and an honest one after it, as lines.
QByteArray requests(const std::string& source) {
    const auto line = [](int id, const std::string& text) {
        return QByteArray::fromStdString(
            json{{"id", id}, {"method", "compile"}, {"params", {{"source", text}, {"early", false}}}}.dump() + "\n");
    };
    return line(1, source) + line(2, "__global__ void zero(float* p) { p[threadIdx.x] = 0; }\n");
}

std::vector<json> eventsIn(const QByteArray& output) {
    std::vector<json> all;
    for (const QByteArray& line : output.split('\n'))
        if (!line.isEmpty()) all.push_back(json::parse(line.toStdString(), nullptr, false));
    return all;
}

const QStringList anArgument{"--arg", "float32[1000]", "--json"};

} // namespace

void TestBounds::runsEnd_data() {
    QTest::addColumn<int>("which");
    int which = 0;
    for (const GreedySource& source : greedyRuns())
        QTest::newRow(source.name) << which++;
}

void TestBounds::runsEnd() {
    QFETCH(int, which);
    const GreedySource source = greedyRuns()[std::size_t(which)];
    const QTemporaryDir folder;
    Peaks peaks;
    const CliAnswer answer = callCli(QStringList{"run", written(folder, source.text)} + anArgument +
                                         QStringList{"--time-limit", "5", "--memory", "512"},
                                     {}, peaks.look());
    QVERIFY(!answer.crashed);
    const std::string end = endOf(answer.json());
    const QByteArray said = answer.output.left(3000);
    QVERIFY2(std::find(source.ends.begin(), source.ends.end(), end) != source.ends.end(), said.constData());
    QVERIFY2(answer.output.contains(QByteArray::fromStdString(source.says)), said.constData());
    QVERIFY2(!answer.output.contains("did not answer"), said.constData()); // it ended by itself
    QVERIFY2(answer.output.size() < 20'000'000, QByteArray::number(answer.output.size()).constData());
    QVERIFY2(peaks.child < 2 * 512 * megabyte, QByteArray::number(qulonglong(peaks.child)).constData());
    QVERIFY2(peaks.parent < 500 * megabyte, QByteArray::number(qulonglong(peaks.parent)).constData());
}

void TestBounds::compilationsEnd_data() {
    QTest::addColumn<int>("which");
    int which = 0;
    for (const GreedySource& source : greedyCompilations())
        QTest::newRow(source.name) << which++;
}

void TestBounds::compilationsEnd() {
    QFETCH(int, which);
    const GreedySource source = greedyCompilations()[std::size_t(which)];
    std::uint64_t peak = 0;
    const CliAnswer answer = callCli({"worker", "compile", "--memory", "768"}, requests(source.text),
                                     [&](qint64 pid) { peak = std::max(peak, peakOf(pid)); });
    QVERIFY(!answer.crashed);
    QVERIFY2(peak < 2 * 768 * megabyte, QByteArray::number(qulonglong(peak)).constData());
    const json last = eventsIn(answer.output).back();
    QVERIFY2(last.value("event", "") == "failed", answer.output.left(3000).constData());
    QCOMPARE(last.at("id"), json(1));
    QCOMPARE(last.at("code"), json(source.ends.front()));
    QCOMPARE(last.at("child_ends"), json(true));
    QVERIFY2(last.at("message").get<std::string>().find("805 MB") != std::string::npos, last.dump().c_str());
}

void TestBounds::theTimeLimitHoldsForCompiling() {
    std::string text = "#define A0 z z z z z z z z z z\n";
    for (int k = 1; k < 11; ++k) {
        const std::string before = "A" + std::to_string(k - 1) + " ";
        text += "#define A" + std::to_string(k);
        for (int i = 0; i < 10; ++i)
            text += " " + before;
        text += "\n";
    }
    const QTemporaryDir folder;
    const CliAnswer answer =
        callCli(QStringList{"verify", written(folder, text + "A10\n")} + anArgument + QStringList{"--time-limit", "3"});
    QVERIFY(!answer.crashed);
    const std::string end = endOf(answer.json());
    QVERIFY2(end == "timeout" || end == "out_of_memory", answer.output.constData());
    if (end == "timeout") QVERIFY2(answer.output.contains("within 10"), answer.output.constData());
}

void TestBounds::diagnosticsAreCounted() {
    std::string text = "__global__ void many(int n) {\n";
    for (int k = 0; k < 3000; ++k)
        text += "int unused" + std::to_string(k) + ";\n";
    const QTemporaryDir folder;
    const CliAnswer answer = callCli({"compile", written(folder, text + "}\n"), "--json"});
    QVERIFY(!answer.crashed);
    const json all = answer.json();
    QVERIFY2(all.contains("diagnostics_left_out"), answer.output.left(3000).constData());
    QCOMPARE(all.at("diagnostics").size(), std::size_t(1001));
}

/// Two tensors of 40 MB, what comes out, their states and references: more than the bound, and known before.
void TestBounds::whatATaskNeedsIsAllowed() {
    const CliAnswer answer =
        callCli({"verify", fixture("add.cu"), "--reference", fixture("add.cu"), "--arg", "float32[10000000]", "--arg",
                 "float32[10000000]", "--memory", "384", "--time-limit", "300", "--json"});
    QVERIFY(!answer.crashed);
    QVERIFY2(answer.json().value("verdict", "") == "verified", answer.output.left(3000).constData());
}

KERNELARIUM_TEST(TestBounds);
