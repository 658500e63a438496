// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

/// A program that was run to its end.
struct Ran {
    int status = -1; ///< -1: it did not start, crashed, or did not end
    QString output;
    QString messages;
};

[[nodiscard]] Ran runProgram(const QString& program, const QStringList& arguments,
                             const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment());

/// One command of kernelarium-cli as its own --help tells of it.
struct HelpedCommand {
    QStringList path;                               ///< archive, list; empty: the program
    QStringList options;                            ///< every name: -I, --include-path
    QList<std::pair<QString, QStringList>> choices; ///< options with the values that they are held to
    QStringList commands;
};

/// All of them, read from what the program prints; empty where that could not be read.
[[nodiscard]] const QList<HelpedCommand>& helpedCommands();

/// The build's share folder, laid out as it is installed.
[[nodiscard]] QString builtShare();
[[nodiscard]] QString builtProgram(const QString& name);
[[nodiscard]] QString readText(const QString& path);
