// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/TestManual.h"

#include "tests/TestRegistry.h"
#include "tests/packaging/Programs.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

namespace {

QString roff(QString text) {
    return text.replace(u'-', QStringLiteral("\\-"));
}

/// What is said of a command, from its heading to the next.
QString sectionOf(const QString& page, const QStringList& path) {
    const QString start = path.isEmpty() ? QStringLiteral(".SH OPTIONS\n") : ".SS " + roff(path.join(u' ')) + "\n";
    const qsizetype at = page.indexOf(start);
    if (at < 0) return {};
    const qsizetype end = page.indexOf(QRegularExpression(QStringLiteral("\n\\.S[HS] ")), at + start.size());
    return page.mid(at, end - at);
}

QString words(const QStringList& list) {
    QStringList quoted;
    for (const QString& word : list)
        quoted << "'" + word + "'";
    return quoted.join(u' ');
}

/// Runs a script of a shell; lines "KEY|candidate candidate ..." by key. Fails softly: an empty map.
QMap<QString, QStringList> answersOf(const QString& shell, const QStringList& options, const QString& script) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("script")));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(script.toUtf8());
    file.close();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), folder.path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder.path());
    const Ran ran = runProgram(shell, options + QStringList{file.fileName()}, environment);
    if (ran.status != 0 || !ran.messages.isEmpty()) qWarning("%d: %s", ran.status, qPrintable(ran.messages.left(2000)));
    QMap<QString, QStringList> answers;
    for (const QString& line : ran.output.split(u'\n'))
        if (const qsizetype bar = line.indexOf(u'|'); bar >= 0)
            answers[line.left(bar)] += line.mid(bar + 1).split(u' ', Qt::SkipEmptyParts);
    return answers;
}

/// Empty when `answers` offers all commands below each command, and all options.
QString missingIn(const QMap<QString, QStringList>& answers) {
    QStringList missing;
    for (const HelpedCommand& command : helpedCommands()) {
        const QString path = command.path.join(u' ');
        for (const QString& name : command.commands)
            if (!answers.value(path + "/commands").contains(name)) missing << path + " " + name;
        for (const QString& name : command.options)
            if (!answers.value(path + "/options").contains(name)) missing << path + " " + name;
    }
    return missing.join(QStringLiteral(", "));
}

QString bashScript() {
    return "source '" + builtShare() + "/bash-completion/completions/kernelarium-cli'\n" +
           "ask() { local key=$1; shift; COMP_WORDS=(kernelarium-cli \"$@\"); COMP_CWORD=$#; _kernelarium_cli;\n"
           "printf '%s|%s\\n' \"$key\" \"${COMPREPLY[*]}\"; }\n";
}

} // namespace

void TestManual::theHelpIsRead() {
    QVERIFY2(helpedCommands().size() > 40, qPrintable(QString::number(helpedCommands().size())));
    qsizetype options = 0, choices = 0;
    for (const HelpedCommand& command : helpedCommands()) {
        options += command.options.size();
        choices += command.choices.size();
        QVERIFY2(command.options.contains(QStringLiteral("--help")), qPrintable(command.path.join(u' ')));
    }
    QVERIFY(options > 200);
    QVERIFY(choices > 15);
}

void TestManual::thePageNamesEverything() {
    const QString page = readText(builtShare() + "/man/man1/kernelarium-cli.1");
    const QString top = sectionOf(page, {});
    for (const HelpedCommand& command : helpedCommands()) {
        const QString section = sectionOf(page, command.path);
        QVERIFY2(!section.isEmpty(), qPrintable(command.path.join(u' ')));
        for (const QString& name : command.options) {
            const QString written = "\\fB" + roff(name) + "\\fR";
            QVERIFY2(section.contains(written) || (top.contains(written) && !command.path.isEmpty()),
                     qPrintable(command.path.join(u' ') + " " + name));
        }
        for (const auto& [name, values] : command.choices)
            for (const QString& value : values)
                QVERIFY2(section.contains(roff(value)), qPrintable(name + " " + value));
    }
}

