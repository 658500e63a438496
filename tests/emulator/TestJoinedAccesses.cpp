// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which accesses of shared memory count as one, as ptxas 13.0 makes them one: its machine code for the same sources was
// looked at, by hand.
#include "core/perf/Counters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::test;

namespace {

/// One warp; %r2 is a shared address, `step` bytes from lane to lane.
std::string joining(int step, const char* body) {
    return R"(
.visible .entry join()
{
  .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .pred %p<2>;
  .shared .align 4 .b8 tile[8192];
  mov.u32 %r1, %tid.x; mov.u32 %r3, tile;
  mul.lo.u32 %r2, %r1, )" +
           std::to_string(step) + R"(; add.u32 %r2, %r3, %r2;
  setp.lt.u32 %p1, %r1, 64;
  mov.f32 %f0, 0f3F800000;
)" + body + R"(
  ret;
})";
}

} // namespace

class TestJoinedAccesses : public QObject {
    Q_OBJECT
private slots:
    void loadsAndStoresAreJoined_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<double>("written");
        QTest::addColumn<double>("loads");
        QTest::addColumn<double>("stores");
        const auto row = [](const char* title, int step, const char* body, double written, double loads,
                            double stores = 0) {
            QTest::newRow(title) << step << QByteArray(body) << written << loads << stores;
        };
        row("a row of four", 16,
            "ld.shared.f32 %f1,[%r2]; ld.shared.f32 %f2,[%r2+4]; ld.shared.f32 %f3,[%r2+8]; ld.shared.f32 %f4,[%r2+12];",
            4, 1);
        row("in any order, with arithmetic between", 32,
            "ld.shared.f32 %f1,[%r2+28]; fma.rn.f32 %f5,%f1,%f1,%f0; ld.shared.f32 %f2,[%r2+20]; "
            "ld.shared.f32 %f3,[%r2+16]; ld.shared.f32 %f4,[%r2+24];",
            4, 1);
        row("three of four", 16, "ld.shared.f32 %f1,[%r2]; ld.shared.f32 %f2,[%r2+4]; ld.shared.f32 %f3,[%r2+8];", 3,
            1);
        row("a pair", 8, "ld.shared.f32 %f1,[%r2]; ld.shared.f32 %f2,[%r2+4];", 2, 1);
        row("apart", 16, "ld.shared.f32 %f1,[%r2]; ld.shared.f32 %f2,[%r2+12];", 2, 2);
        row("across a boundary", 16, "ld.shared.f32 %f1,[%r2+4]; ld.shared.f32 %f2,[%r2+8];", 2, 2);
        row("not known to be aligned", 20,
            "ld.shared.f32 %f1,[%r2]; ld.shared.f32 %f2,[%r2+4]; ld.shared.f32 %f3,[%r2+8]; ld.shared.f32 %f4,[%r2+12];",
            4, 4);
        row("a store between", 16, "ld.shared.f32 %f1,[%r2]; st.shared.f32 [%r3+64],%f0; ld.shared.f32 %f2,[%r2+4];", 2,
            2, 1);
        row("a barrier between", 16, "ld.shared.f32 %f1,[%r2]; bar.sync 0; ld.shared.f32 %f2,[%r2+4];", 2, 2);
        row("another address between", 16, "ld.shared.f32 %f1,[%r2]; add.u32 %r2,%r2,64; ld.shared.f32 %f2,[%r2+4];", 2,
            2);
        row("volatile", 16, "ld.volatile.shared.f32 %f1,[%r2]; ld.volatile.shared.f32 %f2,[%r2+4];", 2, 2);
        row("predicated", 16, "@%p1 ld.shared.f32 %f1,[%r2]; @%p1 ld.shared.f32 %f2,[%r2+4];", 2, 2);
        row("stores", 16,
            "st.shared.f32 [%r2],%f0; st.shared.f32 [%r2+4],%f0; st.shared.f32 [%r2+8],%f0; st.shared.f32 [%r2+12],%f0;",
            0, 0, 1);
        row("stores must fill it", 16, "st.shared.f32 [%r2],%f0; st.shared.f32 [%r2+4],%f0; st.shared.f32 [%r2+8],%f0;",
            0, 0, 2);
    }

    void loadsAndStoresAreJoined() {
        QFETCH(int, step);
        QFETCH(QByteArray, body);
        PtxProgram p(joining(step, body.constData()));
        QVERIFY(p.isLoaded());
        p.options.count.enabled = true;
        p.options.checks = false; // nothing was written where it loads
        const auto result = p.run("join", {1, 1, 1}, {32, 1, 1});
        const perf::LineCounters& t = result.counted->totals;
        QTEST(t.loadShared, "written");
        QTEST(t.sharedLoadRequests, "loads");
        QTEST(t.sharedStoreRequests, "stores");
    }

    /// What it costs is what the wide access costs: 512 bytes side by side take four passes, not four times four.
    void theirCostIsThatOfTheWideOne() {
        PtxProgram p(joining(16, "ld.shared.f32 %f1,[%r2]; ld.shared.f32 %f2,[%r2+4]; ld.shared.f32 %f3,[%r2+8]; "
                                 "ld.shared.f32 %f4,[%r2+12];"));
        p.options.count.enabled = true;
        p.options.checks = false;
        const auto result = p.run("join", {1, 1, 1}, {32, 1, 1});
        QCOMPARE(result.counted->totals.sharedLoadWavefronts, 4.0);
        QCOMPARE(result.counted->totals.sharedWaste.requests, 0.0);
    }
};

namespace {
KERNELARIUM_TEST(TestJoinedAccesses);
}

#include "TestJoinedAccesses.moc"
