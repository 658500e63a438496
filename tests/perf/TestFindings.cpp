// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Findings.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::perf;

namespace {

const DeviceSpec& device() {
    return *findDeviceSpec("h200");
}

/// A copy of 2^26 floats: line 7 loads, line 8 stores. 2^21 warps, each with one request of 4 sectors a line.
LaunchCounters copy() {
    constexpr double warps = 1 << 21;
    LaunchCounters c;
    c.kernel = "copy";
    c.block = {256, 1, 1};
    c.grid = {std::uint32_t(warps / 8), 1, 1};
    c.registers = 16;
    LineCounters load, store;
    load.line = 7;
    load.globalLoadRequests = load.loadGlobal = load.globalLines = warps;
    load.globalLoadSectors = load.globalLoadIdealSectors = load.l2LoadSectors = 4 * warps;
    store.line = 8;
    store.globalStoreRequests = store.storeGlobal = store.globalLines = warps;
    store.globalStoreSectors = store.globalStoreIdealSectors = 4 * warps;
    for (LineCounters* l : {&load, &store}) {
        l->warpInstructions = l->issueSlots = 5 * warps;
        l->integer = 4 * warps;
        l->threadInstructions = l->threadInstructionsOn = 32 * 5 * warps;
    }
    c.lines = {load, store};
    c.uniqueReadBytes = c.uniqueWrittenBytes = 128 * warps;
    c.uniqueBytes = 2 * c.uniqueReadBytes;
    c.sampling = {c.blocks(), c.blocks(), false};
    return c;
}

LaunchCounters summed(LaunchCounters c) {
    c.totals = {};
    for (const LineCounters& l : c.lines)
        c.totals += l;
    return c;
}

std::vector<Finding> find(const std::vector<LaunchCounters>& launches, const DeviceSpec& on = device()) {
    return findingsOf(launches, modelRun(launches, {}, on), on);
}
std::vector<Finding> find(const LaunchCounters& launch, const DeviceSpec& on = device()) {
    return find(std::vector{launch}, on);
}

const Finding* of(const std::vector<Finding>& all, FindingKind kind) {
    const auto found = std::find_if(all.begin(), all.end(), [kind](const Finding& f) { return f.kind == kind; });
    return found == all.end() ? nullptr : &*found;
}

bool says(const Finding& f, const char* words) {
    return f.text().find(words) != std::string::npos;
}

/// The copy with lanes 8,192 bytes apart in its load.
LaunchCounters columns() {
    LaunchCounters c = copy();
    LineCounters& load = c.lines[0];
    load.globalLoadSectors = load.l2LoadSectors = load.globalLines = 32 * load.globalLoadRequests;
    load.loadWaste = {load.globalLoadRequests, load.globalLoadSectors, load.globalLoadIdealSectors, 8192,
                      load.globalLoadRequests};
    return summed(c);
}

} // namespace

class TestFindings : public QObject {
    Q_OBJECT
private slots:
    void aPlainCopyIsBoundByMemory() {
        const auto all = find(summed(copy()));
        QCOMPARE(all.front().kind, FindingKind::bound);
        // 2 * 2^26 floats of 4 bytes, 2^26 threads.
        QVERIFY2(says(all.front(), "537 MB move, 8 B for each thread; each byte moves once"), all.front().what.c_str());
        QCOMPARE(all.front().gainSeconds, 0.0);
        QVERIFY(findingsOf({}, {}, device()).empty());
    }

    void columnsAreTold() {
        const auto all = find(columns());
        const Finding& f = all.front();
        QCOMPARE(f.kind, FindingKind::uncoalescedLoad);
        QCOMPARE(f.text(),
                 std::string("line 7: each load request touches 32 sectors where 4 would do: neighbouring lanes "
                             "read addresses 8,192 bytes apart"));
        QCOMPARE(f.confidence, Confidence::high);
        // What it gains is what the model says of the copy whose only difference it is.
        const double now = modelLaunch(columns(), device()).seconds,
                     then = modelLaunch(summed(copy()), device()).seconds;
        QVERIFY(std::abs(f.gainSeconds - (now - then)) < 1e-9);
        QVERIFY(std::abs(f.gainShare - (now - then) / now) < 1e-6);
        QCOMPARE(all.back().kind, FindingKind::bound);
    }

