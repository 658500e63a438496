// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the checks of memory accesses report, and that the run goes on after it.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <fmt/format.h>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

/// Loads data[tid + shift] and stores it to out[tid]; the load is on line 10, the store on line 11.
constexpr const char* copyShifted = R"(
.visible .entry copy(.param .u64 data, .param .u64 out, .param .s32 shift)
{
  .reg .b32 %r<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out]; ld.param.u32 %r2, [shift];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  cvt.s64.s32 %rd4, %r2; shl.b64 %rd4, %rd4, 2;
  add.s64 %rd5, %rd1, %rd3; add.s64 %rd5, %rd5, %rd4;
  add.s64 %rd6, %rd2, %rd3;
  .loc 1 10 0
  ld.global.u32 %r3, [%rd5];
  .loc 1 11 0
  st.global.u32 [%rd6], %r3;
  ret;
})";

std::vector<std::uint32_t> counting(std::size_t n) {
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 100u);
    return v;
}

/// A kernel of one access through a pointer, on line 5.
std::string access(const std::string& instruction) {
    return ".visible .entry k(.param .u64 p)\n{ .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f64 %fd<3>; "
           "ld.param.u64 %rd1, [p];\n"
           "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.b64 %rd2, 3;\n.loc 1 5 0\n" +
           instruction + "\nret; }";
}

bool says(const Fault* f, const std::string& text) {
    return f && f->message.find(text) != std::string::npos;
}

} // namespace

class TestMemory : public QObject {
    Q_OBJECT
private slots:
    void readsPastTheEndAreReported();
    void writesBeforeTheStartAreReported();
    void crossingTheEndIsReported();
    void betweenAllocationsIsReported();
    void freedMemoryIsReported();
    void nullPointersAreReported();
    void misalignedAccesses_data();
    void misalignedAccesses();
    void uninitialisedGlobalIsReported();
    void partlyInitialisedVectorsAreReported();
    void hostMemoryIsReported();
    void sharedMemoryIsChecked();
    void localMemoryIsChecked();
    void faultsPerKindAreLimited();
    void unwrittenMemoryReadsAsPoison();
    void withoutChecksStraysEndTheLaunch();
    void blockAndThreadAreNamed();
};

void TestMemory::readsPastTheEndAreReported() {
    PtxProgram p(copyShifted);
    const auto data = p.buffer(counting(64), "argument A");
    const auto out = p.uninitialised(64 * 4, "output");
    const LaunchResult r = p.launch("copy", {1, 1, 1}, {64, 1, 1}, data, out, 4);
    QCOMPARE(r.end, LaunchEnd::finished);
    QCOMPARE(r.faults.size(), std::size_t(1));
    const Fault* f = faultOf(r, "out_of_bounds");
    QVERIFY2(f, PtxProgram::describe(r).c_str());
    QVERIFY2(says(f, "Read of 4 bytes") && says(f, "0 bytes past the end of argument A (256 bytes)"),
             f->message.c_str());
    QCOMPARE(f->line, 10);
    QCOMPARE(f->count, std::uint64_t(4));
    QCOMPARE(f->kernel, std::string("copy"));
    QVERIFY(f->leavesAllocation);
    QVERIFY((f->thread == Dim3{60, 0, 0}));
    // The other lanes' results are right.
    const auto got = p.read<std::uint32_t>(out, 64);
    for (std::uint32_t k = 0; k < 60; ++k)
        QCOMPARE(got[k], 104 + k);
    for (std::uint32_t k = 60; k < 64; ++k)
        QCOMPARE(got[k], p.options.poison);
}

void TestMemory::writesBeforeTheStartAreReported() {
    PtxProgram p(copyShifted);
    const auto data = p.buffer(counting(40), "argument A");
    const auto out = p.uninitialised(32 * 4, "output");
    const LaunchResult r = p.launch("copy", {1, 1, 1}, {32, 1, 1}, data, out - 8, 0);
    const Fault* f = faultOf(r, "out_of_bounds");
    QVERIFY2(f, PtxProgram::describe(r).c_str());
    QVERIFY2(says(f, "Write of 4 bytes") && says(f, "8 bytes before output (128 bytes)"), f->message.c_str());
    QCOMPARE(f->line, 11);
    QCOMPARE(f->count, std::uint64_t(2));
    QCOMPARE(p.read<std::uint32_t>(out, 1)[0], 102u);
    QVERIFY(p.memory().damagedGuards().empty());
}

