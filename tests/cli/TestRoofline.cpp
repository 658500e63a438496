// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestRoofline.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using nlohmann::json;

namespace {

const QStringList ofSoftmax{QStringLiteral("roofline"), QStringLiteral("1/23"), QStringLiteral("--db"),
                            QStringLiteral(KERNELARIUM_STARTER)};

/// What an SVG says, and whether it is well-formed.
QString wordsOf(const QString& path, bool& wellFormed) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader reader(&file);
    QString words;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters) words += reader.text().toString() + QLatin1Char('\n');
    wellFormed = !reader.hasError();
    return words;
}

} // namespace

void TestRoofline::placesArchivedKernels() {
    const QTemporaryDir data;
    qputenv("XDG_DATA_HOME", data.path().toUtf8());
    const CliAnswer answer = callCli(ofSoftmax + QStringList{"--json"});
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QVERIFY(j.at("points").size() >= 2);
    QVERIFY(j.at("measured_ms").is_null());
    const double flops = j.at("flops"), bytes = j.at("bytes");
    const double bandwidth = j.at("roofs").at("memory")[0].at("datasheet");
    double before = 0;
    for (const json& point : j.at("points")) {
        const double ms = point.at("milliseconds");
        QVERIFY(ms >= before);
        before = ms;
        QCOMPARE(point.at("origin").get<std::string>(), std::string("archived"));
        QCOMPARE(point.at("bound").get<std::string>(), std::string("memory"));
        // Left of the ridge the share is that of the bandwidth.
        QVERIFY(std::abs(point.at("share").get<double>() - bytes / (ms / 1e3) / bandwidth) < 1e-9);
        QVERIFY(std::abs(point.at("flops_per_second").get<double>() * ms / 1e3 / flops - 1) < 1e-9);
    }
    const CliAnswer people = callCli(ofSoftmax);
    QCOMPARE(people.exitCode, 0);
    QVERIFY2(people.output.contains("online") && people.output.contains("ridge at"), people.output.constData());
}

void TestRoofline::drawsAPlot() {
    const QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    const QString path = folder.filePath(QStringLiteral("plot.svg"));
    QCOMPARE(callCli(ofSoftmax + QStringList{"--device", "t4", "--plot", path}).exitCode, 0);
    bool wellFormed = false;
    const QString words = wordsOf(path, wellFormed);
    QVERIFY(wellFormed);
    for (const char* part : {"Task 1/23", "NVIDIA T4", "device memory", "FLOP/byte", "online"})
        QVERIFY2(words.contains(QLatin1String(part)), part);
    QVERIFY(!words.contains(QStringLiteral("/s measured")));
    QCOMPARE(callCli(ofSoftmax + QStringList{"--plot", folder.filePath(QStringLiteral("no/such/plot.svg"))}).exitCode,
             2);
}

void TestRoofline::drawsMeasuredRoofsWhereThereAreSome() {
    const QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("kernelarium/ceilings")));
    QFile kept(folder.filePath(QStringLiteral("kernelarium/ceilings/nvidia-h200.json")));
    QVERIFY(kept.open(QIODevice::WriteOnly));
    kept.write(
        R"({"format":1,"device":"NVIDIA H200","date_ms":1770000000000,"ceilings":[{"key":"device_read","rate":4.3e12},{"key":"fp32","rate":2e13}]})");
    kept.close();
    const QString path = folder.filePath(QStringLiteral("plot.svg"));
    const CliAnswer answer = callCli(ofSoftmax + QStringList{"--device", "h200", "--plot", path, "--json"});
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QCOMPARE(j.at("roofs").at("memory")[0].at("measured").get<double>(), 4.3e12);
    QVERIFY(j.at("roofs").at("compute")[0].at("not_trusted").get<std::string>().find("%") != std::string::npos);
    QVERIFY(j.at("points")[0].at("share_of_measured").get<double>() > j.at("points")[0].at("share").get<double>());
    bool wellFormed = false;
    const QString words = wordsOf(path, wellFormed);
    QVERIFY(wellFormed && words.contains(QStringLiteral("4.3 TB/s measured\n")) &&
            words.contains(QStringLiteral("unreliable")));
}

void TestRoofline::badInputIsRefused_data() {
    QTest::addColumn<QStringList>("more");
    QTest::newRow("no such device") << (ofSoftmax + QStringList{"--device", "abacus"});
    QTest::newRow("no such task") << QStringList{"roofline", "9/999"};
    QTest::newRow("no task") << QStringList{"roofline", "softmax"};
    QTest::newRow("no archive") << QStringList{"roofline", "1/23", "--db", "/no/such.sqlite"};
    QTest::newRow("no session") << (ofSoftmax + QStringList{"--session", "/no/such.sqlite"});
}

void TestRoofline::badInputIsRefused() {
    QFETCH(QStringList, more);
    const CliAnswer answer = callCli(more);
    QCOMPARE(answer.exitCode, 2);
    QVERIFY(!answer.messages.isEmpty());
}

KERNELARIUM_TEST(TestRoofline);
