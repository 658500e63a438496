// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

/// out[linear thread] = its three thread and block indices, packed: checks what each special register holds.
constexpr const char* indices = R"(
.visible .entry where(.param .u64 out)
{
  .reg .b32 %r<20>; .reg .b64 %rd<6>;
  .loc 1 3 0
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z;
  mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y; mov.u32 %r9, %ntid.z;
  mov.u32 %r10, %nctaid.x; mov.u32 %r11, %nctaid.y;
  mad.lo.u32 %r12, %r6, %r11, %r5;
  mad.lo.u32 %r12, %r12, %r10, %r4;
  mad.lo.u32 %r12, %r12, %r9, %r3;
  mad.lo.u32 %r12, %r12, %r8, %r2;
  mad.lo.u32 %r12, %r12, %r7, %r1;
  shl.b32 %r13, %r6, 4; or.b32 %r13, %r13, %r5;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r4;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r3;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r2;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r1;
  mul.wide.u32 %rd2, %r12, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r13;
  ret;
})";

} // namespace

class TestLaunch : public QObject {
    Q_OBJECT
private slots:
    void threeDimensionsIndexRight();
    void launchLimits_data();
    void launchLimits();
    void sharedMemoryNeedsItsOptIn();
    void registersLimitTheBlock();
    void maxntidLimitsTheBlock();
    void functionsAreNoKernels();
    void countersAreExact();
    void jobsGiveTheSameBytes();
    void deadlineEndsEndlessLoops_data();
    void deadlineEndsEndlessLoops();
    void stopTokenEndsEndlessLoops();
    void trapEndsTheLaunch();
    void printfWritesText();
    void assertionsEndTheLaunch();
    void clustersAreNamed();
    void unsupportedInstructionsAreNamed();
    void mismatchedCallsAreRefused();
};

void TestLaunch::threeDimensionsIndexRight() {
    PtxProgram p(indices);
    const Dim3 grid{2, 3, 2}, block{5, 3, 4};
    const std::size_t total = 2 * 3 * 2 * 5 * 3 * 4;
    const std::uint64_t out = p.uninitialised(total * 4);
    p.run("where", grid, block, out);
    const auto got = p.read<std::uint32_t>(out, total);
    std::size_t k = 0;
    for (std::uint32_t bz = 0; bz < 2; ++bz)
        for (std::uint32_t by = 0; by < 3; ++by)
            for (std::uint32_t bx = 0; bx < 2; ++bx)
                for (std::uint32_t z = 0; z < 4; ++z)
                    for (std::uint32_t y = 0; y < 3; ++y)
                        for (std::uint32_t x = 0; x < 5; ++x)
                            QCOMPARE(got[k++], bz << 20 | by << 16 | bx << 12 | z << 8 | y << 4 | x);
}

void TestLaunch::launchLimits_data() {
    QTest::addColumn<QVector<quint32>>("grid");
    QTest::addColumn<QVector<quint32>>("block");
    const auto row = [](const char* name, QVector<quint32> grid, QVector<quint32> block) {
        QTest::newRow(name) << grid << block;
    };
    row("1025 threads", {1, 1, 1}, {1025, 1, 1});
    row("1056 threads in two dimensions", {1, 1, 1}, {33, 32, 1});
    row("block.z 65", {1, 1, 1}, {1, 1, 65});
    row("no threads", {1, 1, 1}, {32, 0, 1});
    row("zero grid", {0, 1, 1}, {32, 1, 1});
    row("zero grid.z", {1, 1, 0}, {32, 1, 1});
    row("grid.y 65536", {1, 65536, 1}, {1, 1, 1});
    row("grid.z 65536", {1, 1, 65536}, {1, 1, 1});
    row("grid.x 2^31", {2147483648u, 1, 1}, {1, 1, 1});
}

