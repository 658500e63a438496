// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestImport.h"

#include "tests/RawDatabase.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <fmt/format.h>
#include <fstream>
#include <map>

using namespace kernelarium::archive;
namespace fs = std::filesystem;

namespace {

std::int64_t rowsOf(const fs::path& archive) {
    auto opened = Archive::open(archive);
    if (!opened) return -1;
    const auto count = opened->count();
    return count ? *count : -1;
}

} // namespace

void TestImport::takesTheSampleOnce() {
    const auto sample = sampleFolder();
    if (sample.empty()) QSKIP("archive_sample/full_rows.jsonl is absent from the shared folder");
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a.sqlite");
    const auto first = importFiles(archive, {sample / "full_rows.jsonl", sample / "one_kernel_per_task.jsonl"});
    REQUIRE_OK(first);
    QCOMPARE(first->added, 151u);
    QCOMPARE(first->skipped, 0u);
    const auto before = readAll(archive);
    const auto second = importFiles(archive, {sample / "one_kernel_per_task.jsonl", sample / "full_rows.jsonl"});
    REQUIRE_OK(second);
    QCOMPARE(second->added, 0u);
    QCOMPARE(second->unchanged, 151u);
    QVERIFY(readAll(archive) == before);

    auto opened = Archive::open(archive);
    REQUIRE_OK(opened);
    std::ifstream lines(sample / "full_rows.jsonl");
    std::int64_t number = 0;
    for (std::string line; std::getline(lines, line);) { // every text comes back byte for byte
        const auto row = nlohmann::json::parse(line);
        ++number;
        for (const auto& info : textKinds) {
            const auto text = opened->text(number, info.kind);
            REQUIRE_OK(text);
            const auto published = row.value(std::string(info.published), nlohmann::json());
            QCOMPARE(text->has_value(), published.is_string());
            if (published.is_string()) QVERIFY(**text == published.get<std::string>());
        }
    }
    QCOMPARE(number, 51);
}

void TestImport::keepsEveryColumn() {
    const ArchiveFixture fixture;
    auto row = plainRow("k", 2, 17);
    row.update({{"Op_Name", "17_Conv"},
                {"CUDA_Runtime", 0.5},
                {"PyTorch_Native_Runtime", 1.0},
                {"PyTorch_Compile_Runtime", 0.75},
                {"CUDA_Speedup_Native", 2.0},
                {"CUDA_Speedup_Compile", 1.5},
                {"PyTorch_Code_Module", "module"},
                {"PyTorch_Code_Functional", "functional"},
                {"Correct", true},
                {"Max_Diff", 0.25},
                {"NCU_Profile", "{'a': nan}"},
                {"Torch_Profile", "torch"},
                {"Clang_Tidy", "tidy\xC3\xA9"},
                {"__index_level_0__", 4}});
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("rows.jsonl", {row})}));
    auto opened = Archive::open(fixture.path("a"));
    REQUIRE_OK(opened);
    const auto kernel = opened->find("1");
    REQUIRE_OK(kernel);
    QCOMPARE(kernel->opName, "17_Conv");
    QCOMPARE(kernel->level, 2);
    QCOMPARE(kernel->task, 17);
    QCOMPARE(kernel->name, "k");
    QCOMPARE(*kernel->runtime, 0.5);
    QCOMPARE(*kernel->nativeRuntime, 1.0);
    QCOMPARE(*kernel->compileRuntime, 0.75);
    QCOMPARE(*kernel->speedupNative, 2.0);
    QCOMPARE(*kernel->speedupCompile, 1.5);
    QCOMPARE(kernel->correct, std::optional(true));
    QCOMPARE(*kernel->maxDiff, 0.25);
    QCOMPARE(*kernel->originalIndex, 4);
    QCOMPARE(kernel->origin, "rows.jsonl");
    QVERIFY(kernel->hasModule && kernel->hasFunctional && kernel->hasNcu && kernel->hasTorch && kernel->hasTidy);
    QVERIFY(!kernel->hasError);
    for (const auto& info : textKinds) {
        const auto text = opened->text(1, info.kind);
        REQUIRE_OK(text);
        const auto column = std::string(info.published);
        QCOMPARE(text->has_value(), row.contains(column));
        if (*text) QCOMPARE(**text, row[column].get<std::string>());
    }
}

