// SPDX-License-Identifier: GPL-3.0-or-later
//
// Control flow of diverged warps, calls, barriers, and blocks that wait for one another.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <bit>

namespace kernelarium::test {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A kernel that stores %r of each thread at out[thread of the grid].
std::string kernel(std::string_view body, std::string_view before = "") {
    return std::string(before) + R"(
.visible .entry k(.param .u64 out) {
    .reg .b32 %t, %r, %i, %n, %x, %y;
    .reg .b64 %a, %w, %f;
    .reg .pred %p, %q;
    ld.param.u64 %a, [out];
    mov.u32 %t, %tid.x; mov.u32 %n, %ctaid.x; mov.u32 %x, %ntid.x; mad.lo.u32 %i, %n, %x, %t;
    mul.wide.u32 %w, %i, 4; add.u64 %w, %a, %w;
    mov.u32 %r, 0;
)" + std::string(body) +
           "\nSTORE:\n    st.global.u32 [%w], %r;\n    ret;\n}\n";
}

std::vector<u32> runKernel(PtxProgram& program, u32 blocks, u32 threads) {
    const u64 out = program.buffer(std::vector<u32>(std::size_t(blocks) * threads, 0xdead));
    program.run("k", {blocks, 1, 1}, {threads, 1, 1}, out);
    return program.read<u32>(out, std::size_t(blocks) * threads);
}

} // namespace

