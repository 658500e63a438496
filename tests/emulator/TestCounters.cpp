// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Counters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <numeric>

using namespace kernelarium;
using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

/// out[i] = in[i * step], i over the grid. Line 5 loads, line 6 stores.
constexpr const char* strided = R"(
.visible .entry copy(.param .u64 in, .param .u64 out, .param .u32 step)
{
  .reg .b32 %r<8>; .reg .f32 %f<2>; .reg .b64 %rd<8>;
  .loc 1 4 0
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r5, [step];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.lo.s32 %r6, %r4, %r5;
  mul.wide.s32 %rd3, %r6, 4; add.s64 %rd4, %rd1, %rd3;
  mul.wide.s32 %rd5, %r4, 4; add.s64 %rd6, %rd2, %rd5;
  .loc 1 5 0
  ld.global.f32 %f1, [%rd4];
  .loc 1 6 0
  st.global.f32 [%rd6], %f1;
  ret;
})";

/// Each lane stores to shared memory at tid * step words, then loads 8 bytes at tid * 8.
constexpr const char* banks = R"(
.visible .entry banks(.param .u32 step)
{
  .reg .b32 %r<8>; .reg .f32 %f<4>;
  .shared .align 16 .b8 tile[8192];
  .loc 1 3 0
  ld.param.u32 %r5, [step];
  mov.u32 %r1, %tid.x; mov.u32 %r2, tile;
  mul.lo.s32 %r3, %r1, %r5; shl.b32 %r3, %r3, 2; add.s32 %r3, %r2, %r3;
  mov.f32 %f1, 0f3F800000;
  .loc 1 4 0
  st.shared.f32 [%r3], %f1;
  .loc 1 5 0
  bar.sync 0;
  shl.b32 %r4, %r1, 3; add.s32 %r4, %r2, %r4;
  .loc 1 6 0
  ld.shared.v2.f32 {%f2, %f3}, [%r4];
  .loc 1 7 0
  ld.shared.v4.f32 {%f2, %f3, %f2, %f3}, [tile];
  ret;
})";

/// Lanes below `limit` run 3 fma and 1 add; a predicated mul runs where tid < 5.
constexpr const char* divergent = R"(
.visible .entry diverge(.param .u32 limit)
{
  .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .pred %p<3>;
  .loc 1 3 0
  ld.param.u32 %r5, [limit];
  mov.u32 %r1, %tid.x; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;
  setp.ge.u32 %p1, %r1, %r5;
  setp.lt.u32 %p2, %r1, 5;
  .loc 1 4 0
  @%p1 bra $done;
  .loc 1 5 0
  fma.rn.f32 %f2, %f1, %f2, %f1;
  fma.rn.f32 %f2, %f1, %f2, %f1;
  fma.rn.f32 %f2, %f1, %f2, %f1;
  add.f32 %f2, %f2, %f1;
$done:
  .loc 1 6 0
  @%p2 mul.f32 %f2, %f2, %f2;
  ret;
})";

/// Every thread adds 1 to word tid / 8 of a global array and to one shared word.
constexpr const char* atomics = R"(
.visible .entry atomics(.param .u64 out)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  .shared .align 4 .b8 word[4];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 3; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r3, 1;
  red.global.add.u32 [%rd3], %r3;
  red.shared.add.u32 [word], %r3;
  ret;
})";

/// Every instruction belongs to one class.
double sumOfClasses(const perf::LineCounters& c) {
    return c.integer + c.fp32 + c.fp64 + c.fp16 + c.tensor + c.special + c.convert + c.move + c.shuffle + c.loadGlobal +
           c.storeGlobal + c.loadShared + c.storeShared + c.loadLocal + c.storeLocal + c.atomic + c.control + c.barrier;
}

const perf::LineCounters& lineOf(const perf::LaunchCounters& launch, int line) {
    static const perf::LineCounters none;
    for (const perf::LineCounters& l : launch.lines)
        if (l.line == line) return l;
    return none;
}

} // namespace

