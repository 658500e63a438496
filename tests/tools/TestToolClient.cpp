// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/TestToolClient.h"

#include "core/task/CardJson.h"
#include "gpu/protocol/ToolClient.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>
#include <thread>

using namespace kernelarium;
using namespace kernelarium::protocol;

namespace {

ToolClient toolChild() {
    return ToolClient({KERNELARIUM_BIN_DIR "/kernelarium-cli", "worker", "tools"});
}

std::string programIn(const QTemporaryDir& folder, const char* name, const QByteArray& body) {
    QFile file(folder.filePath(QString::fromUtf8(name)));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + body);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.fileName().toStdString();
}

} // namespace

void TestToolClient::requestsComeBack() {
    NcuRequest ncu;
    ncu.commandLine = "kernelarium-cli";
    ncu.source = "text";
    ncu.card = std::make_shared<const task::Card>(*task::loadCard(1, 1));
    ncu.arguments = {"3"};
    ncu.seed = 9;
    ncu.fastMath = true;
    ncu.nativeCode = {std::byte(1), std::byte(0), std::byte(255)};
    ncu.metrics = {"gpu__time_duration.sum"};
    ncu.tool = NcuTool{"ncu", {"/somewhere"}};
    const auto ncuBack = ncuRequestFromJson(toJson(ncu));
    QVERIFY(ncuBack.ok());
    QCOMPARE(toJson(*ncuBack), toJson(ncu));
    QCOMPARE(ncuBack->tool->searched, ncu.tool->searched);
    QVERIFY(ncuBack->nativeCode == ncu.nativeCode && ncuBack->metrics == ncu.metrics);
    const ExportRequest wanted{{1, 2, "name", "functional", "module"}, "/folder", "python3"};
    const auto exportBack = exportRequestFromJson(toJson(wanted));
    QVERIFY(exportBack.ok());
    QCOMPARE(toJson(*exportBack), toJson(wanted));
    QVERIFY(!tidyRequestFromJson({{"source", 3}}).ok());
    QVERIFY(!ncuLaunchesFromJson({{{"kernel", "k"}}}).ok());
}

void TestToolClient::formattedTextComesThrough() {
    const FormatRequest wanted{"text", "/a/file.cu", 3, 1, 2, "tool"};
    const auto back = formatRequestFromJson(toJson(wanted));
    QVERIFY(back.ok());
    QCOMPARE(toJson(*back), toJson(wanted));
    QVERIFY(!formatRequestFromJson({{"source", 3}}).ok());
    QVERIFY(!formatAnswerFromJson({{"source", "a"}}).ok());

    QTemporaryDir folder;
    ToolClient tools = toolChild();
    FormatRequest request{"int  a;\n"};
    // One that stands in, of the shell's own words, as it may start nothing: it says what it was asked.
    const QByteArray copy = "while IFS= read -r line; do printf '%s\\n' \"$line\"; done\n";
    request.program = programIn(folder, "clang-format",
                                "echo '{ \"Cursor\": 2, \"IncompleteFormat\": true }'\n" + copy + "echo \"// $*\"\n");
    request.cursor = 5;
    request.firstLine = 1;
    request.lastLine = 1;
    const auto answer = tools.format(request);
    QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
    QVERIFY2(answer->source.starts_with("int  a;\n// "), answer->source.c_str());
    QVERIFY(answer->source.find("--cursor=5") != std::string::npos);
    QVERIFY(answer->source.find("--lines=1:1") != std::string::npos);
    QCOMPARE(answer->cursor, std::size_t(2));
    QVERIFY(!answer->isComplete);
    request.program = programIn(folder, "silent", copy); // no word of the cursor
    QCOMPARE(tools.format(request).error().code, std::string("tool_failed"));
    request.program = programIn(folder, "failing", "exit 3\n");
    QCOMPARE(tools.format(request).error().code, std::string("tool_failed"));
    request.program = std::string();
    const auto absent = tools.format(request);
    QCOMPARE(absent.error().code, std::string("missing_component"));
    QVERIFY(absent.error().text().find("clang-format") != std::string::npos);
}

