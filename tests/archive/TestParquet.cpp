// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestParquet.h"

#include "core/archive/Parquet.h"
#include "core/archive/SourceFile.h"
#include "core/duckdb/Connection.h"
#include "tests/archive/ArchiveContent.h"
#include "tests/archive/ArchiveFixture.h"
#include "tests/archive/DuckDbWriter.h"

#include <QtTest>
#include <fmt/format.h>
#include <random>

using namespace kernelarium::archive;
using kernelarium::duckdb::sqlText;
namespace fs = std::filesystem;

namespace {

/// Writes what a SELECT gives as Parquet; fails the test where that goes wrong.
void writeParquet(const fs::path& file, const std::string& select, const std::string& options = {}) {
    const std::string problem =
        duckDbRun(fmt::format("COPY ({}) TO {} (FORMAT parquet{})", select, sqlText(file.string()),
                              options.empty() ? "" : ", " + options));
    QVERIFY2(problem.empty(), problem.c_str());
}

std::string fromJson(const fs::path& file) {
    return fmt::format("SELECT * FROM read_json({}, format = 'newline_delimited', sample_size = -1)",
                       sqlText(file.string()));
}

const std::string oneRow = "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' AS Kernel_Name, "
                           "'__global__ void k() {}' AS CUDA_Code";

kernelarium::Result<ImportReport> importAny(const fs::path& archive, const std::vector<fs::path>& inputs,
                                            const ImportOptions& options = {}) {
    auto sources = openSourceFiles(inputs);
    if (!sources) return sources.error();
    return importRows(archive, pointersTo(*sources), options);
}

int rowGroups(const fs::path& file) {
    kernelarium::duckdb::Confinement confinement;
    confinement.file = file.string();
    auto connection = kernelarium::duckdb::Connection::open(confinement);
    if (!connection) return -1;
    auto rows = connection->query("SELECT CAST(num_row_groups AS BIGINT) FROM parquet_file_metadata(" +
                                  sqlText(file.string()) + ")");
    return rows && rows->next().value() ? int(rows->integer(0)) : -1;
}

} // namespace

void TestParquet::initTestCase() {
    if (const std::string missing = duckDbMissing(); !missing.empty())
        QSKIP(("DuckDB's library is absent: " + missing).c_str());
}

void TestParquet::sampleGivesTheSameContent_data() {
    QTest::addColumn<QString>("options");
    QTest::newRow("snappy") << "COMPRESSION snappy";
    QTest::newRow("zstd") << "COMPRESSION zstd";
    QTest::newRow("gzip") << "COMPRESSION gzip";
    QTest::newRow("uncompressed") << "COMPRESSION uncompressed";
    QTest::newRow("several row groups") << "COMPRESSION zstd, ROW_GROUP_SIZE 1";
    QTest::newRow("no dictionaries") << "COMPRESSION snappy, DICTIONARY_SIZE_LIMIT 1";
    QTest::newRow("newer encodings") << "COMPRESSION zstd, PARQUET_VERSION v2";
}

