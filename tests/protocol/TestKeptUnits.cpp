// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/kept/KeptUnits.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using kernelarium::protocol::KeptUnits;
namespace fs = std::filesystem;
namespace toolkit = kernelarium::toolkit;

namespace {

void write(const fs::path& file, const char* text) {
    std::ofstream(file) << text;
}

} // namespace

/// What compiled units are kept under.
class TestKeptUnits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyWhatTheKeySaysIsKept() {
        const QTemporaryDir folder;
        const fs::path program = fs::path(folder.path().toStdString()) / "program";
        write(program, "one");
        KeptUnits units(fs::path(folder.path().toStdString()) / "compiled");
        const nlohmann::json request{{"source", "text"}, {"arch", "sm_90"}};
        const KeptUnits::Key key = units.keyOf(request, {}, program.string());
        if (key.name.empty()) QSKIP("there is no CUDA toolkit that can be told from another");
        QVERIFY(!units.find(key));
        const nlohmann::json right{{"ok", true}, {"made_by", key.madeBy}, {"ptx", "."}};
        std::vector<nlohmann::json> wrong(5, right);
        wrong[0]["ok"] = false;
        wrong[1]["reads_toolkit"] = true;
        wrong[2]["made_by"][0] = "another";
        wrong[3].erase("made_by");
        wrong[4] = nlohmann::json::array();
        for (const nlohmann::json& answer : wrong) {
            units.keep(key, answer);
            QVERIFY2(!units.find(key), answer.dump().c_str());
        }
        units.keep(key, right);
        const auto found = units.find(key);
        QVERIFY(found && found->at("kept") == true && found->at("ptx") == ".");
        // Everything that counts gives another name.
        std::vector<std::string> names{key.name};
        for (const nlohmann::json& other : {nlohmann::json{{"source", "texts"}, {"arch", "sm_90"}},
                                            nlohmann::json{{"source", "text"}, {"arch", "sm_80"}},
                                            nlohmann::json{{"source", "text"}, {"arch", "sm_90"}, {"fast_math", true}}})
            names.push_back(units.keyOf(other, {}, program.string()).name);
        fs::remove(program);
        write(program, "another");
        names.push_back(units.keyOf(request, {}, program.string()).name);
        const fs::path before = fs::current_path();
        fs::current_path(folder.path().toStdString());
        names.push_back(units.keyOf(request, {}, program.string()).name);
        fs::current_path(before);
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
        // A program that is not there, or is found on the path only.
        QVERIFY(units.keyOf(request, {}, "program").name.empty());
        QVERIFY(units.keyOf({{"source", "x = __TIME__;"}}, {}, program.string()).name.empty());
    }

    void partsThatOnlyTheLoaderFindsAreNotKnown() {
        const QTemporaryDir folder;
        const fs::path program = fs::path(folder.path().toStdString()) / "program";
        write(program, "one");
        toolkit::Parts parts;
        QVERIFY(!KeptUnits::makersOf(parts, program.string()).empty());
        of(parts, toolkit::Part::nvrtc) = "libnvrtc.so.13";
        QVERIFY(KeptUnits::makersOf(parts, program.string()).empty());
    }
};

KERNELARIUM_TEST(TestKeptUnits);
#include "TestKeptUnits.moc"
