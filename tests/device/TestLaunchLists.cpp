// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestLaunchLists.h"

#include "tests/device/Gpu.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

using namespace kernelarium;

namespace {

QJsonObject runOn(const QString& backend, const QString& label) {
    QProcess cli;
    cli.start(test::cliProgram(), {"--json", "run", "--db", test::starterFolder() + "/starter.sqlite", "--kernel", label,
                                   "--backend", backend, "--size", "small"});
    if (!cli.waitForFinished(120'000)) return {{"end", "did not finish"}};
    return QJsonDocument::fromJson(cli.readAllStandardOutput()).object();
}

/// What must be equal: not how long it took, nor what only the emulator counts.
QJsonArray launchesOf(const QJsonObject& run) {
    QJsonArray launches;
    for (const QJsonValue& value : run["launches"].toArray()) {
        QJsonObject launch = value.toObject();
        for (const char* own : {"seconds", "warp_instructions", "thread_instructions"}) launch.remove(own);
        launches.append(launch);
    }
    return launches;
}

} // namespace

void TestLaunchLists::starterKernelsLaunchTheSame_data() {
    QTest::addColumn<QString>("label");
    QFile rows(test::starterFolder() + "/starter.jsonl");
    if (!rows.open(QIODevice::ReadOnly)) return void(QTest::newRow("none") << QString());
    while (!rows.atEnd()) {
        const QJsonObject row = QJsonDocument::fromJson(rows.readLine()).object();
        const QString label = QStringLiteral("L%1/T%2/%3@").arg(row["Level_ID"].toInt()).arg(row["Task_ID"].toInt())
                                  .arg(row["Kernel_Name"].toString());
        QTest::newRow(label.toUtf8().constData()) << label;
    }
}

void TestLaunchLists::starterKernelsLaunchTheSame() {
    NEEDS_GPU();
    QFETCH(QString, label);
    if (label.isEmpty()) QSKIP("the starter archive is not there");
    const QJsonObject gpu = runOn("cuda", label), emulated = runOn("emulator", label);
    QCOMPARE(gpu["end"].toString(), QStringLiteral("finished"));
    QVERIFY(!launchesOf(gpu).isEmpty());
    QCOMPARE(launchesOf(gpu), launchesOf(emulated));
    QCOMPARE(gpu["backend"].toString(), QStringLiteral("cuda"));
}