void TestMemory::crossingTheEndIsReported() {
    PtxProgram p(access("ld.global.u64 %rd2, [%rd1+8];"));
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, p.buffer(counting(3), "table"));
    QVERIFY2(says(faultOf(r, "out_of_bounds"), "crossing the end of table (12 bytes)"),
             PtxProgram::describe(r).c_str());
}

void TestMemory::betweenAllocationsIsReported() {
    PtxProgram p(access("st.global.u32 [%rd1+100], %r1;"));
    const auto first = p.uninitialised(64, "first");
    const auto second = p.buffer(counting(16), "second");
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, first);
    QVERIFY2(says(faultOf(r, "out_of_bounds"), "36 bytes past the end of first (64 bytes)"),
             PtxProgram::describe(r).c_str());
    QVERIFY(p.memory().damagedGuards().empty());
    QVERIFY(p.read<std::uint32_t>(second, 16) == counting(16));
}

void TestMemory::freedMemoryIsReported() {
    PtxProgram p(access("ld.global.u32 %r1, [%rd1+4];"));
    const auto gone = p.buffer(counting(16), "old");
    QVERIFY(p.memory().release(gone, 0xdeadbeef).ok());
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, gone);
    // Freed memory is nobody's: it counts as outside every allocation.
    QCOMPARE(r.faults.size(), std::size_t(1));
    QCOMPARE(r.faults[0].kind, std::string("out_of_bounds"));
    QVERIFY2(says(&r.faults[0], "old") && says(&r.faults[0], "freed"), r.faults[0].message.c_str());
}

void TestMemory::nullPointersAreReported() {
    PtxProgram p(access("ld.global.u32 %r1, [%rd1+16];"));
    const LaunchResult r = p.launch("k", {1, 1, 1}, {32, 1, 1}, std::uint64_t(0));
    const Fault* f = faultOf(r, "out_of_bounds");
    QVERIFY2(says(f, "null pointer"), PtxProgram::describe(r).c_str());
    QCOMPARE(f->count, std::uint64_t(32));
    QCOMPARE(f->line, 5);
}

void TestMemory::misalignedAccesses_data() {
    QTest::addColumn<QByteArray>("instruction");
    QTest::addColumn<int>("bytes");
    QTest::newRow("load 2") << QByteArray("ld.global.u16 %h1, [%rd1+1];") << 2;
    QTest::newRow("load 4") << QByteArray("ld.global.u32 %r1, [%rd1+2];") << 4;
    QTest::newRow("store 4") << QByteArray("st.global.u32 [%rd1+1], %r1;") << 4;
    QTest::newRow("load 8") << QByteArray("ld.global.u64 %rd2, [%rd1+4];") << 8;
    QTest::newRow("load v2") << QByteArray("ld.global.v2.u32 {%r1,%r2}, [%rd1+4];") << 8;
    QTest::newRow("load v4") << QByteArray("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1+8];") << 16;
    QTest::newRow("store v4") << QByteArray("st.global.v4.u32 [%rd1+4], {%r1,%r2,%r1,%r2};") << 16;
}

void TestMemory::misalignedAccesses() {
    QFETCH(QByteArray, instruction);
    QFETCH(int, bytes);
    PtxProgram p(access(instruction.toStdString()));
    const auto data = p.buffer(counting(16));
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, data);
    QCOMPARE(r.end, LaunchEnd::finished);
    QCOMPARE(r.faults.size(), std::size_t(1));
    const Fault* f = faultOf(r, "misaligned");
    QVERIFY2(says(f, fmt::format("multiple of {}", bytes)), PtxProgram::describe(r).c_str());
    QCOMPARE(f->line, 5);
    QVERIFY(p.read<std::uint32_t>(data, 16) == counting(16));
}

