// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestExport.h"

#include "core/archive/export/Export.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveContent.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <set>
#include <sstream>

using namespace kernelarium::archive;
namespace fs = std::filesystem;

namespace {

std::vector<std::int64_t> allIds(Archive& archive) {
    return archive.table().value().id;
}

} // namespace

void TestExport::jsonLinesComeBackTheSame() {
    const ArchiveFixture fixture;
    auto rows = variedRows(120);
    rows[3]["extra"] = {{"list", {1, 2}}};
    rows[4]["note"] = "text";
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a")).value();
    std::size_t told = 0;
    ExportOptions options;
    options.progress = [&](std::size_t done, std::size_t all) {
        QVERIFY(done <= all);
        told = done;
    };
    const auto report =
        exportKernels(archive, allIds(archive), ExportFormat::jsonLines, fixture.path("out.jsonl"), options);
    REQUIRE_OK(report);
    QCOMPARE(report->kernels, 120U);
    QCOMPARE(told, 120U);
    QCOMPARE(report->bytes, std::uint64_t(fs::file_size(fixture.path("out.jsonl"))));
    REQUIRE_OK(importFiles(fixture.path("b"), {fixture.path("out.jsonl")}));
    QCOMPARE(contentOf(fixture.path("b")), contentOf(fixture.path("a")));
}

void TestExport::csvIsQuoted() {
    const ArchiveFixture fixture;
    auto row = plainRow("a,\"b\"");
    row["CUDA_Runtime"] = 0.1;
    row["Correct"] = true;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", {row, plainRow("plain")})}));
    auto archive = Archive::open(fixture.path("a")).value();
    REQUIRE_OK(exportKernels(archive, {2, 1}, ExportFormat::csv, fixture.path("out.csv")));
    std::istringstream lines(readAll(fixture.path("out.csv")));
    std::string header, first, second, end;
    std::getline(lines, header);
    std::getline(lines, first);
    std::getline(lines, second);
    QVERIFY(!std::getline(lines, end));
    QVERIFY2(first.find(",plain,") != std::string::npos, first.c_str()); // in the order asked for
    QVERIFY2(second.find(",\"a,\"\"b\"\"\",") != std::string::npos, second.c_str());
    QVERIFY2(second.find(",0.1,") != std::string::npos && second.find(",true,") != std::string::npos, second.c_str());
    QCOMPARE(std::count(first.begin(), first.end(), ','), std::count(header.begin(), header.end(), ','));
}

void TestExport::sourcesAreAsArchived() {
    const ArchiveFixture fixture;
    auto rows = variedRows(30);
    rows[0]["Kernel_Name"] = "../../etc/pass wd";
    rows[1]["Kernel_Name"] = std::string(400, 'n');
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a")).value();
    const auto report = exportKernels(archive, allIds(archive), ExportFormat::cudaFiles, fixture.path("out"));
    REQUIRE_OK(report);
    QCOMPARE(report->files, 31U);
    std::set<std::string> there;
    for (const auto& entry : fs::directory_iterator(fixture.path("out")))
        there.insert(entry.path().filename().string());
    QCOMPARE(there.size(), 31U);
    for (const auto& kernel : *archive.list()) {
        const std::string name = cudaFileName(kernel);
        QVERIFY2(there.contains(name), name.c_str());
        QCOMPARE(readAll(fixture.path("out") / name), archive.text(kernel.id, TextKind::cudaCode).value().value());
        QVERIFY(readAll(fixture.path("out/index.csv")).find(name + ",") != std::string::npos);
    }
}

void TestExport::cancelLeavesTheFormerFile() {
    const ArchiveFixture fixture;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", variedRows(50))}));
    auto archive = Archive::open(fixture.path("a")).value();
    fixture.write("out.csv", "former");
    std::stop_source stop;
    ExportOptions options;
    options.stop = stop.get_token();
    options.progress = [&](std::size_t, std::size_t) { stop.request_stop(); };
    const auto report = exportKernels(archive, allIds(archive), ExportFormat::csv, fixture.path("out.csv"), options);
    QVERIFY(!report.ok());
    QCOMPARE(report.error().code, std::string("cancelled"));
    QCOMPARE(readAll(fixture.path("out.csv")), std::string("former"));
    QVERIFY(!fs::exists(fixture.path("out.csv.part")));
}

void TestExport::refusals() {
    const ArchiveFixture fixture;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", variedRows(5))}));
    auto archive = Archive::open(fixture.path("a")).value();
    const auto unknown = exportKernels(archive, {1, 99}, ExportFormat::csv, fixture.path("out.csv"));
    QVERIFY(!unknown.ok());
    QCOMPARE(unknown.error().code, std::string("unknown_kernel"));
    QVERIFY(!fs::exists(fixture.path("out.csv")));
    const auto nowhere = exportKernels(archive, {1}, ExportFormat::csv, fixture.path("no/such/folder.csv"));
    QVERIFY(!nowhere.ok());
    QCOMPARE(nowhere.error().code, std::string("unwritable_file"));
    QVERIFY(!exportKernels(archive, {1}, ExportFormat::cudaFiles, fixture.path("a")).ok()); // a file, not a folder
}

KERNELARIUM_TEST(TestExport);