void TestLaunch::launchLimits() {
    QFETCH(QVector<quint32>, grid);
    QFETCH(QVector<quint32>, block);
    PtxProgram p(".visible .entry k() { trap; }");
    const LaunchResult r = p.launch("k", {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]});
    QCOMPARE(r.end, LaunchEnd::refused);
    QCOMPARE(r.reason, std::string("invalid configuration argument"));
    QCOMPARE(r.counters.warpInstructions, std::uint64_t(0));
}

void TestLaunch::sharedMemoryNeedsItsOptIn() {
    PtxProgram p(".visible .entry k() { .shared .align 4 .b8 s[1024]; .reg .b32 %r<2>; st.shared.u32 [s], 1; ret; }");
    const auto end = [&](std::uint32_t dynamic, std::uint32_t optIn) {
        p.config.dynamicSharedBytes = dynamic;
        p.config.sharedOptInBytes = optIn;
        const LaunchResult r = p.launch("k", {1, 1, 1}, {32, 1, 1});
        if (r.end == LaunchEnd::refused && r.reason != "invalid argument")
            QTest::qFail(r.reason.c_str(), __FILE__, __LINE__);
        return r.end;
    };
    QCOMPARE(end(47 * 1024, 0), LaunchEnd::finished);
    QCOMPARE(end(47 * 1024 + 4, 0), LaunchEnd::refused);
    QCOMPARE(end(47 * 1024 + 4, 47 * 1024 + 4), LaunchEnd::finished);
    QCOMPARE(end(100 * 1024, 64 * 1024), LaunchEnd::refused);
    QCOMPARE(end(226 * 1024, 226 * 1024), LaunchEnd::finished);
    QCOMPARE(end(226 * 1024 + 4, 227 * 1024), LaunchEnd::refused);
    QCOMPARE(end(1024, 228 * 1024), LaunchEnd::refused);
}

void TestLaunch::registersLimitTheBlock() {
    PtxProgram p(".visible .entry k() { ret; }");
    p.config.registersPerThread = 64;
    QCOMPARE(p.launch("k", {1, 1, 1}, {1024, 1, 1}).end, LaunchEnd::finished);
    p.config.registersPerThread = 65;
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1024, 1, 1});
    QCOMPARE(r.end, LaunchEnd::refused);
    QCOMPARE(r.reason, std::string("too many resources requested for launch"));
    QCOMPARE(p.launch("k", {1, 1, 1}, {896, 1, 1}).end, LaunchEnd::finished);
}

void TestLaunch::maxntidLimitsTheBlock() {
    PtxProgram p(".visible .entry k() .maxntid 128, 1, 1 { ret; }");
    QCOMPARE(p.launch("k", {1, 1, 1}, {128, 1, 1}).end, LaunchEnd::finished);
    QCOMPARE(p.launch("k", {1, 1, 1}, {129, 1, 1}).end, LaunchEnd::refused);
}

void TestLaunch::functionsAreNoKernels() {
    PtxProgram p(".func f() { ret; }\n.visible .entry k() { ret; }");
    const LaunchResult r = p.launch("f", {1, 1, 1}, {1, 1, 1});
    QCOMPARE(r.end, LaunchEnd::refused);
    QCOMPARE(r.reason, std::string("invalid device function"));
}

void TestLaunch::countersAreExact() {
    // 4 instructions, then 2 more for lanes below 10, then ret.
    PtxProgram p(R"(
.visible .entry k()
{ .reg .b32 %r<4>; .reg .pred %p<2>;
  mov.u32 %r1, %laneid; setp.ge.u32 %p1, %r1, 10; mov.u32 %r2, 0;
  @%p1 bra done;
  add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;
done: ret; })");
    // Two blocks of 40 threads: a whole warp and one of 8 lanes each.
    const LaunchResult r = p.run("k", {2, 1, 1}, {40, 1, 1});
    QCOMPARE(r.counters.blocks, std::uint64_t(2));
    QCOMPARE(r.counters.warpInstructions, std::uint64_t(2 * 2 * 7));
    QCOMPARE(r.counters.threadInstructions, std::uint64_t(2 * (40 * 5 + 18 * 2)));
}

