// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestParquetRefusals.h"

#include "core/archive/import/Parquet.h"
#include "core/duckdb/Connection.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"
#include "tests/archive/DuckDbWriter.h"
#include "tests/archive/ParquetFiles.h"

#include <QtTest>
#include <fmt/format.h>
#include <random>

using namespace kernelarium::archive;
using kernelarium::duckdb::sqlText;
namespace fs = std::filesystem;

void TestParquetRefusals::initTestCase() {
    if (const std::string missing = duckDbMissing(); !missing.empty())
        QSKIP(("DuckDB's library is absent: " + missing).c_str());
}

void TestParquetRefusals::unusableFilesAreRefused_data() {
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
                          << "not a Parquet file";
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
                                 << "differ only in case";
}

void TestParquetRefusals::unusableFilesAreRefused() {
    QFETCH(QString, kind);
    QFETCH(QString, code);
    QFETCH(QString, says);
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first")})}));
    const auto before = readAll(archive);
    const auto file = fixture.path("x.parquet");
    WRITE_PARQUET(file, fromJson(fixture.writeRows("r", variedRows(50))));
    std::string bytes = readAll(file);
    if (kind == "missing") fs::remove(file);
    if (kind == "folder") fs::remove(file), fs::create_directory(file);
    if (kind == "empty") fixture.write("x.parquet", {});
    if (kind == "text") fixture.write("x.parquet", "Level_ID,Task_ID\n1,2\n");
    if (kind == "truncated") fixture.write("x.parquet", bytes.substr(0, bytes.size() / 2));
    if (kind == "encrypted") fixture.write("x.parquet", bytes.replace(bytes.size() - 4, 4, "PARE"));
    if (kind == "footer") fixture.write("x.parquet", bytes.replace(bytes.size() - 300, 200, std::string(200, '\xff')));
    if (kind == "no code")
        WRITE_PARQUET(file, "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' AS Kernel_Name");
    if (kind == "other") WRITE_PARQUET(file, "SELECT 1 AS a, 2 AS b");
    if (kind == "text runtime") WRITE_PARQUET(file, oneParquetRow + ", 'fast' AS CUDA_Runtime");
    if (kind == "number code")
        WRITE_PARQUET(file,
                      "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' AS Kernel_Name, 5 AS CUDA_Code");
    if (kind == "alike") {
        // DuckDB writes no such file; a byte of the footer makes one of another.
        WRITE_PARQUET(file, oneParquetRow + ", true AS Correct, true AS Xorrect", "COMPRESSION uncompressed");
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

void TestParquetRefusals::everyTruncationIsRefused() {
    const ArchiveFixture fixture;
    const auto file = fixture.path("x.parquet");
    WRITE_PARQUET(file, fromJson(fixture.writeRows("r", variedRows(30))), "ROW_GROUP_SIZE 10");
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
void TestParquetRefusals::noDamageIsEverTakenQuietly() {
    const ArchiveFixture fixture;
    const auto file = fixture.path("x.parquet");
    WRITE_PARQUET(file, fromJson(fixture.writeRows("r", variedRows(60))), "ROW_GROUP_SIZE 20");
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

void TestParquetRefusals::needsNoMoreMemoryThanAllowed() {
    const ArchiveFixture fixture;
    const auto file = fixture.path("x.parquet");
    // One page of 96 MB: no reader can take less than all of it.
    WRITE_PARQUET(file, oneParquetRow + ", repeat('abcdefgh', 12000000) AS NCU_Profile", "COMPRESSION zstd");
    auto source = ParquetSource::open(file, 32);
    REQUIRE_OK(source);
    SourceRow row;
    SourceProblem problem;
    const auto status = source->next(row, problem, {});
    QVERIFY(!status.ok());
    QCOMPARE(status.error().code, std::string("out_of_memory"));
    QVERIFY(!status.error().action.empty());
}

void TestParquetRefusals::readsNothingButItsFile() {
    const ArchiveFixture fixture;
    const auto allowed = fixture.write("allowed.csv", "a,b\n1,2\n");
    const auto other = fixture.write("other.csv", "a,b\n1,2\n");
    kernelarium::duckdb::Confinement confinement;
    confinement.file = allowed.string();
    auto connection = kernelarium::duckdb::Connection::open(confinement);
    REQUIRE_OK(connection);
    REQUIRE_OK(connection->run("SELECT * FROM read_csv(" + sqlText(allowed.string()) + ")"));
    for (const std::string& sql : {"SELECT * FROM read_csv(" + sqlText(other.string()) + ")",
                                   std::string("SELECT * FROM read_text('/etc/passwd')"),
                                   "COPY (SELECT 1) TO " + sqlText(fixture.path("written.csv").string()),
                                   "ATTACH " + sqlText(fixture.path("x.duckdb").string()),
                                   std::string("SELECT * FROM read_csv('https://localhost/x.csv')"),
                                   std::string("INSTALL httpfs"), std::string("SET enable_external_access = true")}) {
        const auto refused = connection->run(sql);
        QVERIFY2(!refused.ok(), sql.c_str());
    }
    QVERIFY(!fs::exists(fixture.path("written.csv")));
}

void TestParquetRefusals::aMissingLibraryIsSaid() {
    for (const std::string path : {"/nowhere/libduckdb.so", "libc.so.6"}) {
        const auto loaded = kernelarium::duckdb::loadLibrary(path);
        QVERIFY(!loaded.ok());
        QCOMPARE(loaded.error().code, std::string("missing_component"));
        QVERIFY2(loaded.error().detail.find(path) != std::string::npos, loaded.error().detail.c_str());
        QVERIFY(!loaded.error().action.empty());
    }
}

KERNELARIUM_TEST(TestParquetRefusals);
