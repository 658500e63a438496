// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Counters.h"
#include "core/perf/LibraryCall.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <nlohmann/json.hpp>
#include <set>

using namespace kernelarium;
using namespace kernelarium::perf;

namespace {

LaunchCounters example() {
    LaunchCounters c;
    c.kernel = "tile<float>";
    c.grid = {3, 4, 5};
    c.block = {32, 8, 1};
    c.staticSharedBytes = 1024;
    c.dynamicSharedBytes = 512;
    c.registers = 40;
    c.stream = 3;
    c.uniqueReadBytes = 96;
    c.uniqueWrittenBytes = 64;
    c.uniqueBytes = 160;
    c.sampling = {60, 6, true};
    c.longestWarp = 77;
    c.seconds = 0.25;
    for (int line : {3, 9}) {
        LineCounters l;
        l.line = line;
        double value = line;
        for (const Metric& m : metrics())
            l.*m.field = value += 1.5;
        l.loadWaste = {7, 224, 28, 8192, 5};
        l.sharedWaste = {9, 18, 9, -128, double(line)};
        c.lines.push_back(l);
        c.totals += l;
    }
    return c;
}

} // namespace

class TestCountersData : public QObject {
    Q_OBJECT
private slots:
    void metricsAreNamedOnce() {
        std::set<std::string> names;
        std::set<std::size_t> places;
        for (const Metric& m : metrics()) {
            QVERIFY2(names.insert(m.key).second, m.key);
            if (*m.ncuName) QVERIFY2(names.insert(m.ncuName).second, m.ncuName);
            const LineCounters c;
            QVERIFY(places
                        .insert(std::size_t(reinterpret_cast<const char*>(&(c.*m.field)) -
                                            reinterpret_cast<const char*>(&c)))
                        .second);
            QCOMPARE(findMetric(m.key), &m);
        }
        // Every figure of the struct is in the table: it holds an int, padded, doubles and three kinds of waste.
        QCOMPARE(metrics().size(), (sizeof(LineCounters) - 3 * sizeof(Waste)) / sizeof(double) - 1);
        QVERIFY(findMetric("smsp__inst_executed.sum")->field == &LineCounters::warpInstructions);
        QVERIFY(!findMetric("no such thing"));
        QVERIFY(!findMetric(""));
    }

    void jsonComesBack() {
        const LaunchCounters before = example();
        const auto after = launchCountersFromJson(nlohmann::json::parse(toJson(before).dump()));
        QVERIFY(after.ok());
        QVERIFY(toJson(*after) == toJson(before));
        QCOMPARE(after->grid, before.grid);
        QCOMPARE(after->lines.size(), std::size_t(2));
        QCOMPARE(after->lines[1].line, 9);
        for (const Metric& m : metrics())
            QCOMPARE(after->totals.*m.field, before.totals.*m.field);
        QCOMPARE(after->lines[1].sharedWaste.stride, -128.0);
        QCOMPARE(after->totals.loadWaste.lead, 10.0);
        QCOMPARE(after->totals.loadWaste.cost, 448.0);
        QCOMPARE(after->lines[0].loadWaste.needed, 28.0);
        QCOMPARE(after->totals.storeWaste.requests, 0.0);
        QCOMPARE(after->sampling.share(), 0.1);
        QVERIFY(after->sampling.repeated);
        const std::vector<LaunchCounters> two(2, before);
        QCOMPARE(launchesFromJson(toJson(two))->size(), std::size_t(2));
    }

    void nonsenseIsRefused() {
        QCOMPARE(launchCountersFromJson(nlohmann::json::object()).error().code, std::string("bad_input"));
        QCOMPARE(launchesFromJson(nlohmann::json("x")).error().code, std::string("bad_input"));
        nlohmann::json j = toJson(example());
        j["grid"] = "wide";
        QCOMPARE(launchCountersFromJson(j).error().code, std::string("bad_input"));
        QCOMPARE(libraryCallFromJson({{"name", 3}}).error().code, std::string("bad_input"));
    }

    void sums() {
        const std::vector<LaunchCounters> launches{example(), example()};
        const auto lines = mergedLines(launches);
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0].line, 3);
        QCOMPARE(lines[1].fp32, 2 * launches[0].lines[1].fp32);
        QCOMPARE(mergedTotals(launches).integer, 2 * launches[0].totals.integer);
        QCOMPARE(scaled(launches[0].totals, 10).barrier, 10 * launches[0].totals.barrier);
    }

    void stridesAreVotedOn() {
        Waste w;
        w += {4, 128, 16, 4096, 3};
        w += {2, 32, 8, 64, 2};
        QCOMPARE(w.stride, 4096.0);
        QCOMPARE(w.lead, 1.0);
        w += {5, 80, 20, 64, 5};
        QCOMPARE(w.stride, 64.0);
        QCOMPARE(w.lead, 4.0);
        w += {};
        QCOMPARE(w.lead, 4.0);
        QCOMPARE(w.requests, 11.0);
        QCOMPARE(w.cost, 240.0);
    }

    void ratios() {
        LineCounters c;
        QVERIFY(!sectorsPerRequest(c) && !bankConflictDegree(c) && !activeLanes(c));
        c.globalLoadRequests = 2;
        c.globalStoreRequests = 2;
        c.globalLoadSectors = 64;
        c.globalStoreSectors = 8;
        QCOMPARE(*sectorsPerRequest(c), 18.0);
        c.sharedLoadWavefronts = 32;
        c.sharedIdealWavefronts = 4;
        QCOMPARE(*bankConflictDegree(c), 8.0);
        c.warpInstructions = 4;
        c.threadInstructions = 64;
        QCOMPARE(*activeLanes(c), 16.0);
    }
};

namespace {
KERNELARIUM_TEST(TestCountersData);
}

#include "TestCountersData.moc"
