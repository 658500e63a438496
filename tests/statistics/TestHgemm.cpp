// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/statistics/TestHgemm.h"

#include "core/hgemm/HgemmStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/archive/ArchiveFixture.h"

#include <QProcess>
#include <QtTest>
#include <cmath>
#include <fmt/format.h>

using namespace kernelarium;
namespace fs = std::filesystem;

namespace {

const std::string smallName = "set_h100_F32F16F16F32_speedup_offline.csv";
const std::string smallText = "mnk,torch.matmul,cuBLAS-max\n64_64_64,2.0,0.5\r\n128_64_64,8,\n\n64_128_64,0.25,4\n";

} // namespace

void TestHgemm::readsATable() {
    const auto table = hgemm::parseHgemmTable(smallText, smallName);
    REQUIRE_OK(table);
    QCOMPARE(table->title(), std::string("h100 F32F16F16F32 offline"));
    QCOMPARE(table->shapes.size(), 3U);
    QVERIFY((table->shapes[1] == hgemm::Shape{128, 64, 64}));
    QVERIFY(std::isnan(table->speedups[1][1]));
    const auto summaries = hgemm::summarise(*table);
    QCOMPARE(summaries[0].geometricMean, std::cbrt(2.0 * 8 * 0.25));
    QCOMPARE(summaries[0].median, 2.0);
    QCOMPARE(summaries[0].shareSlower, 1.0 / 3);
    QCOMPARE(summaries[0].worst, 0.25);
    QVERIFY((summaries[0].worstShape == hgemm::Shape{64, 128, 64}));
    QVERIFY((summaries[0].bestShape == hgemm::Shape{128, 64, 64}));
    QCOMPARE(summaries[1].shapes, 2);
    QCOMPARE(summaries[1].geometricMean, std::sqrt(2.0));
}

void TestHgemm::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << ""
                           << "no shapes";
    QTest::newRow("header only") << "mnk,a\n"
                                 << "no shapes";
    QTest::newRow("no header") << "64_64_64,1\n"
                               << "first line";
    QTest::newRow("twice") << "mnk,a,a\n64_64_64,1,1\n"
                           << "twice";
    QTest::newRow("shape twice") << "mnk,a\n64_64_64,1\n64_64_64,2\n"
                                 << "line 3";
    QTest::newRow("fields") << "mnk,a\n64_64_64,1,2\n"
                            << "line 2 has 3 fields";
    QTest::newRow("shape") << "mnk,a\n64_64,1\n"
                           << "M_N_K";
    QTest::newRow("negative shape") << "mnk,a\n64_-64_64,1\n"
                                    << "M_N_K";
    QTest::newRow("word") << "mnk,a\n64_64_64,fast\n"
                          << "not a speed-up";
    QTest::newRow("zero") << "mnk,a\n64_64_64,0\n"
                          << "not a speed-up";
    QTest::newRow("nan") << "mnk,a\n64_64_64,nan\n"
                         << "not a speed-up";
}

void TestHgemm::refuses() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto table = hgemm::parseHgemmTable(text.toStdString(), smallName);
    QVERIFY(!table.ok());
    QCOMPARE(table.error().code, std::string("bad_hgemm"));
    QVERIFY(table.error().action.find("F1") < table.error().action.find("kernelarium-cli"));
    QVERIFY2(QString::fromStdString(table.error().message).contains(says), table.error().message.c_str());
    QVERIFY(!hgemm::parseHgemmTable(smallText, "results.csv").ok());
}

void TestHgemm::storeKeepsOneOfEach() {
    const ArchiveFixture fixture;
    auto store = hgemm::HgemmStore::open(fixture.path("h.sqlite"));
    REQUIRE_OK(store);
    const auto first = hgemm::parseHgemmTable(smallText, smallName).value();
    const auto server = hgemm::parseHgemmTable(smallText, "set_h100_F32F16F16F32_speedup_server.csv").value();
    REQUIRE_OK(store->put({first, server}));
    const auto changed = hgemm::parseHgemmTable("mnk,a\n64_64_64,3\n", smallName).value();
    REQUIRE_OK(store->put({changed}));
    auto again = hgemm::HgemmStore::open(fixture.path("h.sqlite"));
    REQUIRE_OK(again);
    const auto tables = again->tables();
    REQUIRE_OK(tables);
    QCOMPARE(tables->size(), 2U);
    QCOMPARE(tables->at(0).baselines, std::vector<std::string>{"a"});
    QCOMPARE(tables->at(1).mode, std::string("server"));
    QVERIFY(tables->at(1).shapes == server.shapes && tables->at(1).baselines == server.baselines);
    QCOMPARE(tables->at(1).speedups[0], server.speedups[0]);
    QVERIFY(std::isnan(tables->at(1).speedups[1][1]));
}

void TestHgemm::storeRefusesOtherFiles() {
    const ArchiveFixture fixture;
    QCOMPARE(hgemm::HgemmStore::open(fixture.write("text", "words")).error().code, std::string("damaged_hgemm"));
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", {plainRow("k")})}));
    const auto before = readAll(fixture.path("a"));
    QCOMPARE(hgemm::HgemmStore::open(fixture.path("a")).error().code, std::string("not_hgemm"));
    QVERIFY(readAll(fixture.path("a")) == before);
}

void TestHgemm::publishedTablesAsComputedInPython() {
    if (!QFile::exists("/usr/bin/python3")) QSKIP("/usr/bin/python3 is absent");
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const fs::path folder = fs::path(named != nullptr ? named : KERNELARIUM_SHARED_DIR) / "facts/cuda_l2";
    if (!fs::exists(folder)) QSKIP("the shared facts/cuda_l2 is absent");
    static const char* const program = R"py(
import csv, json, math, statistics, sys
out = {}
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
for b in [c for c in rows[0] if c != "mnk"]:
    v = [(float(r[b]), r["mnk"]) for r in rows if r[b] != ""]
    x = [s for s, _ in v]
    worst = min(v, key=lambda p: p[0])
    out[b] = [len(x), statistics.geometric_mean(x), statistics.median(x), sum(s < 1 for s in x) / len(x), worst[0], worst[1], max(x)]
print(json.dumps(out))
)py";
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".csv") continue;
        const auto table = hgemm::readHgemmTable(entry.path());
        REQUIRE_OK(table);
        QProcess python;
        python.start("/usr/bin/python3", {"-c", program, QString::fromStdString(entry.path().string())});
        QVERIFY(python.waitForFinished(longWait) && python.exitCode() == 0);
        const auto expected = nlohmann::json::parse(python.readAllStandardOutput().toStdString());
        const auto summaries = hgemm::summarise(*table);
        QCOMPARE(expected.size(), summaries.size());
        for (const auto& s : summaries) {
            const auto& e = expected.at(s.baseline);
            const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
            QCOMPARE(s.shapes, e[0].get<std::int64_t>());
            QVERIFY(near(s.geometricMean, e[1]) && near(s.median, e[2]) && near(s.shareSlower, e[3]) &&
                    near(s.worst, e[4]) && near(s.best, e[6]));
            QCOMPARE(fmt::format("{}_{}_{}", s.worstShape.m, s.worstShape.n, s.worstShape.k), e[5].get<std::string>());
        }
        ++files;
    }
    QVERIFY(files >= 8);
}

KERNELARIUM_TEST(TestHgemm);