/// Commands share options whose values without them are their own.
void TestManual::thePageNamesEachCommandsDefaults() {
    const QString page = readText(builtShare() + "/man/man1/kernelarium-cli.1");
    const auto fallback = [&](const char* command, const char* option) {
        const QString section = sectionOf(page, {QLatin1String(command)});
        const QRegularExpression said("\\\\fB" + QRegularExpression::escape(roff(QLatin1String(option))) +
                                      "\\\\fR[^\n]*\n(?:[^.\n][^\n]*\n)*By default ([^\n]*)\\.\n");
        return said.match(section).captured(1);
    };
    QCOMPARE(fallback("time", "--backend"), QStringLiteral("cuda"));
    QCOMPARE(fallback("time", "--size"), QStringLiteral("full"));
    QCOMPARE(fallback("time", "--time-limit"), QStringLiteral("120"));
    QCOMPARE(fallback("profile", "--size"), QStringLiteral("full"));
    QCOMPARE(fallback("verify", "--backend"), QStringLiteral("emulator"));
    QCOMPARE(fallback("verify", "--size"), QStringLiteral("small"));
}

void TestManual::thePageIsSoundRoff() {
    const QString man = QStandardPaths::findExecutable(QStringLiteral("groff"));
    for (const char* name : {"kernelarium", "kernelarium-cli"}) {
        const QString path = builtShare() + "/man/man1/" + name + ".1";
        static const QRegularExpression request(QStringLiteral("^[.'](TH|SH|SS|TP|PP|nh|ad l|\\\\\")"));
        const QString page = readText(path);
        QVERIFY(!page.isEmpty());
        for (const QString& line : page.split(u'\n')) // a text that begins with a dot would be a request
            if (line.startsWith(u'.') || line.startsWith(u'\''))
                QVERIFY2(request.match(line).hasMatch(), qPrintable(line));
        if (man.isEmpty()) continue;
        const Ran ran = runProgram(man, {"-man", "-Tutf8", "-Kutf8", "-ww", "-z", path});
        QCOMPARE(ran.status, 0);
        QCOMPARE(ran.messages, QString());
    }
}

void TestManual::thePageOfTheWindowNamesItsOptions() {
    const Ran help = runProgram(builtProgram(QStringLiteral("kernelarium")), {QStringLiteral("--help")});
    QCOMPARE(help.status, 0);
    const QString page = readText(builtShare() + "/man/man1/kernelarium.1");
    const QString bash = readText(builtShare() + "/bash-completion/completions/kernelarium");
    static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]*"));
    int found = 0;
    for (auto names = option.globalMatch(help.output); names.hasNext(); ++found) {
        const QString name = names.next().captured();
        QVERIFY2(page.contains("\\fB" + roff(name) + "\\fR"), qPrintable(name));
        QVERIFY2(bash.contains(name), qPrintable(name));
    }
    QVERIFY(found >= 5);
    QVERIFY(!help.output.contains(QStringLiteral("--manual"))); // of the build
}

