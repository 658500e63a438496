// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a block takes by itself, and how many waits for memory follow one another in it.
#include "core/perf/Counters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::test;

namespace {

std::string timesOf(int times, const std::string& text) {
    std::string all;
    for (int k = 0; k < times; ++k)
        all += text;
    return all;
}

std::string clocked(const std::string& body) {
    return R"(
.visible .entry k(.param .u64 data)
{
  .reg .b32 %r<16>; .reg .f32 %f<16>; .reg .b64 %rd<16>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [data];
  mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F800000; mov.f32 %f3, 0f3F800000; mov.f32 %f4, 0f3F800000;
)" + body + R"(
  ret;
})";
}

/// 64 loads of different lines, one in a turn.
std::string turnsOf(bool rolled, const std::string& before = "") {
    return clocked(before + "mov.u32 %r1, 0;\n$turn:\n" + (rolled ? ".pragma \"nounroll\";\n" : "") +
                   "ld.global.f32 %f5, [%rd1]; add.f32 %f2, %f2, %f5; add.s64 %rd1, %rd1, 128;\n"
                   "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 64; @%p1 bra $turn;");
}

perf::LaunchCounters clocksOf(const std::string& body, unsigned threads = 32, unsigned machineLoads = 0) {
    PtxProgram p(body);
    if (!p.isLoaded()) return {};
    p.options.count.enabled = true;
    p.options.count.machineLoads = machineLoads;
    p.options.checks = false;
    const std::uint64_t data = p.buffer(std::vector<std::uint64_t>(4096, 0));
    return *p.run("k", {1, 1, 1}, {threads, 1, 1}, data).counted;
}

} // namespace

class TestBlockClock : public QObject {
    Q_OBJECT
private slots:
    /// Four clocks for each of a chain, one for each of what does not wait.
    void chainsTakeTheirLatency() {
        const double chain = clocksOf(clocked(timesOf(200, "fma.rn.f32 %f1,%f1,%f1,%f2;\n"))).blockClocks;
        QVERIFY2(chain >= 790 && chain < 850, qPrintable(QString::number(chain)));
        const double four = clocksOf(clocked(timesOf(50, "fma.rn.f32 %f1,%f1,%f1,%f5; fma.rn.f32 %f2,%f2,%f2,%f5;\n"
                                                         "fma.rn.f32 %f3,%f3,%f3,%f5; fma.rn.f32 %f4,%f4,%f4,%f5;\n")))
                                .blockClocks;
        QVERIFY2(four >= 200 && four < 250, qPrintable(QString::number(four)));
    }

    /// 32 warps on four schedulers: each issues in every eighth clock, which hides a chain's four.
    void warpsOfABlockTakeTurns() {
        const double all = clocksOf(clocked(timesOf(200, "fma.rn.f32 %f1,%f1,%f1,%f2;\n")), 1024).blockClocks;
        QVERIFY2(all >= 1600 && all < 1700, qPrintable(QString::number(all)));
    }

    void waitsFollowOneAnotherOrNot() {
        // Each address is what the last load gave: 0, so the place itself is added.
        const std::string chase =
            clocked(timesOf(16, "ld.global.u64 %rd2,[%rd1]; add.s64 %rd1,%rd1,128; add.s64 %rd1,%rd1,%rd2;\n"));
        QCOMPARE(clocksOf(chase).blockWaits, 16.0);
        const std::string stream =
            clocked(timesOf(16, "ld.global.f32 %f5,[%rd1]; add.s64 %rd1,%rd1,128; add.f32 %f2,%f2,%f5;\n"));
        QCOMPARE(clocksOf(stream).blockWaits, 1.0);
    }

    /// ptxas puts the turns of a loop together, four at a time, unless the pragma forbids it.
    void rolledTurnsWaitForOneAnother() {
        QCOMPARE(clocksOf(turnsOf(true)).blockWaits, 64.0);
        QCOMPARE(clocksOf(turnsOf(false)).blockWaits, 16.0);
    }

    /// The machine code says whether it did: then it has more loads than the PTX.
    void loopsThatPtxasLeftRolled() {
        QCOMPARE(clocksOf(turnsOf(false), 32, 1).blockWaits, 64.0);
        QCOMPARE(clocksOf(turnsOf(false), 32, 5).blockWaits, 16.0);
        // What the loop's first turn loads does not come before what the instructions before the loop wait for.
        const std::string before = "ld.global.f32 %f6, [%rd1+16384]; add.f32 %f3, %f3, %f6;\n";
        QCOMPARE(clocksOf(turnsOf(false, before), 32, 2).blockWaits, 65.0);
        QCOMPARE(clocksOf(turnsOf(true, before)).blockWaits, 65.0);
        // Of a loop that loads nothing the number of loads says nothing.
        const std::string sums = clocked("ld.global.f32 %f5, [%rd1];\nmov.u32 %r1, 0;\n$turn:\n"
                                         "fma.rn.f32 %f2,%f2,%f1,%f1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 64;\n"
                                         "@%p1 bra $turn;");
        QCOMPARE(clocksOf(sums, 32, 1).blockClocks, clocksOf(sums).blockClocks);
    }

    /// A load stays behind a store that may be of the same place; one of what nobody writes does not.
    void storesHoldLoadsBack() {
        const auto two = [](const char* load) {
            return clocked(std::string("ld.global.f32 %f5,[%rd1]; st.global.f32 [%rd1+4],%f5; ") + load +
                           " %f6,[%rd1+512]; st.global.f32 [%rd1+8],%f6;");
        };
        QCOMPARE(clocksOf(two("ld.global.f32")).blockWaits, 2.0);
        QCOMPARE(clocksOf(two("ld.global.nc.f32")).blockWaits, 1.0);
    }

    /// A warp that diverges in its last turn, and one that is followed although others of the block end before it.
    void everyBlockIsFollowed() {
        PtxProgram p(clocked("mov.u32 %r1,%tid.x; setp.lt.u32 %p1,%r1,7; @%p1 bra $few;\n"
                             "ret;\n$few:\n" +
                             timesOf(100, "fma.rn.f32 %f1,%f1,%f1,%f2;\n")));
        QVERIFY(p.isLoaded());
        p.options.count.enabled = true;
        const std::uint64_t data = p.buffer(std::vector<std::uint64_t>(16, 0));
        const auto result = p.run("k", {50, 1, 1}, {96, 1, 1}, data);
        QVERIFY(result.counted->blockClocks >= 390);
        QCOMPARE(result.counted->blockWaits, 0.0);
    }
};

namespace {
KERNELARIUM_TEST(TestBlockClock);
}

#include "TestBlockClock.moc"
