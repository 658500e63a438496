// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestArchiveSchema.h"

#include "tests/RawDatabase.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>

using namespace kernelarium::archive;
namespace fs = std::filesystem;

namespace {

constexpr const char* endlessView =
    "ALTER TABLE kernel RENAME TO hidden; CREATE VIEW kernel AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + "
    "1 FROM c) SELECT x AS id, 1 AS level, 1 AS task, 'a' AS op_name, 'b' AS name FROM c";

/// Writes a big-endian number.
void putNumber(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i)
        bytes[at + i] = char(value >> 8 * (width - 1 - i));
}

/// An inner page of a table whose every child is the same page. SQLite's file format, section 1.6.
std::string innerPage(std::size_t pageSize, std::uint32_t child) {
    constexpr std::size_t children = 400, head = 12, cell = 5;
    std::string page(pageSize, '\0');
    page[0] = 5;
    const std::size_t content = pageSize - children * cell;
    putNumber(page, 3, children, 2);
    putNumber(page, 5, content, 2);
    putNumber(page, 8, child, 4);
    for (std::size_t i = 0; i < children; ++i) {
        putNumber(page, head + 2 * i, content + i * cell, 2);
        putNumber(page, content + i * cell, child, 4);
        page[content + i * cell + 4] = 1;
    }
    return page;
}

} // namespace

void TestArchiveSchema::foreignSchemasAreRefused_data() {
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char* name, const char* sql, const char* named) {
        QTest::newRow(name) << QByteArray(sql) << QByteArray(named);
    };
    row("endless view", endlessView, "view `kernel`");
    row("view beside", "CREATE VIEW more AS SELECT 1", "view `more`");
    row("trigger", "CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM text; END", "trigger `t`");
    row("virtual table", "CREATE VIRTUAL TABLE words USING fts5(a)", "table `words");
    row("table beside", "CREATE TABLE more (a)", "table `more`");
    row("generated column", "ALTER TABLE kernel ADD COLUMN twice AS (level * 2)", "table `kernel`");
    row("default of an expression",
        "CREATE TABLE t (a DEFAULT (randomblob(9))); DROP TABLE text; ALTER TABLE t RENAME "
        "TO text",
        "table `text`");
    row("index on an expression", "CREATE INDEX i ON kernel (abs(level))", "index `i`");
    row("plain index", "CREATE INDEX i ON kernel (level)", "index `i`");
    row("statistics of a planner", "ANALYZE", "table `sqlite_stat1`");
    row("a table is missing", "DROP TABLE kernel_extra", "table `kernel_extra` is missing");
    row("other column", "ALTER TABLE kernel RENAME COLUMN max_diff TO other", "table `kernel`");
    row("escapes in a name", "CREATE TABLE \"\x1b]0;x\x07\" (a)", "table `?]0;x?`");
    row("another table's rows",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET tbl_name = 'text' WHERE name = "
        "'sqlite_autoindex_kernel_1'",
        "");
}

void TestArchiveSchema::foreignSchemasAreRefused() {
    QFETCH(QByteArray, sql);
    QFETCH(QByteArray, named);
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 20);
    executeRaw(archive, sql.toStdString());
    const auto before = readAll(archive);
    const auto opened = Archive::open(archive);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().code, std::string("bad_archive"));
    QVERIFY2(opened.error().message.find(named.toStdString()) != std::string::npos, opened.error().message.c_str());
    QVERIFY(!opened.error().action.empty());
    QVERIFY(readAll(archive) == before);
}

void TestArchiveSchema::importsRefuseThemToo() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 20);
    executeRaw(archive, "CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM text; END");
    const auto before = readAll(archive);
    const auto imported = importFiles(archive, {fixture.writeRows("more.jsonl", {plainRow("more")})});
    QVERIFY(!imported.ok());
    QCOMPARE(imported.error().code, std::string("bad_archive"));
    QVERIFY(readAll(archive) == before);
}