void TestManual::everyVariableIsExplained() {
    const QString pages =
        readText(builtShare() + "/man/man1/kernelarium.1") + readText(builtShare() + "/man/man1/kernelarium-cli.1");
    static const QRegularExpression variable(
        QStringLiteral("(?:getenv|qEnvironmentVariable|environmentText|variable)\\(\"(KERNELARIUM_[A-Z_]+)\""));
    QSet<QString> found;
    for (const char* top : {"app", "core", "gpu", "ui"}) {
        QDirIterator files(QStringLiteral(KERNELARIUM_SOURCE_DIR "/") + top, {QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext())
            for (auto names = variable.globalMatch(readText(files.next())); names.hasNext();)
                found += names.next().captured(1);
    }
    QVERIFY(found.size() >= 6);
    for (const QString& name : found)
        QVERIFY2(name.startsWith(QStringLiteral("KERNELARIUM_TEST_")) || pages.contains(name), qPrintable(name));
}

void TestManual::nothingOfThisMachineIsSaid() {
    QDirIterator files(builtShare(), {QStringLiteral("*kernelarium*")}, QDir::Files, QDirIterator::Subdirectories);
    int seen = 0;
    while (files.hasNext()) {
        const QString path = files.next();
        if (path.contains(QStringLiteral("/icons/"))) continue;
        const QString text = readText(path);
        QVERIFY2(!text.contains(QDir::homePath() + "/") && !text.contains(QStringLiteral(KERNELARIUM_SOURCE_DIR)),
                 qPrintable(path));
        ++seen;
    }
    QVERIFY(seen >= 8);
}

void TestManual::bashOffersEverything() {
    const QString bash = QStandardPaths::findExecutable(QStringLiteral("bash"));
    if (bash.isEmpty()) QSKIP("there is no bash");
    QString script = bashScript();
    for (const HelpedCommand& command : helpedCommands()) {
        const QString path = command.path.join(u' ');
        script += "ask '" + path + "/commands' " + words(command.path) + " ''\n";
        script += "ask '" + path + "/options' " + words(command.path) + " -\n";
    }
    QCOMPARE(missingIn(answersOf(bash, {}, script)), QString());
}

void TestManual::bashOffersValuesAndFiles() {
    const QString bash = QStandardPaths::findExecutable(QStringLiteral("bash"));
    if (bash.isEmpty()) QSKIP("there is no bash");
    const QTemporaryDir folder;
    for (const char* name : {"one.cu", "two.txt", "card.json"})
        QVERIFY(QFile(folder.filePath(QLatin1String(name))).open(QIODevice::WriteOnly));
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("below")));
    QString script = bashScript() + "cd '" + folder.path() + "'\n";
    for (const HelpedCommand& command : helpedCommands())
        for (const auto& [name, values] : command.choices) {
            const QString key = command.path.join(u' ') + " " + name;
            script += "ask '" + key + "' " + words(command.path) + " " + name + " ''\n";
            script += "ask '" + key + "=' " + words(command.path) + " " + name + " = ''\n";
        }
    script += "ask kernel verify ''\nask card verify one.cu --card ''\nask include compile -I ''\n"
              "ask db archive list --db ''\nask limit archive list --limit ''\nask task roofline 1/2\n"
              "ask device roofline 1/23 --device a\nask after archive --json li\nask swallowed tune --store show ''\n"
              "ask program run one.cu -- t\nask emit compile one.cu --emit ''\n";
    const auto answers = answersOf(bash, {}, script);
    for (const HelpedCommand& command : helpedCommands())
        for (const auto& [name, values] : command.choices) {
            const QString key = command.path.join(u' ') + " " + name;
            QCOMPARE(answers.value(key), values);
            QCOMPARE(answers.value(key + "="), values);
        }
    const QStringList everything{"below", "card.json", "one.cu", "two.txt"};
    const auto sorted = [&](const char* key) {
        QStringList list = answers.value(QLatin1String(key));
        list.sort();
        return list;
    };
    QCOMPARE(sorted("kernel"), (QStringList{"below", "one.cu"}));
    QCOMPARE(sorted("card"), (QStringList{"below", "card.json"}));
    QCOMPARE(sorted("include"), QStringList{"below"});
    QCOMPARE(sorted("db"), everything);
    QCOMPARE(sorted("limit"), QStringList());
    QVERIFY(sorted("task").contains(QStringLiteral("1/23")) && !sorted("task").contains(QStringLiteral("1/1")));
    QVERIFY(sorted("device").contains(QStringLiteral("a100")) || !sorted("device").isEmpty());
    QCOMPARE(sorted("after"), (QStringList{"like", "lineage", "list"}));
    // `show` is the store's name here, not the command
    QVERIFY(sorted("swallowed").contains(QStringLiteral("merge")));
    QCOMPARE(sorted("program"), QStringList{"two.txt"});
    QCOMPARE(sorted("emit"), (QStringList{"cubin", "ptx", "sass"}));
}

