// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

/// Every kernel of the starter archive, from the bundled file through the command line to its verdict.
class TestStarterVerified : public QObject {
    Q_OBJECT

private slots:
    void everyKernelIsVerified_data() {
        QTest::addColumn<QString>("label");
        QFile rows(KERNELARIUM_STARTER_ROWS);
        QVERIFY2(rows.open(QIODevice::ReadOnly), "the starter archive's rows were not built");
        while (!rows.atEnd()) {
            const QJsonObject row = QJsonDocument::fromJson(rows.readLine()).object();
            const QString label = QStringLiteral("L%1/T%2/%3@")
                                      .arg(row["Level_ID"].toInt())
                                      .arg(row["Task_ID"].toInt())
                                      .arg(row["Kernel_Name"].toString());
            QTest::newRow(label.toUtf8().constData()) << label;
        }
    }

    void everyKernelIsVerified() {
        QFETCH(QString, label);
        QProcess cli;
        cli.start(KERNELARIUM_BIN_DIR "/kernelarium-cli",
                  {"--json", "verify", "--db", KERNELARIUM_STARTER_DATABASE, "--kernel", label, "--backend", "emulator",
                   "--size", "small"});
        QVERIFY2(cli.waitForStarted(longWait), "kernelarium-cli was not built");
        QVERIFY(cli.waitForFinished(300'000));
        const QByteArray out = cli.readAllStandardOutput();
        constexpr int missingComponent = 3;
        if (cli.exitCode() == missingComponent) QSKIP(("a component is missing: " + out).constData());
        const QJsonObject verdict = QJsonDocument::fromJson(out).object();
        QVERIFY2(verdict["verdict"].toString() == "verified", (out + cli.readAllStandardError()).constData());
        QCOMPARE(cli.exitCode(), 0);
    }
};

KERNELARIUM_TEST(TestStarterVerified);
#include "TestStarterVerified.moc"