void TestMemory::uninitialisedGlobalIsReported() {
    PtxProgram p(copyShifted);
    const auto data = p.uninitialised(32 * 4, "argument A");
    const auto out = p.uninitialised(32 * 4, "output");
    const std::vector<std::uint32_t> half = counting(16);
    QVERIFY(p.memory().write(data, std::as_bytes(std::span(half))).ok());
    LaunchResult r = p.launch("copy", {1, 1, 1}, {32, 1, 1}, data, out, 0);
    const Fault* f = faultOf(r, "uninitialised_read");
    QVERIFY2(says(f, "byte 64 of argument A"), PtxProgram::describe(r).c_str());
    QCOMPARE(f->count, std::uint64_t(16));
    QCOMPARE(f->line, 10);
    QVERIFY(!f->leavesAllocation);
    // What the kernel wrote counts as written.
    QCOMPARE(p.memory().firstUninitialised(out, 128), std::optional<std::uint64_t>());
    r = p.launch("copy", {1, 1, 1}, {32, 1, 1}, out, data, 0);
    QVERIFY2(r.faults.empty(), PtxProgram::describe(r).c_str());
}

void TestMemory::partlyInitialisedVectorsAreReported() {
    PtxProgram p(access("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1];"));
    const auto data = p.uninitialised(16, "quad");
    const std::vector<std::uint32_t> three = counting(3);
    QVERIFY(p.memory().write(data, std::as_bytes(std::span(three))).ok());
    LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, data);
    QVERIFY2(says(faultOf(r, "uninitialised_read"), "quad"), PtxProgram::describe(r).c_str());
    QVERIFY(p.memory().fill(data + 12, 4, 0).ok());
    p.run("k", {1, 1, 1}, {1, 1, 1}, data);
}

void TestMemory::hostMemoryIsReported() {
    PtxProgram p(access("ld.global.u32 %r1, [%rd1];"));
    const auto host = p.uninitialised(64, "new int[16]", Owner::hostHeap);
    QVERIFY(p.memory().fill(host, 64, 1).ok());
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, host);
    const Fault* f = faultOf(r, "host_memory");
    QVERIFY2(says(f, "new int[16]"), PtxProgram::describe(r).c_str());
    QVERIFY(f->leavesAllocation);
}

void TestMemory::sharedMemoryIsChecked() {
    PtxProgram p(R"(
.visible .entry k(.param .u32 at)
{ .reg .b32 %r<6>; .shared .align 4 .b8 s[64];
  ld.param.u32 %r1, [at];
  mov.u32 %r2, s; add.u32 %r2, %r2, %r1;
  .loc 1 7 0
  ld.shared.u32 %r3, [%r2];
  .loc 1 8 0
  st.shared.u32 [%r2], %r1;
  .loc 1 9 0
  ld.shared.u32 %r3, [%r2];
  ret; })");
    LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, 60u);
    QCOMPARE(r.faults.size(), std::size_t(1));
    QVERIFY2(says(faultOf(r, "uninitialised_read"), "offset 60 of shared memory"), PtxProgram::describe(r).c_str());
    QCOMPARE(r.faults[0].line, 7);
    r = p.launch("k", {1, 1, 1}, {1, 1, 1}, 64u);
    QCOMPARE(r.faults.size(), std::size_t(3));
    for (const Fault& f : r.faults)
        QVERIFY2(f.kind == "out_of_bounds" && says(&f, "offset 64 of shared memory, which has 64 bytes"),
                 f.message.c_str());
    r = p.launch("k", {1, 1, 1}, {1, 1, 1}, 2u);
    QCOMPARE(r.faults.size(), std::size_t(3));
    QCOMPARE(r.faults[0].kind, std::string("misaligned"));
}

void TestMemory::localMemoryIsChecked() {
    PtxProgram p(R"(
.visible .entry k(.param .u32 at)
{ .local .align 8 .b8 depot[32]; .reg .b64 %SPL; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  mov.u64 %SPL, depot;
  ld.param.u32 %r1, [at];
  cvt.u64.u32 %rd1, %r1; add.s64 %rd2, %SPL, %rd1;
  .loc 1 7 0
  ld.local.u32 %r3, [%rd2];
  .loc 1 8 0
  st.local.u32 [%rd2], %r1;
  .loc 1 9 0
  ld.local.u32 %r3, [%rd2];
  ret; })");
    LaunchResult r = p.launch("k", {2, 1, 1}, {64, 1, 1}, 8u);
    QCOMPARE(r.faults.size(), std::size_t(1));
    QVERIFY2(says(faultOf(r, "uninitialised_read"), "offset 8 of local memory"), PtxProgram::describe(r).c_str());
    QCOMPARE(r.faults[0].count, std::uint64_t(128));
    r = p.launch("k", {1, 1, 1}, {33, 1, 1}, 1u << 20);
    QCOMPARE(r.faults.size(), std::size_t(3));
    QVERIFY2(says(faultOf(r, "out_of_bounds"), "local memory"), PtxProgram::describe(r).c_str());
    QCOMPARE(r.faults[0].count, std::uint64_t(33));
}

