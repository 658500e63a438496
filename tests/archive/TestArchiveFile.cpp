// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestArchiveFile.h"

#include "core/files/Sha256.h"
#include "tests/RawDatabase.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace kernelarium::archive;
namespace files = kernelarium::files;
namespace fs = std::filesystem;

namespace {

/// What version 1 wrote: the same tables without the signatures.
void makeVersion1(const fs::path& archive) {
    executeRaw(archive, "DROP TABLE code_signature; DROP TABLE code_shape; PRAGMA user_version = 1; VACUUM");
}

/// What version 2 wrote: signatures of trigrams, no shapes.
void makeVersion2(const fs::path& archive) {
    executeRaw(archive, "DROP TABLE code_shape; DROP TABLE code_signature; CREATE TABLE code_signature (text INTEGER "
                        "PRIMARY KEY REFERENCES text, bits BLOB NOT NULL); INSERT INTO code_signature SELECT DISTINCT "
                        "code_text, zeroblob(512) FROM kernel; PRAGMA user_version = 2; VACUUM");
}

/// What version 3 wrote: signatures of other pieces.
void makeVersion3(const fs::path& archive) {
    executeRaw(archive, "UPDATE code_signature SET bits = zeroblob(1688); PRAGMA user_version = 3; VACUUM");
}

std::size_t hitsOf(Archive& archive, const std::string& text) {
    SearchQuery query;
    query.text = text;
    const auto result = archive.search(query);
    return result ? result->hits.size() : 0;
}

bool isRoot() {
    return geteuid() == 0;
}

} // namespace

void TestArchiveFile::refusesWhatIsNoArchive_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("{\"Op_Name\": 1}\n");
    QTest::newRow("long text") << QByteArray(100000, 'a');
    QTest::newRow("magic only") << QByteArray("SQLite format 3\0", 16);
    QTest::newRow("zeros") << QByteArray(8192, '\0');
}

void TestArchiveFile::refusesWhatIsNoArchive() {
    QFETCH(QByteArray, content);
    const ArchiveFixture fixture;
    const auto file = fixture.write("a", content.toStdString());
    const auto opened = Archive::open(file);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().code, "bad_archive");
    // The window's way first: it says this, too.
    const std::string& action = opened.error().action;
    QVERIFY(action.find("File > Import rows") < action.find("kernelarium-cli"));
    const auto imported = importFiles(file, {fixture.writeRows("r", {plainRow("k")})});
    QVERIFY(!imported.ok());
    QCOMPARE(imported.error().code, "bad_archive");
    QVERIFY(readAll(file) == content.toStdString());
    const auto missing = Archive::open(fixture.path("none"));
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().code, "missing_file");
    QVERIFY(missing.error().action.find("File > ") < missing.error().action.find("kernelarium-cli"));
    QVERIFY(!fs::exists(fixture.path("none")));
}

void TestArchiveFile::refusesATruncatedFileOfAnyLength() {
    const ArchiveFixture fixture;
    const auto whole = readAll(madeArchive(fixture, 200));
    QVERIFY(whole.size() > 50000);
    for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t(4096), std::size_t(101),
                                   std::size_t(99), std::size_t(17), std::size_t(1)}) {
        const auto cut = fixture.write("cut", whole.substr(0, size));
        const auto opened = Archive::open(cut);
        QVERIFY(!opened.ok());
        QCOMPARE(opened.error().code, "bad_archive");
        QVERIFY(!importFiles(cut, {fixture.path("rows.jsonl")}).ok());
        QVERIFY(readAll(cut) == whole.substr(0, size));
    }
}

void TestArchiveFile::reportsDamageInside() {
    const ArchiveFixture fixture;
    const auto whole = readAll(madeArchive(fixture, 300));
    std::mt19937 random(5);
    int refusals = 0;
    for (int round = 0; round < 200; ++round) { // whatever is damaged: an error or an answer, never a crash
        auto damaged = whole;
        for (int i = 0; i < 40; ++i)
            damaged[100 + random() % (damaged.size() - 100)] = static_cast<char>(random());
        auto opened = Archive::open(fixture.write("damaged", damaged));
        bool failed = !opened.ok();
        if (opened) {
            failed = !opened->table().ok() || !opened->list().ok();
            SearchQuery query;
            query.text = "acc";
            failed = !opened->search(query).ok() || failed;
            for (int kernel = 1; kernel <= 300; kernel += 7)
                failed = !opened->text(kernel, TextKind::cudaCode).ok() || failed;
        }
        refusals += failed;
    }
    QVERIFY2(refusals > 100, qPrintable(QString::number(refusals)));
}

