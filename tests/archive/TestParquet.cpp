// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestParquet.h"

#include "core/archive/import/Parquet.h"
#include "core/archive/import/SourceFile.h"
#include "core/duckdb/Connection.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveContent.h"
#include "tests/archive/ArchiveFixture.h"
#include "tests/archive/DuckDbWriter.h"
#include "tests/archive/ParquetFiles.h"

#include <QtTest>
#include <fmt/format.h>
#include <random>

using namespace kernelarium::archive;
using kernelarium::duckdb::sqlText;
namespace fs = std::filesystem;

namespace {

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
            select +=
                fmt::format(" UNION ALL SELECT * FROM ({}) WHERE Task_ID % 2 = 1 AND length(Kernel_Name) % 4 = {}",
                            fromJson(lines), part);
    }
    WRITE_PARQUET(fixture.path("rows.parquet"), select, options.toStdString());
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
    WRITE_PARQUET(fixture.path("first.parquet"), fromJson(fixture.writeRows("1", first)), "ROW_GROUP_SIZE 2048");
    WRITE_PARQUET(fixture.path("named_otherwise"), fromJson(fixture.writeRows("3", third)), "COMPRESSION zstd");
    const auto report =
        importAny(fixture.path("mixed"), {fixture.path("first.parquet"), fixture.writeRows("second.jsonl", second),
                                          fixture.path("named_otherwise")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 900U);
    QCOMPARE(report->unchanged, 50U);
    QCOMPARE(contentOf(fixture.path("mixed")), contentOf(fixture.path("lines")));
}

void TestParquet::keepsUnknownColumns() {
    const ArchiveFixture fixture;
    WRITE_PARQUET(fixture.path("x.parquet"),
                  oneParquetRow +
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
    QTest::newRow("small integers") << "4 :: TINYINT AS Level_ID, 9 :: UTINYINT AS Task_ID, 3 :: USMALLINT AS "
                                       "__index_level_0__, 2 :: INTEGER AS CUDA_Runtime";
    QTest::newRow("large integers") << "4 :: HUGEINT AS Level_ID, 9 :: UBIGINT AS Task_ID, 3 AS __index_level_0__, 2 "
                                       ":: BIGINT AS CUDA_Runtime";
    QTest::newRow("reals") << "4.0 :: FLOAT AS Level_ID, 9.0 :: DOUBLE AS Task_ID, 3.0 :: DOUBLE AS "
                              "__index_level_0__, 2.0 :: DECIMAL(5, 2) AS CUDA_Runtime";
    QTest::newRow("text without its mark") << "4 AS Level_ID, 9 AS Task_ID, 3 AS __index_level_0__, 2 AS CUDA_Runtime, "
                                              "'m' :: BLOB AS PyTorch_Code_Module";
}

void TestParquet::takesTypesAsTheyAreWritten() {
    QFETCH(QString, columns);
    const ArchiveFixture fixture;
    WRITE_PARQUET(fixture.path("x.parquet"),
                  "SELECT '1_Add' AS Op_Name, 'k' AS Kernel_Name, 'code' AS CUDA_Code, " + columns.toStdString());
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
    WRITE_PARQUET(fixture.path("x.parquet"), oneParquetRow + ", NULL :: INTEGER AS Error, NULL :: VARCHAR AS Correct");
    const auto report = importAny(fixture.path("a"), {fixture.path("x.parquet")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 1U);
    const auto kernel = Archive::open(fixture.path("a")).value().find("1").value();
    QVERIFY(!kernel.correct);
    QVERIFY(!kernel.hasError);
}

void TestParquet::badRowsAreSkipped() {
    const ArchiveFixture fixture;
    WRITE_PARQUET(fixture.path("x.parquet"),
                  oneParquetRow +
                      " UNION ALL SELECT '1_Add', 1, 2, 'no_code', NULL UNION ALL SELECT '1_Add', NULL, 2, "
                      "'no_level', 'code' UNION ALL SELECT '', 1, 2, 'no_op', 'code' UNION ALL SELECT '1_Add', -4, "
                      "2, 'below', 'code' UNION ALL SELECT '1_Add', 1, 2, 'last', repeat('x', 34000000)");
    const auto report = importAny(fixture.path("a"), {fixture.path("x.parquet")});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 1U);
    QCOMPARE(report->skipped, 5U);
    const std::vector<std::string> reasons = {"CUDA_Code is missing", "Level_ID is missing", "Op_Name is empty",
                                              "Level_ID is -4", "34000000 bytes of text"};
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        const auto& remark = report->skippedRows.at(i);
        QCOMPARE(remark.position, i + 2);
        QVERIFY2(remark.text.find(reasons[i]) != std::string::npos, remark.text.c_str());
    }
}

void TestParquet::oddNamesAreNames() {
    const ArchiveFixture fixture;
    for (const char* name : {"a*b.parquet", "q'uote.parquet", "[x].parquet", "sp ace?.parquet", "https:x.parquet"}) {
        WRITE_PARQUET(fixture.path("plain.parquet"), oneParquetRow);
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
    WRITE_PARQUET(fixture.path("x.parquet"),
                  "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' || i AS Kernel_Name, 'c' || i AS "
                  "CUDA_Code FROM range(5000) r(i)",
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
    WRITE_PARQUET(fixture.path("x.parquet"), fromJson(fixture.writeRows("r", variedRows(100))));
    auto source = ParquetSource::open(fixture.path("x.parquet"));
    REQUIRE_OK(source);
    std::stop_source stop;
    stop.request_stop();
    SourceRow row;
    SourceProblem problem;
    QCOMPARE(source->next(row, problem, stop.get_token()).value(), RowStatus::stopped);
}

KERNELARIUM_TEST(TestParquet);