void TestManual::fishOffersEverything() {
    const QString fish = QStandardPaths::findExecutable(QStringLiteral("fish"));
    if (fish.isEmpty()) QSKIP("there is no fish");
    // `complete -C` prints "candidate<TAB>description"; a command that does not exist is completed as well
    QString script = "source '" + builtShare() + "/fish/vendor_completions.d/kernelarium-cli.fish'\n" +
                     "function ask; set -l key $argv[1]; for line in (complete -C \"$argv[2]\")\n"
                     "echo \"$key|\"(string split -f1 \\t -- $line); end; end\n";
    for (const HelpedCommand& command : helpedCommands()) {
        const QString path = command.path.join(u' '), typed = ("kernelarium-cli " + path).trimmed();
        script += "ask '" + path + "/commands' '" + typed + " '\nask '" + path + "/options' '" + typed + " -'\n";
        script += "ask '" + path + "/options' '" + typed + " --'\n";
        for (const auto& [name, values] : command.choices)
            script += "ask '" + path + " " + name + "' '" + typed + " " + name + " '\n";
    }
    const auto answers = answersOf(fish, {QStringLiteral("--no-config")}, script);
    QCOMPARE(missingIn(answers), QString());
    for (const HelpedCommand& command : helpedCommands())
        for (const auto& [name, values] : command.choices) {
            QStringList offered = answers.value(command.path.join(u' ') + " " + name), wanted = values;
            offered.sort(), wanted.sort();
            QCOMPARE(offered, wanted);
        }
}

void TestManual::zshOffersEverything() {
    const QString zsh = QStandardPaths::findExecutable(QStringLiteral("zsh"));
    if (zsh.isEmpty()) QSKIP("there is no zsh");
    // Without a terminal there is nobody to complete for: what the functions hand to zsh's own is looked at. Like
    // zsh's, our _arguments leaves the words behind the first one and says what is to be completed.
    QString script = QStringLiteral(R"(
compdef() { : }
_arguments() {
    local word
    for word in "$@"; do
        word=${word#\*}; word=${word#\(*\)}
        case $word in (-C|-S) ;; (-*) print -r -- "$key/options|${${word%%\[*}%[=+]}" ;; esac
        [[ $word != *:\(*\) ]] || print -r -- "$key ${${word%%\[*}%[=+]}|${${word##*:\(}%\)}"
    done
    [[ $1 == -C ]] || return
    shift words
    if (( $#words )); then state=rest; else state=first; fi
}
_describe() { local word; for word in "${(@P)4}"; do print -r -- "$key/commands|${word%%:*}"; done }
source 'SCRIPT'
ask() { local key="$*"; local -a words=(kernelarium-cli "$@"); local CURRENT=$#words; _kernelarium_cli }
)");
    script.replace(QStringLiteral("SCRIPT"), builtShare() + "/zsh/site-functions/_kernelarium-cli");
    for (const HelpedCommand& command : helpedCommands())
        script += "ask " + words(command.path) + "\n";
    script += QStringLiteral("true\n");
    const auto answers = answersOf(zsh, {QStringLiteral("-f")}, script);
    QCOMPARE(missingIn(answers), QString());
    for (const HelpedCommand& command : helpedCommands())
        for (const auto& [name, values] : command.choices)
            QVERIFY2(answers.value(command.path.join(u' ') + " " + name).join(u' ').contains(values.join(u' ')),
                     qPrintable(command.path.join(u' ') + " " + name));
}

void TestManual::anUnknownKindIsRefused() {
    QCOMPARE(runProgram(builtProgram(QStringLiteral("kernelarium-cli")), {"manual", "tcsh"}).status, 2);
    QCOMPARE(runProgram(builtProgram(QStringLiteral("kernelarium")), {"--manual", "tcsh"}).status, 2);
}

KERNELARIUM_TEST(TestManual);