    void aPartOfTheRequestsIsCalledAPart() {
        LaunchCounters c = columns();
        LineCounters& load = c.lines[0];
        load.globalLoadRequests *= 2; // as many again that read 1 sector and need 1
        load.globalLoadSectors += load.globalLoadRequests / 2;
        load.globalLoadIdealSectors += load.globalLoadRequests / 2;
        const auto all = find(summed(c));
        QVERIFY2(says(all.front(), "50% of the load requests touch 32 sectors where 4 would do"),
                 all.front().what.c_str());
    }

    void conflictsAreTold() {
        LaunchCounters c = copy();
        LineCounters shared;
        shared.line = 12;
        shared.warpInstructions = shared.issueSlots = shared.sharedLoadRequests = shared.loadShared = 1 << 23;
        shared.threadInstructions = shared.threadInstructionsOn = 32.0 * (1 << 23);
        shared.sharedIdealWavefronts = 1 << 23;
        shared.sharedLoadWavefronts = 32.0 * (1 << 23);
        shared.sharedWaste = {1 << 23, 32.0 * (1 << 23), 1 << 23, 128, 1 << 23};
        c.lines.push_back(shared);
        const auto all = find(summed(c));
        QCOMPARE(all.front().kind, FindingKind::bankConflict);
        QVERIFY2(says(all.front(),
                      "line 12: bank conflicts: each shared-memory request takes 32 passes where 1 would do: "
                      "neighbouring lanes are 128 bytes apart"),
                 all.front().what.c_str());
    }

    void idleLanesAreTold() {
        LaunchCounters c = copy();
        LineCounters branch, work;
        branch.line = 9;
        branch.warpInstructions = branch.issueSlots = branch.branches = branch.divergentBranches = 1 << 21;
        branch.threadInstructions = branch.threadInstructionsOn = 32.0 * (1 << 21);
        work.line = 10;
        work.warpInstructions = work.issueSlots = work.fp32 = 4e9;
        work.threadInstructions = work.threadInstructionsOn = 8 * 4e9;
        c.lines.insert(c.lines.end(), {branch, work});
        const auto all = find(summed(c));
        const Finding* f = of(all, FindingKind::divergence);
        QVERIFY(f && f->line == 10);
        QVERIFY2(says(*f, "only 8 of 32 lanes work here") && says(*f, "the branch in line 9 splits 100% of the warps"),
                 f->what.c_str());
        QVERIFY(f->gainShare > 0.5);
    }

    void doublesCostMoreWhereThereAreFewUnits() {
        LaunchCounters c = copy();
        c.lines[0].fp64 = c.lines[0].convert = 20 * (1 << 21);
        c.lines[0].issueSlots += 40 * (1 << 21);
        c.lines[1].fp32 = 1 << 21;
        const Finding* f = nullptr;
        const auto all = find(summed(c), *findDeviceSpec("t4"));
        f = of(all, FindingKind::doublePrecision);
        QVERIFY(f && f == &all.front());
        QVERIFY2(says(*f, "at 1/32 of its rate"), f->what.c_str());
        const auto here = find(summed(c));
        const Finding* less = of(here, FindingKind::doublePrecision);
        QVERIFY(!less || less->gainShare < f->gainShare);
    }