class TestCounters : public QObject {
    Q_OBJECT
private slots:
    void offByDefault();
    void sectorsOfStrides_data();
    void sectorsOfStrides();
    void uniqueBytesAreDistinctSectors();
    void bankConflicts_data();
    void bankConflicts();
    void wideSharedAccesses();
    void divergenceAndFlops();
    void atomicLanes();
    void l1HoldsWhatABlockReads();
    void samplingScales();
    void jobsCountTheSame();
};

void TestCounters::offByDefault() {
    PtxProgram p(strided);
    const auto in = p.buffer(std::vector<float>(64, 1.0f)), out = p.uninitialised(256);
    QVERIFY(!p.run("copy", {1, 1, 1}, {64, 1, 1}, in, out, 1u).counted);
}

void TestCounters::sectorsOfStrides_data() {
    QTest::addColumn<unsigned>("step");
    QTest::addColumn<double>("loadSectors"); // of one warp: 32 floats, step * 4 bytes apart
    QTest::newRow("neighbours") << 1u << 4.0;
    QTest::newRow("every second") << 2u << 8.0;
    QTest::newRow("every eighth") << 8u << 32.0;
    QTest::newRow("every hundredth") << 100u << 32.0;
    QTest::newRow("all the same") << 0u << 1.0;
}

void TestCounters::sectorsOfStrides() {
    QFETCH(unsigned, step);
    QFETCH(double, loadSectors);
    PtxProgram p(strided);
    p.options.count.enabled = true;
    const auto in = p.buffer(std::vector<float>(12800, 1.0f)), out = p.uninitialised(512);
    const auto result = p.run("copy", {2, 1, 1}, {64, 1, 1}, in, out, step);
    QVERIFY(result.counted != nullptr);
    const perf::LaunchCounters& c = *result.counted;
    const double warps = 4;
    QCOMPARE(c.totals.globalLoadRequests, warps);
    QCOMPARE(c.totals.globalLoadSectors, warps * loadSectors);
    QCOMPARE(c.totals.globalLoadIdealSectors, warps * (step == 0 ? 1 : 4));
    QCOMPARE(c.totals.globalLoadBytes, warps * 128);
    // Neighbouring lanes are step * 4 bytes apart; of requests that waste nothing nothing is noted.
    const perf::Waste& waste = lineOf(c, 5).loadWaste;
    QCOMPARE(waste.requests, step > 1 ? warps : 0.0);
    QCOMPARE(waste.cost, step > 1 ? warps * loadSectors : 0.0);
    QCOMPARE(waste.needed, step > 1 ? warps * 4 : 0.0);
    QCOMPARE(waste.stride, step > 1 ? 4.0 * step : 0.0);
    QCOMPARE(waste.lead, waste.requests);
    QCOMPARE(lineOf(c, 6).storeWaste.requests, 0.0);
    QCOMPARE(c.totals.globalStoreRequests, warps);
    QCOMPARE(c.totals.globalStoreSectors, warps * 4);
    QCOMPARE(lineOf(c, 5).globalLoadSectors, warps * loadSectors);
    QCOMPARE(lineOf(c, 5).globalStoreSectors, 0.0);
    QCOMPARE(lineOf(c, 6).globalStoreSectors, warps * 4);
    QCOMPARE(lineOf(c, 5).warpInstructions, warps);
    // 3 parameters, 3 moves, 6 integer instructions, a load, a store, a return.
    QCOMPARE(c.totals.warpInstructions, warps * 15);
    QCOMPARE(c.totals.integer, warps * 6);
    QCOMPARE(c.totals.move, warps * 6);
    QCOMPARE(c.totals.threadInstructions, warps * 15 * 32);
    QCOMPARE(sumOfClasses(c.totals), c.totals.warpInstructions);
}

void TestCounters::uniqueBytesAreDistinctSectors() {
    PtxProgram p(strided);
    p.options.count.enabled = true;
    const auto in = p.buffer(std::vector<float>(4096, 1.0f)), out = p.uninitialised(1024);
    const auto dense = p.run("copy", {4, 1, 1}, {64, 1, 1}, in, out, 1u);
    QCOMPARE(dense.counted->uniqueReadBytes, 256.0 * 4);
    QCOMPARE(dense.counted->uniqueWrittenBytes, 256.0 * 4);
    QCOMPARE(dense.counted->uniqueBytes, 512.0 * 4);
    // All 256 threads read one element: a sector, however often.
    const auto one = p.run("copy", {4, 1, 1}, {64, 1, 1}, in, out, 0u);
    QCOMPARE(one.counted->uniqueReadBytes, 32.0);
    // 16 floats apart: a sector of their own for each of the 256.
    const auto sparse = p.run("copy", {4, 1, 1}, {64, 1, 1}, in, out, 16u);
    QCOMPARE(sparse.counted->uniqueReadBytes, 256.0 * 32);
}

