// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/house/RoomOrder.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>
#include <algorithm>
#include <map>

using namespace kernelarium::house;

namespace {

const QString root = QStringLiteral(KERNELARIUM_SOURCE_DIR);

std::string textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Our sources by path relative to the repository.
const std::map<std::string, std::string>& sources() {
    static const std::map<std::string, std::string> all = [] {
        std::map<std::string, std::string> found;
        for (const char* top : {"app", "ui", "core", "gpu", "resources", "archive_data", "tests"}) {
            QDirIterator files(root + "/" + top, {"*.h", "*.cpp", "*.cu", "*.cuh"}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                found.emplace(path.mid(root.size() + 1).toStdString(), textOf(path));
            }
        }
        return found;
    }();
    return all;
}

QByteArray listed(const std::vector<Violation>& violations) {
    std::string text = std::to_string(violations.size()) + " violations";
    for (const Violation& violation : violations)
        text += "\n  " + violation.description();
    return QByteArray::fromStdString(text);
}

template <class Check> std::vector<Violation> overAllSources(Check check) {
    std::vector<Violation> all;
    for (const auto& [path, text] : sources())
        for (Violation& violation : check(path, text))
            all.push_back(std::move(violation));
    return all;
}

QJsonObject presets() {
    return QJsonDocument::fromJson(QByteArray::fromStdString(textOf(root + "/CMakePresets.json"))).object();
}

QStringList presetNames(const char* kind) {
    QStringList names;
    for (const QJsonValue preset : presets().value(QLatin1String(kind)).toArray())
        names.append(preset.toObject().value(QLatin1String("name")).toString());
    return names;
}

/// Whether clang-format would change the text of a source of ours.
bool isUnformatted(const QString& tool, const QByteArray& text) {
    QProcess process;
    process.setWorkingDirectory(root);
    process.start(
        tool, {QStringLiteral("--dry-run"), QStringLiteral("-Werror"), QStringLiteral("--assume-filename=core/A.cpp")});
    process.write(text);
    process.closeWriteChannel();
    return process.waitForFinished(-1) && process.exitCode() != 0;
}

} // namespace

class TestHouse : public QObject {
    Q_OBJECT

private slots:
    void includesAreFound() {
        const auto includes = includesOf("#include <vector>\n  #  include \"core/Result.h\"\n// #include <a>\n"
                                         "/* #include <b>\n#include <c> */ #include <d>\n\"#include <e>\"\n"
                                         "const char* s = \"/*\";\n#include <f>\n");
        std::vector<std::string> targets;
        targets.reserve(includes.size());
        for (const Include& include : includes)
            targets.push_back(include.target);
        QCOMPARE(targets, (std::vector<std::string>{"vector", "core/Result.h", "d", "f"}));
        QCOMPARE(includes[0].quoted, false);
        QCOMPARE(includes[1].quoted, true);
        QCOMPARE(includes[1].line, 2);
        QCOMPARE(includes[3].line, 8);
    }

