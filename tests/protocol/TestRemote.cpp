// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestRemote.h"

#include "gpu/protocol/RemoteStarter.h"
#include "gpu/protocol/WorkerClient.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/protocol/SshServer.h"

#include <QDir>
#include <QFile>
#include <QtTest>
#include <thread>

using namespace kernelarium;
using namespace kernelarium::protocol;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

const QString remoteProgram = QStringLiteral(KERNELARIUM_BIN_DIR "/worker_child");

WorkerClient remoteClient(const SshServer& server, const QString& bundle) {
    return WorkerClient(
        *starterFor(server.target().toStdString(), KERNELARIUM_BIN_DIR "/worker_child", 0, bundle.toStdString()));
}

/// What a call that must fail failed with.
Error errorOf(const SshServer& server, const QString& bundle) {
    WorkerClient client = remoteClient(server, bundle);
    const auto result = client.call("echo", {{"x", 1}}, {});
    return result ? Error{"none", "It answered."} : result.error();
}

} // namespace

#define NEED_SERVER(server)                                                                                            \
    SshServer server;                                                                                                  \
    if (!server.obstacle().isEmpty()) QSKIP(qPrintable(server.obstacle()))

void TestRemote::namesOfMachines_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("back");
    QTest::addColumn<QString>("destination");
    QTest::addColumn<int>("port");
    QTest::newRow("all") << "ssh:ada@gpu.example.org:2222"
                         << "ada@gpu.example.org:2222"
                         << "ada@gpu.example.org" << 2222;
    QTest::newRow("as typed in a shell") << "ssh ada@gpu1"
                                         << "ada@gpu1"
                                         << "ada@gpu1" << 0;
    QTest::newRow("an alias") << "gpu-box_2"
                              << "gpu-box_2"
                              << "gpu-box_2" << 0;
    QTest::newRow("as an address") << "ssh://ada@10.0.0.7:22"
                                   << "ada@10.0.0.7:22"
                                   << "ada@10.0.0.7" << 22;
    QTest::newRow("IPv6") << "ssh:ada@[2001:db8::1]:22"
                          << "ada@[2001:db8::1]:22"
                          << "ada@2001:db8::1" << 22;
}

void TestRemote::namesOfMachines() {
    QFETCH(QString, text);
    const Result<RemoteHost> host = RemoteHost::parse(text.toStdString());
    QVERIFY(host.ok());
    QTEST(QString::fromStdString(host->text()), "back");
    QTEST(QString::fromStdString(host->destination()), "destination");
    QTEST(host->port, "port");
    QCOMPARE(*RemoteHost::parse(host->text()), *host);
}

void TestRemote::oddNamesAreRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* odd : {"", "ssh:", "ssh:@host", "ssh:ada@", "-oProxyCommand=touch x", "ssh:ada@-oProxyCommand=x",
                            "ssh:-l@host", "host:0", "host:65536", "host:", "host:22x", "a b", "host;reboot",
                            "$(reboot)", "ada@[::1", "ada@[::1]22", "ho'st", "host\nx"})
        QTest::newRow(odd) << QString::fromUtf8(odd);
}

void TestRemote::oddNamesAreRefused() {
    QFETCH(QString, text);
    const Result<RemoteHost> host = RemoteHost::parse(text.toStdString());
    QVERIFY2(!host.ok(), qPrintable(text));
    QCOMPARE(host.error().code, std::string("bad_input"));
}

void TestRemote::whatSshSaysIsExplained_data() {
    QTest::addColumn<QString>("said");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("code");
    QTest::newRow("name") << "ssh: Could not resolve hostname gpu: Name or service not known" << 255 << "unknown_host";
    QTest::newRow("route") << "ssh: connect to host gpu port 22: No route to host" << 255 << "unreachable";
    QTest::newRow("key") << "Host key verification failed." << 255 << "host_key";
    QTest::newRow("refused") << "ada@gpu: Permission denied (publickey)." << 255 << "not_allowed";
    QTest::newRow("silence") << "Timeout, server gpu not responding." << 255 << "connection_lost";
    QTest::newRow("library") << "kernelarium-cli: /lib/libc.so.6: version `GLIBC_2.36' not found" << 1 << "too_old";
    QTest::newRow("crash") << "" << 134 << "remote";
}

void TestRemote::whatSshSaysIsExplained() {
    QFETCH(QString, said);
    QFETCH(int, exitCode);
    const Error error = remoteError(*RemoteHost::parse("ada@gpu"), said.toStdString(), exitCode);
    QTEST(QString::fromStdString(error.code), "code");
    QVERIFY(error.message.find("gpu") != std::string::npos && !error.action.empty());
    QCOMPARE(error.detail, said.toStdString());
}

