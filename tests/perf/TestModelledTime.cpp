// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/ModelledTime.h"
#include "core/perf/ResidentBlocks.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::perf;

namespace {

const DeviceSpec& h200() {
    return *findDeviceSpec("h200");
}

/// A copy of so many floats, each thread one, as counted.
LaunchCounters copyOf(double elements, double loadSectorsPerRequest = 4) {
    LaunchCounters c;
    c.kernel = "copy";
    c.block = {256, 1, 1};
    c.grid = {std::uint32_t(elements / 256), 1, 1};
    c.registers = 16;
    const double warps = elements / 32;
    c.totals.warpInstructions = c.totals.issueSlots = 10 * warps;
    c.totals.integer = 6 * warps;
    c.totals.globalLoadRequests = c.totals.globalStoreRequests = warps;
    c.totals.globalLoadSectors = c.totals.l2LoadSectors = loadSectorsPerRequest * warps;
    c.totals.globalLines = warps * (1 + std::max(1.0, loadSectorsPerRequest / 4));
    c.totals.globalStoreSectors = 4 * warps;
    c.uniqueReadBytes = loadSectorsPerRequest * 32 * warps;
    c.uniqueWrittenBytes = 4 * elements;
    c.uniqueBytes = c.uniqueReadBytes + c.uniqueWrittenBytes;
    c.sampling = {c.blocks(), c.blocks(), false};
    return c;
}

/// So many fma for each of 2^20 threads.
LaunchCounters arithmetic(double each) {
    LaunchCounters c = copyOf(1 << 20);
    c.totals.fp32 = each * (1 << 15);
    c.totals.flopsFp32 = each * 2 * (1 << 20);
    c.totals.warpInstructions += c.totals.fp32;
    c.totals.issueSlots += c.totals.fp32;
    return c;
}

} // namespace

class TestModelledTime : public QObject {
    Q_OBJECT
private slots:
    void streamingIsBoundByMemory() {
        const LaunchCounters c = copyOf(1 << 28);
        const LaunchTime t = modelLaunch(c, h200());
        QCOMPARE(t.limiter, std::string("device_memory"));
        QCOMPARE(t.deviceMemoryBytes, c.uniqueBytes);
        const double floor = c.uniqueBytes / h200().memoryBandwidth;
        QVERIFY(t.seconds > floor && t.seconds < 1.3 * floor);
        QVERIFY(t.why.find("device memory") != std::string::npos);
    }

    void arithmeticIsBoundByItsPipe() {
        const LaunchCounters c = arithmetic(20000);
        const LaunchTime t = modelLaunch(c, h200());
        QVERIFY2(t.limiter == "fp32" || t.limiter == "issue", t.limiter.c_str());
        QVERIFY(t.seconds >= c.totals.flopsFp32 / h200().fp32);
        QVERIFY(t.seconds < 2 * c.totals.flopsFp32 / h200().fp32);
    }

    void neverBelowThePhysicalFloor() {
        for (const DeviceSpec& d : deviceSpecs())
            for (const double elements : {1024.0, 1048576.0, 268435456.0}) {
                const LaunchCounters c = copyOf(elements);
                QVERIFY(modelLaunch(c, d).seconds >= c.uniqueBytes / d.memoryBandwidth);
                QVERIFY(modelLaunch(c, d).seconds >= d.launchSeconds);
            }
    }

    void moreWorkIsNeverFaster() {
        double before = 0;
        for (const double sectors : {4.0, 8.0, 16.0, 32.0}) {
            const double seconds = modelLaunch(copyOf(1 << 24, sectors), h200()).seconds;
            QVERIFY(seconds > before);
            before = seconds;
        }
        before = 0;
        for (const double each : {1.0, 100.0, 10000.0}) {
            const double seconds = modelLaunch(arithmetic(each), h200()).seconds;
            QVERIFY(seconds >= before);
            before = seconds;
        }
        LaunchCounters conflicts = copyOf(1 << 20);
        conflicts.totals.sharedLoadRequests = 1e6;
        conflicts.totals.sharedLoadWavefronts = 1e6;
        const double without = modelLaunch(conflicts, h200()).seconds;
        conflicts.totals.sharedLoadWavefronts = 32e6;
        QVERIFY(modelLaunch(conflicts, h200()).seconds > without);
    }