void TestArchiveFile::refusesANewerVersion() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 5);
    executeRaw(archive, "PRAGMA user_version = 99");
    const auto before = readAll(archive);
    const auto opened = Archive::open(archive);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().code, "newer_archive");
    QVERIFY(opened.error().message.find("99") != std::string::npos);
    const auto imported = importFiles(archive, {fixture.path("rows.jsonl")});
    QVERIFY(!imported.ok());
    QCOMPARE(imported.error().code, "newer_archive");
    QVERIFY(readAll(archive) == before);

    executeRaw(archive, "PRAGMA user_version = 2; PRAGMA application_id = 1");
    QCOMPARE(Archive::open(archive).error().code, "bad_archive");
}

void TestArchiveFile::upgradesOlderVersions_data() {
    QTest::addColumn<int>("version");
    QTest::newRow("1") << 1;
    QTest::newRow("2") << 2;
    QTest::newRow("3") << 3;
}

void TestArchiveFile::upgradesOlderVersions() {
    QFETCH(int, version);
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 200);
    auto fresh = Archive::open(archive);
    REQUIRE_OK(fresh);
    const auto expected = hitsOf(*fresh, "b_3[17]");
    QVERIFY(expected > 0);
    const auto shapes = fresh->table()->shape;
    const std::array<void (*)(const fs::path&), 3> make = {makeVersion1, makeVersion2, makeVersion3};
    make.at(std::size_t(version) - 1)(archive);
    auto upgraded = Archive::open(archive);
    REQUIRE_OK(upgraded);
    QVERIFY(upgraded->table()->shape == shapes);
    QCOMPARE(hitsOf(*upgraded, "b_3[17]"), expected);
    SearchQuery absent;
    absent.text = "nowhere_in_there";
    QCOMPARE(upgraded->search(absent)->textsScanned, 0); // the signatures are there and sort out
    QCOMPARE(*upgraded->count(), 200);
    const auto after = readAll(archive);
    REQUIRE_OK(Archive::open(archive));
    QVERIFY(readAll(archive) == after); // once is enough
}

void TestArchiveFile::importUpgradesVersion1() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 50);
    makeVersion1(archive);
    const auto report = importFiles(archive, {fixture.writeRows("more", {plainRow("more")})});
    REQUIRE_OK(report);
    QCOMPARE(report->added, 1u);
    auto opened = Archive::open(archive);
    REQUIRE_OK(opened);
    QCOMPARE(*opened->count(), 51);
    QCOMPARE(hitsOf(*opened, "Variant 49"), 1u);
}

void TestArchiveFile::doesNotUpgradeInAFolderItCannotWrite() {
    if (isRoot()) QSKIP("an account other than root, which may write everywhere, is needed");
    const ArchiveFixture fixture;
    fs::create_directory(fixture.path("locked"));
    const auto archive = fixture.path("locked") / "a.sqlite";
    fs::copy(madeArchive(fixture, 5), archive);
    makeVersion1(archive);
    const auto before = readAll(archive);
    fs::permissions(fixture.path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
    const auto opened = Archive::open(archive);
    fs::permissions(fixture.path("locked"), fs::perms::owner_all);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().code, "unwritable_file");
    QVERIFY(readAll(archive) == before);
}