void TestLaunch::jobsGiveTheSameBytes() {
    std::vector<std::vector<std::uint32_t>> results;
    std::vector<std::uint64_t> counted;
    for (const unsigned jobs : {1u, 2u}) {
        PtxProgram p(indices);
        p.options.jobs = jobs;
        const std::size_t total = 15 * 14 * 3 * 96;
        const std::uint64_t out = p.uninitialised(total * 4);
        counted.push_back(p.run("where", {15, 14, 3}, {16, 3, 2}, out).counters.threadInstructions);
        results.push_back(p.read<std::uint32_t>(out, total));
    }
    QVERIFY(results[0] == results[1]);
    QCOMPARE(counted[0], counted[1]);
}

namespace {
const std::pair<const char*, const char*> endlessLoops[] = {
    {"branch", "again: bra again;"},
    {"barrier", "again: bar.sync 0; bra again;"},
    {"divergent", "{ .reg .pred p; .reg .b32 r; mov.u32 r, %laneid; setp.lt.u32 p, r, 7; @p bra again; other: bra "
                  "other; again: bra again; }"},
};
}

void TestLaunch::deadlineEndsEndlessLoops_data() {
    QTest::addColumn<QByteArray>("body");
    for (const auto& [name, body] : endlessLoops)
        QTest::newRow(name) << QByteArray(body);
}

void TestLaunch::deadlineEndsEndlessLoops() {
    QFETCH(QByteArray, body);
    PtxProgram p(".visible .entry k() { " + body.toStdString() + " }");
    p.options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    const LaunchResult r = p.launch("k", {3, 1, 1}, {64, 1, 1});
    QCOMPARE(r.end, LaunchEnd::timeout);
    QVERIFY(r.counters.warpInstructions > 0);
}

void TestLaunch::stopTokenEndsEndlessLoops() {
    for (const auto& [name, body] : endlessLoops) {
        PtxProgram p(std::string(".visible .entry k() { ") + body + " }");
        std::stop_source stop;
        p.options.stop = stop.get_token();
        p.options.jobs = 2;
        stop.request_stop();
        QCOMPARE(p.launch("k", {3, 1, 1}, {64, 1, 1}).end, LaunchEnd::cancelled);
    }
}

void TestLaunch::trapEndsTheLaunch() {
    PtxProgram p(".visible .entry k() { .reg .pred p; .reg .b32 r; mov.u32 r, %tid.x; setp.ne.u32 p, r, 40; @p "
                 "ret;\n.loc 1 9 0\ntrap; ret; }");
    const LaunchResult r = p.launch("k", {1, 1, 1}, {64, 1, 1});
    QCOMPARE(r.end, LaunchEnd::trapped);
    QVERIFY2(r.reason.find("trap") != std::string::npos && r.reason.find("line 9") != std::string::npos,
             r.reason.c_str());
    const Fault* f = faultOf(r, "trap");
    QVERIFY(f && f->line == 9 && (f->thread == Dim3{40, 0, 0}));
    QCOMPARE(p.launch("k", {1, 1, 1}, {32, 1, 1}).end, LaunchEnd::finished);
}