    void fasterDevicesAreFaster() {
        const LaunchCounters c = copyOf(1 << 26);
        QVERIFY(modelLaunch(c, *findDeviceSpec("t4")).seconds > modelLaunch(c, *findDeviceSpec("a100-40gb")).seconds);
        QVERIFY(modelLaunch(c, *findDeviceSpec("h100-sxm")).seconds > modelLaunch(c, h200()).seconds);
    }

    /// Two waves and a bit cost three waves of what multiprocessors do.
    void lastWaveCounts() {
        LaunchCounters c = arithmetic(20000);
        c.grid = {132 * 2, 1, 1};
        QCOMPARE(modelLaunch(c, h200()).quantisation, 1.0);
        c.grid = {132 * 2 + 1, 1, 1};
        const LaunchTime t = modelLaunch(c, h200());
        QVERIFY(t.quantisation > 1.49 && t.quantisation < 1.5);
    }

    /// What a block reads again costs device memory where its share of the L2 has lost it, and nowhere else.
    void lostSectorsAreReadAgain() {
        LaunchCounters c = copyOf(1 << 28);
        const double once = c.uniqueBytes, again = c.totals.l2LoadSectors;
        c.totals.globalLoadSectors = c.totals.l2LoadSectors = 2 * again;
        c.totals.blockAgainSectors = again;
        const LaunchTime kept = modelLaunch(c, h200());
        QCOMPARE(kept.deviceMemoryBytes, once);
        c.totals.blockLostSectors = again;
        const LaunchTime lost = modelLaunch(c, h200());
        QCOMPARE(lost.deviceMemoryBytes, once + 32 * again);
        QVERIFY(lost.seconds > 1.3 * kept.seconds);
    }

    /// The same, whose blocks' own time was followed.
    static LaunchCounters followed(double each) {
        LaunchCounters c = arithmetic(each);
        c.blockClocks = 8 * each;
        return c;
    }

    /// Blocks hide one another's waits: the more of them stay, the better.
    void residentBlocksHideWaits() {
        LaunchCounters one = followed(2000), many = one;
        one.registers = 255; // one block of 256 threads to a multiprocessor
        many.registers = 32;
        QVERIFY(modelLaunch(one, h200()).seconds > 1.2 * modelLaunch(many, h200()).seconds);
        LaunchCounters waiting = many;
        waiting.blockWaits = 20;
        const double busy = modelLaunch(many, h200()).seconds, slower = modelLaunch(waiting, h200()).seconds;
        QVERIFY2(slower > busy && slower < 1.5 * busy, qPrintable(QStringLiteral("%1 %2").arg(busy).arg(slower)));
        one.blockWaits = 20;
        QVERIFY(modelLaunch(one, h200()).seconds > 1.3 * slower);
    }

    /// A last round of one block on each multiprocessor has nobody to hide its waits.
    void lastRoundIsAlone() {
        LaunchCounters c = followed(2000);
        c.blockClocks = 90000; // of 83,000 that the schedulers are busy with each of 264 blocks
        c.blockWaits = 40;
        c.registers = 128; // two blocks stay
        c.grid = {132 * 2, 1, 1};
        const double two = modelLaunch(c, h200()).seconds / 2;
        c.grid = {132 * 3, 1, 1};
        c.totals = scaled(c.totals, 1.5);
        QVERIFY(modelLaunch(c, h200()).seconds > 3.1 * two);
    }

    void spillsCostLocalMemory() {
        LaunchCounters c = followed(2000);
        c.codeSlots = 500;
        const LaunchTime without = modelLaunch(c, h200());
        c.spillBytes = 200;
        const LaunchTime few = modelLaunch(c, h200());
        c.spillBytes = 2000;
        const LaunchTime many = modelLaunch(c, h200());
        QVERIFY(few.seconds > without.seconds && many.seconds > 1.5 * few.seconds);
    }