void TestArchiveFile::readsAWriteProtectedFile() {
    const ArchiveFixture fixture;
    const auto folder = fixture.path("protected");
    fs::create_directory(folder);
    const auto archive = folder / "a.sqlite";
    fs::copy(madeArchive(fixture, 20), archive);
    const auto before = readAll(archive);
    fs::permissions(archive, fs::perms::owner_read);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    auto opened = Archive::open(archive);
    const auto count = opened ? opened->count() : kernelarium::Result<std::int64_t>(opened.error());
    const auto hits = opened ? hitsOf(*opened, "acc") : 0;
    const auto imported = importFiles(archive, {fixture.writeRows("more", {plainRow("more")})});
    const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    fs::permissions(folder, fs::perms::owner_all);
    REQUIRE_OK(count);
    QCOMPARE(*count, 20);
    QCOMPARE(hits, 20u);
    if (isRoot()) return; // root may write in spite of the permissions
    QVERIFY(!imported.ok());
    QCOMPARE(imported.error().code, "unwritable_file");
    QCOMPARE(files, 1);
    QVERIFY(readAll(archive) == before);
}

void TestArchiveFile::refusesAFileWithAJournal() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 5);
    fixture.write("a.sqlite-journal", "left behind by another program");
    const auto opened = Archive::open(archive);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().code, "busy");
    QCOMPARE(importFiles(archive, {fixture.path("rows.jsonl")}).error().code, "busy");
}

void TestArchiveFile::aReaderKeepsItsFileDuringAnImport() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 10);
    auto reader = Archive::open(archive);
    REQUIRE_OK(reader);
    QVERIFY(!reader->changedOnDisk());
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("more", {plainRow("more")})}));
    QCOMPARE(*reader->count(), 10);
    QCOMPARE(hitsOf(*reader, "Variant 9"), 1u);
    QVERIFY(reader->changedOnDisk());
    auto again = Archive::open(archive);
    REQUIRE_OK(again);
    QCOMPARE(*again->count(), 11);
}

void TestArchiveFile::readsWhileAnImportRuns() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 100);
    auto rows = variedRows(3000);
    for (auto& row : rows)
        row["Kernel_Name"] = fmt::format("second_{}", row["Kernel_Name"].get<std::string>());
    const auto more = fixture.writeRows("more", rows);
    std::atomic<bool> done = false;
    bool imported = false;
    std::thread importer([&] {
        imported = importFiles(archive, {more}).ok();
        done = true;
    });
    std::int64_t last = 0;
    bool consistent = true;
    while (!done || last != 3100) {
        auto reader = Archive::open(archive);
        const auto count = reader ? reader->count() : kernelarium::Result<std::int64_t>(reader.error());
        const bool whole = count.ok() && (*count == 100 || *count == 3100) && *count >= last;
        const bool found = whole && hitsOf(*reader, "Variant 42\n") == (*count == 100 ? 1u : 2u);
        consistent = consistent && found;
        if (!consistent) break;
        last = *count;
    }
    importer.join();
    QVERIFY(imported);
    QVERIFY(consistent); // always all of the old rows or all of the new ones
}

void TestArchiveFile::followsALink() {
    const ArchiveFixture fixture;
    const auto archive = madeArchive(fixture, 3);
    const auto link = fixture.path("link");
    fs::create_symlink(archive, link);
    REQUIRE_OK(importFiles(link, {fixture.writeRows("more", {plainRow("more")})}));
    QVERIFY(fs::is_symlink(link));
    auto opened = Archive::open(archive);
    REQUIRE_OK(opened);
    QCOMPARE(*opened->count(), 4);
}

void TestArchiveFile::takesOddFileNames() {
    const ArchiveFixture fixture;
    const auto archive = fixture.path("new folder/50% of ?#& \xC3\xA4.sqlite");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("r", {plainRow("k")})}));
    auto opened = Archive::open(archive);
    REQUIRE_OK(opened);
    QCOMPARE(*opened->count(), 1);
}

void TestArchiveFile::hashesAsPublished() {
    // The examples of FIPS 180-4's author, NIST, and the lengths around a block's end.
    QCOMPARE(files::toHex(files::sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QCOMPARE(files::toHex(files::sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QCOMPARE(files::toHex(files::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    for (const int size : {55, 56, 63, 64, 65, 119, 120, 1000}) {
        const QByteArray bytes(size, 'a');
        const auto expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
        QCOMPARE(files::toHex(files::sha256(bytes.toStdString())), expected);
    }
}

KERNELARIUM_TEST(TestArchiveFile);