void TestCounters::bankConflicts_data() {
    QTest::addColumn<unsigned>("step");
    QTest::addColumn<double>("wavefronts");
    QTest::addColumn<double>("ideal");
    QTest::newRow("one bank each") << 1u << 1.0 << 1.0;
    QTest::newRow("two per bank") << 2u << 2.0 << 1.0;
    QTest::newRow("odd") << 33u << 1.0 << 1.0;
    QTest::newRow("eight per bank") << 8u << 8.0 << 1.0;
    QTest::newRow("one bank for all") << 32u << 32.0 << 1.0;
    QTest::newRow("one word for all") << 0u << 1.0 << 1.0;
}

void TestCounters::bankConflicts() {
    QFETCH(unsigned, step);
    QFETCH(double, wavefronts);
    QFETCH(double, ideal);
    PtxProgram p(banks);
    p.options.count.enabled = true;
    p.options.checks = false; // not every word that is read was written
    const auto result = p.run("banks", {1, 1, 1}, {32, 1, 1}, step);
    const perf::LineCounters& store = lineOf(*result.counted, 4);
    QCOMPARE(store.sharedStoreRequests, 1.0);
    QCOMPARE(store.sharedStoreWavefronts, wavefronts);
    QCOMPARE(store.sharedIdealWavefronts, ideal);
    QCOMPARE(store.sharedWaste.requests, wavefronts > ideal ? 1.0 : 0.0);
    QCOMPARE(store.sharedWaste.stride, wavefronts > ideal ? 4.0 * step : 0.0);
}

void TestCounters::wideSharedAccesses() {
    PtxProgram p(banks);
    p.options.count.enabled = true;
    p.options.checks = false;
    const auto result = p.run("banks", {1, 1, 1}, {64, 1, 1}, 1u);
    // 8 bytes a lane, side by side: two halves of 32 words each, for each of two warps.
    QCOMPARE(lineOf(*result.counted, 6).sharedLoadWavefronts, 4.0);
    QCOMPARE(lineOf(*result.counted, 6).sharedIdealWavefronts, 4.0);
    // 16 bytes at one address for all: two halves, since quarters whose lanes pair up go together.
    QCOMPARE(lineOf(*result.counted, 7).sharedLoadWavefronts, 4.0);
    QCOMPARE(lineOf(*result.counted, 7).sharedIdealWavefronts, 4.0); // not one of these is a conflict
    QCOMPARE(lineOf(*result.counted, 5).barrierWaits, 2.0);
    QCOMPARE(result.counted->staticSharedBytes, 8192u);
    QCOMPARE(sumOfClasses(result.counted->totals), result.counted->totals.warpInstructions);
}

void TestCounters::divergenceAndFlops() {
    PtxProgram p(divergent);
    p.options.count.enabled = true;
    const auto result = p.run("diverge", {1, 1, 1}, {96, 1, 1}, 40u);
    const perf::LaunchCounters& c = *result.counted;
    // Warp 0 stays together, warp 1 parts at lane 8, warp 2 goes straight to the end.
    QCOMPARE(c.totals.branches, 3.0);
    QCOMPARE(c.totals.divergentBranches, 1.0);
    QCOMPARE(lineOf(c, 5).warpInstructions, 8.0);
    QCOMPARE(lineOf(c, 5).threadInstructions, 4.0 * 40);
    QCOMPARE(lineOf(c, 5).flopsFp32, 40.0 * (3 * 2 + 1));
    QCOMPARE(sumOfClasses(c.totals), c.totals.warpInstructions);
    // The predicated product is issued by every warp and done by 5 threads.
    QCOMPARE(lineOf(c, 6).fp32, 3.0);
    QCOMPARE(lineOf(c, 6).flopsFp32, 5.0);
    QCOMPARE(lineOf(c, 6).threadInstructionsOn, 5.0 + 96);
}

