// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {

/// Divides, so that fast math has other instructions; copies asynchronously where the architecture can.
constexpr const char* divides = R"(
#ifndef FACTOR
#define FACTOR 1
#endif
__global__ void halves(const float* a, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = FACTOR * a[i] / (a[i] + 3.f);
}
)";

QString dividing(const QTemporaryDir& folder) {
    const QString path = folder.filePath(QStringLiteral("halves.cu"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(divides);
    return path;
}

} // namespace

class TestCompilePair : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resourcesSideBySide() {
        const QTemporaryDir folder;
        const QStringList pair{"compile", dividing(folder),   "--beside-arch",
                               "sm_80",   "--beside-options", "--max-registers=16"};
        const CliAnswer people = callCli(pair);
        QVERIFY2(people.exitCode == 0, people.messages.constData());
        for (const char* said : {"A  sm_90\n", "B  sm_80 --max-registers=16\n", "registers A", "halves"})
            QVERIFY2(people.output.contains(said), people.output.constData());
        const json j = callCli(pair + QStringList{"--json"}).json();
        QCOMPARE(j.at("a").at("arch").get<std::string>(), std::string("sm_90"));
        QCOMPARE(j.at("b").at("arch").get<std::string>(), std::string("sm_80"));
        QVERIFY(j.at("b").at("kernels").at(0).at("registers").get<int>() <= 16);
    }

    /// Only what differs, on two sides, with what stands around it.
    void instructionsSideBySide() {
        const QTemporaryDir folder;
        const QString file = dividing(folder);
        const CliAnswer people =
            callCli({"compile", file, "--emit", "ptx", "--beside-options", "--fast-math -DFACTOR=1"});
        QVERIFY2(people.exitCode == 0, people.messages.constData());
        QVERIFY(people.output.contains("div.rn.f32") && people.output.contains("div.approx.ftz.f32"));
        bool beside = false;
        for (const QByteArray& line : people.output.split('\n'))
            beside = beside || (line.contains("div.rn.f32") && line.contains(" | ") &&
                                line.indexOf("div.approx") > line.indexOf("div.rn"));
        QVERIFY2(beside, people.output.constData());
        const json j = callCli({"compile", file, "--emit", "ptx", "--beside-options", "--fast-math", "--json"}).json();
        QVERIFY(!j.at("changes").empty());
        QVERIFY(j.at("a").at("ptx").get<std::string>().find("div.rn.f32") != std::string::npos);
        QVERIFY(j.at("b").at("fast_math").get<bool>());
        // The same twice differs in nothing.
        const CliAnswer same = callCli({"compile", file, "--emit", "ptx", "--beside-options", ""});
        QVERIFY2(same.output.contains("The instructions are the same"), same.output.constData());
    }

    void machineInstructionsToo() {
        const QTemporaryDir folder;
        const CliAnswer answer =
            callCli({"compile", dividing(folder), "--emit", "sass", "--beside-arch", "sm_80", "--json"});
        if (answer.exitCode == 3) QSKIP("nvdisasm is not installed.");
        QVERIFY2(answer.exitCode == 0, answer.messages.constData());
        QVERIFY(!answer.json().at("changes").empty());
        QVERIFY(answer.json().at("b").at("sass").get<std::string>().find("EXIT") != std::string::npos);
    }

    void whatIsWrongIsNamed() {
        const QTemporaryDir folder;
        const QString file = dividing(folder);
        const CliAnswer option = callCli({"compile", file, "--beside-options", "--frobnicate", "--json"});
        QCOMPARE(option.exitCode, 2);
        QVERIFY(option.json().at("error").at("message").get<std::string>().find("frobnicate") != std::string::npos);
        QCOMPARE(callCli({"compile", file, "--beside-arch", "hopper", "--json"}).exitCode, 2);
        QCOMPARE(callCli({"compile", file, "--beside-arch", "sm_80", "--emit", "cubin"}).exitCode, 2);
        // A second that does not compile is a failed check, with its diagnostics.
        const CliAnswer broken = callCli({"compile", file, "--beside-options", "-DFACTOR=nonsense"});
        QCOMPARE(broken.exitCode, 1);
        QVERIFY2(broken.messages.contains("nonsense"), broken.messages.constData());
    }
};

KERNELARIUM_TEST(TestCompilePair);

#include "TestCompilePair.moc"