class TestControl : public QObject {
    Q_OBJECT
private slots:
    void lanesMeetAgainAfterNestedBranches() {
        // The ballot after the branches sees all lanes only if they have met.
        PtxProgram program(kernel(R"(
    setp.lt.u32 %p, %t, 16; @!%p bra ELSE;
    setp.lt.u32 %q, %t, 4; @!%q bra INNER; add.u32 %r, %r, 1; bra MEET;
INNER: add.u32 %r, %r, 10;
MEET: activemask.b32 %x; popc.b32 %x, %x; mad.lo.u32 %r, %x, 100, %r; bra END;
ELSE: add.u32 %r, %r, 5;
END: activemask.b32 %x; popc.b32 %x, %x; mad.lo.u32 %r, %x, 10000, %r;)"));
        const std::vector<u32> got = runKernel(program, 1, 32);
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], 320000 + (t < 4 ? 1601 : t < 16 ? 1610 : 5));
    }

    void loopsOfDifferentLengthsMeetAtTheExit() {
        PtxProgram program(kernel(R"(
    mov.u32 %n, 0;
LOOP: setp.ge.u32 %p, %n, %t; @%p bra OUT;
    add.u32 %r, %r, %n; add.u32 %n, %n, 1; bra LOOP;
OUT: activemask.b32 %x; popc.b32 %x, %x; mad.lo.u32 %r, %x, 1000, %r;)"));
        const std::vector<u32> got = runKernel(program, 1, 32);
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], 32000 + t * (t - 1) / 2 * (t > 0));
    }

    void lanesThatReturnEarlyAreGone() {
        PtxProgram program(
            kernel("    mov.u32 %r, 1; setp.ge.u32 %p, %t, 20; @%p ret; activemask.b32 %x; popc.b32 %r, %x;"));
        const std::vector<u32> got = runKernel(program, 1, 32);
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], t < 20 ? 20u : 0xdeadu);
    }

    void indexedBranchesTakeEachLaneToItsTarget() {
        PtxProgram program(kernel(R"(
    and.b32 %x, %t, 3;
TABLE: .branchtargets A, B, C, D;
    brx.idx %x, TABLE;
A: add.u32 %r, %r, 10; bra MEET;
B: add.u32 %r, %r, 20; bra MEET;
C: add.u32 %r, %r, 30; bra MEET;
D: add.u32 %r, %r, 40;
MEET: activemask.b32 %x; popc.b32 %x, %x; mad.lo.u32 %r, %x, 100, %r;)"));
        const std::vector<u32> got = runKernel(program, 1, 32);
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], 3200 + 10 * (t % 4 + 1));
    }

    void recursionKeepsEachLanesFrames() {
        const char* fibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n) {
    .reg .b32 %n, %a, %b; .reg .pred %p;
    ld.param.b32 %n, [n];
    setp.lt.u32 %p, %n, 2; @!%p bra MORE;
    st.param.b32 [result], %n; ret;
MORE:
    { .param .b32 x; .param .b32 y; sub.u32 %a, %n, 1; st.param.b32 [x], %a; call (y), fib, (x); ld.param.b32 %a, [y]; }
    { .param .b32 x; .param .b32 y; sub.u32 %b, %n, 2; st.param.b32 [x], %b; call (y), fib, (x); ld.param.b32 %b, [y]; }
    add.u32 %a, %a, %b; st.param.b32 [result], %a; ret;
})";
        PtxProgram program(kernel(R"(
    { .param .b32 x; .param .b32 y; and.b32 %x, %t, 15; st.param.b32 [x], %x; call (y), fib, (x); ld.param.b32 %r, [y]; }
    activemask.b32 %x; popc.b32 %x, %x; mad.lo.u32 %r, %x, 10000, %r;)",
                                  fibonacci));
        const std::vector<u32> got = runKernel(program, 1, 32);
        u32 fib[16] = {0, 1};
        for (int k = 2; k < 16; ++k)
            fib[k] = fib[k - 1] + fib[k - 2];
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], 320000 + fib[t % 16]);
    }

    void callsThroughPointersGroupLanesByTarget() {
        const char* functions = R"(
.func (.param .b32 o) twice(.param .b32 n) { .reg .b32 %n; ld.param.b32 %n, [n]; shl.b32 %n, %n, 1; st.param.b32 [o], %n; ret; }
.func (.param .b32 o) next(.param .b32 n) { .reg .b32 %n; ld.param.b32 %n, [n]; add.u32 %n, %n, 1; st.param.b32 [o], %n; ret; })";
        PtxProgram program(kernel(R"(
    and.b32 %x, %t, 1; setp.eq.u32 %p, %x, 0;
    { .reg .b64 %g; mov.u64 %f, twice; mov.u64 %g, next; selp.b64 %f, %f, %g, %p; }
    { .param .b32 i; .param .b32 o; st.param.b32 [i], %t;
      P: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (o), %f, (i), P; ld.param.b32 %r, [o]; })",
                                  functions));
        const std::vector<u32> got = runKernel(program, 1, 32);
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], t % 2 ? t + 1 : 2 * t);
    }

    void barriersOrderTheWarpsOfABlock() {
        PtxProgram program(R"(
.visible .entry k(.param .u64 out) {
    .shared .align 4 .b8 tile[512];
    .reg .b32 %t, %r, %x; .reg .b64 %a, %w; .reg .pred %p;
    ld.param.u64 %a, [out]; mov.u32 %t, %tid.x;
    mul.lo.u32 %x, %t, 4; mov.u32 %r, tile; add.u32 %x, %x, %r; st.shared.u32 [%x], %t;
    bar.sync 0;
    sub.u32 %x, 127, %t; mul.lo.u32 %x, %x, 4; add.u32 %x, %x, %r; ld.shared.u32 %r, [%x];
    mul.wide.u32 %w, %t, 4; add.u64 %w, %a, %w; st.global.u32 [%w], %r; ret;
})");
        const std::vector<u32> got = runKernel(program, 1, 128);
        for (u32 t = 0; t < 128; ++t)
            QCOMPARE(got[t], 127 - t);
    }

    void barriersReduceOverTheBlock() {
        PtxProgram program(kernel(R"(
    and.b32 %x, %t, 7; setp.eq.u32 %p, %x, 0;
    bar.red.popc.u32 %r, 0, %p;
    bar.red.or.pred %q, 0, %p; @%q add.u32 %r, %r, 100;
    bar.red.and.pred %q, 0, %p; @%q add.u32 %r, %r, 1000;)"));
        for (u32 v : runKernel(program, 1, 96))
            QCOMPARE(v, 112u);
    }

    void warpsThatHaveEndedDoNotHoldABarrier() {
        PtxProgram program(kernel("    setp.ge.u32 %p, %t, 32; @%p ret; bar.sync 0; mov.u32 %r, 9;"));
        const std::vector<u32> got = runKernel(program, 1, 96);
        for (u32 t = 0; t < 96; ++t)
            QCOMPARE(got[t], t < 32 ? 9u : 0xdeadu);
    }

    void bothSidesOfABranchMayWaitAtTheSameBarrier() {
        PtxProgram program(kernel(R"(
    and.b32 %x, %t, 1; setp.eq.u32 %p, %x, 0; @%p bra EVEN;
    bar.sync 0; mov.u32 %r, 1; bra END;
EVEN: bar.sync 0; mov.u32 %r, 2;
END: add.u32 %r, %r, 10;)"));
        const std::vector<u32> got = runKernel(program, 1, 64);
        for (u32 t = 0; t < 64; ++t)
            QCOMPARE(got[t], t % 2 ? 11u : 12u);
    }

    void aWarpBarrierWaitsForTheOtherBranch() {
        // Odd lanes read what even lanes wrote before the warp barrier in their own branch.
        PtxProgram program(R"(
.visible .entry k(.param .u64 out) {
    .shared .align 4 .b8 tile[128];
    .reg .b32 %t, %r, %x, %y; .reg .b64 %a, %w; .reg .pred %p;
    ld.param.u64 %a, [out]; mov.u32 %t, %tid.x; mov.u32 %y, tile;
    mul.lo.u32 %x, %t, 4; add.u32 %x, %x, %y; mov.u32 %r, 7;
    and.b32 %y, %t, 1; setp.eq.u32 %p, %y, 0; @%p bra EVEN;
    bar.warp.sync 0xffffffff; ld.shared.u32 %r, [%x+-4]; bra END;
EVEN: add.u32 %y, %t, 50; st.shared.u32 [%x], %y; bar.warp.sync 0xffffffff;
END: mul.wide.u32 %w, %t, 4; add.u64 %w, %a, %w; st.global.u32 [%w], %r; ret;
})");
        const std::vector<u32> got = runKernel(program, 1, 32);
        for (u32 t = 0; t < 32; ++t)
            QCOMPARE(got[t], t % 2 ? t - 1 + 50 : 7u);
    }

    void aSpinLockInsideAWarpLetsItsHolderGoOn() {
        PtxProgram program(R"(
.visible .entry k(.param .u64 lock) {
    .reg .b32 %r; .reg .b64 %a; .reg .pred %p;
    ld.param.u64 %a, [lock];
SPIN: atom.global.cas.b32 %r, [%a], 0, 1; setp.ne.u32 %p, %r, 0; @%p bra SPIN;
    ld.volatile.global.u32 %r, [%a+4]; add.u32 %r, %r, 1; st.volatile.global.u32 [%a+4], %r;
    membar.gl; atom.global.exch.b32 %r, [%a], 0; ret;
})");
        const u64 lock = program.buffer(std::vector<u32>{0, 0});
        program.run("k", {2, 1, 1}, {4, 1, 1}, lock);
        QCOMPARE(program.read<u32>(lock, 2)[1], 8u);
    }

    void blocksMayWaitForLaterBlocks() {
        // Every block waits until all have arrived, on one worker thread.
        PtxProgram program(R"(
.visible .entry k(.param .u64 counter) {
    .reg .b32 %r, %n; .reg .b64 %a; .reg .pred %p;
    ld.param.u64 %a, [counter]; mov.u32 %n, %nctaid.x;
    red.global.add.u32 [%a], 1;
WAIT: ld.volatile.global.u32 %r, [%a]; setp.lt.u32 %p, %r, %n; @%p bra WAIT;
    red.global.add.u32 [%a+4], 1; ret;
})");
        const u64 counter = program.buffer(std::vector<u32>{0, 0});
        program.options.jobs = 1;
        program.run("k", {6, 1, 1}, {1, 1, 1}, counter);
        QCOMPARE(program.read<u32>(counter, 2)[1], 6u);
    }

    void aNamedBarrierThatNobodyReachesIsADeadlock() {
        PtxProgram program(kernel("    bar.sync 3, 64;"));
        const u64 out = program.buffer(std::vector<u32>(32, 0));
        const emulator::LaunchResult r = program.launch("k", {1, 1, 1}, {32, 1, 1}, out);
        QCOMPARE(r.end, emulator::LaunchEnd::deadlock);
        QVERIFY(r.reason.find("barrier") != std::string::npos);
    }

    void partialWarpsLeaveTheirMissingLanesAlone() {
        PtxProgram program(kernel("    activemask.b32 %r;"));
        const std::vector<u32> got = runKernel(program, 3, 40);
        for (u32 b = 0; b < 3; ++b)
            for (u32 t = 0; t < 40; ++t)
                QCOMPARE(got[b * 40 + t], t < 32 ? 0xffffffffu : 0xffu);
    }
};

KERNELARIUM_TEST(TestControl);

} // namespace kernelarium::test

#include "TestControl.moc"
