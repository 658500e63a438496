// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestLaunchLists.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/device/Gpu.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QThread>
#include <QThreadPool>
#include <QtTest>

using namespace kernelarium;

namespace {

QJsonObject runOn(const QString& backend, const QString& label) {
    QProcess cli;
    cli.start(test::cliProgram(), {"--json", "run", "--db", test::starterFolder() + "/starter.sqlite", "--kernel",
                                   label, "--backend", backend, "--size", "small", "--jobs", "2"});
    if (!cli.waitForFinished(longWait)) return {{"end", "did not finish"}};
    return QJsonDocument::fromJson(cli.readAllStandardOutput()).object();
}

/// What must be equal: not how long it took, nor what only the emulator counts.
QJsonArray launchesOf(const QJsonObject& run) {
    QJsonArray launches;
    for (const QJsonValue& value : run["launches"].toArray()) {
        QJsonObject launch = value.toObject();
        for (const char* own : {"seconds", "warp_instructions", "thread_instructions"})
            launch.remove(own);
        launches.append(launch);
    }
    return launches;
}

QStringList starterKernels() {
    QStringList labels;
    QFile rows(test::starterFolder() + "/starter.jsonl");
    if (!rows.open(QIODevice::ReadOnly)) return labels;
    while (!rows.atEnd()) {
        const QJsonObject row = QJsonDocument::fromJson(rows.readLine()).object();
        labels.append(QStringLiteral("L%1/T%2/%3@")
                          .arg(row["Level_ID"].toInt())
                          .arg(row["Task_ID"].toInt())
                          .arg(row["Kernel_Name"].toString()));
    }
    return labels;
}

} // namespace

/// All of them first, several at a time.
void TestLaunchLists::initTestCase() {
    if (!test::Gpu::instance().missing().isEmpty()) return;
    const QStringList labels = starterKernels();
    for (const QString& label : labels)
        m_runs[label];
    QThreadPool pool;
    pool.setMaxThreadCount(std::max(1, QThread::idealThreadCount() / 2));
    for (auto run = m_runs.begin(); run != m_runs.end(); ++run) {
        pool.start([label = run.key(), &into = run->gpu] { into = runOn("cuda", label); });
        pool.start([label = run.key(), &into = run->emulated] { into = runOn("emulator", label); });
    }
    pool.waitForDone();
}

void TestLaunchLists::starterKernelsLaunchTheSame_data() {
    QTest::addColumn<QString>("label");
    const QStringList labels = starterKernels();
    if (labels.isEmpty()) QTest::newRow("none") << QString();
    for (const QString& label : labels)
        QTest::newRow(label.toUtf8().constData()) << label;
}

void TestLaunchLists::starterKernelsLaunchTheSame() {
    NEEDS_GPU();
    QFETCH(QString, label);
    if (label.isEmpty()) QSKIP("the starter archive is not there");
    const auto& [gpu, emulated] = m_runs[label];
    QVERIFY2(gpu["end"].toString() == "finished", QJsonDocument(gpu).toJson().left(2000).constData());
    QVERIFY(!launchesOf(gpu).isEmpty());
    QCOMPARE(launchesOf(gpu), launchesOf(emulated));
    QCOMPARE(gpu["backend"].toString(), QStringLiteral("cuda"));
}

KERNELARIUM_TEST(TestLaunchLists);
