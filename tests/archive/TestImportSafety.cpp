// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestImportSafety.h"

#include "tests/archive/ArchiveFixture.h"

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