void TestToolClient::formatFollowsTheFoldersStyle() {
    ToolClient tools = toolChild();
    FormatRequest request{"__global__ void k(int*a){if(a){a[0]=1;}}\nvoid f(){k<<<1,2>>>(nullptr);}\n"};
    const auto own = tools.format(request);
    if (!own && own.error().code == "missing_component") QSKIP("clang-format is not here");
    QVERIFY2(own.ok(), own ? "" : own.error().text().c_str());
    QVERIFY2(own->source.find("\n    if (a)") != std::string::npos, own->source.c_str());
    QVERIFY2(own->source.find("k<<<1, 2>>>(nullptr);") != std::string::npos, own->source.c_str());
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("a/b")));
    QFile style(folder.filePath(QStringLiteral("a/.clang-format")));
    QVERIFY(style.open(QIODevice::WriteOnly));
    style.write("BasedOnStyle: LLVM\nIndentWidth: 7\n");
    style.close();
    request.file = folder.filePath(QStringLiteral("a/b/kernel.cu")).toStdString();
    const auto theirs = tools.format(request);
    QVERIFY(theirs.ok());
    QVERIFY2(theirs->source.find("\n       if (a)") != std::string::npos, theirs->source.c_str());
    request.firstLine = request.lastLine = 2; // the first line stays
    QVERIFY(tools.format(request)->source.starts_with("__global__ void k(int*a){if(a)"));
    QVERIFY(style.open(QIODevice::WriteOnly));
    style.write("IndentWidth: [\n");
    style.close();
    QCOMPARE(tools.format(request).error().code, std::string("tool_failed"));
}

void TestToolClient::adviceComesThrough() {
    QTemporaryDir folder;
    TidyRequest request{"int main() {}\n"};
    request.tool = TidyTool{
        programIn(folder, "clang-tidy", "echo \"$1:1:5: warning: a narrowing [bugprone-narrowing-conversions]\"\n"),
        "/"};
    ToolClient tools = toolChild();
    const auto answer = tools.tidy(request);
    QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
    QCOMPARE(answer->findings.size(), std::size_t(1));
    QCOMPARE(answer->findings.front().check, std::string("bugprone-narrowing-conversions"));
    QCOMPARE(answer->findings.front().column, 5);
    QVERIFY(answer->unread.empty());
    const auto absent = tools.tidy({"text", TidyTool{}});
    QVERIFY(!absent.ok());
    QCOMPARE(absent.error().code, std::string("missing_component"));
}

void TestToolClient::measuredLaunchesComeThrough() {
    profile::NcuLaunch launch{"add", "NVIDIA H200", "(4, 1, 1)", "(256, 1, 1)", {}};
    launch.metrics.push_back({profile::NcuSection::memory, "gpu__time_duration.sum", "nsecond", 2048.0, {}, 3});
    const auto back = ncuLaunchesFromJson(nlohmann::json::parse(toJson(std::vector{launch}).dump()));
    QVERIFY2(back.ok(), back ? "" : back.error().text().c_str());
    const profile::NcuMetric& metric = back->front().metrics.front();
    QVERIFY(metric.section == profile::NcuSection::memory);
    QCOMPARE(metric.value.value(), 2048.0);
    QVERIFY(!metric.variance);
    QCOMPARE(metric.samples.value(), std::int64_t(3));

    NcuRequest request;
    request.tool = NcuTool{{}, {"/opt/nvidia/nsight-compute"}};
    const auto absent = toolChild().measureWithNcu(request);
    QVERIFY(!absent.ok());
    QCOMPARE(absent.error().code, std::string("missing_component"));
    QVERIFY(absent.error().detail.find("/opt/nvidia/nsight-compute") != std::string::npos);
}

void TestToolClient::pythonsAreNamedOrRefused() {
    const auto absent = toolChild().findPython("/nowhere/python3");
    QVERIFY(!absent.ok());
    QCOMPARE(absent.error().code, std::string("missing_component"));
    const Python python{"/usr/bin/python3", "3.11.2", "2.9.0", ""};
    QCOMPARE(pythonFromJson(toJson(python))->torch, python.torch);
}

void TestToolClient::cardsThatAreThereNeedNoPython() {
    const task::Card known = *task::loadCard(1, 1);
    const auto card = toolChild().exportCard({{1, 1, known.name, {}, {}}, {}, "/nowhere/python3"});
    QVERIFY2(card.ok(), card ? "" : card.error().text().c_str());
    QCOMPARE(task::toJson(*card), task::toJson(known));
    const auto without = toolChild().exportCard({{99, 1, "unknown", {}, {}}, {}, {}});
    QVERIFY(!without.ok());
    QCOMPARE(without.error().code, std::string("unknown_task"));
}

void TestToolClient::toolsAreEndedWhenCancelled() {
    QTemporaryDir folder;
    const QString started = folder.filePath(QStringLiteral("started"));
    NcuRequest request;
    request.tool = NcuTool{programIn(folder, "ncu", "echo $$ > '" + started.toUtf8() + "'\nsleep 600\n"), {}};
    std::stop_source stop;
    std::jthread stopper([&](const std::stop_token& over) {
        while (!over.stop_requested() && QFile(started).size() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    ToolClient tools = toolChild();
    const auto answer = tools.measureWithNcu(request, {.stop = stop.get_token()});
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().code, std::string("cancelled"));
    QFile file(started);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString tool = QStringLiteral("/proc/") + QString::fromUtf8(file.readAll()).trimmed();
    WAIT_VERIFY(!QFile::exists(tool));
}

KERNELARIUM_TEST(TestToolClient);
