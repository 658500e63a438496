// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hub/TestListing.h"

#include "core/hub/DataSet.h"
#include "tests/TestRegistry.h"
#include "tests/hub/HubServer.h"

#include <QTcpServer>
#include <QtTest>

using namespace kernelarium::hub;

namespace {

const QByteArray sum(64, 'a');

DataSet at(const QString& host) {
    DataSet dataSet;
    dataSet.host = host.toStdString();
    return dataSet;
}

QByteArray entry(const QByteArray& path, const QByteArray& size = "5", const QByteArray& oid = sum) {
    return R"([{"type":"file","path":")" + path + R"(","size":)" + size + R"(,"lfs":{"oid":")" + oid + R"("}}])";
}

} // namespace

void TestListing::addressesAreTheHubs() {
    const DataSet dataSet;
    QCOMPARE(
        dataSet.listAddress(),
        std::string("https://huggingface.co/api/datasets/SakanaAI/AI-CUDA-Engineer-Archive/tree/main?recursive=true"));
    QCOMPARE(
        dataSet.fileAddress("data/a b%.parquet"),
        std::string(
            "https://huggingface.co/datasets/SakanaAI/AI-CUDA-Engineer-Archive/resolve/main/data/a%20b%25.parquet"));
}

void TestListing::listsParquetFilesOfAllPages() {
    HubBehaviour behaviour;
    for (int i = 0; i < 7; ++i)
        behaviour.files[QStringLiteral("data/part-%1.parquet").arg(i)] = QByteArray(100 + i, char('a' + i));
    behaviour.files[QStringLiteral("data/notes.txt")] = "no rows";
    behaviour.filesPerPage = 3;
    const HubServer server(behaviour);
    const auto files = listFiles(at(server.host() + '/'));
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().c_str());
    QCOMPARE(files->size(), 7U);
    QCOMPARE(files->at(2).path, std::string("data/part-2.parquet"));
    QCOMPARE(files->at(2).bytes, 102U);
    QCOMPARE(files->at(2).sha256.size(), 64U);
    QCOMPARE(server.requests().size(), 3);
}

void TestListing::refusesBadLists_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QString>("word");
    const QByteArray json = "application/json";
    QTest::newRow("web page") << QByteArray("<html>Sign in</html>") << QByteArray("text/html") << "web page";
    QTest::newRow("no JSON") << QByteArray("hello") << json << "not a list";
    QTest::newRow("cut JSON") << entry("a.parquet").left(30) << json << "not a list";
    QTest::newRow("an object") << QByteArray(R"({"error":"gone"})") << json << "not a list";
    QTest::newRow("way out") << entry("../../.bashrc.parquet") << json << "name";
    QTest::newRow("absolute") << entry("/etc/a.parquet") << json << "name";
    QTest::newRow("middle") << entry("data/../../a.parquet") << json << "name";
    QTest::newRow("backslash") << entry("data\\\\a.parquet") << json << "name";
    QTest::newRow("line end") << entry("data\\na.parquet") << json << "name";
    QTest::newRow("negative size") << entry("a.parquet", "-1") << json << "large";
    QTest::newRow("size as text") << entry("a.parquet", "\"5\"") << json << "large";
    QTest::newRow("huge size") << entry("a.parquet", "99999999999999") << json << "large";
    QTest::newRow("short sum") << entry("a.parquet", "5", "abc") << json << "checksum";
    QTest::newRow("no sum") << QByteArray(R"([{"type":"file","path":"a.parquet","size":5}])") << json << "checksum";
    QTest::newRow("no files") << QByteArray("[]") << json << "no Parquet";
    QTest::newRow("twice") << "[" + entry("a.parquet").mid(1).chopped(1) + "," + entry("a.parquet").mid(1).chopped(1) +
                                  "]"
                           << json << "twice";
    QTest::newRow("nested deeply") << QByteArray(1000000, '[') + QByteArray(1000000, ']') << json << "not a list";
    QByteArray many = "[";
    for (int i = 0; i <= 10000; ++i)
        many += entry("data/" + QByteArray::number(i) + ".parquet").mid(1).chopped(1) + ',';
    QTest::newRow("more files than any") << many.chopped(1) + ']' << json << "more than 10000 files";
}

