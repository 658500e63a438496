// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block finds again in its shares of the L1 and the L2.
#include "core/perf/Counters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::test;

namespace {

constexpr unsigned rowsWalked = 64;              // of a line each: 8 KiB
constexpr double walkedSectors = 4 * rowsWalked; // in one walk of a warp

/// A warp loads the first line of each row, twice in all, and may store one after each load.
constexpr const char* walks = R"(
.visible .entry walk(.param .u64 in, .param .u64 out, .param .u32 stride, .param .u32 stores)
{
  .reg .b32 %r<10>; .reg .f32 %f<2>; .reg .b64 %rd<10>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [stride]; ld.param.u32 %r2, [stores];
  mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
  cvt.u64.u32 %rd4, %r1;
  setp.ne.u32 %p1, %r2, 0;
  mov.u32 %r4, 0;
$walk:
  mov.u64 %rd5, %rd1; mov.u64 %rd6, %rd2; mov.u32 %r5, 0;
$row:
  ld.global.f32 %f1, [%rd5];
  @%p1 st.global.f32 [%rd6], %f1;
  add.s64 %rd5, %rd5, %rd4; add.s64 %rd6, %rd6, %rd4;
  add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 64; @%p2 bra $row;
  add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 2; @%p3 bra $walk;
  ret;
})";

struct Shares {
    std::uint64_t l1 = 0, l2 = 0;
};

perf::LineCounters walked(Shares shares, unsigned stride, bool stores, unsigned blocks = 1) {
    PtxProgram p(walks);
    if (!p.isLoaded()) return {};
    p.options.count.enabled = true;
    p.options.count.l1Bytes = shares.l1;
    p.options.count.l2Bytes = shares.l2;
    p.options.checks = false;
    const std::uint64_t bytes = std::uint64_t(rowsWalked) * stride;
    const std::uint64_t in = p.uninitialised(bytes), out = p.uninitialised(bytes);
    return p.run("walk", {blocks, 1, 1}, {32, 1, 1}, in, out, stride, unsigned(stores)).counted->totals;
}

} // namespace

class TestBlockCaches : public QObject {
    Q_OBJECT
private slots:
    void rowsAPowerOfTwoApartStay_data() {
        QTest::addColumn<unsigned>("stride");
        for (const unsigned stride : {128u, 4096u, 65536u, 262144u})
            QTest::addRow("%u", stride) << stride;
    }
    void rowsAPowerOfTwoApartStay() {
        QFETCH(unsigned, stride);
        // Twice the room, and not a power of two.
        QCOMPARE(walked({17 << 10, 1 << 20}, stride, false).l2LoadSectors, walkedSectors);
        // Half the room: in turn, each row puts out the one that comes next.
        QVERIFY(walked({4 << 10, 1 << 20}, stride, false).l2LoadSectors > 1.8 * walkedSectors);
    }

    void theWholeShareIsUsed() {
        // 15 KiB are more than the 8 KiB that a power of two would leave of them.
        const double missed = walked({15 << 10, 1 << 20}, 128, true).l2LoadSectors;
        QVERIFY2(missed < 1.8 * walkedSectors, qPrintable(QString::number(missed)));
    }

    void storesTakeRoom() {
        const Shares shares{12 << 10, 1 << 20};
        QCOMPARE(walked(shares, 128, false).l2LoadSectors, walkedSectors);
        QVERIFY(walked(shares, 128, true).l2LoadSectors > 1.4 * walkedSectors);
    }

    void aBlocksShareOfTheL2() {
        const perf::LineCounters kept = walked({0, 32 << 10}, 4096, false);
        QCOMPARE(kept.l2LoadSectors, 2 * walkedSectors);
        QCOMPARE(kept.blockAgainSectors, walkedSectors);
        QCOMPARE(kept.blockLostSectors, 0.0);
        const perf::LineCounters lost = walked({0, 4 << 10}, 4096, false);
        QCOMPARE(lost.blockAgainSectors, walkedSectors);
        QVERIFY(lost.blockLostSectors > 0.8 * walkedSectors);
        // Stores go through the L2 as well.
        QCOMPARE(walked({0, 12 << 10}, 4096, false).blockLostSectors, 0.0);
        QVERIFY(walked({0, 12 << 10}, 4096, true).blockLostSectors > 0.4 * walkedSectors);
    }

    /// What another block has loaded is new to a block.
    void blocksAreApart() {
        const perf::LineCounters two = walked({0, 32 << 10}, 4096, false, 2);
        QCOMPARE(two.l2LoadSectors, 4 * walkedSectors);
        QCOMPARE(two.blockAgainSectors, 2 * walkedSectors);
    }
};

namespace {
KERNELARIUM_TEST(TestBlockCaches);
}

#include "TestBlockCaches.moc"
