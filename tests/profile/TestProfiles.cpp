// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/TestProfiles.h"

#include "core/profile/ClangTidy.h"
#include "core/profile/NcuProfile.h"
#include "core/profile/TorchProfile.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace kernelarium::profile;

namespace {

const char* const ncuCell = "{'metrics': {'Achieved Occupancy': {'unit': '%', 'avg_value': 50.0, 'variance': 0.5, 'n': "
                            "5}, 'Memory Throughput': {'unit': 'byte/second', 'avg_value': 2000000000000.0, "
                            "'variance': nan, 'n': 5}, 'Executed Ipc Elapsed': {'unit': 'inst/cycle', 'avg_value': "
                            "1.25, 'variance': 0.0, 'n': 5}, 'Cluster Occupancy': {'unit': '%', 'avg_value': None}, "
                            "'Brand New': {'unit': '', 'avg_value': 3}}, 'rules': {'Fine': {'type': 'INF', "
                            "'description': \"It's fine.\"}, 'Slow': {'type': 'WRN', 'description': 'Slow.'}}, 'more': "
                            "1}";

} // namespace

void TestProfiles::ncuIsGrouped() {
    const auto profile = parseNcuProfile(ncuCell);
    QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().text().c_str());
    QCOMPARE(profile->metrics.size(), 5U);
    QCOMPARE(profile->metrics.front().name, std::string("Executed Ipc Elapsed"));
    QCOMPARE(profile->metrics.front().section, NcuSection::instructions);
    QCOMPARE(profile->metrics.back().section, NcuSection::other);
    QCOMPARE(profile->find("Cluster Occupancy")->section, NcuSection::clusters);
    QCOMPARE(profile->find("Achieved Occupancy")->samples.value_or(0), 5);
    QCOMPARE(profile->find("Achieved Occupancy")->variance.value_or(0), 0.5);
    QCOMPARE(profile->rules.size(), 2U);
    QCOMPARE(profile->rules[0].name, std::string("Slow"));
    QCOMPARE(profile->rules[1].message, std::string("It's fine."));
    QCOMPARE(profile->unread, std::vector<std::string>{"more"});
    const auto roof = roofInputs(*profile);
    QCOMPARE(roof.bytesPerSecond.value_or(0), 2e12);
    QCOMPARE(roof.achievedOccupancy.value_or(0), 0.5);
    QVERIFY(!roof.smBusy);
}

void TestProfiles::ncuMayLackValues() {
    const auto profile = parseNcuProfile(ncuCell);
    QVERIFY(profile.ok());
    QVERIFY(!profile->value("Cluster Occupancy"));
    QVERIFY(!profile->find("Memory Throughput")->variance); // nan is not a value
    QVERIFY(!profile->find("No such"));
    QVERIFY(parseNcuProfile("{}").ok());
}

void TestProfiles::ncuOfAnotherFormIsRefused() {
    for (const char* cell : {"[1]", "None", "{'metrics': 5}", "{'rules': {1: {}}}", "{'metrics': {", "nothing"}) {
        const auto profile = parseNcuProfile(cell);
        QVERIFY2(!profile.ok(), cell);
        QCOMPARE(profile.error().code, std::string("bad_profile"));
    }
}

void TestProfiles::torchByTimeOnTheDevice() {
    const auto profile = parseTorchProfile(
        "{'cudaLaunchKernel': {'cpu_time_total': 50.0, 'self_cpu_time_total': 50.0, 'device_time_total': 0, "
        "'self_device_time_total': 0}, 'aten::to': {'cpu_time_total': 900, 'self_cpu_time_total': 3, "
        "'device_time_total': 40, 'self_device_time_total': 0}, 'my_kernel(float*)': {'cpu_time_total': 0, "
        "'device_time_total': 120.5, 'self_device_time_total': 120.5, 'device_memory_usage': -64, 'count': 4}}");
    QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().text().c_str());
    QCOMPARE(profile->entries.size(), 3U);
    QCOMPARE(profile->entries[0].name, std::string("my_kernel(float*)"));
    QCOMPARE(profile->entries[0].deviceSelf.value_or(0), 120.5);
    QCOMPARE(profile->entries[0].calls.value_or(0), 4);
    QCOMPARE(profile->entries[0].deviceBytes.value_or(0), -64.0);
    QCOMPARE(profile->entries[1].name, std::string("cudaLaunchKernel"));
}

void TestProfiles::torchKnowsTheOlderNames() {
    const auto profile =
        parseTorchProfile("[{'name': 'a', 'self_cuda_time_total': 2.0}, {'key': 'b', 'cuda_time_total': 5}]");
    QVERIFY(profile.ok());
    QCOMPARE(profile->entries[0].name, std::string("b"));
    QCOMPARE(profile->entries[1].deviceSelf.value_or(0), 2.0);
    QVERIFY(!parseTorchProfile("{'a': 1}").ok());
    QVERIFY(!parseTorchProfile("[{'time': 1}]").ok());
}

