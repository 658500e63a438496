// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestGetCommand.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"
#include "tests/hub/HubServer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

namespace {

HubBehaviour twoFiles() {
    HubBehaviour behaviour;
    behaviour.files[QStringLiteral("data/a.parquet")] = QByteArray(400'000, 'a');
    behaviour.files[QStringLiteral("data/b.parquet")] = QByteArray(1000, 'b');
    return behaviour;
}

} // namespace

void TestGetCommand::initTestCase() {
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
}

void TestGetCommand::lists() {
    const HubServer server(twoFiles());
    const CliAnswer answer = callCli({"archive", "get", "--host", server.host(), "--list", "--json"});
    QCOMPARE(answer.exitCode, 0);
    const auto files = answer.json().at("files");
    QCOMPARE(files.size(), 2U);
    QCOMPARE(files[0].at("path").get<std::string>(), std::string("data/a.parquet"));
    QCOMPARE(files[0].at("bytes").get<int>(), 400'000);
    QVERIFY(server.contentRequests().isEmpty());
    const CliAnswer text = callCli({"archive", "get", "--host", server.host(), "--list"});
    QVERIFY(text.output.contains("data/b.parquet"));
}

void TestGetCommand::downloadsOnly() {
    const QTemporaryDir folder;
    const HubServer server(twoFiles());
    const CliAnswer answer =
        callCli({"archive", "get", "--host", server.host(), "--into", folder.path(), "--download-only", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("files").size(), 2U);
    QFile file(folder.filePath("data/a.parquet"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll() == QByteArray(400'000, 'a'));
}

void TestGetCommand::importsWhatItDownloads() {
    const QTemporaryDir folder;
    const QString db = folder.filePath("archive.sqlite");
    const HubServer server(twoFiles()); // no Parquet at all: the import has to say so, by the file's name
    const CliAnswer answer =
        callCli({"archive", "get", "--host", server.host(), "--into", folder.path(), "--db", db, "--json"});
    QVERIFY(answer.exitCode == 2 || answer.exitCode == 3); // 3 where DuckDB is absent
    const std::string code = answer.json().at("error").at("code");
    QVERIFY2(code == "bad_parquet" || code == "missing_component", code.c_str());
    QVERIFY(!QFile::exists(db));
    QVERIFY(QFile::exists(folder.filePath("data/b.parquet")));
}

void TestGetCommand::refusals() {
    const QTemporaryDir folder;
    HubBehaviour behaviour = twoFiles();
    behaviour.listStatus = 404;
    const HubServer server(behaviour);
    CliAnswer answer = callCli({"archive", "get", "--host", server.host(), "--list", "--json"});
    QCOMPARE(answer.exitCode, 2);
    QCOMPARE(answer.json().at("error").at("code").get<std::string>(), std::string("not_found"));
    answer = callCli({"archive", "get", "--host", "http://127.0.0.1:1", "--list", "--json"});
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(answer.json().at("error").at("code").get<std::string>(), std::string("no_network"));
    answer = callCli({"archive", "get", "--host", "ftp://example.org", "--list"});
    QCOMPARE(answer.exitCode, 2);
    QVERIFY(answer.messages.contains("ftp://example.org"));
    answer = callCli({"archive", "get", "--list", "--download-only"});
    QCOMPARE(answer.exitCode, 2);
}

void TestGetCommand::goesOnAfterAKill() {
    const QTemporaryDir folder;
    HubBehaviour behaviour = twoFiles();
    behaviour.pieceBytes = 1000; // seconds in all
    HubServer server(behaviour);
    const QString part = folder.filePath("data/a.parquet.part");
    const QStringList call{"archive", "get", "--host", server.host(), "--into", folder.path(), "--download-only"};
    const CliAnswer killed = callCli(call, {}, [&part](qint64 pid) {
        if (QFile(part).size() > 0) ::kill(pid_t(pid), SIGKILL);
    });
    QVERIFY(killed.crashed);
    const qint64 kept = QFile(part).size();
    QVERIFY(kept > 0 && kept < 400'000);
    behaviour.pieceBytes = 0;
    server.behave(behaviour);
    server.forgetRequests();
    const CliAnswer answer = callCli(call);
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(server.contentRequests().at(0).range, "bytes=" + QByteArray::number(kept) + "-");
    QFile file(folder.filePath("data/a.parquet"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll() == QByteArray(400'000, 'a'));
    QVERIFY(!QFile::exists(part));
}

KERNELARIUM_TEST(TestGetCommand);