void TestParquet::sampleGivesTheSameContent() {
    const auto sample = sampleFolder();
    if (sample.empty()) QSKIP("the shared archive_sample/full_rows.jsonl is absent");
    QFETCH(QString, options);
    const ArchiveFixture fixture;
    const auto lines = sample / "full_rows.jsonl";
    REQUIRE_OK(importFiles(fixture.path("lines"), {lines}));
    const bool severalGroups = options.contains("ROW_GROUP_SIZE");
    std::string select = fromJson(lines);
    if (severalGroups) { // the writer closes a group behind a chunk, and each part of a union begins one
        select = "SELECT * FROM (" + fromJson(lines) + ") WHERE Task_ID % 2 = 0";
        for (int part = 0; part < 4; ++part)
            select += fmt::format(
                " UNION ALL SELECT * FROM ({}) WHERE Task_ID % 2 = 1 AND length(Kernel_Name) % 4 = {}",
                fromJson(lines), part);
    }
    writeParquet(fixture.path("rows.parquet"), select, options.toStdString());
    QCOMPARE(rowGroups(fixture.path("rows.parquet")) > 2, severalGroups);
    const auto report = importAny(fixture.path("parquet"), {fixture.path("rows.parquet")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 51U);
    QCOMPARE(contentOf(fixture.path("parquet")), contentOf(fixture.path("lines")));
    QVERIFY(contentOf(fixture.path("lines")).size() > 51 * 1000);
}

void TestParquet::severalFilesOfBothKinds() {
    const ArchiveFixture fixture;
    auto rows = variedRows(900);
    const std::vector<nlohmann::json> first(rows.begin(), rows.begin() + 300);
    const std::vector<nlohmann::json> second(rows.begin() + 250, rows.begin() + 600); // fifty of them again
    const std::vector<nlohmann::json> third(rows.begin() + 600, rows.end());
    REQUIRE_OK(importFiles(fixture.path("lines"), {fixture.writeRows("all.jsonl", rows)}));
    writeParquet(fixture.path("first.parquet"), fromJson(fixture.writeRows("1", first)),
                 "ROW_GROUP_SIZE 2048");
    writeParquet(fixture.path("named_otherwise"), fromJson(fixture.writeRows("3", third)),
                 "COMPRESSION zstd");
    const auto report = importAny(fixture.path("mixed"),
                                  {fixture.path("first.parquet"), fixture.writeRows("second.jsonl", second),
                                   fixture.path("named_otherwise")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 900U);
    QCOMPARE(report->unchanged, 50U);
    QCOMPARE(contentOf(fixture.path("mixed")), contentOf(fixture.path("lines")));
}

void TestParquet::keepsUnknownColumns() {
    const ArchiveFixture fixture;
    writeParquet(
        fixture.path("x.parquet"),
        oneRow +
            ", 7 AS count, 0.5 :: DOUBLE AS share, true AS flag, 'text' AS note, NULL :: VARCHAR AS "
            "nothing, 'nan' :: DOUBLE AS nan, [1, 2] AS list, {'a': 1, 'b': 'x', 'c': 'inf' :: DOUBLE} AS "
            "record, DATE '2024-05-06' AS day, 18446744073709551615 :: UBIGINT AS large");
    REQUIRE_OK(importAny(fixture.path("a"), {fixture.path("x.parquet")}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    const auto extra = nlohmann::json::parse(archive->extraJson(1).value());
    const auto expected = nlohmann::json::parse(
        R"({"count": 7, "share": 0.5, "flag": true, "note": "text", "list": [1, 2], "day": "2024-05-06",
            "record": {"a": 1, "b": "x", "c": null}, "large": 18446744073709551615})");
    QCOMPARE(QString::fromStdString(extra.dump()), QString::fromStdString(expected.dump()));
}

void TestParquet::takesTypesAsTheyAreWritten_data() {
    QTest::addColumn<QString>("columns");
    QTest::newRow("small integers")
        << "4 :: TINYINT AS Level_ID, 9 :: UTINYINT AS Task_ID, 3 :: USMALLINT AS "
           "__index_level_0__, 2 :: INTEGER AS CUDA_Runtime";
    QTest::newRow("large integers")
        << "4 :: HUGEINT AS Level_ID, 9 :: UBIGINT AS Task_ID, 3 AS __index_level_0__, 2 "
           ":: BIGINT AS CUDA_Runtime";
    QTest::newRow("reals") << "4.0 :: FLOAT AS Level_ID, 9.0 :: DOUBLE AS Task_ID, 3.0 :: DOUBLE AS "
                              "__index_level_0__, 2.0 :: DECIMAL(5, 2) AS CUDA_Runtime";
    QTest::newRow("text without its mark")
        << "4 AS Level_ID, 9 AS Task_ID, 3 AS __index_level_0__, 2 AS CUDA_Runtime, "
           "'m' :: BLOB AS PyTorch_Code_Module";
}

void TestParquet::takesTypesAsTheyAreWritten() {
    QFETCH(QString, columns);
    const ArchiveFixture fixture;
    writeParquet(fixture.path("x.parquet"),
                 "SELECT '1_Add' AS Op_Name, 'k' AS Kernel_Name, 'code' AS CUDA_Code, " +
                     columns.toStdString());
    REQUIRE_OK(importAny(fixture.path("a"), {fixture.path("x.parquet")}));
    const auto kernel = Archive::open(fixture.path("a")).value().find("1").value();
    QCOMPARE(kernel.level, 4);
    QCOMPARE(kernel.task, 9);
    QCOMPARE(kernel.originalIndex.value_or(-1), 3);
    QCOMPARE(kernel.runtime.value_or(-1), 2.0);
    QCOMPARE(kernel.hasModule, columns.contains("Module"));
}

void TestParquet::columnsWithoutValuesMayBeOfAnyType() {
    const ArchiveFixture fixture;
    // pandas writes a column of nothing but None as integers that are all null.
    writeParquet(fixture.path("x.parquet"),
                 oneRow + ", NULL :: INTEGER AS Error, NULL :: VARCHAR AS Correct");
    const auto report = importAny(fixture.path("a"), {fixture.path("x.parquet")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 1U);
    const auto kernel = Archive::open(fixture.path("a")).value().find("1").value();
    QVERIFY(!kernel.correct);
    QVERIFY(!kernel.hasError);
}

void TestParquet::badRowsAreSkipped() {
    const ArchiveFixture fixture;
    writeParquet(
        fixture.path("x.parquet"),
        oneRow +
            " UNION ALL SELECT '1_Add', 1, 2, 'no_code', NULL UNION ALL SELECT '1_Add', NULL, 2, "
            "'no_level', 'code' UNION ALL SELECT '', 1, 2, 'no_op', 'code' UNION ALL SELECT '1_Add', -4, "
            "2, 'below', 'code' UNION ALL SELECT '1_Add', 1, 2, 'last', repeat('x', 34000000)");
    const auto report = importAny(fixture.path("a"), {fixture.path("x.parquet")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 1U);
    QCOMPARE(report->skipped, 5U);
    const std::vector<std::string> reasons = {"CUDA_Code is missing", "Level_ID is missing",
                                              "Op_Name is empty", "Level_ID is -4", "34000000 bytes of text"};
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        const auto& remark = report->skippedRows.at(i);
        QCOMPARE(remark.position, i + 2);
        QVERIFY2(remark.text.find(reasons[i]) != std::string::npos, remark.text.c_str());
    }
}

void TestParquet::unusableFilesAreRefused_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << "missing"
                             << "unreadable_file"
                             << "No such file";
    QTest::newRow("folder") << "folder"
                            << "unreadable_file"
                            << "directory";
    QTest::newRow("empty") << "empty"
                           << "bad_parquet"
                           << "is empty";
    QTest::newRow("text") << "text"
                          << "bad_parquet"
                          << "no Parquet file";
    QTest::newRow("truncated") << "truncated"
                               << "bad_parquet"
                               << "truncated";
    QTest::newRow("encrypted") << "encrypted"
                               << "unsupported"
                               << "encrypted";
    QTest::newRow("footer") << "footer"
                            << "bad_parquet"
                            << "x.parquet";
    QTest::newRow("no code column") << "no code"
                                    << "bad_parquet"
                                    << "no column CUDA_Code";
    QTest::newRow("other columns") << "other"
                                   << "bad_parquet"
                                   << "no column Op_Name";
    QTest::newRow("text for numbers") << "text runtime"
                                      << "bad_parquet"
                                      << "CUDA_Runtime has values of type VARCHAR";
    QTest::newRow("numbers for text") << "number code"
                                      << "bad_parquet"
                                      << "CUDA_Code has values of type INTEGER";
    QTest::newRow("names alike") << "alike"
                                 << "bad_parquet"
                                 << "upper and lower case";
}

void TestParquet::unusableFilesAreRefused() {
    QFETCH(QString, kind);
    QFETCH(QString, code);
    QFETCH(QString, says);
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first")})}));
    const auto before = readAll(archive);
    const auto file = fixture.path("x.parquet");
    writeParquet(file, fromJson(fixture.writeRows("r", variedRows(50))));
    std::string bytes = readAll(file);
    if (kind == "missing") fs::remove(file);
    if (kind == "folder") fs::remove(file), fs::create_directory(file);
    if (kind == "empty") fixture.write("x.parquet", {});
    if (kind == "text") fixture.write("x.parquet", "Level_ID,Task_ID\n1,2\n");
    if (kind == "truncated") fixture.write("x.parquet", bytes.substr(0, bytes.size() / 2));
    if (kind == "encrypted") fixture.write("x.parquet", bytes.replace(bytes.size() - 4, 4, "PARE"));
    if (kind == "footer")
        fixture.write("x.parquet", bytes.replace(bytes.size() - 300, 200, std::string(200, '\xff')));
    if (kind == "no code")
        writeParquet(file, "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' AS Kernel_Name");
    if (kind == "other") writeParquet(file, "SELECT 1 AS a, 2 AS b");
    if (kind == "text runtime") writeParquet(file, oneRow + ", 'fast' AS CUDA_Runtime");
    if (kind == "number code")
        writeParquet(
            file,
            "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' AS Kernel_Name, 5 AS CUDA_Code");
    if (kind == "alike") {
        // DuckDB writes no such file; a byte of the footer makes one of another.
        writeParquet(file, oneRow + ", true AS Correct, true AS Xorrect", "COMPRESSION uncompressed");
        bytes = readAll(file);
        for (std::size_t at = 0; (at = bytes.find("Xorrect", at)) != std::string::npos;)
            bytes[at] = 'c';
        fixture.write("x.parquet", bytes);
    }
    const auto report = importAny(archive, {fixture.writeRows("second.jsonl", {plainRow("second")}), file});
    QVERIFY(!report.ok());
    QCOMPARE(QString::fromStdString(report.error().code), code);
    QVERIFY2(QString::fromStdString(report.error().message).contains(says), report.error().message.c_str());
    QVERIFY(!report.error().action.empty());
    QVERIFY2(report.error().text().find("/proc/") == std::string::npos, report.error().text().c_str());
    QVERIFY(readAll(archive) == before);
}

void TestParquet::everyTruncationIsRefused() {
    const ArchiveFixture fixture;
    const auto file = fixture.path("x.parquet");
    writeParquet(file, fromJson(fixture.writeRows("r", variedRows(30))), "ROW_GROUP_SIZE 10");
    const std::string bytes = readAll(file);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 40) {
        fixture.write("x.parquet", bytes.substr(0, size));
        const auto report = importAny(fixture.path("a"), {file});
        QVERIFY(!report.ok());
        QCOMPARE(report.error().code, std::string("bad_parquet"));
        QVERIFY(!fs::exists(fixture.path("a")));
    }
}

/// Pages of Parquet carry no checksums, so a damaged number may be read as another one; but rows never get
/// lost, nothing crashes, and what is refused leaves no file behind.
void TestParquet::noDamageIsEverTakenQuietly() {
    const ArchiveFixture fixture;
    const auto file = fixture.path("x.parquet");
    writeParquet(file, fromJson(fixture.writeRows("r", variedRows(60))), "ROW_GROUP_SIZE 20");
    const std::string bytes = readAll(file);
    std::mt19937 random(5);
    int refused = 0;
    for (int i = 0; i < 150; ++i) {
        std::string damaged = bytes;
        const std::size_t from = i % 2 == 0 ? 0 : bytes.size() - std::min<std::size_t>(bytes.size(), 3000);
        for (int n = 0; n < 1 + i % 7; ++n)
            damaged[from + random() % (bytes.size() - from)] = static_cast<char>(random());
        fixture.write("x.parquet", damaged);
        fs::remove(fixture.path("a"));
        const auto report = importAny(fixture.path("a"), {file});
        if (!report.ok()) {
            ++refused;
            QVERIFY2(report.error().code == "bad_parquet" || report.error().code == "unsupported" ||
                         report.error().code == "out_of_memory",
                     report.error().text().c_str());
            QVERIFY(!fs::exists(fixture.path("a")));
        } else {
            QCOMPARE(report->rowsRead + report->skipped, 60U);
        }
    }
    QVERIFY(refused > 20);
}

void TestParquet::needsNoMoreMemoryThanAllowed() {
    const ArchiveFixture fixture;
    const auto file = fixture.path("x.parquet");
    // One page of 96 MB: no reader can take less than all of it.
    writeParquet(file, oneRow + ", repeat('abcdefgh', 12000000) AS NCU_Profile", "COMPRESSION zstd");
    auto source = ParquetSource::open(file, 32);
    REQUIRE_OK(source);
    SourceRow row;
    SourceProblem problem;
    const auto status = source->next(row, problem, {});
    QVERIFY(!status.ok());
    QCOMPARE(status.error().code, std::string("out_of_memory"));
    QVERIFY(!status.error().action.empty());
}

void TestParquet::readsNothingButItsFile() {
    const ArchiveFixture fixture;
    const auto allowed = fixture.write("allowed.csv", "a,b\n1,2\n");
    const auto other = fixture.write("other.csv", "a,b\n1,2\n");
    kernelarium::duckdb::Confinement confinement;
    confinement.file = allowed.string();
    auto connection = kernelarium::duckdb::Connection::open(confinement);
    REQUIRE_OK(connection);
    REQUIRE_OK(connection->run("SELECT * FROM read_csv(" + sqlText(allowed.string()) + ")"));
    for (const std::string& sql :
         {"SELECT * FROM read_csv(" + sqlText(other.string()) + ")",
          std::string("SELECT * FROM read_text('/etc/passwd')"),
          "COPY (SELECT 1) TO " + sqlText(fixture.path("written.csv").string()),
          "ATTACH " + sqlText(fixture.path("x.duckdb").string()),
          std::string("SELECT * FROM read_csv('https://localhost/x.csv')"), std::string("INSTALL httpfs"),
          std::string("SET enable_external_access = true")}) {
        const auto refused = connection->run(sql);
        QVERIFY2(!refused.ok(), sql.c_str());
    }
    QVERIFY(!fs::exists(fixture.path("written.csv")));
}

void TestParquet::oddNamesAreNames() {
    const ArchiveFixture fixture;
    for (const char* name :
         {"a*b.parquet", "q'uote.parquet", "[x].parquet", "sp ace?.parquet", "https:x.parquet"}) {
        writeParquet(fixture.path("plain.parquet"), oneRow);
        fs::rename(fixture.path("plain.parquet"), fixture.path(name));
        fs::remove(fixture.path("a"));
        const auto report = importAny(fixture.path("a"), {fixture.path(name)});
        REQUIRE_OK(report);
        QCOMPARE(report->added, 1U);
        QCOMPARE(Archive::open(fixture.path("a")).value().find("1").value().origin, std::string(name));
    }
}

void TestParquet::goesOnFromAMark() {
    const ArchiveFixture fixture;
    writeParquet(fixture.path("x.parquet"),
                 "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' || i AS Kernel_Name, 'c' || i "
                 "AS CUDA_Code "
                 "FROM range(5000) r(i)",
                 "ROW_GROUP_SIZE 2048");
    auto first = ParquetSource::open(fixture.path("x.parquet"));
    REQUIRE_OK(first);
    QCOMPARE(first->rowsTotal(), 5000U);
    SourceRow row;
    SourceProblem problem;
    for (int i = 0; i < 3333; ++i)
        QCOMPARE(first->next(row, problem, {}).value(), RowStatus::row);
    auto second = ParquetSource::open(fixture.path("x.parquet"));
    REQUIRE_OK(second);
    QCOMPARE(second->identity(), first->identity());
    REQUIRE_OK(second->resume(first->mark()));
    for (int i = 3333; i < 5000; ++i) {
        QCOMPARE(second->next(row, problem, {}).value(), RowStatus::row);
        QCOMPARE(row.name, fmt::format("k{}", i));
        QCOMPARE(row.position, std::uint64_t(i) + 1);
    }
    QCOMPARE(second->next(row, problem, {}).value(), RowStatus::end);
    QCOMPARE(second->bytesRead(), second->bytesTotal());
}

void TestParquet::stops() {
    const ArchiveFixture fixture;
    writeParquet(fixture.path("x.parquet"), fromJson(fixture.writeRows("r", variedRows(100))));
    auto source = ParquetSource::open(fixture.path("x.parquet"));
    REQUIRE_OK(source);
    std::stop_source stop;
    stop.request_stop();
    SourceRow row;
    SourceProblem problem;
    QCOMPARE(source->next(row, problem, stop.get_token()).value(), RowStatus::stopped);
}

void TestParquet::aMissingLibraryIsSaid() {
    for (const std::string path : {"/nowhere/libduckdb.so", "libc.so.6"}) {
        const auto loaded = kernelarium::duckdb::loadLibrary(path);
        QVERIFY(!loaded.ok());
        QCOMPARE(loaded.error().code, std::string("missing_component"));
        QVERIFY2(loaded.error().detail.find(path) != std::string::npos, loaded.error().detail.c_str());
        QVERIFY(!loaded.error().action.empty());
    }
}