void TestRemote::aWorkerIsCopiedOnceAndAnswers() {
    NEED_SERVER(server);
    const QString bundle = server.bundleOf(remoteProgram);
    for (const bool first : {true, false}) {
        QStringList stages;
        WorkerClient client = remoteClient(server, bundle);
        WorkerClient::CallOptions options;
        options.progress = [&](const std::string& stage) { stages << QString::fromStdString(stage); };
        const auto answer = client.call("echo", {{"text", "a 'quoted' $word"}}, options);
        QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
        QCOMPARE(*answer, json({{"text", "a 'quoted' $word"}}));
        QCOMPARE(stages.filter(QStringLiteral("copying")).size(), first ? 1 : 0);
    }
    const QStringList copies =
        QDir(server.home() + QStringLiteral("/.cache/kernelarium/remote")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(copies.size(), 1);
}

void TestRemote::aLostConnectionEndsTheRequestAndIsMadeAgain() {
    NEED_SERVER(server);
    WorkerClient client = remoteClient(server, server.bundleOf(remoteProgram));
    WorkerClient::CallOptions options;
    options.progress = [&](const std::string& stage) {
        if (stage == "hanging") server.dropConnections();
    };
    const auto lost = client.call("hang", json::object(), options);
    QVERIFY(!lost.ok());
    QCOMPARE(lost.error().code, std::string("connection_lost"));
    QVERIFY(lost.error().action.find("connects again") != std::string::npos);
    WAIT_COMPARE(server.copiesRunning(), 0); // it hangs for nobody
    const auto again = client.call("echo", {{"x", 2}}, {});
    QCOMPARE(server.copiesRunning(), 1);
    QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
}

void TestRemote::cancelReachesTheOtherSide() {
    NEED_SERVER(server);
    WorkerClient client = remoteClient(server, server.bundleOf(remoteProgram));
    std::stop_source stop;
    WorkerClient::CallOptions options;
    options.stop = stop.get_token();
    options.progress = [&](const std::string& stage) {
        if (stage == "waiting") stop.request_stop();
    };
    const auto cancelled = client.call("wait", json::object(), options);
    QCOMPARE(cancelled.error().code, std::string("cancelled"));
    const pid_t sameConnection = client.childPid();
    QVERIFY(sameConnection > 0 && client.call("echo", json::object(), {}).ok());
    QCOMPARE(client.childPid(), sameConnection);
}

void TestRemote::hostKeyTroubleIsExplained() {
    NEED_SERVER(server);
    const QString bundle = server.bundleOf(remoteProgram);
    server.forgetHostKey();
    const Error unknown = errorOf(server, bundle);
    QCOMPARE(unknown.code, std::string("host_key"));
    QVERIFY(unknown.action.find("by hand") != std::string::npos);
    server.changeHostKey();
    const Error changed = errorOf(server, bundle);
    QCOMPARE(changed.code, std::string("host_key"));
    QVERIFY(changed.action.find("ssh-keygen -R") != std::string::npos);
}

void TestRemote::aRefusedUserIsToldWhatToDo() {
    NEED_SERVER(server);
    server.refuseUser();
    const Error error = errorOf(server, server.bundleOf(remoteProgram));
    QCOMPARE(error.code, std::string("not_allowed"));
    QVERIFY(error.action.find("ssh-copy-id") != std::string::npos);
}

void TestRemote::aMachineThatDoesNotListenIsNamed() {
    NEED_SERVER(server);
    WorkerClient client(*starterFor("ssh:nobody@127.0.0.1:1", KERNELARIUM_BIN_DIR "/worker_child"));
    const auto result = client.call("echo", json::object(), {});
    QCOMPARE(result.error().code, std::string("unreachable"));
}

void TestRemote::withoutABundleItIsSaidWhatIsMissing() {
    NEED_SERVER(server);
    const Error error = errorOf(server, {});
    QCOMPARE(error.code, std::string("missing_component"));
    QVERIFY(error.action.find("--bundle") != std::string::npos);
    QCOMPARE(errorOf(server, server.file(QStringLiteral("absent.tar.gz"))).code, std::string("unreadable_file"));
}

void TestRemote::anotherVersionIsRefused() {
    NEED_SERVER(server);
    QFile script(server.file(QStringLiteral("old")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho Welcome\necho "
                 "'{\"event\":\"hello\",\"kind\":\"run\",\"version\":\"0.0.1\",\"protocol\":1}'\ncat >/dev/null\n");
    script.close();
    const Error error = errorOf(server, server.bundleOf(script.fileName()));
    QCOMPARE(error.code, std::string("other_version"));
    QVERIFY(error.message.find("0.0.1") != std::string::npos &&
            error.message.find(KERNELARIUM_VERSION) != std::string::npos);
}

void TestRemote::aBrokenBundleLeavesNothingBehind() {
    NEED_SERVER(server);
    QFile broken(server.file(QStringLiteral("broken.tar.gz")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("this is not an archive");
    broken.close();
    QCOMPARE(errorOf(server, broken.fileName()).code, std::string("remote"));
    QVERIFY(QDir(server.home() + QStringLiteral("/.cache/kernelarium/remote")).isEmpty());
}

KERNELARIUM_TEST(TestRemote);
