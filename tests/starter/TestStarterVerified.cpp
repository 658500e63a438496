// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

/// Every kernel of the starter archive, from the bundled file through the command line to its verdict.
class TestStarterVerified : public QObject {
    Q_OBJECT

private slots:
    /// One audit: a command for each kernel would start the children as often, which takes longer than the kernels do.
    void initTestCase() {
        const QString archive = m_folder.filePath(QStringLiteral("starter.sqlite"));
        QVERIFY(QFile::copy(QStringLiteral(KERNELARIUM_STARTER_DATABASE), archive));
        const QString written = m_folder.filePath(QStringLiteral("verdicts.jsonl"));
        QProcess cli;
        cli.start(KERNELARIUM_BIN_DIR "/kernelarium-cli", {"--json", "audit", "--db", archive, "--out", written,
                                                           "--backend", "emulator", "--time-limit", "1000"});
        QVERIFY2(cli.waitForStarted(longWait), "kernelarium-cli was not built");
        QVERIFY(cli.waitForFinished(1'500'000));
        constexpr int missingComponent = 3;
        if (cli.exitCode() == missingComponent)
            QSKIP(("a component is missing: " + cli.readAllStandardOutput()).constData());
        QFile verdicts(written);
        QVERIFY2(verdicts.open(QIODevice::ReadOnly), cli.readAllStandardError().constData());
        while (!verdicts.atEnd()) {
            const QByteArray line = verdicts.readLine();
            const QJsonObject verdict = QJsonDocument::fromJson(line).object();
            m_verdicts.insert(labelOf(verdict["level"].toInt(), verdict["task"].toInt(), verdict["name"].toString()),
                              line);
        }
    }

    void everyKernelIsVerified_data() {
        QTest::addColumn<QString>("label");
        QFile rows(KERNELARIUM_STARTER_ROWS);
        QVERIFY2(rows.open(QIODevice::ReadOnly), "the starter archive's rows were not built");
        while (!rows.atEnd()) {
            const QJsonObject row = QJsonDocument::fromJson(rows.readLine()).object();
            const QString label =
                labelOf(row["Level_ID"].toInt(), row["Task_ID"].toInt(), row["Kernel_Name"].toString());
            QTest::newRow(label.toUtf8().constData()) << label;
        }
    }

    void everyKernelIsVerified() {
        QFETCH(QString, label);
        QVERIFY2(m_verdicts.contains(label), "the audit left it out");
        const QJsonObject verdict = QJsonDocument::fromJson(m_verdicts[label]).object();
        QVERIFY2(verdict["verdict"].toString() == "verified", m_verdicts[label].constData());
        // They are there to be read: each knows what to do with the elements that are left over.
        QVERIFY2(!verdict["remarks"].toArray().contains("shape_specific"), m_verdicts[label].constData());
    }

private:
    static QString labelOf(int level, int task, const QString& name) {
        return QStringLiteral("L%1/T%2/%3").arg(level).arg(task).arg(name);
    }

    QTemporaryDir m_folder;
    QMap<QString, QByteArray> m_verdicts; ///< lines as written, by label
};

KERNELARIUM_TEST(TestStarterVerified);
#include "TestStarterVerified.moc"