void TestImport::sortsFailuresByStage() {
    const auto sample = sampleFolder();
    if (sample.empty()) QSKIP("archive_sample/full_rows.jsonl is absent from the shared folder");
    const ArchiveFixture fixture;
    REQUIRE_OK(importFiles(fixture.path("a"), {sample / "full_rows.jsonl"}));
    auto opened = Archive::open(fixture.path("a"));
    REQUIRE_OK(opened);
    const auto table = opened->table();
    REQUIRE_OK(table);
    std::map<ErrorKind, int> counts;
    for (const auto kind : table->errorKind)
        ++counts[kind];
    const std::map<ErrorKind, int> expected = {{ErrorKind::none, 39},   {ErrorKind::wrongResult, 4},
                                               {ErrorKind::compile, 5}, {ErrorKind::assemble, 1},
                                               {ErrorKind::import, 1},  {ErrorKind::launch, 1}};
    QVERIFY(counts == expected);
}

void TestImport::reportsBadLines_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("reason");
    const auto changed = [](const nlohmann::json& change) {
        auto row = plainRow("k");
        row.update(change);
        return QByteArray::fromStdString(row.dump());
    };
    const auto without = [](const char* column) {
        auto row = plainRow("k");
        row.erase(column);
        return QByteArray::fromStdString(row.dump());
    };
    const QByteArray whole = QByteArray::fromStdString(plainRow("k").dump());
    QTest::newRow("broken JSON") << whole.left(whole.size() / 2) << "not valid JSON";
    QTest::newRow("two objects") << whole + whole << "not valid JSON";
    QTest::newRow("an array") << QByteArray("[1, 2]") << "the line is array, not an object";
    QTest::newRow("level as text") << changed({{"Level_ID", "one"}}) << "Level_ID should be an integer and is string";
    QTest::newRow("level as fraction") << changed({{"Level_ID", 1.5}}) << "Level_ID should be an integer";
    QTest::newRow("level below zero") << changed({{"Level_ID", -1}}) << "Level_ID is -1";
    QTest::newRow("huge task") << changed({{"Task_ID", 18446744073709551615u}}) << "Task_ID is out of range";
    QTest::newRow("time as text") << changed({{"CUDA_Runtime", "0.5"}}) << "CUDA_Runtime should be a number";
    QTest::newRow("number too large") << QByteArray(changed({{"Max_Diff", 77.25}})).replace("77.25", "1e999")
                                      << "not valid JSON";
    QTest::newRow("correct as number") << changed({{"Correct", 1}}) << "Correct should be true or false";
    QTest::newRow("error as object") << changed({{"Error", nlohmann::json::object()}}) << "Error should be a string";
    QTest::newRow("no code") << without("CUDA_Code") << "CUDA_Code is missing";
    QTest::newRow("code is null") << changed({{"CUDA_Code", nullptr}}) << "CUDA_Code is missing";
    QTest::newRow("empty code") << changed({{"CUDA_Code", ""}}) << "CUDA_Code is empty";
    QTest::newRow("no level") << without("Level_ID") << "Level_ID is missing";
    QTest::newRow("no task") << without("Task_ID") << "Task_ID is missing";
    QTest::newRow("no operator") << without("Op_Name") << "Op_Name is missing";
    QTest::newRow("no name") << without("Kernel_Name") << "Kernel_Name is missing";
    QTest::newRow("escape in a name") << changed({{"Kernel_Name", "a\x1b[31m"}}) << "control character";
    QTest::newRow("invalid UTF-8") << QByteArray(whole).replace("threadIdx", "thread\xff\xfe") << "not valid UTF-8";
    QTest::newRow("cut UTF-8") << QByteArray(whole).replace("threadIdx", "thread\xC3") << "not valid UTF-8";
    QTest::newRow("deep nesting") << QByteArray(whole).replace("{", "{\"x\":" + QByteArray(100000, '[') +
                                                                        QByteArray(100000, ']') + ",")
                                  << "nested deeper than 64";
    QTest::newRow("deep and never closed") << "{\"x\":" + QByteArray(1000000, '[') << "nested deeper than 64";
    QTest::newRow("a zero byte") << QByteArray(whole).replace("threadIdx", QByteArray("a\0b", 3)) << "not valid JSON";
}

void TestImport::reportsBadLines() {
    QFETCH(QByteArray, line);
    QFETCH(QString, reason);
    const ArchiveFixture fixture;
    const auto good = plainRow("good").dump();
    const auto rows = fixture.write("rows.jsonl", fmt::format("\n{}\n{}\n", line.toStdString(), good));
    const auto report = importFiles(fixture.path("a"), {rows});
    REQUIRE_OK(report);
    QCOMPARE(report->skipped, 1u);
    QCOMPARE(report->added, 1u);
    QCOMPARE(report->skippedRows.at(0).position, 2u);
    QCOMPARE(report->skippedRows.at(0).source, "rows.jsonl");
    const auto text = QString::fromStdString(report->skippedRows.at(0).text);
    QVERIFY2(text.contains(reason), qPrintable(text));
    QCOMPARE(rowsOf(fixture.path("a")), 1);
}