void TestProfiles::tidyFindings() {
    const auto report =
        parseClangTidy("{'stdout': \"/a/b/base.cu:28:16: warning: narrowing 'x' [bugprone-narrowing-conversions]\\n   "
                       "28 |     int y = x;\\n      |  ^\\n/a/b/base.cu:5:9: warning: macro argument "
                       "[bugprone-macro-parentheses]\\n/a/b/base.cu:7:1: note: expanded here: warning: "
                       "no\\n/a/b/base.cu:28:16: warning: narrowing 'x' "
                       "[bugprone-narrowing-conversions]\\n/usr/x.h:3:10: error: 'y' file not found "
                       "[clang-diagnostic-error]\\n\", 'stderr': '2 warnings generated.\\n', 'errored': True}");
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
    QVERIFY(report->errored);
    QCOMPARE(report->findings.size(), 3U);
    QCOMPARE(report->warnings(), 2U);
    QCOMPARE(report->findings[0].file, std::string("x.h"));
    QCOMPARE(report->findings[0].severity, std::string("error"));
    const auto& narrowing = report->findings[2];
    QCOMPARE(narrowing.line, 28);
    QCOMPARE(narrowing.column, 16);
    QCOMPARE(narrowing.message, std::string("narrowing 'x'"));
    QCOMPARE(narrowing.check, std::string("bugprone-narrowing-conversions"));
    QCOMPARE(report->log, std::string("2 warnings generated.\n"));
}

void TestProfiles::indicesAreNoNews() {
    const std::string source = "__global__ void k(int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    unsigned m = n;\n    int half = m / 2;\n}\n";
    const auto found = parseTidyOutput(
        "kernel.cu:2:13: warning: narrowing conversion from 'unsigned int' to signed type 'int' is "
        "implementation-defined [bugprone-narrowing-conversions]\n"
        "kernel.cu:4:16: warning: narrowing conversion from 'unsigned int' to signed type 'int' is "
        "implementation-defined [bugprone-narrowing-conversions]\n"
        "kernel.cu:2:40: warning: something else [bugprone-other]\n"
        "kernel.cu:99:1: warning: narrowing conversion from 'unsigned int' [bugprone-narrowing-conversions]\n");
    QCOMPARE(found.size(), 4U);
    QVERIFY(isIndexNarrowing(found[0], source));
    QVERIFY(!isIndexNarrowing(found[1], source)); // another advice, in the same line
    QVERIFY(!isIndexNarrowing(found[2], source)); // a number of the kernel's own
    QVERIFY(!isIndexNarrowing(found[3], source)); // of no line of this text
}

void TestProfiles::tidyOfOddLines() {
    for (const char* output : {"", "warning", ": warning: ", "a:1: warning: b", "a:x:1: warning: b",
                               ":1:2: error: ", "a:99999999999:1: warning: x", "a:1:2: note: alone"})
        (void)parseTidyOutput(output);
    QVERIFY(parseTidyOutput("a:1: warning: b\nplain\n").empty());
    const auto odd = parseTidyOutput("C:\\x.cu:3:4: warning: a [b c]\r\n");
    QCOMPARE(odd.size(), 1U);
    QCOMPARE(odd[0].message, std::string("a [b c]"));
    QCOMPARE(odd[0].line, 3);
}

void TestProfiles::everyCellOfTheSample() {
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    std::ifstream sample(std::string(named != nullptr ? named : KERNELARIUM_SHARED_DIR) +
                         "/archive_sample/full_rows.jsonl");
    if (!sample) QSKIP("the shared archive_sample/full_rows.jsonl is absent");
    int ncu = 0;
    int tidy = 0;
    for (std::string line; std::getline(sample, line);) {
        const auto row = nlohmann::json::parse(line);
        if (row["NCU_Profile"].is_string()) {
            const auto profile = parseNcuProfile(row["NCU_Profile"].get<std::string>());
            QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().text().c_str());
            QVERIFY(profile->metrics.size() > 20 && !profile->rules.empty() && profile->unread.empty());
            QVERIFY(roofInputs(*profile).bytesPerSecond.value_or(0) > 1e8);
            ++ncu;
        }
        if (row["Clang_Tidy"].is_string()) {
            const auto cell = row["Clang_Tidy"].get<std::string>();
            const auto report = parseClangTidy(cell);
            QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
            const bool mentions = cell.find(": warning: ") != std::string::npos;
            QCOMPARE(report->warnings() > 0, mentions);
            const auto code = row["CUDA_Code"].get<std::string>();
            const auto lines = 1 + std::count(code.begin(), code.end(), '\n');
            for (const auto& finding : report->findings)
                QVERIFY(finding.line > 0 && finding.line <= lines);
            ++tidy;
        }
    }
    QCOMPARE(ncu, 39);
    QCOMPARE(tidy, 39);
}

KERNELARIUM_TEST(TestProfiles);
