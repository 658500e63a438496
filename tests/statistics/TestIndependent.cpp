// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/statistics/TestIndependent.h"

#include "core/audit/VerdictStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/archive/ArchiveFixture.h"

#include <QProcess>
#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

using namespace kernelarium;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

Json runJson(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(longWait) || process.exitCode() != 0) {
        qWarning("%s", process.readAllStandardError().constData());
        return nullptr;
    }
    return Json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
}

/// The first place where they differ; numbers may by rounding.
std::string difference(const Json& ours, const Json& theirs, const std::string& place) {
    if (ours.is_number() && theirs.is_number()) {
        const double a = ours, b = theirs;
        return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b))
                   ? ""
                   : fmt::format("{}: {} and {}", place, a, b);
    }
    if (ours.type() != theirs.type() || ours.size() != theirs.size())
        return fmt::format("{}: {} and {}", place, ours.dump().substr(0, 200), theirs.dump().substr(0, 200));
    if (ours.is_array())
        for (std::size_t i = 0; i < ours.size(); ++i)
            if (auto d = difference(ours[i], theirs[i], fmt::format("{}[{}]", place, i)); !d.empty()) return d;
    if (ours.is_object())
        for (const auto& [key, value] : theirs.items()) {
            if (!ours.contains(key)) return place + "." + key + " is missing";
            if (auto d = difference(ours[key], value, place + "." + key); !d.empty()) return d;
        }
    return ours.is_primitive() && ours != theirs ? place + ": " + ours.dump() + " and " + theirs.dump() : "";
}

/// Fails a kernel of ours in every seventh row, of whatever claim; the keys of those that count as failing.
Json judgeSome(const fs::path& archivePath) {
    auto archive = archive::Archive::open(archivePath).value();
    auto store = audit::VerdictStore::open(audit::verdictsPathFor(archivePath)).value();
    const std::vector<std::string> words = {"wrong",      "verified", "fault",         "timeout",
                                            "suspicious", "failed",   "compile_error", "launch_error"};
    Json excluded = Json::array();
    const auto kernels = archive.list().value();
    for (std::size_t i = 0; i < kernels.size(); i += 3) {
        const auto& kernel = kernels[i];
        audit::JudgedKernel judged;
        judged.verdict.key = {int(kernel.level), int(kernel.task), kernel.name, kernel.codeHash};
        judged.verdict.verdict = words[i / 3 % words.size()];
        if (!store.put(judged).ok()) return nullptr;
        const std::string& word = judged.verdict.verdict;
        if (word == "wrong" || word == "fault" || word == "suspicious" || word == "compile_error" ||
            word == "launch_error")
            excluded.push_back(Json::array({kernel.level, kernel.task, kernel.name, files::toHex(kernel.codeHash)}));
    }
    return excluded;
}

void compareOn(const fs::path& rows, const fs::path& folder) {
    const auto db = folder / "a.sqlite";
    const QString cli = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli");
    const Json imported = runJson(cli, {"archive", "import", "--json", "--db", QString::fromStdString(db.string()),
                                        QString::fromStdString(rows.string())});
    QVERIFY(imported.is_object() && imported.at("added").get<int>() > 0);
    const Json excluded = judgeSome(db);
    QVERIFY(excluded.is_array() && excluded.size() > 3);
    std::ofstream(folder / "excluded.json") << excluded.dump();
    Json ours = runJson(cli, {"archive", "stats", "--json", "--db", QString::fromStdString(db.string())});
    QVERIFY(ours.is_object());
    QCOMPARE(ours.at("verdicts").at("failing").get<std::size_t>(), excluded.size());
    QVERIFY(ours.at("verdicts").at("contradictions").size() > 0);
    ours.erase("db");
    ours.erase("verdicts");
    // A group's numbers are the same keys in both; level, task and class come by name.
    Json theirs = runJson("/usr/bin/python3", {KERNELARIUM_SOURCE_DIR "/tests/statistics/independent.py",
                                               QString::fromStdString(rows.string()),
                                               QString::fromStdString((folder / "excluded.json").string())});
    QVERIFY(theirs.is_object());
    const auto byClass = [](const Json& a, const Json& b) { return a.at("class") < b.at("class"); };
    for (Json* document : {&ours, &theirs})
        for (Json* part : {document, &document->at("without_failing")})
            std::sort(part->at("classes").begin(), part->at("classes").end(), byClass);
    const std::string found = difference(ours, theirs, "");
    QVERIFY2(found.empty(), found.c_str());
}

} // namespace

void TestIndependent::statsOfTheSample() {
    if (!QFile::exists("/usr/bin/python3")) QSKIP("/usr/bin/python3 is absent");
    if (sampleFolder().empty()) QSKIP("the shared archive_sample/full_rows.jsonl is absent");
    const ArchiveFixture fixture;
    compareOn(sampleFolder() / "full_rows.jsonl", fixture.path(""));
}

void TestIndependent::statsOfVariedRows() {
    if (!QFile::exists("/usr/bin/python3")) QSKIP("/usr/bin/python3 is absent");
    const ArchiveFixture fixture;
    auto rows = variedRows(700);
    for (auto& row : rows) {
        for (const char* column : {"Correct", "CUDA_Runtime", "CUDA_Speedup_Native", "CUDA_Speedup_Compile", "Error"})
            if (!row.contains(column)) row[column] = nullptr;
        row["NCU_Profile"] = nullptr;
        row["Clang_Tidy"] = nullptr;
    }
    compareOn(fixture.writeRows("rows.jsonl", rows), fixture.path(""));
}

KERNELARIUM_TEST(TestIndependent);