    void spillsAndAtomicsAreTold() {
        LaunchCounters c = copy();
        c.lines[0].localRequests = c.lines[0].loadLocal = 6e8;
        c.lines[0].localSectors = 2.4e9;
        c.lines[1].globalAtomicRequests = 1e7;
        c.lines[1].globalAtomicSectors = 1e7;
        c.lines[1].globalAtomicLanes = 3.2e8;
        auto all = find(summed(c));
        QCOMPARE(all.front().kind, FindingKind::localMemory);
        c.lines[0].localRequests = c.lines[0].loadLocal = c.lines[0].localSectors = 0;
        all = find(summed(c));
        QCOMPARE(all.front().kind, FindingKind::atomicContention);
        QVERIFY2(says(all.front(), "32 lanes of a warp update the same words"), all.front().what.c_str());
    }

    void fewBlocksAreTold() {
        LaunchCounters c = copy();
        c.grid = {2, 1, 1};
        const auto all = find(summed(c));
        QCOMPARE(all.front().kind, FindingKind::smallGrid);
        // 132 multiprocessors of 64 warps.
        QVERIFY2(
            says(all.front(), "the grid's 2 blocks are too few: 16 warps on a device that holds 8,448, and 130 of 132"),
            all.front().what.c_str());
    }

    void occupancyNamesItsLimiter() {
        LaunchCounters c = copy();
        c.registers = 255; // 256 threads take 65,280 of 65,536 registers
        c.lines[0].special = 10 * double(1 << 21);
        c.lines[0].issueSlots += 100 * double(1 << 21);
        c.grid[0] /= 8;
        const auto all = find(summed(c));
        const Finding* f = of(all, FindingKind::lowOccupancy);
        QVERIFY(f);
        QVERIFY2(says(*f, "1 block on a multiprocessor holds 12% of its warps, limited by registers"), f->what.c_str());
        QVERIFY2(f->advice.find("One more block needs at most 128 registers") != std::string::npos, f->advice.c_str());
    }

    void launchesAddUp() {
        LaunchCounters small = summed(copy());
        small.grid = {132, 1, 1};
        small.totals = {};
        small.lines.clear();
        small.uniqueBytes = small.uniqueReadBytes = small.uniqueWrittenBytes = 1024;
        const auto all = find(std::vector<LaunchCounters>(10, small));
        QCOMPARE(all.front().kind, FindingKind::launchOverhead);
        QCOMPARE(all.front().launches, 10U);
        QVERIFY(std::abs(all.front().gainSeconds - 9 * device().launchSeconds) < 1e-12);
        // Alike launches are one finding with the gain of all.
        const auto one = find(columns()), four = find(std::vector<LaunchCounters>(4, columns()));
        QCOMPARE(four.front().kind, FindingKind::uncoalescedLoad);
        QCOMPARE(four.front().launches, 4U);
        QVERIFY(std::abs(four.front().gainSeconds - 4 * one.front().gainSeconds) < 1e-9);
    }

    void rankedByGainAndWithoutTrifles() {
        LaunchCounters c = columns();
        c.registers = 128;
        c.lines[0].barrierWaits = 100;
        const auto all = find(summed(c));
        QVERIFY(all.size() >= 2);
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            QVERIFY(all[i].gainShare >= leastGainShare);
            QVERIFY(all[i].gainSeconds >= all[i + 1].gainSeconds);
        }
    }

    void jsonComesBack() {
        const auto before = find(columns());
        const auto after = findingsFromJson(nlohmann::json::parse(toJson(before).dump()));
        QVERIFY(after.ok());
        QVERIFY(toJson(*after) == toJson(before));
        QCOMPARE((*after)[0].kind, FindingKind::uncoalescedLoad);
        QCOMPARE((*after)[0].text(), before[0].text());
        auto j = toJson(before);
        j[0]["kind"] = "no such thing";
        QCOMPARE(findingsFromJson(j).error().code, std::string("bad_input"));
        QCOMPARE(findingsFromJson(nlohmann::json("x")).error().code, std::string("bad_input"));
    }
};

namespace {
KERNELARIUM_TEST(TestFindings);
}

#include "TestFindings.moc"