    void plantedIncludes_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* path, const char* target, bool allowed) {
            QTest::addRow("%s includes %s", path, target) << path << target << allowed;
        };
        row("core/task/Card.h", "\"core/tensor/Tensor.h\"", true);
        row("core/task/Card.h", "<vector>", true);
        row("core/task/Card.h", "\"gpu/emulator/Launch.h\"", false);
        row("core/verify/Runner.h", "\"ui/Window.h\"", false);
        row("core/archive/store/Archive.cpp", "<QString>", false);
        row("core/archive/store/Archive.cpp", "<QtCore/QString>", false);
        row("core/archive/store/Archive.cpp", "\"../../gpu/ptx/Parser.h\"", false);
        row("gpu/host/Run.cpp", "\"core/task/Card.h\"", true);
        row("gpu/host/Run.cpp", "\"gpu/emulator/Launch.h\"", true);
        row("gpu/host/Run.cpp", "\"resources/shim/kernelarium/abi.h\"", true);
        row("gpu/host/Run.cpp", "\"resources/shim/torch/extension.h\"", false);
        row("gpu/host/Run.cpp", "\"app/cli/Context.h\"", false);
        row("gpu/service/Loop.cpp", "<QProcess>", false);
        row("ui/Panel.cpp", "\"gpu/protocol/Messages.h\"", true);
        row("ui/Panel.cpp", "\"gpu/cluster/Watch.h\"", true);
        row("ui/Panel.cpp", "\"gpu/clusters/Watch.h\"", false);
        row("ui/Panel.cpp", "\"gpu/process/ToolRun.h\"", false);
        row("gpu/cluster/Watch.cpp", "<QObject>", false);
        row("ui/Panel.cpp", "<QWidget>", true);
        row("ui/Panel.cpp", "\"gpu/emulator/Launch.h\"", false);
        row("ui/Panel.cpp", "\"app/cli/Context.h\"", false);
        row("app/cli/Verify.cpp", "\"gpu/compile/Compiler.h\"", true);
        row("app/cli/Verify.cpp", "\"tests/verify/Plan.h\"", false);
        row("tests/verify/TestVerdict.cpp", "\"app/cli/Context.h\"", true);
        row("resources/shim/torch/extension.h", "\"core/Result.h\"", false);
    }

    void plantedIncludes() {
        QFETCH(QString, path);
        QFETCH(QString, target);
        QFETCH(bool, allowed);
        const std::string text = "#include " + target.toStdString() + "\n";
        const auto found = checkIncludes(path.toStdString(), text);
        QVERIFY2(found.empty() == allowed, listed(found).constData());
    }

    void plantedNamesAndTexts() {
        QVERIFY(checkPath("core/task/Card.h").empty());
        QVERIFY(checkPath("core/Result.h").empty());
        QCOMPARE(checkPath("gpu/utils/Strings.h").size(), 1u);
        QCOMPARE(checkPath("gpu/host/HostHelpers.cpp").size(), 1u);
        QCOMPARE(checkPath("ui/common/Theme.h").size(), 1u);

        const std::string licence = "// SPDX-License-Identifier: GPL-3.0-or-later\n";
        QVERIFY(checkText("core/A.h", licence + "#pragma once\n").empty());
        QCOMPARE(checkText("core/A.h", licence).size(), 1u);
        QCOMPARE(checkText("core/A.cpp", "#include <vector>\n" + licence).size(), 1u);
        QVERIFY(checkText("core/A.cpp", licence + std::string(mostLines - 1, '\n')).empty());
        QCOMPARE(checkText("core/A.cpp", licence + std::string(mostLines, '\n')).size(), 1u);
    }

    void everyIncludeIsAnEdgeOfTheHouse() {
        QVERIFY2(sources().size() > 80, "the sources were not found");
        const auto found = overAllSources(checkIncludes);
        QVERIFY2(found.empty(), listed(found).constData());
    }

    void ourIncludesExist() {
        std::vector<Violation> found;
        for (const auto& [path, text] : sources())
            for (const Include& include : includesOf(text))
                if (include.quoted && (include.target.starts_with("core/") || include.target.starts_with("gpu/") ||
                                       include.target.starts_with("ui/")))
                    if (sources().count(include.target) == 0)
                        found.push_back({path, include.line, "no such file", include.target});
        QVERIFY2(found.empty(), listed(found).constData());
    }

    void everyNameIsAllowed() {
        const auto found = overAllSources([](const std::string& path, const std::string&) { return checkPath(path); });
        QVERIFY2(found.empty(), listed(found).constData());
    }

    void everyFileHasLicenceAndLength() {
        const auto found = overAllSources(checkText);
        QVERIFY2(found.empty(), listed(found).constData());
    }

    void plantedOrder() {
        const std::string& low = roomOrder().front();
        const std::string& high = roomOrder().back();
        QVERIFY(checkOrder(high + "/A.cpp", "#include \"" + low + "/B.h\"\n").empty());
        QCOMPARE(checkOrder(low + "/A.cpp", "#include \"" + high + "/B.h\"\n").size(), 1u);
        QCOMPARE(checkOrder("core/nowhere/A.cpp", "").size(), 1u);
        QVERIFY(checkOrder("tests/archive/A.cpp", "#include \"" + high + "/B.h\"\n").empty());
    }

    void plantedCycles() {
        const std::string toB = "#include \"core/b/B.h\"\n", toA = "#include \"core/a/A.h\"\n",
                          toC = "#include \"core/a/C.h\"\n";
        const Sources none{{"core/a/A.cpp", toA + toB}, {"core/a/A.h", ""}, {"core/b/B.h", ""}};
        QVERIFY(cyclesOf(folderGraph(none)).empty());
        QVERIFY(cyclesOf(unitGraph(none)).empty());
        // a cycle of rooms need be none of units
        const Sources rooms{{"core/a/A.cpp", toB}, {"core/b/B.h", toC}, {"core/a/C.h", ""}};
        QCOMPARE(cyclesOf(folderGraph(rooms)), (std::vector<std::vector<std::string>>{{"core/a", "core/b"}}));
        QVERIFY(cyclesOf(unitGraph(rooms)).empty());
        // and a header with its source counts as one
        const Sources units{{"core/a/A.h", ""}, {"core/a/A.cpp", toC}, {"core/a/C.h", toA}};
        QCOMPARE(cyclesOf(unitGraph(units)), (std::vector<std::vector<std::string>>{{"core/a/A", "core/a/C"}}));
        QVERIFY(cyclesOf(folderGraph(units)).empty());
    }

    void plantedUnitsAndList() {
        Sources full;
        for (std::size_t i = 0; i <= mostUnits; ++i) {
            full["core/a/A" + std::to_string(i) + ".h"] = "";
            full["core/a/A" + std::to_string(i) + ".cpp"] = "";
        }
        QCOMPARE(unitsByFolder(full).at("core/a").size(), mostUnits + 1);
        QCOMPARE(roomsListedIn("| room | for |\n| `core/a` | x |\n| `gpu/b` | see `core/c` |\n`ui/d`\n"),
                 (std::set<std::string>{"core/a", "gpu/b"}));
    }

    void everyIncludeGoesDown() {
        const auto found = overAllSources(checkOrder);
        QVERIFY2(found.empty(), listed(found).constData());
    }

    void theOrderNamesOnlyWhatIsThere() {
        const auto units = unitsByFolder(sources());
        std::set<std::string> seen;
        for (const std::string& room : roomOrder()) {
            QVERIFY2(seen.insert(room).second, ("named twice: " + room).c_str());
            QVERIFY2(units.contains(room), ("no such folder: " + room).c_str());
        }
    }

    void thereAreNoCycles() {
        for (const Graph& graph : {folderGraph(sources()), unitGraph(sources())})
            for (const std::vector<std::string>& cycle : cyclesOf(graph)) {
                std::string names;
                for (const std::string& name : cycle)
                    names += " " + name;
                QFAIL(("these include each other:" + names).c_str());
            }
    }

    void noFolderIsOverfull() {
        for (const auto& [folder, units] : unitsByFolder(sources()))
            QVERIFY2(units.size() <= mostUnits, qPrintable(QStringLiteral("%1 units in %2; at most %3")
                                                               .arg(units.size())
                                                               .arg(QString::fromStdString(folder))
                                                               .arg(mostUnits)));
    }

    void everyRoomIsListed() {
        std::set<std::string> rooms;
        for (const auto& [folder, units] : unitsByFolder(sources()))
            if (folder.find('/') != std::string::npos)
                rooms.insert(folder.substr(0, folder.find('/', folder.find('/') + 1)));
        const std::set<std::string> listedRooms = roomsListedIn(textOf(root + "/CONTRIBUTING.md"));
        for (const std::string& room : rooms)
            QVERIFY2(listedRooms.contains(room), ("CONTRIBUTING.md does not list " + room).c_str());
        for (const std::string& room : listedRooms)
            QVERIFY2(rooms.contains(room), ("CONTRIBUTING.md lists what is not there: " + room).c_str());
    }

    void everyFileIsFormatted() {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("clang-format"));
        if (tool.isEmpty()) QSKIP("clang-format is not in the path");
        QProcess version;
        version.start(tool, {QStringLiteral("--version")});
        QVERIFY(version.waitForFinished(-1));
        if (!version.readAll().contains("version 14."))
            QSKIP("clang-format is not version 14, which formats otherwise");
        QVERIFY(isUnformatted(tool, "int  x;\n"));
        QVERIFY(!isUnformatted(tool, "int x;\n"));
        QStringList files;
        for (const auto& [path, text] : sources())
            if (const QString name = QString::fromStdString(path);
                !name.startsWith("resources") && (name.endsWith(".h") || name.endsWith(".cpp")))
                files << root + "/" + name;
        QProcess process;
        process.start(tool, QStringList{QStringLiteral("--dry-run"), QStringLiteral("-Werror")} + files);
        QVERIFY(process.waitForFinished(-1));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().left(4000).constData());
    }

    /// No rule, a report: what the reader of a change wants to know.
    void lengthReport() {
        std::vector<int> lengths;
        for (const auto& [path, text] : sources()) {
            lengths.push_back(lineCount(text));
            if (lengths.back() > 450) qInfo("%d lines: %s", lengths.back(), path.c_str());
        }
        QVERIFY(!lengths.empty());
        std::sort(lengths.begin(), lengths.end());
        qInfo("%zu files, median %d lines, 90th percentile %d, longest %d", lengths.size(), lengths[lengths.size() / 2],
              lengths[lengths.size() * 9 / 10], lengths.back());
    }

    void presetsAreComplete() {
        QVERIFY2(!presets().isEmpty(), "CMakePresets.json is not JSON");
        const QStringList configure = presetNames("configurePresets");
        for (const char* name : {"release", "debug", "asan", "tidy"})
            QVERIFY2(configure.contains(QLatin1String(name)), name);
        for (const char* kind : {"buildPresets", "testPresets"})
            for (const QJsonValue preset : presets().value(QLatin1String(kind)).toArray())
                QVERIFY(configure.contains(preset.toObject().value(QLatin1String("configurePreset")).toString()));
    }

    void presetsAreReadByCMake() {
        const QString cmake = QStandardPaths::findExecutable(QStringLiteral("cmake"));
        if (cmake.isEmpty()) QSKIP("cmake is not in the path");
        QProcess process;
        process.setWorkingDirectory(root);
        process.start(cmake, {QStringLiteral("--list-presets=all")});
        QVERIFY(process.waitForFinished(longWait));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QVERIFY(process.readAllStandardOutput().contains("\"release\""));
    }
};

KERNELARIUM_TEST(TestHouse);
#include "TestHouse.moc"
