// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/CliProcess.h"

#include "tests/Waiting.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>

namespace {
constexpr int longestMilliseconds = 600000; // only what hangs is not over by then
}

nlohmann::json CliAnswer::json() const {
    return nlohmann::json::parse(output.toStdString(), nullptr, false);
}

CliAnswer callCli(const QStringList& arguments, const QByteArray& input, const std::function<void(qint64)>& during) {
    QProcess process;
    process.start(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli"), arguments);
    process.waitForStarted(longWait);
    process.write(input);
    process.closeWriteChannel();
    QElapsedTimer timer;
    timer.start();
    while (process.state() != QProcess::NotRunning && timer.elapsed() < longestMilliseconds) {
        process.waitForFinished(during ? 2 : 100);
        if (during && process.state() == QProcess::Running) during(process.processId());
    }
    if (process.state() != QProcess::NotRunning) {
        qWarning("kernelarium-cli %s does not end and is killed; its children: %d", qPrintable(arguments.join(u' ')),
                 int(childrenOf(process.processId()).size()));
        process.kill();
    }
    process.waitForFinished(longWait);
    CliAnswer answer;
    answer.crashed = process.exitStatus() != QProcess::NormalExit;
    answer.exitCode = process.exitCode();
    answer.output = process.readAllStandardOutput();
    answer.messages = process.readAllStandardError();
    return answer;
}

QString fixture(const QString& name) {
    return QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/cli/kernels/") + name;
}

QList<qint64> childrenOf(qint64 pid) {
    QList<qint64> children;
    const QString tasks = QStringLiteral("/proc/%1/task").arg(pid);
    for (const QString& thread :
         QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) { // any of which may have started one
        QFile file(tasks + QLatin1Char('/') + thread + QStringLiteral("/children"));
        if (!file.open(QIODevice::ReadOnly)) continue;
        for (const QByteArray& word : file.readAll().simplified().split(' '))
            if (!word.isEmpty()) children.append(word.toLongLong());
    }
    return children;
}