void TestArchiveSchema::olderVersionsAreHeldToTheirOwnSchema() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 20);
    executeRaw(archive, "PRAGMA user_version = 1"); // with the tables of version 4
    const auto before = readAll(archive);
    const auto opened = Archive::open(archive);
    QVERIFY(!opened.ok());
    QVERIFY2(opened.error().message.find("code_s") != std::string::npos, opened.error().message.c_str());
    executeRaw(archive, "DROP TABLE code_signature; DROP TABLE code_shape; CREATE VIEW v AS SELECT 1");
    QVERIFY(!Archive::open(archive).ok());
    executeRaw(archive, "DROP VIEW v");
    REQUIRE_OK(Archive::open(archive));
}

void TestArchiveSchema::commentsAndBlanksDoNotCount() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 20);
    executeRaw(archive, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE  TABLE origin(id INTEGER "
                        "PRIMARY KEY , name TEXT /* a name */ NOT NULL -- once\n UNIQUE )' WHERE name = 'origin'");
    REQUIRE_OK(Archive::open(archive));
    executeRaw(archive, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE origin(id INTEGER "
                        "PRIMARY KEY, name TEXT NOT NULL UNIQUE, \"--\n\" AS (1))' WHERE name = 'origin'");
    QVERIFY(!Archive::open(archive).ok()); // quoted, it is no comment
}

/// The schema is ours, but the table of kernels has the same page in 400^5 places.
void TestArchiveSchema::pagesInManyPlacesEnd() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 20);
    const auto root = std::stoul(readRaw(archive, "SELECT rootpage FROM sqlite_schema WHERE name = 'kernel'"));
    std::string bytes = readAll(archive);
    const std::size_t pageSize = std::size_t(static_cast<unsigned char>(bytes[16])) << 8;
    QCOMPARE(pageSize, std::size_t(4096));
    auto pages = std::uint32_t(bytes.size() / pageSize);
    const std::string leaf = bytes.substr((root - 1) * pageSize, pageSize);
    bytes += leaf;
    std::uint32_t child = ++pages;
    for (int level = 0; level < 4; ++level) {
        bytes += innerPage(pageSize, child);
        child = ++pages;
    }
    bytes.replace((root - 1) * pageSize, pageSize, innerPage(pageSize, child));
    putNumber(bytes, 28, pages, 4);
    fixture.write("a.sqlite", bytes);

    auto opened = Archive::open(archive);
    REQUIRE_OK(opened);  // nothing but the schema was read
    KernelFilter filter; // that no index knows
    filter.minRuntime = -1;
    const auto counted = opened->count(filter);
    QVERIFY(!counted.ok());
    QCOMPARE(counted.error().code, std::string("bad_archive"));
    QVERIFY2(counted.error().message.find("more steps than its size explains") != std::string::npos,
             counted.error().message.c_str());
    QCOMPARE(opened->table().error().code, std::string("bad_archive"));
    KernelQuery query;
    query.limit = 5;
    query.sort = SortColumn::name;
    QCOMPARE(opened->list(query).error().code, std::string("bad_archive"));
    QVERIFY(!importFiles(archive, {fixture.writeRows("more.jsonl", {plainRow("more")})}).ok());
}

void TestArchiveSchema::impossibleNumbersAreRefused_data() {
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("a signature's text is far away") << QByteArray("UPDATE code_signature SET text = text + (1 << 40)");
    QTest::newRow("a signature's text is negative") << QByteArray("UPDATE code_signature SET text = -text");
    QTest::newRow("a text is negative") << QByteArray("UPDATE text SET bytes = -1");
    QTest::newRow("a text's frame lies as it does") // a frame that says 2^40 bytes, and has none
        << QByteArray(
               "UPDATE text SET bytes = 1 << 40, data = x'28B52FFDE0000000000001000001000000', dictionary = NULL");
}

void TestArchiveSchema::impossibleNumbersAreRefused() {
    QFETCH(QByteArray, sql);
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 20);
    executeRaw(archive, sql.toStdString());
    auto opened = Archive::open(archive);
    REQUIRE_OK(opened);
    SearchQuery query;
    query.text = "(";
    const auto found = opened->search(query);
    QVERIFY(!found.ok());
    QCOMPARE(found.error().code, std::string("bad_archive"));
}

KERNELARIUM_TEST(TestArchiveSchema);