void TestLaunch::printfWritesText() {
    PtxProgram p(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[33] = {37,100,32,37,117,32,37,46,50,102,32,37,115,32,37,108,108,100,32,49,48,48,37,37,32,37,48,52,120,10,0};
.global .align 1 .b8 word[5] = {119,97,114,112,0};
.visible .entry k()
{ .local .align 8 .b8 buffer[48]; .reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .f64 %fd<2>;
  mov.u64 %rd1, buffer; cvta.local.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; neg.s32 %r2, %r1;
  st.local.u32 [%rd1], %r2; st.local.u32 [%rd1+4], 4000000000; mov.f64 %fd1, 0d4009000000000000; st.local.f64 [%rd1+8], %fd1;
  mov.u64 %rd3, word; cvta.global.u64 %rd3, %rd3; st.local.u64 [%rd1+16], %rd3; mov.b64 %rd5, -5000000000; st.local.u64 [%rd1+24], %rd5;
  st.local.u32 [%rd1+32], 255;
  mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;
  { .param .b64 p0; .param .b64 p1; .param .b32 back;
    st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd2;
    call.uni (back), vprintf, (p0, p1); ld.param.b32 %r3, [back]; }
  ret; })");
    std::string text;
    p.options.print = [&](std::string_view part) { text += part; };
    p.run("k", {1, 1, 1}, {3, 1, 1});
    std::string expected;
    for (const char* d : {"0", "-1", "-2"})
        expected += std::string(d) + " 4000000000 3.12 warp -5000000000 100% 00ff\n";
    QCOMPARE(QString::fromStdString(text), QString::fromStdString(expected));
}

void TestLaunch::assertionsEndTheLaunch() {
    PtxProgram p(R"(
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.global .align 1 .b8 text[6] = {105,60,110,33,0};
.visible .entry k()
{ .reg .b64 %rd<3>; mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1;
  { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
    st.param.b64 [a], %rd1; st.param.b64 [b], %rd1; st.param.b32 [c], 3; st.param.b64 [d], %rd1; st.param.b64 [e], 1;
    .loc 1 31 0
    call.uni __assertfail, (a, b, c, d, e); }
  ret; })");
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1});
    QCOMPARE(r.end, LaunchEnd::trapped);
    QVERIFY2(r.reason.find("i<n!") != std::string::npos && r.reason.find("line 31") != std::string::npos,
             r.reason.c_str());
}

void TestLaunch::clustersAreNamed() {
    PtxProgram p(".visible .entry kern()\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n ret; }");
    p.run("kern", {4, 1, 1}, {32, 1, 1});
    for (const std::uint32_t blocks : {3u, 5u}) {
        const LaunchResult r = p.launch("kern", {blocks, 1, 1}, {32, 1, 1});
        QCOMPARE(r.end, LaunchEnd::refused);
        QVERIFY(r.reason.find("cluster misconfiguration") != std::string::npos);
    }
}

void TestLaunch::unsupportedInstructionsAreNamed() {
    DeviceMemory memory(1 << 20);
    const auto r = Program::load(
        PtxProgram::withHeader(".visible .entry kern() {\n tcgen05.wait::ld.sync.aligned;\n ret; }"), memory);
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, std::string("unsupported"));
    for (const char* part : {"tcgen05.wait::ld.sync.aligned", "PTX line 6", "kern"})
        QVERIFY2(r.error().message.find(part) != std::string::npos, r.error().message.c_str());
}

void TestLaunch::mismatchedCallsAreRefused() {
    // The callee's frame holds 4 bytes of what would be 400 KB: it must not be overwritten.
    const std::string callee = ".func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r], 1; ret; }\n";
    DeviceMemory memory(1 << 20);
    const auto direct = Program::load(PtxProgram::withHeader(callee + R"(.visible .entry k()
{ .param .b8 big[400000]; .param .b32 back; call (back), f, (big); ret; })"),
                                      memory);
    QVERIFY(!direct.ok());
    QCOMPARE(direct.error().code, std::string("bad_ptx"));
    PtxProgram p(callee + R"(.visible .entry k()
{ .reg .b64 %rd<2>; .param .b8 big[400000]; .param .b32 back; mov.u64 %rd1, f;
  proto: .callprototype (.param .b32 _) _ (.param .b8 _[400000]);
  call (back), %rd1, (big), proto; ret; })");
    const LaunchResult r = p.launch("k", {1, 1, 1}, {1, 1, 1});
    QCOMPARE(r.end, LaunchEnd::trapped);
    QVERIFY2(r.reason.find("another signature") != std::string::npos, r.reason.c_str());
}

namespace {
KERNELARIUM_TEST(TestLaunch);
}

#include "TestLaunch.moc"