void TestMemory::faultsPerKindAreLimited() {
    std::string many;
    for (int k = 0; k < 12; ++k)
        many += fmt::format(".loc 1 {} 0\nld.global.u32 %r1, [%rd1+{}];\n", 20 + k, 4096 + 4 * k);
    PtxProgram p(access(many + ".loc 1 50 0\nld.global.u32 %r1, [%rd1+2];\n"));
    p.options.faultsPerKind = 3;
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1}, p.buffer(counting(4)));
    QCOMPARE(r.end, LaunchEnd::finished);
    QCOMPARE(std::count_if(r.faults.begin(), r.faults.end(), [](const Fault& f) { return f.kind == "out_of_bounds"; }),
             std::ptrdiff_t(3));
    QVERIFY(faultOf(r, "misaligned"));
}

void TestMemory::unwrittenMemoryReadsAsPoison() {
    QCOMPARE(RunOptions{}.poison, kernelarium::verify::firstPoison);
    QCOMPARE(DeviceMemory::Options{}.pattern, kernelarium::verify::firstPoison);
    PtxProgram p(R"(
.visible .entry k(.param .u64 out, .param .u64 data)
{ .shared .align 4 .b8 s[8]; .local .align 4 .b8 l[8]; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [data];
  ld.global.u32 %r1, [%rd2]; ld.shared.u32 %r2, [s+4]; ld.local.u32 %r3, [l+4];
  st.local.u32 [l+4], %r1;
  st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;
  ret; })");
    for (const bool checks : {true, false}) {
        p.options.checks = checks;
        const auto out = p.uninitialised(12);
        p.options.poison = 0x7fc0beef;
        // The second block finds the first one's stores in the memory that it gets.
        p.launch("k", {3, 1, 1}, {1, 1, 1}, out, p.uninitialised(4));
        QVERIFY((p.read<std::uint32_t>(out, 3) ==
                 std::vector<std::uint32_t>{kernelarium::verify::firstPoison, 0x7fc0beef, 0x7fc0beef}));
    }
}

void TestMemory::withoutChecksStraysEndTheLaunch() {
    PtxProgram p(access("ld.global.u32 %r1, [%rd1];"));
    p.options.checks = false;
    for (const std::uint64_t stray :
         {std::uint64_t(0), std::uint64_t(0x1234567890), std::uint64_t(DeviceMemory::base + (1ull << 40))}) {
        const LaunchResult r = p.launch("k", {1, 1, 1}, {32, 1, 1}, stray);
        QCOMPARE(r.end, LaunchEnd::trapped);
        QVERIFY2(r.reason.find("line 5") != std::string::npos, r.reason.c_str());
    }
    const LaunchResult r = p.launch("k", {1, 1, 1}, {32, 1, 1}, p.buffer(counting(4)));
    QCOMPARE(r.end, LaunchEnd::finished);
}

void TestMemory::blockAndThreadAreNamed() {
    PtxProgram p(R"(
.visible .entry k(.param .u64 p)
{ .reg .pred %p<4>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %ctaid.y; setp.ne.u32 %p1, %r1, 2; @%p1 ret;
  mov.u32 %r1, %tid.z; setp.ne.u32 %p1, %r1, 1; @%p1 ret;
  mov.u32 %r1, %tid.y; setp.ne.u32 %p1, %r1, 3; @%p1 ret;
  mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 5; @%p1 ret;
  .loc 1 77 0
  st.global.u32 [%rd1+256], %r1;
  ret; })");
    const LaunchResult r = p.launch("k", {1, 3, 1}, {8, 4, 2}, p.buffer(counting(4)));
    QCOMPARE(r.faults.size(), std::size_t(1));
    QVERIFY((r.faults[0].block == Dim3{0, 2, 0}));
    QVERIFY((r.faults[0].thread == Dim3{5, 3, 1}));
    QCOMPARE(r.faults[0].line, 77);
    QCOMPARE(r.faults[0].count, std::uint64_t(1));
}

namespace {
KERNELARIUM_TEST(TestMemory);
}

#include "TestMemory.moc"
