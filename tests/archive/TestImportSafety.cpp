// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestImportSafety.h"

#include "core/archive/import/SourceFile.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveContent.h"
#include "tests/archive/ArchiveFixture.h"
#include "tests/archive/DuckDbWriter.h"

#include <QtTest>
#include <csignal>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelarium::archive;
namespace fs = std::filesystem;

namespace {

/// A source that never ends: it tells the process that waits for it that it is well under way.
class EndlessSource : public RowSource {
public:
    explicit EndlessSource(int pipe)
        : m_pipe(pipe) {}
    kernelarium::Result<RowStatus> next(SourceRow& row, SourceProblem&, const std::stop_token&) override {
        if (++m_row == 5000 && write(m_pipe, "x", 1) != 1) return RowStatus::end;
        row.position = m_row;
        row.opName = "Endless";
        row.level = row.task = 1;
        row.name = fmt::format("kernel_{}", m_row);
        row.texts[indexOf(TextKind::cudaCode)] = fmt::format("// {}\n{}", m_row, std::string(4000, 'x'));
        return RowStatus::row;
    }
    [[nodiscard]] std::string name() const override { return "endless"; }
    [[nodiscard]] std::uint64_t bytesRead() const override { return m_row; }
    [[nodiscard]] std::uint64_t bytesTotal() const override { return 0; }

private:
    int m_pipe;
    std::uint64_t m_row = 0;
};

/// Starts an endless import in a child process and returns its id once 5,000 rows have gone in.
pid_t startEndlessImport(const fs::path& archive) {
    int ends[2] = {};
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        EndlessSource source(ends[1]);
        RowSource* sources[] = {&source};
        const auto report = importRows(archive, sources);
        _exit(report.ok() ? 0 : 1);
    }
    close(ends[1]);
    char byte = 0;
    const bool underWay = read(ends[0], &byte, 1) == 1;
    close(ends[0]);
    return underWay ? child : -1;
}

constexpr std::size_t smallBatch = 256;

/// Kills its process when the sources of an import have given that many rows.
class DeadlySource : public RowSource {
public:
    DeadlySource(RowSource& source, std::uint64_t& rowsLeft)
        : m_source(source)
        , m_rowsLeft(rowsLeft) {}
    kernelarium::Result<RowStatus> next(SourceRow& row, SourceProblem& problem, const std::stop_token& stop) override {
        if (m_rowsLeft-- == 0) raise(SIGKILL);
        return m_source.next(row, problem, stop);
    }
    [[nodiscard]] std::string name() const override { return m_source.name(); }
    [[nodiscard]] std::uint64_t bytesRead() const override { return m_source.bytesRead(); }
    [[nodiscard]] std::uint64_t bytesTotal() const override { return m_source.bytesTotal(); }
    [[nodiscard]] std::string identity() const override { return m_source.identity(); }
    [[nodiscard]] SourceMark mark() const override { return m_source.mark(); }
    kernelarium::Result<void> resume(const SourceMark& mark) override { return m_source.resume(mark); }

private:
    RowSource& m_source;
    std::uint64_t& m_rowsLeft;
};

/// Imports the files in a child process, which kills itself when it has read that many rows; false when it came to its
/// end.
bool killedImport(const fs::path& archive, const std::vector<fs::path>& files, std::uint64_t rows) {
    const pid_t child = fork();
    if (child == 0) {
        auto sources = openSourceFiles(files);
        if (!sources) _exit(2);
        std::vector<DeadlySource> deadly;
        for (auto& source : *sources)
            deadly.emplace_back(*source, rows);
        std::vector<RowSource*> pointers;
        for (auto& source : deadly)
            pointers.push_back(&source);
        ImportOptions options;
        options.batchRows = smallBatch;
        const auto report = importRows(archive, pointers, options);
        _exit(report.ok() ? 0 : 1);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status);
}

std::vector<fs::path> twoFiles(const ArchiveFixture& fixture, const QString& kind) {
    const auto rows = variedRows(2600);
    const std::vector<nlohmann::json> first(rows.begin(), rows.begin() + 1500);
    const std::vector<nlohmann::json> second(rows.begin() + 1500, rows.end());
    std::vector<fs::path> files = {fixture.writeRows("1.jsonl", first), fixture.writeRows("2.jsonl", second)};
    if (kind == "parquet") {
        for (auto& file : files) {
            const fs::path parquet = fs::path(file).replace_extension(".parquet");
            duckDbRun(fmt::format("COPY (SELECT * FROM read_json('{}', format = 'newline_delimited')) TO '{}'",
                                  file.string(), parquet.string()));
            file = parquet;
        }
    }
    return files;
}

std::int64_t rowsIn(const fs::path& archive) {
    auto opened = Archive::open(archive);
    if (!opened) return -1;
    const auto count = opened->count();
    return count ? *count : -1;
}

} // namespace

void TestImportSafety::cancelLeavesTheFile() {
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first")})}));
    const auto before = readAll(archive);
    const auto many = fixture.writeRows("many", variedRows(6000));
    std::stop_source stop;
    ImportOptions options;
    options.stop = stop.get_token();
    options.progress = [&](const ImportProgress& progress) {
        if (progress.rowsAdded > 0) stop.request_stop();
    };
    const auto report = importFiles(archive, {many}, options);
    QVERIFY(!report.ok());
    QCOMPARE(report.error().code, "cancelled");
    QVERIFY(readAll(archive) == before);
    QCOMPARE(std::distance(fs::directory_iterator(archive.parent_path()), fs::directory_iterator()), 3);
}

