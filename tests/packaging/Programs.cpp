// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/Programs.h"

#include "tests/Waiting.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>

namespace {

void addHelp(const QStringList& path, QList<HelpedCommand>& all) {
    const Ran help = runProgram(builtProgram(QStringLiteral("kernelarium-cli")), path + QStringList{"--help"});
    if (help.status != 0) {
        qWarning("no help for %s", qPrintable(path.join(u' ')));
        return;
    }
    HelpedCommand command;
    command.path = path;
    static const QRegularExpression heading(QStringLiteral("^([A-Z][A-Za-z ]*):$"));
    static const QRegularExpression option(
        QStringLiteral("^ {2,4}(-[A-Za-z-][A-Za-z0-9,-]*)(?: [A-Z]+:\\{([^}]*)\\})?"));
    static const QRegularExpression below(QStringLiteral("^  ([a-z][a-z-]*)(?: |$)"));
    QString section;
    for (const QString& line : help.output.split(u'\n')) {
        if (const auto found = heading.match(line); found.hasMatch()) section = found.captured(1);
        if (const auto found = option.match(line); found.hasMatch()) {
            const QStringList names = found.captured(1).split(u',');
            command.options += names;
            if (found.hasCaptured(2)) command.choices.append({names.last(), found.captured(2).split(u',')});
        }
        if (section != QLatin1String("Subcommands")) continue;
        if (const auto found = below.match(line); found.hasMatch()) command.commands << found.captured(1);
    }
    all.append(command);
    for (const QString& name : command.commands)
        addHelp(path + QStringList{name}, all);
}

} // namespace

Ran runProgram(const QString& program, const QStringList& arguments, const QProcessEnvironment& environment) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.closeWriteChannel();
    Ran ran;
    if (!process.waitForFinished(longWait)) {
        process.kill();
        process.waitForFinished(longWait);
        return ran;
    }
    if (process.exitStatus() == QProcess::NormalExit) ran.status = process.exitCode();
    ran.output = QString::fromUtf8(process.readAllStandardOutput());
    ran.messages = QString::fromUtf8(process.readAllStandardError());
    return ran;
}

const QList<HelpedCommand>& helpedCommands() {
    static const QList<HelpedCommand> all = [] {
        QList<HelpedCommand> found;
        addHelp({}, found);
        return found;
    }();
    return all;
}

QString builtShare() {
    return QStringLiteral(KERNELARIUM_BUILD_SHARE);
}

QString builtProgram(const QString& name) {
    return QStringLiteral(KERNELARIUM_BIN_DIR "/") + name;
}

QString readText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