void TestImport::goesOnBehindBadLines() {
    const ArchiveFixture fixture;
    std::string text;
    for (int i = 1; i <= 3000; ++i)
        text += (i % 3 == 0 ? "{broken" : plainRow(fmt::format("k{}", i)).dump()) + "\n";
    ImportOptions options;
    options.remarkLimit = 10;
    const auto report = importFiles(fixture.path("a"), {fixture.write("rows.jsonl", text)}, options);
    REQUIRE_OK(report);
    QCOMPARE(report->added, 2000u);
    QCOMPARE(report->skipped, 1000u);
    QCOMPARE(report->skippedRows.size(), 10u);
    QCOMPARE(report->skippedRows.back().position, 30u);
}

void TestImport::takesNonFiniteNumbersAsMissing() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    row["CUDA_Code"] = "// NaN, \"Infinity\" and \\ -Infinity stay in code\n";
    row.update(
        {{"CUDA_Runtime", 11.5}, {"Max_Diff", 22.5}, {"CUDA_Speedup_Native", 33.5}, {"CUDA_Speedup_Compile", 2.0}});
    auto line = QByteArray::fromStdString(row.dump());
    line.replace("11.5", "NaN").replace("22.5", "Infinity").replace("33.5", "-Infinity");
    const auto report = importFiles(fixture.path("a"), {fixture.write("r", line.toStdString())});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 1u);
    auto opened = Archive::open(fixture.path("a"));
    REQUIRE_OK(opened);
    const auto kernel = opened->find("1");
    REQUIRE_OK(kernel);
    QVERIFY(!kernel->runtime && !kernel->maxDiff && !kernel->speedupNative);
    QCOMPARE(*kernel->speedupCompile, 2.0);
    QCOMPARE(**opened->text(1, TextKind::cudaCode), row["CUDA_Code"].get<std::string>());
}

void TestImport::takesLineEndsAsTheyCome() {
    const ArchiveFixture fixture;
    const auto text = fmt::format("\xEF\xBB\xBF{}\r\n\r\n  \n{}", plainRow("a").dump(), plainRow("b").dump());
    const auto report = importFiles(fixture.path("a"), {fixture.write("r", text)});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 2u);
    QCOMPARE(report->skipped, 0u);
    const auto nothing = importFiles(fixture.path("empty"), {fixture.write("none", "")});
    REQUIRE_OK(nothing);
    QCOMPARE(nothing->rowsRead, 0u);
    QVERIFY(!fs::exists(fixture.path("empty")));
}

void TestImport::survivesALineOf100Megabytes() {
    const ArchiveFixture fixture;
    {
        std::ofstream out(fixture.path("r"), std::ios::binary);
        const std::string piece(1 << 20, 'x');
        out << plainRow("before").dump() << "\n{\"CUDA_Code\": \"";
        for (int i = 0; i < 100; ++i)
            out << piece;
        out << "\"}\n" << plainRow("after").dump() << "\n";
        for (int i = 0; i < 40; ++i)
            out << piece; // and one that the file ends in
    }
    const auto report = importFiles(fixture.path("a"), {fixture.path("r")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 2u);
    QCOMPARE(report->skipped, 2u);
    QCOMPARE(report->skippedRows.at(0).position, 2u);
    QCOMPARE(report->skippedRows.at(1).position, 4u);
    QVERIFY(report->skippedRows.at(0).text.find("104857617 bytes") != std::string::npos);
    QVERIFY(report->skippedRows.at(0).text.find("32 MB") != std::string::npos);
}

void TestImport::storesEqualTextsOnce() {
    const ArchiveFixture fixture;
    std::vector<nlohmann::json> rows;
    for (int i = 0; i < 100; ++i) {
        rows.push_back(plainRow(fmt::format("k{}", i)));
        rows.back()["PyTorch_Code_Module"] = "import torch\n";
        rows.back()["CUDA_Code"] = "// the same code under many names\n";
    }
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    QCOMPARE(rowsOf(fixture.path("a")), 100);
    QCOMPARE(readRaw(fixture.path("a"), "SELECT count(*) FROM text"), std::string("2"));
}

void TestImport::fillsInWhatIsMissing() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("poor", {row})}));
    row.update({{"CUDA_Runtime", 0.5}, {"Correct", false}, {"Error", "ptxas error : too much\n"}});
    const auto rich = fixture.writeRows("rich", {row});
    const auto report = importFiles(fixture.path("a"), {rich});
    REQUIRE_OK(report);
    QCOMPARE(report->completed, 1u);
    QCOMPARE(report->added, 0u);
    const auto again = importFiles(fixture.path("a"), {rich, fixture.path("poor")});
    REQUIRE_OK(again);
    QCOMPARE(again->unchanged, 2u);
    auto opened = Archive::open(fixture.path("a"));
    REQUIRE_OK(opened);
    const auto kernel = opened->find("1");
    REQUIRE_OK(kernel);
    QCOMPARE(*kernel->runtime, 0.5);
    QCOMPARE(kernel->correct, std::optional(false));
    QCOMPARE(kernel->errorKind, ErrorKind::assemble);
    QCOMPARE(kernel->origin, "poor");
}

