// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/Arguments.h"

#include "app/manual/Surroundings.h"
#include "app/manual/Texts.h"

#include <QCommandLineParser>
#include <QCoreApplication>

namespace manual = kernelarium::manual;

namespace {

const QString description = QStringLiteral("Inspect, tune and learn from CUDA kernels, with or without a GPU.");
const QString filesHelp =
    QStringLiteral(".cu, .sqlite or .jsonl files to open; a session file is the one to keep sessions in.");

QCommandLineOption option(const char* name, const char* help, const char* value) {
    return {QLatin1String(name), QString::fromLatin1(help), QLatin1String(value)};
}

manual::Option described(const QCommandLineOption& option) {
    manual::Option found;
    for (const QString& name : option.names())
        found.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
    found.help = option.description().toStdString();
    const std::string value = option.valueName().toStdString();
    found.choices = manual::choicesIn(value);
    found.value = found.choices.empty() ? option.valueName().toUpper().toStdString() : value;
    return found;
}

manual::Program programOf(const QList<QCommandLineOption>& options) {
    manual::Program program;
    program.root.name = QCoreApplication::applicationName().toStdString();
    program.root.help = description.toStdString();
    program.summary = "workbench for CUDA kernels, with or without a GPU";
    program.version = QCoreApplication::applicationVersion().toStdString();
    for (const QCommandLineOption& option : options) {
        if (!(option.flags() & QCommandLineOption::HiddenFromHelp)) program.root.options.push_back(described(option));
    }
    // Qt's parser adds it to --help by itself.
    program.root.options.push_back({{"--help-all"}, {}, "Displays help, with the options of Qt.", {}, {}});
    manual::Option files;
    files.value = "FILE";
    files.help = filesHelp.toStdString();
    files.repeated = true;
    program.root.arguments = {files};
    program.sections = {manual::environmentSection({{"KERNELARIUM_HUB", "The hub that Get an archive proposes."}}),
                        manual::filesSection()};
    program.related = {"kernelarium-cli(1)", "kernelarium-guide(7)"};
    return program;
}

} // namespace

Arguments parseArguments(const QCoreApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(description);
    const QCommandLineOption archive = option("archive", "Open this archive.", "file");
    const QCommandLineOption session = option("session-file", "Keep sessions in this file.", "file");
    const QCommandLineOption tour =
        option("tour", "Tour the program automatically and save screenshots in this folder.", "folder");
    const QCommandLineOption theme =
        option("theme", "Colours: those of the system, light or dark.", "system|light|dark");
    QCommandLineOption text =
        option("manual", "Print the manual page, or completion for a shell: page, bash, zsh or fish.", "kind");
    text.setFlags(QCommandLineOption::HiddenFromHelp); // of kernelarium-cli manual; for the build
    const QList<QCommandLineOption> all{
        parser.addHelpOption(), parser.addVersionOption(), archive, session, tour, theme, text};
    parser.addOptions(all.mid(2));
    parser.addPositionalArgument(QStringLiteral("files"), filesHelp, QStringLiteral("[files...]"));
    parser.process(application);
    Arguments found{parser.positionalArguments(),
                    parser.value(archive),
                    parser.value(session),
                    parser.value(tour),
                    parser.value(theme),
                    parser.isSet(tour),
                    {}};
    if (parser.isSet(text))
        found.text = QString::fromStdString(
            manual::textOf(parser.value(text).toStdString(), programOf(all)).value_or(std::string()));
    return found;
}