void TestImportSafety::killLeavesTheFile() {
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first")})}));
    const auto before = readAll(archive);
    const pid_t child = startEndlessImport(archive);
    QVERIFY(child > 0);
    kill(child, SIGKILL);
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    QVERIFY(readAll(archive) == before);
    QCOMPARE(rowsIn(archive), 1);
    const auto next = importFiles(archive, {fixture.writeRows("second", {plainRow("second")})});
    REQUIRE_OK(next);
    QCOMPARE(rowsIn(archive), 2); // and nothing of what the killed one had written
}

void TestImportSafety::goesOnAfterAKill_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("rows");
    QTest::newRow("JSON lines, first file") << "lines" << 1100;
    QTest::newRow("JSON lines, second file") << "lines" << 2300;
    QTest::newRow("Parquet") << "parquet" << 2300;
}

void TestImportSafety::goesOnAfterAKill() {
    QFETCH(QString, kind);
    QFETCH(int, rows);
    if (kind == "parquet" && !duckDbMissing().empty()) QSKIP("DuckDB's library is absent");
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first", 7, 7)})}));
    const auto before = readAll(archive);
    const auto files = twoFiles(fixture, kind);
    QVERIFY(killedImport(archive, files, std::uint64_t(rows)));
    QVERIFY(readAll(archive) == before);
    QVERIFY(killedImport(archive, files, 200)); // twice

    std::uint64_t firstTold = 0;
    ImportOptions options;
    options.batchRows = smallBatch;
    options.progress = [&](const ImportProgress& progress) {
        if (firstTold == 0) firstTold = progress.rowsRead;
        QVERIFY(progress.bytesRead <= progress.bytesTotal);
        QVERIFY(progress.rowsResumed > 0 && progress.bytesResumed > 0);
    };
    auto sources = openSourceFiles(files);
    REQUIRE_OK(sources);
    const auto report = importRows(archive, pointersTo(*sources), options);
    REQUIRE_OK(report);
    QVERIFY2(report->rowsResumed >= std::uint64_t(rows) / smallBatch * smallBatch - 2 * smallBatch,
             std::to_string(report->rowsResumed).c_str());
    QVERIFY(firstTold >= report->rowsResumed);
    QCOMPARE(report->rowsRead, 2600U);
    QCOMPARE(report->added, 2600U);

    auto again = openSourceFiles(files);
    REQUIRE_OK(importFiles(fixture.path("b"), {fixture.path("first")}));
    REQUIRE_OK(importRows(fixture.path("b"), pointersTo(*again)));
    QCOMPARE(contentOf(archive), contentOf(fixture.path("b")));
    for (const auto& entry : fs::directory_iterator(archive.parent_path()))
        QVERIFY2(entry.path().filename().string().front() != '.', entry.path().c_str()); // nothing is left behind
}

void TestImportSafety::beginsAgainWhenAnythingChanged_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"archive", "source", "order", "one more", "damaged"})
        QTest::newRow(what) << what;
}

void TestImportSafety::beginsAgainWhenAnythingChanged() {
    QFETCH(QString, what);
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first", 7, 7)})}));
    auto files = twoFiles(fixture, "lines");
    QVERIFY(killedImport(archive, files, 2300));
    const auto left = fixture.path(".a.import");
    QVERIFY(fs::file_size(left) > 100000);
    if (what == "archive") {
        fs::copy_file(archive, fixture.path("copy"));
        fs::rename(fixture.path("copy"), archive);
    }
    if (what == "source") fixture.writeRows("2.jsonl", {plainRow("another", 8, 8)});
    if (what == "order") std::swap(files[0], files[1]);
    if (what == "one more") files.push_back(fixture.writeRows("3.jsonl", {plainRow("third", 8, 8)}));
    if (what == "damaged") {
        std::string bytes = readAll(left);
        fixture.write(".a.import", bytes.replace(0, 5000, std::string(5000, 'x')));
    }
    const auto report = importFiles(archive, files);
    REQUIRE_OK(report);
    QCOMPARE(report->rowsResumed, 0U);
    QCOMPARE(rowsIn(archive), 1 + std::int64_t(report->added));
    QCOMPARE(report->added, what == "source" ? 1501U : what == "one more" ? 2601U : 2600U);
}

void TestImportSafety::oneImportAtATime() {
    const ArchiveFixture fixture;
    const auto archive = fixture.path("a");
    REQUIRE_OK(importFiles(archive, {fixture.writeRows("first", {plainRow("first")})}));
    const pid_t child = startEndlessImport(archive);
    QVERIFY(child > 0);
    const auto second = importFiles(archive, {fixture.writeRows("second", {plainRow("second")})});
    auto reader = Archive::open(archive); // a reader is not disturbed by either
    const auto count = reader ? reader->count() : kernelarium::Result<std::int64_t>(reader.error());
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    QVERIFY(!second.ok());
    QCOMPARE(second.error().code, "busy");
    REQUIRE_OK(count);
    QCOMPARE(*count, 1);
}

void TestImportSafety::refusesAnUnreadableSource() {
    const ArchiveFixture fixture;
    const auto missing = importFiles(fixture.path("a"), {fixture.path("nothing.jsonl")});
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().code, "unreadable_file");
    const auto folder = importFiles(fixture.path("a"), {fixture.path("")});
    QVERIFY(!folder.ok());
    QVERIFY(!fs::exists(fixture.path("a")));
}

void TestImportSafety::equalRowsMakeEqualFiles() {
    const ArchiveFixture fixture;
    const auto rows = fixture.writeRows("r", variedRows(500));
    REQUIRE_OK(importFiles(fixture.path("a"), {rows}));
    REQUIRE_OK(importFiles(fixture.path("b"), {rows}));
    QVERIFY(readAll(fixture.path("a")) == readAll(fixture.path("b")));
}

KERNELARIUM_TEST(TestImportSafety);