void TestImport::keepsWhatIsArchived() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    row["CUDA_Runtime"] = 0.5;
    row["PyTorch_Code_Module"] = "one";
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("one", {row})}));
    row["CUDA_Runtime"] = 0.75;
    row["PyTorch_Code_Module"] = "two";
    const auto report = importFiles(fixture.path("a"), {fixture.writeRows("two", {row})});
    REQUIRE_OK(report);
    QCOMPARE(report->conflicts, 1u);
    QCOMPARE(report->unchanged, 1u);
    const auto& remark = report->conflictingRows.at(0);
    QCOMPARE(remark.position, 1u);
    QVERIFY(remark.text.find("CUDA_Runtime, PyTorch_Code_Module") != std::string::npos);
    auto opened = Archive::open(fixture.path("a"));
    REQUIRE_OK(opened);
    QCOMPARE(*opened->find("1")->runtime, 0.5);
    QCOMPARE(**opened->text(1, TextKind::moduleCode), "one");
}

void TestImport::updatesWhatDiffers() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    row["CUDA_Runtime"] = 2.0;
    row["Correct"] = true;
    row["NCU_Profile"] = "{'old': 1}";
    row["note"] = "old";
    row["kept"] = 1;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("1", {row, plainRow("other")})}));
    row["CUDA_Runtime"] = 1.5;
    row["Correct"] = false;
    row["NCU_Profile"] = "{'new': 1}";
    row["note"] = "new";
    row.erase("kept");
    ImportOptions options;
    options.update = true;
    const auto report = importFiles(fixture.path("a"), {fixture.writeRows("2", {row, plainRow("other")})}, options);
    REQUIRE_OK(report);
    QCOMPARE(report->updated, 1U);
    QCOMPARE(report->unchanged, 1U);
    QCOMPARE(report->conflicts, 0U);
    auto archive = Archive::open(fixture.path("a")).value();
    const auto kernel = archive.find("k").value();
    QCOMPARE(kernel.runtime.value_or(0), 1.5);
    QCOMPARE(kernel.correct.value_or(true), false);
    QCOMPARE(kernel.errorKind, ErrorKind::wrongResult);
    QCOMPARE(archive.text(kernel.id, TextKind::ncuProfile).value().value_or(""), std::string("{'new': 1}"));
    QCOMPARE(archive.extraJson(kernel.id).value(), std::string(R"({"kept":1,"note":"new"})"));
    const auto again = importFiles(fixture.path("a"), {fixture.path("2")}, options);
    REQUIRE_OK(again);
    QCOMPARE(again->updated, 0U);
}

void TestImport::keepsUnknownColumns() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    row["Author"] = "someone";
    row["Tags"] = {"a", 1, nullptr};
    row["Nothing"] = nullptr;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("one", {row})}));
    row["More"] = 3;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("two", {row})}));
    auto opened = Archive::open(fixture.path("a"));
    REQUIRE_OK(opened);
    const auto extra = opened->extraJson(1);
    REQUIRE_OK(extra);
    const nlohmann::json expected = {{"Author", "someone"}, {"Tags", {"a", 1, nullptr}}, {"More", 3}};
    QVERIFY(nlohmann::json::parse(*extra) == expected);
}

void TestImport::reportsProgress() {
    const ArchiveFixture fixture;
    const auto rows = fixture.writeRows("r", variedRows(500));
    ImportOptions options;
    ImportProgress last;
    int calls = 0;
    options.progress = [&](const ImportProgress& progress) {
        QVERIFY(progress.bytesRead >= last.bytesRead && progress.rowsRead >= last.rowsRead);
        last = progress;
        ++calls;
    };
    REQUIRE_OK(importFiles(fixture.path("a"), {rows}, options));
    QVERIFY(calls >= 1);
    QCOMPARE(last.bytesRead, fs::file_size(rows));
    QCOMPARE(last.bytesTotal, fs::file_size(rows));
    QCOMPARE(last.rowsRead, 500u);
    QCOMPARE(last.rowsAdded, 500u);
}

KERNELARIUM_TEST(TestImport);
