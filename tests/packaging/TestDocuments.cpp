// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/TestDocuments.h"

#include "tests/TestRegistry.h"
#include "tests/packaging/Programs.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QtTest>

namespace {

const QString repository = QStringLiteral(KERNELARIUM_SOURCE_DIR "/");
const QString helpFolder = QStringLiteral("resources/help/");

/// Texts by their paths from the repository's root.
const QMap<QString, QString>& documents() {
    static const QMap<QString, QString> all = [] {
        QMap<QString, QString> found;
        for (const QString& name : QDir(repository).entryList({QStringLiteral("*.md")}, QDir::Files))
            found.insert(name, readText(repository + name));
        for (const char* folder : {"archive_data", "core", "packaging", "resources"}) {
            QDirIterator files(repository + QLatin1String(folder), {QStringLiteral("*.md")}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                found.insert(path.mid(repository.size()), readText(path));
            }
        }
        return found;
    }();
    return all;
}

struct Parts {
    QStringList prose; ///< lines
    QStringList code;  ///< lines of blocks, and what stands between two ` of a line
};

Parts partsOf(const QString& text) {
    static const QRegularExpression inLine(QStringLiteral("`([^`]+)`"));
    Parts parts;
    bool fenced = false;
    for (const QString& line : text.split(u'\n')) {
        const bool fence = line.startsWith(QLatin1String("```"));
        if (fence) fenced = !fenced;
        if (fence) continue;
        if (fenced || line.startsWith(QLatin1String("    "))) {
            parts.code << line;
            continue;
        }
        parts.prose << line;
        for (auto found = inLine.globalMatch(line); found.hasNext();)
            parts.code << found.next().captured(1);
    }
    return parts;
}

QStringList targetsOf(const QString& text) {
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)\\s]+)\\)")), code(QStringLiteral("`[^`]*`"));
    QStringList targets;
    for (QString line : partsOf(text).prose)
        for (auto found = link.globalMatch(line.remove(code)); found.hasNext();)
            targets << found.next().captured(1);
    return targets;
}

/// As web pages of repositories make them of headings.
QStringList anchorsOf(const QString& text) {
    static const QRegularExpression heading(QStringLiteral("^#+ +(.*)$"));
    QStringList anchors;
    for (const QString& line : partsOf(text).prose)
        if (const auto found = heading.match(line); found.hasMatch()) {
            QString anchor;
            for (const QChar c : found.captured(1).trimmed().toLower())
                if (c.isSpace())
                    anchor += u'-';
                else if (c.isLetterOrNumber() || c == u'-' || c == u'_')
                    anchor += c;
            anchors << anchor;
        }
    return anchors;
}

const HelpedCommand* commandOf(const QStringList& path) {
    for (const HelpedCommand& command : helpedCommands())
        if (command.path == path) return &command;
    return nullptr;
}

/// Empty, or the first word behind "kernelarium-cli" that the program does not have.
QString unknownIn(const QString& code) {
    static const QRegularExpression name(QStringLiteral("kernelarium-cli(?= )"));
    static const QRegularExpression end(QStringLiteral(" #| && | \\| | >|;|\\)| -- | <"));
    static const QRegularExpression lowercase(QStringLiteral("^[a-z][a-z|-]*$"));
    for (auto calls = name.globalMatch(code); calls.hasNext();) {
        const QString rest = code.mid(calls.next().capturedEnd());
        const HelpedCommand* command = commandOf({});
        bool mayGoOn = true; // to a command of this one
        for (QString word : rest.left(rest.indexOf(end)).split(u' ', Qt::SkipEmptyParts)) {
            word.remove(u'\'').remove(u'"');
            if (word.startsWith(QLatin1String("--"))) {
                const QString option = word.section(u'=', 0, 0);
                if (!command->options.contains(option) && !commandOf({})->options.contains(option)) return option;
            } else if (mayGoOn && !command->commands.isEmpty() && lowercase.match(word).hasMatch()) {
                for (const QString& one : word.split(u'|')) // get|show|remove
                    if (!command->commands.contains(one)) return one;
                command = commandOf(command->path + QStringList{word.section(u'|', 0, 0)});
            } else {
                mayGoOn = false; // a file, or a word that stands for one
            }
        }
    }
    // `archive list` alone is said of the program as well. (`tune FILE` takes a file in a command's place.)
    static const QRegularExpression pair(QStringLiteral("^([a-z]+) ([a-z][a-z-]*)( |$)"));
    if (const auto found = pair.match(code); found.hasMatch() && found.captured(1) != QLatin1String("tune"))
        if (const HelpedCommand* command = commandOf({found.captured(1)});
            command && !command->commands.isEmpty() && !command->commands.contains(found.captured(2)))
            return found.captured(2);
    return {};
}

} // namespace

/// Two screens, and one picture.
void TestDocuments::theReadmeIsForFiveMinutes() {
    const QString readme = documents().value(QStringLiteral("README.md"));
    QVERIFY(!readme.isEmpty());
    QVERIFY2(readme.count(u'\n') <= 110, qPrintable(QString::number(readme.count(u'\n'))));
    QCOMPARE(readme.count(QStringLiteral("![")), 1);
    for (const char* command : {"packaging/run", "packaging/test", "kernelarium-cli verify"})
        QVERIFY2(readme.contains(QLatin1String(command)), command);
}

void TestDocuments::linksLeadSomewhere() {
    int seen = 0;
    for (const auto& [path, text] : documents().toStdMap())
        for (const QString& target : targetsOf(text)) {
            const QByteArray said = (path + ": " + target).toUtf8();
            if (target.startsWith(QLatin1String("https://"))) continue;
            ++seen;
            const QString file = target.section(u'#', 0, 0), anchor = target.section(u'#', 1);
            const QString wanted = file.isEmpty() ? path : QDir::cleanPath(QFileInfo(path).path() + "/" + file);
            QVERIFY2(QFileInfo::exists(repository + wanted), said.constData());
            if (!anchor.isEmpty()) QVERIFY2(anchorsOf(documents().value(wanted)).contains(anchor), said.constData());
            // The program and the manual page have these alone.
            if (path.startsWith(helpFolder)) QVERIFY2(!file.contains(u'/') && wanted.endsWith(".md"), said.constData());
        }
    QVERIFY2(seen > 60, qPrintable(QString::number(seen)));
}

void TestDocuments::everyHelpPageIsListed() {
    const QStringList listed = targetsOf(documents().value(helpFolder + "index.md"));
    const QStringList pages = QDir(repository + helpFolder).entryList({QStringLiteral("*.md")}, QDir::Files);
    QVERIFY(pages.size() > 20);
    for (const QString& page : pages)
        if (page != QLatin1String("index.md")) QVERIFY2(listed.count(page) == 1, qPrintable(page));
}

/// What CMake looks for is in a package that packaging/setup installs: a machine where a library happens to be does not
/// show that it is missing elsewhere.
void TestDocuments::everyLibraryIsInstalled() {
    const QHash<QString, QString> packageOf{{"CLI11", "libcli11-dev"},
                                            {"CURL", "libcurl4-openssl-dev"},
                                            {"OpenSSL", "libssl-dev"},
                                            {"PkgConfig", "pkg-config"},
                                            {"QCustomPlotQt6", "libqcustomplot-dev"},
                                            {"Qt6", "qt6-base-dev"},
                                            {"SQLite3", "libsqlite3-dev"},
                                            {"Threads", "g++"},
                                            {"ZLIB", "zlib1g-dev"},
                                            {"fmt", "libfmt-dev"},
                                            {"nlohmann_json", "nlohmann-json3-dev"},
                                            {"MINIZIP", "libminizip-dev"},
                                            {"re2", "libre2-dev"},
                                            {"seccomp", "libseccomp-dev"},
                                            {"zstd", "libzstd-dev"}};
    const QStringList installed = readText(repository + "packaging/packages.txt").split(u'\n');
    static const QRegularExpression asked(
        QStringLiteral("(?:find_package|pkg_check_modules|pkg_search_module)\\(\\s*(\\w+)"));
    QSet<QString> seen;
    for (const char* folder : {"", "app", "core", "gpu", "resources", "tests", "ui"}) {
        QDirIterator files(repository + QLatin1String(folder), {QStringLiteral("CMakeLists.txt")}, QDir::Files,
                           *folder ? QDirIterator::Subdirectories : QDirIterator::NoIteratorFlags);
        while (files.hasNext()) {
            const QString file = files.next(), text = readText(file);
            for (auto found = asked.globalMatch(text); found.hasNext();) {
                const QString name = found.next().captured(1), package = packageOf.value(name);
                QVERIFY2(!package.isEmpty(), qPrintable(file + ": in which package is " + name + "?"));
                QVERIFY2(installed.contains(package), qPrintable(file + ": packages.txt lacks " + package));
                seen.insert(name);
            }
        }
    }
    QCOMPARE(seen.size(), packageOf.size());
}

void TestDocuments::everyPictureIsShown() {
    const QString folder = QStringLiteral("resources/screenshots/");
    const QStringList shown = targetsOf(documents().value(folder + "README.md"));
    const QStringList pictures = QDir(repository + folder).entryList({QStringLiteral("*.png")}, QDir::Files);
    QVERIFY(!pictures.isEmpty());
    for (const QString& picture : pictures)
        QVERIFY2(shown.contains(picture), qPrintable(picture));
}

/// The table has the kernels of each task, and no others.
void TestDocuments::everyStarterKernelIsListed() {
    const QString folder = QStringLiteral("archive_data/kernels/");
    static const QRegularExpression cells(QStringLiteral("^\\| (\\d+)/(\\d+) \\| ([^|]+) \\| ([^|]+) \\|")),
        name(QStringLiteral("\\b[a-z][a-z0-9]*(_[a-z0-9]+)*\\b"));
    QSet<QString> listed, there;
    for (const QString& line : documents().value(folder + "README.md").split(u'\n')) {
        const auto row = cells.match(line);
        if (!row.hasMatch()) continue;
        const QString task =
            QStringLiteral("level_%1/%2/").arg(row.captured(1)).arg(row.captured(2).toInt(), 3, 10, QChar(u'0'));
        for (auto found = name.globalMatch(row.captured(4)); found.hasNext();)
            listed += task + found.next().captured();
    }
    QDirIterator files(repository + folder, {QStringLiteral("*.cu")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        there += files.next().mid((repository + folder).size()).chopped(3);
    QVERIFY(there.size() > 50);
    const QStringList missing = (there - listed).values(), extra = (listed - there).values();
    QVERIFY2(missing.isEmpty(), qPrintable("not listed: " + missing.join(QStringLiteral(", "))));
    QVERIFY2(extra.isEmpty(), qPrintable("not there: " + extra.join(QStringLiteral(", "))));
}

void TestDocuments::theStarterTimesAreTheRecordedOnes() {
    static const QRegularExpression cells(
        QStringLiteral("^\\| (\\d+)/(\\d+) \\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|"));
    static const QRegularExpression one(QStringLiteral("(\\w+) ([0-9.]+)"));
    const QString text = readText(repository + "archive_data/starter_times.json");
    const QJsonObject kernels =
        QJsonDocument::fromJson(text.toUtf8()).object().value(QLatin1String("kernels")).toObject();
    const auto written = [](const QJsonValue& milliseconds) {
        return QString::number(milliseconds.toDouble(), 'g', 3);
    };
    qsizetype seen = 0;
    for (const QString& line : documents().value(QStringLiteral("archive_data/kernels/README.md")).split(u'\n')) {
        const auto row = cells.match(line);
        if (!row.hasMatch()) continue;
        for (auto found = one.globalMatch(row.captured(3)); found.hasNext(); ++seen) {
            const auto kernel = found.next();
            const QString file = QStringLiteral("level_%1/%2/%3.cu")
                                     .arg(row.captured(1))
                                     .arg(row.captured(2).toInt(), 3, 10, QChar(u'0'))
                                     .arg(kernel.captured(1));
            const QJsonObject recorded = kernels.value(file).toObject();
            QVERIFY2(kernel.captured(2) == written(recorded.value(QLatin1String("runtime_ms"))), qPrintable(file));
            if (file.endsWith(QLatin1String("_tuned.cu"))) continue; // measured on another day than its task's others
            QVERIFY2(row.captured(4) == written(recorded.value(QLatin1String("native_ms"))), qPrintable(file));
            QVERIFY2(row.captured(5) == written(recorded.value(QLatin1String("compile_ms"))), qPrintable(file));
        }
    }
    QCOMPARE(seen, kernels.size());
}

void TestDocuments::plantedCommands_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("unknown");
    const auto row = [](const char* code, const char* unknown) {
        QTest::newRow(code) << QString::fromLatin1(code) << QString::fromLatin1(unknown);
    };
    row("$ kernelarium-cli archive list --db my.sqlite --limit 3", "");
    row("kernelarium-cli toolkit get|show|remove", "");
    row("kernelarium-cli run a.cu -- --size=3", "");
    row("kernelarium-cli COMMAND --help", "");
    row("kernelarium-cli tune a.cu --json   # --no-such remark", "");
    row("archive list", "");
    row("kernelarium-cli archive lists --db my.sqlite", "lists");
    row("kernelarium-cli hgemm stats && kernelarium-cli archives", "archives");
    row("kernelarium-cli verify a.cu --sizes full", "--sizes");
    row("kernelarium-cli toolkit get|put", "put");
    row("archive lists", "lists");
}

void TestDocuments::plantedCommands() {
    QFETCH(QString, code);
    QFETCH(QString, unknown);
    QCOMPARE(unknownIn(code), unknown);
}

void TestDocuments::commandsExist() {
    QVERIFY(commandOf({}) != nullptr);
    // Of other programs: Slurm's, the window's, the bundle's, and ptxas's.
    QSet<QString> options{"--gres",
                          "--partition",
                          "--cpus-per-task",
                          "--theme",
                          "--tests",
                          "--allow-expensive-optimizations",
                          "--register-usage-level",
                          "--dont-merge-basicblocks",
                          "--def-load-cache",
                          "--def-store-cache"};
    for (const HelpedCommand& command : helpedCommands())
        for (const QString& option : command.options)
            options += option;
    int commands = 0;
    for (const auto& [path, text] : documents().toStdMap())
        for (const QString& code : partsOf(text).code) {
            commands += int(code.count(QStringLiteral("kernelarium-cli ")));
            const QString unknown = unknownIn(code);
            QVERIFY2(unknown.isEmpty(), qPrintable(path + ": " + unknown + " in " + code));
            if (path.startsWith(helpFolder) && code.startsWith(QLatin1String("--")))
                QVERIFY2(options.contains(code.section(QRegularExpression(QStringLiteral("[= ]")), 0, 0)),
                         qPrintable(path + ": " + code));
        }
    QVERIFY2(commands > 40, qPrintable(QString::number(commands)));
}

void TestDocuments::pathsExist() {
    static const QRegularExpression ours(
        QStringLiteral("(?<![\\w/.~-])(?:app|core|gpu|ui|resources|archive_data|tests|packaging)/[\\w./-]*\\w"));
    int seen = 0;
    for (const auto& [path, text] : documents().toStdMap())
        for (const QString& code : partsOf(text).code)
            for (auto found = ours.globalMatch(code); found.hasNext(); ++seen) {
                const QString name = found.next().captured();
                if (name.contains(QLatin1String("NAME"))) continue;
                QVERIFY2(QFileInfo::exists(repository + name) || QFileInfo::exists(repository + name + ".h"),
                         qPrintable(path + ": " + name));
            }
    QVERIFY2(seen > 60, qPrintable(QString::number(seen)));
}

/// kernelarium-guide(7): a section for each page, in sound roff.
void TestDocuments::theGuideHasEveryPage() {
    const QString path = builtShare() + "/man/man7/kernelarium-guide.7";
    const QString guide = readText(path);
    QVERIFY(guide.contains(QStringLiteral(KERNELARIUM_VERSION)));
    int pages = 0;
    for (const QString& page : targetsOf(documents().value(helpFolder + "index.md"))) {
        const QString title = documents().value(helpFolder + page).section(u'\n', 0, 0).mid(2);
        QVERIFY2(!title.isEmpty() && guide.contains("\n.SH " + title + "\n"), qPrintable(page + ": " + title));
        ++pages;
    }
    QVERIFY(pages > 20);
    // What a page says in code, bold, a list and a table is there, and no Markdown is left.
    for (const char* text :
         {"\\fBkernelarium\\-cli device list\\fR", ".IP 1. 3", ".IP \\(bu 2", "RMS norm, 162: 1.001, 1.000"})
        QVERIFY2(guide.contains(QLatin1String(text)), text);
    for (const char* text : {"```", "](", "\n|", "**"})
        QVERIFY2(!guide.contains(QLatin1String(text)), text);
    const QString groff = QStandardPaths::findExecutable(QStringLiteral("groff"));
    if (groff.isEmpty()) QSKIP("there is no groff");
    const Ran ran = runProgram(groff, {"-man", "-Tutf8", "-Kutf8", "-ww", "-z", path});
    QCOMPARE(ran.status, 0);
    QCOMPARE(ran.messages, QString());
}

KERNELARIUM_TEST(TestDocuments);
