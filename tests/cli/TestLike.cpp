// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestLike.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QtTest>

namespace {

QStringList namesOf(const nlohmann::json& answer) {
    QStringList names;
    for (const auto& kernel : answer.at("kernels"))
        names << QString::fromStdString(kernel.at("name").get<std::string>());
    return names;
}

} // namespace

void TestLike::initTestCase() {
    m_archive = m_folder.filePath("archive.sqlite");
    QVERIFY(QFile::copy(QStringLiteral(KERNELARIUM_STARTER), m_archive)); // the index is kept beside it
}

void TestLike::anArchivedKernelsRelatives() {
    const CliAnswer found = callCli({"archive", "like", "L1/T23/online@", "--db", m_archive, "--json"});
    QCOMPARE(found.exitCode, 0);
    QVERIFY(QFile::exists(m_archive + ".pieces"));
    const nlohmann::json json = found.json();
    const QStringList names = namesOf(json);
    QVERIFY(names.contains("online_tuned") && names.contains("register_resident") && !names.contains("online"));
    QCOMPARE(names.first(), QString("register_resident"));
    const auto& like = json.at("kernels").at(0).at("like");
    QCOMPARE(like.at("measure").get<std::string>(), std::string("archived_time"));
    QVERIFY(like.at("gain").get<double>() > 1 && like.at("code").get<double>() > 0.3);
    QCOMPARE(like.at("shared_operators"), nlohmann::json({"softmax"}));
    QCOMPARE(like.at("standing").get<std::string>(), std::string("claimed"));
    const CliAnswer text = callCli({"archive", "like", "L1/T23/online@", "--db", m_archive});
    QCOMPARE(text.exitCode, 0);
    QVERIFY(text.output.contains("register_resident") && text.output.contains("x as fast"));
    QVERIFY(text.messages.isEmpty()); // no progress where nobody watches
}

void TestLike::aFileIsHeldAgainstTheArchive() {
    const QString file = QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/level_1/023/online.cu");
    const CliAnswer found = callCli({"archive", "like", file, "--db", m_archive, "--code", "--nearest", "--json"});
    QCOMPARE(found.exitCode, 0);
    const QStringList names = namesOf(found.json());
    QVERIFY(names.mid(0, 2).contains("online") && names.mid(0, 2).contains("online_tuned"));
    QVERIFY(found.json().at("kernels").at(0).at("like").at("operators").is_null());
}

void TestLike::operatorsAlone() {
    const QString file = QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/level_1/023/online.cu");
    const CliAnswer found =
        callCli({"archive", "like", file, "--db", m_archive, "--operators", "--task", "1/23", "--json"});
    QCOMPARE(found.exitCode, 0);
    for (const auto& kernel : found.json().at("kernels")) {
        QVERIFY(kernel.at("like").at("code").is_null());
        QCOMPARE(kernel.at("task").get<int>(), 23);
    }
    const CliAnswer others = callCli(
        {"archive", "like", file, "--db", m_archive, "--operators", "--task", "1/23", "--other-tasks", "--json"});
    QCOMPARE(others.exitCode, 0);
    QVERIFY(namesOf(others.json()).isEmpty());
}

void TestLike::theNearestFirst() {
    const CliAnswer found =
        callCli({"archive", "like", "L1/T23/online@", "--db", m_archive, "--nearest", "--limit", "1"});
    QCOMPARE(found.exitCode, 0);
    QVERIFY(found.output.contains("online_tuned") && !found.output.contains("register_resident"));
}

void TestLike::whatIsWrongIsSaid_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("no kernel") << QStringList{"archive", "like"} << "kernel";
    QTest::newRow("unknown") << QStringList{"archive", "like", "nobody's"} << "nobody's";
    QTest::newRow("no file") << QStringList{"archive", "like", "/nowhere/a.cu"} << "/nowhere/a.cu";
    QTest::newRow("task") << QStringList{"archive", "like", "L1/T23/online@", "--task", "softmax"} << "softmax";
    QTest::newRow("no such task") << QStringList{"archive", "like", "L1/T23/online@", "--task", "7/7"} << "7/7";
    QTest::newRow("both") << QStringList{"archive", "like", "L1/T23/online@", "--code", "--operators"} << "--code";
    QTest::newRow("share") << QStringList{"archive", "like", "L1/T23/online@", "--least-code", "30"} << "--least-code";
}

void TestLike::whatIsWrongIsSaid() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const CliAnswer answer = callCli(arguments + QStringList{"--db", m_archive});
    QCOMPARE(answer.exitCode, 2);
    QVERIFY2(answer.messages.contains(said.toUtf8()), answer.messages.constData());
    QVERIFY(answer.output.isEmpty());
}

KERNELARIUM_TEST(TestLike);