void TestCounters::atomicLanes() {
    PtxProgram p(atomics);
    p.options.count.enabled = true;
    const auto out = p.buffer(std::vector<unsigned>(16, 0u));
    p.options.checks = false;
    const auto result = p.run("atomics", {1, 1, 1}, {64, 1, 1}, out);
    QCOMPARE(result.counted->totals.atomic, 4.0);
    QCOMPARE(sumOfClasses(result.counted->totals), result.counted->totals.warpInstructions);
    QCOMPARE(result.counted->totals.globalAtomicRequests, 2.0);
    QCOMPARE(result.counted->totals.globalAtomicLanes, 64.0);
    QCOMPARE(result.counted->totals.globalAtomicSectors, 2.0);
    QCOMPARE(result.counted->totals.sharedStoreWavefronts, 64.0); // one word: lane after lane
}

void TestCounters::l1HoldsWhatABlockReads() {
    PtxProgram p(strided);
    p.options.count.enabled = true;
    const auto in = p.buffer(std::vector<float>(64, 1.0f)), out = p.uninitialised(4 * 1024);
    const auto cached = p.run("copy", {2, 1, 1}, {512, 1, 1}, in, out, 0u);
    QCOMPARE(cached.counted->totals.globalLoadSectors, 32.0);
    QCOMPARE(cached.counted->totals.l2LoadSectors, 2.0); // once for each block
    p.options.count.l1Bytes = 0;
    const auto uncached = p.run("copy", {2, 1, 1}, {512, 1, 1}, in, out, 0u);
    QCOMPARE(uncached.counted->totals.l2LoadSectors, 32.0);
}

void TestCounters::samplingScales() {
    PtxProgram p(strided);
    p.options.count.enabled = true;
    const unsigned blocks = 1000;
    const auto in = p.buffer(std::vector<float>(blocks * 64, 1.0f)), out = p.uninitialised(blocks * 64 * 4);
    const auto whole = p.run("copy", {blocks, 1, 1}, {64, 1, 1}, in, out, 1u);
    p.options.sample = {10, 100, 0};
    const auto part = p.run("copy", {blocks, 1, 1}, {64, 1, 1}, in, out, 1u);
    QCOMPARE(part.counted->sampling.executed, 100.0);
    QCOMPARE(part.counted->sampling.share(), 0.1);
    for (const perf::Metric& m : perf::metrics())
        QVERIFY2(std::abs(part.counted->totals.*m.field - whole.counted->totals.*m.field) < 1e-6, m.key);
    QCOMPARE(part.counted->uniqueBytes, whole.counted->uniqueBytes);
    // A budget of instructions ends the sample earlier: a block has 30 warp instructions.
    p.options.sample = {10, 100, 30 * 20};
    QCOMPARE(p.run("copy", {blocks, 1, 1}, {64, 1, 1}, in, out, 1u).counted->sampling.executed, 20.0);
    // Never fewer than the least.
    p.options.sample = {10, 100, 1};
    QCOMPARE(p.run("copy", {blocks, 1, 1}, {64, 1, 1}, in, out, 1u).counted->sampling.executed, 10.0);
}

void TestCounters::jobsCountTheSame() {
    PtxProgram p(strided);
    p.options.count.enabled = true;
    const auto in = p.buffer(std::vector<float>(64 * 64 * 3, 1.0f)), out = p.uninitialised(64 * 64 * 4);
    const auto one = p.run("copy", {64, 1, 1}, {64, 1, 1}, in, out, 3u);
    p.options.jobs = 3;
    const auto three = p.run("copy", {64, 1, 1}, {64, 1, 1}, in, out, 3u);
    for (const perf::Metric& m : perf::metrics())
        QVERIFY2(one.counted->totals.*m.field == three.counted->totals.*m.field, m.key);
    QCOMPARE(one.counted->uniqueBytes, three.counted->uniqueBytes);
}

namespace {
KERNELARIUM_TEST(TestCounters);
}

#include "TestCounters.moc"
