// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestChildProcess.h"

#include "gpu/process/BlasKernels.h"
#include "gpu/process/ChildEnvironment.h"
#include "gpu/process/ChildProcess.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

using namespace kernelarium;
using namespace std::chrono_literals;
using process::ChildProcess;

void TestChildProcess::linesGoBothWays() {
    Result<ChildProcess> child = ChildProcess::start({"cat"});
    QVERIFY(child.ok());
    std::string line;
    QVERIFY(child->read(line, 10ms) == ChildProcess::Read::timeout);
    const std::string large(20 << 20, 'k');
    for (const std::string& sent : {std::string("first"), std::string(), large}) {
        child->send(sent);
        QVERIFY(child->read(line, 60s) == ChildProcess::Read::line);
        QVERIFY(line == sent);
    }
    child->kill();
    QVERIFY(child->read(line, 60s) == ChildProcess::Read::ended);
    QCOMPARE(child->howItEnded(), std::string("was killed by SIGKILL"));
    QCOMPARE(child->exitCode(), -1);
    QCOMPARE(child->pid(), -1);
}

void TestChildProcess::theEndIsKnown() {
    Result<ChildProcess> child = ChildProcess::start({"sh", "-c", "echo one; echo two; exit 4"});
    QVERIFY(child.ok());
    std::string line;
    for (const char* wanted : {"one", "two"}) {
        QVERIFY(child->read(line, 60s) == ChildProcess::Read::line);
        QCOMPARE(line, std::string(wanted));
    }
    QVERIFY(child->read(line, 60s) == ChildProcess::Read::ended);
    QCOMPARE(child->exitCode(), 4);
    QCOMPARE(child->howItEnded(), std::string("exited with code 4"));
}

void TestChildProcess::standardErrorIsKept() {
    Result<ChildProcess> child =
        ChildProcess::start({"sh", "-c", "head -c 20000 /dev/zero >&2; echo why >&2"}, ChildProcess::Errors::kept);
    QVERIFY(child.ok());
    std::string line;
    QVERIFY(child->read(line, 60s) == ChildProcess::Read::ended);
    QCOMPARE(child->exitCode(), 0);
    QVERIFY(child->errorText().ends_with("why\n"));
    QCOMPARE(child->errorText().size(), std::size_t(8192));
}

void TestChildProcess::aMissingProgramIsNamed() {
    const Result<ChildProcess> child = ChildProcess::start({"no-such-program-anywhere"});
    QVERIFY(!child.ok());
    QCOMPARE(child.error().code, std::string("missing_component"));
    QCOMPARE(child.error().message, std::string("Cannot start no-such-program-anywhere: No such file or directory."));
}

void TestChildProcess::itGoesWithItsObject() {
    pid_t pid = -1;
    {
        std::optional<ChildProcess> held;
        {
            Result<ChildProcess> child = ChildProcess::start({"cat"});
            QVERIFY(child.ok());
            pid = child->pid();
            held.emplace(std::move(*child));
        }
        QCOMPARE(held->pid(), pid);
        QCOMPARE(::kill(pid, 0), 0); // what was moved from has nothing to end
    }
    QVERIFY(::kill(pid, 0) != 0 && errno == ESRCH);
}

/// Nsight Compute follows programs into their children, and its library there ends a child that knows nothing of it.
void TestChildProcess::aProfilersOwnIsHandedOn() {
    qputenv("NV_TPS_LAUNCH_TOKEN", "1234");
    qputenv("SOMEBODYS_TOKEN", "secret");
    const std::vector<std::string> all = process::neededEnvironment();
    QVERIFY(std::find(all.begin(), all.end(), "NV_TPS_LAUNCH_TOKEN=1234") != all.end());
    QVERIFY(std::find(all.begin(), all.end(), "SOMEBODYS_TOKEN=secret") == all.end());
    Result<ChildProcess> child =
        ChildProcess::start({"sh", "-c", "echo $NV_TPS_LAUNCH_TOKEN,$SOMEBODYS_TOKEN"}, process::Errors::ours, all);
    QVERIFY(child.ok());
    std::string line;
    QVERIFY(child->read(line, 60s) == ChildProcess::Read::line);
    QCOMPARE(line, std::string("1234,"));
    qunsetenv("NV_TPS_LAUNCH_TOKEN");
    qunsetenv("SOMEBODYS_TOKEN");
}

/// The run child gives megabytes back at once, the compiler keeps its heap; one rule for each.
void TestChildProcess::workersAllocateInTheirWays() {
    const auto rulesOf = [](const char* kind) {
        std::vector<std::string> rules;
        for (const std::string& variable :
             process::workerEnvironment({"kernelarium-cli", "worker", kind, "--memory", "512"}))
            if (variable.starts_with("GLIBC_TUNABLES=")) rules.push_back(variable);
        return rules;
    };
    const auto run = rulesOf("run"), compile = rulesOf("compile");
    QVERIFY(run.size() == 1 && compile.size() == 1);
    QVERIFY(run[0].find("mmap_threshold") != std::string::npos && run[0].find("hugetlb") == std::string::npos);
    QVERIFY(compile[0].find("mmap_threshold") == std::string::npos &&
            compile[0].find("hugetlb=1") != std::string::npos);
}

void TestChildProcess::unknownProcessorsGetKernelsOfTheirInstructions_data() {
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<bool>("avx2");
    QTest::addColumn<bool>("avx512");
    QTest::addColumn<QString>("kernels");
    QTest::newRow("known") << "SapphireRapids" << true << true << "";
    QTest::newRow("known, of another maker") << "Zen" << true << false << "";
    QTest::newRow("unknown, AVX-512") << "Prescott" << true << true << "SkylakeX";
    QTest::newRow("unknown, AVX2") << "Prescott" << true << false << "Haswell";
    QTest::newRow("a Prescott") << "Prescott" << false << false << "";
}

void TestChildProcess::unknownProcessorsGetKernelsOfTheirInstructions() {
    QFETCH(QString, chosen);
    QFETCH(bool, avx2);
    QFETCH(bool, avx512);
    QTEST(QString::fromStdString(process::blasKernels(chosen.toStdString(), avx2, avx512)), "kernels");
}

KERNELARIUM_TEST(TestChildProcess);