void TestListing::refusesBadLists() {
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, type);
    QFETCH(QString, word);
    HubBehaviour behaviour;
    behaviour.list = list;
    behaviour.listType = type;
    const HubServer server(behaviour);
    const auto files = listFiles(at(server.host()));
    QVERIFY(!files.ok());
    QVERIFY(files.error().code == (word == "no Parquet" ? "no_files" : "bad_answer"));
    QVERIFY2(files.error().message.find(word.toStdString()) != std::string::npos, files.error().message.c_str());
}

void TestListing::saysWhatAStatusMeans_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("requests");
    QTest::newRow("gone") << 404 << "not_found" << 1;
    QTest::newRow("private") << 401 << "forbidden" << 1;
    QTest::newRow("too many") << 429 << "server_busy" << 5;
    QTest::newRow("broken") << 500 << "server_busy" << 5;
    QTest::newRow("teapot") << 418 << "bad_answer" << 1;
}

void TestListing::saysWhatAStatusMeans() {
    QFETCH(int, status);
    QFETCH(QString, code);
    QFETCH(int, requests);
    HubBehaviour behaviour;
    behaviour.listStatus = status;
    const HubServer server(behaviour);
    const auto files = listFiles(at(server.host()));
    QVERIFY(!files.ok());
    QCOMPARE(QString::fromStdString(files.error().code), code);
    QVERIFY(files.error().text().find(std::to_string(status)) != std::string::npos);
    QCOMPARE(server.requests().size(), requests); // what passes is tried again, not for ever
}

void TestListing::triesABusyHubAgain() {
    HubBehaviour behaviour;
    behaviour.files[QStringLiteral("a.parquet")] = "content";
    behaviour.listBusyTimes = 3;
    const HubServer server(behaviour);
    const auto files = listFiles(at(server.host()));
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().c_str());
    QCOMPARE(files->size(), 1U);
    QCOMPARE(server.requests().size(), 4);
}

void TestListing::nobodyThere() {
    quint16 port = 0;
    {
        QTcpServer closed;
        QVERIFY(closed.listen(QHostAddress::LocalHost));
        port = closed.serverPort();
    }
    const auto files = listFiles(at(QStringLiteral("http://127.0.0.1:%1").arg(port)));
    QVERIFY(!files.ok());
    QCOMPARE(files.error().code, std::string("no_network"));
    QVERIFY(files.error().text().find("127.0.0.1") != std::string::npos);
}

void TestListing::noNameOfAHost_data() {
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("code");
    QTest::newRow("unknown name") << "http://no-such-host.invalid"
                                  << "no_network";
    QTest::newRow("file") << "file:///etc"
                          << "bad_input";
    QTest::newRow("nothing") << ""
                             << "bad_input";
    QTest::newRow("bare") << "huggingface.co"
                          << "bad_input";
    QTest::newRow("space") << "http://a b"
                           << "bad_input";
}

void TestListing::noNameOfAHost() {
    QFETCH(QString, host);
    QFETCH(QString, code);
    const auto files = listFiles(at(host));
    QVERIFY(!files.ok());
    QCOMPARE(QString::fromStdString(files.error().code), code);
}

void TestListing::noSecureConnection() {
    HubBehaviour behaviour;
    behaviour.files[QStringLiteral("a.parquet")] = "content";
    const HubServer server(behaviour); // it does not speak TLS
    const auto files = listFiles(at(server.host().replace(QStringLiteral("http:"), QStringLiteral("https:"))));
    QVERIFY(!files.ok());
    QCOMPARE(files.error().code, std::string("tls"));
}

void TestListing::stops() {
    const HubServer server;
    std::stop_source stop;
    stop.request_stop();
    const auto files = listFiles(at(server.host()), stop.get_token());
    QVERIFY(!files.ok());
    QCOMPARE(files.error().code, std::string("cancelled"));
}

KERNELARIUM_TEST(TestListing);