    /// One resident block waits by itself; many are as fast as their busiest part.
    void blocksTogether() {
        QCOMPARE(secondsTogether(10, 1, {1, 3}), 30.0);
        QVERIFY(secondsTogether(10, 2, {1, 3}) > 15 && secondsTogether(10, 2, {1, 3}) < 30);
        QVERIFY(std::abs(secondsTogether(1000, 32, {1, 3}) - 1000) < 1);
        QCOMPARE(secondsTogether(10, 4, {1, 1}), 10.0); // nothing to hide
        QCOMPARE(secondsTogether(10, 4, {0, 0}), 0.0);
        QCOMPARE(secondsInRounds(3, 2, {1, 3}), secondsTogether(2, 2, {1, 3}) + 3);
        QCOMPARE(secondsInRounds(4, 2, {1, 3}), secondsTogether(4, 2, {1, 3}));
        QCOMPARE(secondsInRounds(1, 8, {1, 3}), 3.0);
    }

    void fewBlocksWait() {
        LaunchCounters c = copyOf(1 << 20);
        c.grid = {1, 1, 1};
        const LaunchTime t = modelLaunch(c, h200());
        QCOMPARE(t.quantisation, 132.0);
        QCOMPARE(t.limiter, std::string("latency"));
        QVERIFY2(t.why.find("131 of 132 multiprocessors idle") != std::string::npos, t.why.c_str());
    }

    void tinyLaunchesAreOverhead() {
        const LaunchTime t = modelLaunch(copyOf(256), h200());
        QCOMPARE(t.limiter, std::string("launch_overhead"));
        QVERIFY(t.seconds < 2 * h200().launchSeconds);
    }

    void streamsRunSideBySide() {
        LaunchCounters one = copyOf(1 << 20);
        one.grid = {4, 1, 1}; // leaves nearly all of the device idle
        std::vector<LaunchCounters> launches(4, one);
        const double inOneStream = modelRun(launches, {}, h200()).seconds;
        for (std::size_t i = 0; i < launches.size(); ++i)
            launches[i].stream = i;
        QVERIFY(std::abs(modelRun(launches, {}, h200()).seconds - inOneStream / 4) < 1e-12);
        // Launches that fill the device gain nothing.
        launches.assign(4, copyOf(1 << 26));
        const double together = modelRun(launches, {}, h200()).seconds;
        for (std::size_t i = 0; i < launches.size(); ++i)
            launches[i].stream = i;
        QVERIFY(std::abs(modelRun(launches, {}, h200()).seconds - together) < 1e-9);
    }

    void runsAddUp() {
        const std::vector<LaunchCounters> launches{copyOf(1 << 20), copyOf(1 << 26)};
        const std::vector<LibraryCall> calls{{"aten.mm.default", 1e12, 1e9, 1}};
        const ModelledTime run = modelRun(launches, calls, h200());
        QCOMPARE(run.launches.size(), std::size_t(2));
        QCOMPARE(run.kernelSeconds, run.launches[0].seconds + run.launches[1].seconds);
        QCOMPARE(run.seconds, run.kernelSeconds + run.librarySeconds);
        QVERIFY(run.librarySeconds >= 1e12 / h200().fp32);
        QCOMPARE(run.limiter, std::string("library"));
        QCOMPARE(modelRun(launches, {}, h200()).limiter, std::string("device_memory"));
        const auto back = modelledTimeFromJson(nlohmann::json::parse(toJson(run).dump()));
        QVERIFY(back.ok());
        QVERIFY(toJson(*back) == toJson(run));
        QCOMPARE(modelledTimeFromJson(nlohmann::json("three")).error().code, std::string("bad_input"));
        QCOMPARE(modelRun({}, {}, h200()).seconds, 0.0);
    }
};

namespace {
KERNELARIUM_TEST(TestModelledTime);
}

#include "TestModelledTime.moc"
