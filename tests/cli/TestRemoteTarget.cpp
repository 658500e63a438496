// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestRemoteTarget.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"
#include "tests/protocol/SshServer.h"

#include <QtTest>

using nlohmann::json;

namespace {

QStringList elsewhere(const SshServer& server) {
    return {QStringLiteral("--target"), server.target(), QStringLiteral("--bundle"),
            server.bundleOf(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli"))};
}

} // namespace

#define NEED_SSH(server)                                                                                               \
    SshServer server;                                                                                                  \
    if (!server.obstacle().isEmpty()) QSKIP(qPrintable(server.obstacle()))

void TestRemoteTarget::verifiesElsewhereAsHere() {
    NEED_SSH(server);
    for (const char* kernel : {"add.cu", "add_wrong.cu", "add_out_of_bounds.cu"}) {
        const QStringList job{"verify",         fixture(kernel), "--reference",    fixture("add.cu"), "--arg",
                              "float32[40,25]", "--arg",         "float32[40,25]", "--json"};
        const CliAnswer here = callCli(job);
        const CliAnswer there = callCli(job + elsewhere(server));
        QVERIFY2(!there.json().is_discarded(), there.messages.constData());
        QCOMPARE(there.exitCode, here.exitCode);
        for (const char* fact : {"verdict", "reasons", "backend", "size", "max_abs_error", "faults"})
            QVERIFY2(there.json().at(fact) == here.json().at(fact), fact);
    }
}

void TestRemoteTarget::listsTheDevicesOfTheOtherSide() {
    NEED_SSH(server);
    const CliAnswer answer = callCli(QStringList{"device", "list", "--json"} + elsewhere(server));
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("devices")[0].at("backend").get<std::string>(), std::string("emulator"));
}

void TestRemoteTarget::timingElsewhereSaysWhatIsMissing() {
    NEED_SSH(server);
    const CliAnswer list = callCli(QStringList{"device", "list", "--json"} + elsewhere(server));
    QCOMPARE(list.exitCode, 0);
    if (list.json().at("missing").is_null()) QSKIP("There is a GPU here.");
    const CliAnswer answer =
        callCli(QStringList{"time", fixture("add.cu"), "--arg", "float32[4]", "--arg", "float32[4]", "--json"} +
                elsewhere(server));
    QCOMPARE(answer.exitCode, 3);
}

void TestRemoteTarget::oddTargetsAreBadUsage() {
    for (const char* odd : {"gpu", "ssh:", "ssh:-oProxyCommand=x", "ssh:a@b:99999"}) {
        const CliAnswer answer = callCli({"device", "list", "--target", odd});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.messages.contains("ssh:user@host"), answer.messages.constData());
    }
}

KERNELARIUM_TEST(TestRemoteTarget);
