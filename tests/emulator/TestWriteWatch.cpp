// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who stored last into a watched range.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

/// p[tid] = block number from every block, on line 7; then thread 5 of block 2 alone writes p[9], on line 8.
constexpr const char* kernels = R"(
.visible .entry stores(.param .u64 p)
{
  .reg .pred %p<4>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  .loc 1 7 0
  st.global.u32 [%rd3], %r2;
  setp.eq.u32 %p1, %r1, 5; setp.eq.u32 %p2, %r2, 2; and.pred %p3, %p1, %p2;
  .loc 1 8 0
  @%p3 st.global.u32 [%rd1+36], %r1;
  ret;
}
.visible .entry adds(.param .u64 p)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 3;
  @%p1 ret;
  .loc 1 20 0
  atom.global.add.u32 %r2, [%rd1+36], 100;
  ret;
}
.visible .entry reads(.param .u64 p, .param .u64 out)
{
  .reg .b32 %r<4>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  st.global.u32 [%rd5], %r2;
  ret;
}
.visible .entry vectors(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2;
  .loc 1 40 0
  st.global.v4.u32 [%rd3], {%r1, %r1, %r1, %r1};
  ret;
})";

/// A program whose next buffer of 64 words is known beforehand: another memory gives the same addresses.
struct Watched {
    PtxProgram ptx{kernels};
    std::uint64_t buffer = 0;

    explicit Watched(std::uint64_t word, std::function<Writer()> hostWriter = {}) {
        PtxProgram rehearsal(kernels);
        ptx.options.races = false; // blocks that store over one another are what this is about
        const std::uint64_t expected = rehearsal.uninitialised(256);
        ptx.memory().watch(expected + 4 * word, 4, std::move(hostWriter));
        buffer = ptx.uninitialised(256);
        if (buffer != expected) qFatal("addresses are not reproducible");
    }
    [[nodiscard]] std::optional<Writer> last() { return ptx.memory().watched()->last(); }
};

} // namespace

class TestWriteWatch : public QObject {
    Q_OBJECT
private slots:
    void nobodyAtFirst();
    void theLastBlockIsNamed();
    void theLastOfSeveralStoresIsNamed();
    void theLastLaunchIsNamed();
    void vectorStoresAreSeen();
    void atomicsAreSeen();
    void readsAreNoStores();
    void hostCopiesAreSeen();
    void faultsInTheRangeAreStillReported();
};

void TestWriteWatch::nobodyAtFirst() {
    Watched w(9);
    QVERIFY(!w.last());
    w.ptx.run("stores", {4, 1, 1}, {8, 1, 1}, w.buffer + 64); // words 16 to 24
    w.ptx.run("stores", {1, 1, 1}, {8, 1, 1}, w.buffer);      // words 0 to 7
    QVERIFY(!w.last());
}

void TestWriteWatch::theLastBlockIsNamed() {
    Watched w(7);
    w.ptx.run("stores", {4, 1, 1}, {32, 1, 1}, w.buffer);
    QVERIFY(w.last());
    QCOMPARE(w.last()->kernel, std::string("stores"));
    QCOMPARE(w.last()->block, (Dim3{3, 0, 0}));
    QCOMPARE(w.last()->thread, (Dim3{7, 0, 0}));
    QCOMPARE(w.last()->line, 7);
    QCOMPARE(w.ptx.read<std::uint32_t>(w.buffer + 28, 1), std::vector<std::uint32_t>{3});
}

void TestWriteWatch::theLastOfSeveralStoresIsNamed() {
    Watched w(9);
    w.ptx.run("stores", {3, 1, 1}, {32, 1, 1}, w.buffer);
    QVERIFY(w.last());
    QCOMPARE(w.last()->block, (Dim3{2, 0, 0}));
    QCOMPARE(w.last()->thread, (Dim3{5, 0, 0}));
    QCOMPARE(w.last()->line, 8);
    QCOMPARE(w.ptx.read<std::uint32_t>(w.buffer + 36, 1), std::vector<std::uint32_t>{5});
}

void TestWriteWatch::theLastLaunchIsNamed() {
    Watched w(9);
    w.ptx.run("stores", {3, 1, 1}, {32, 1, 1}, w.buffer);
    w.ptx.run("vectors", {1, 1, 1}, {4, 1, 1}, w.buffer);
    QCOMPARE(w.last()->kernel, std::string("vectors"));
    w.ptx.run("stores", {1, 1, 1}, {4, 2, 1}, w.buffer + 24); // words 6 to 9: threads of two rows
    QCOMPARE(w.last()->kernel, std::string("stores"));
    QCOMPARE(w.last()->thread, (Dim3{3, 1, 0}));
}

void TestWriteWatch::vectorStoresAreSeen() {
    Watched w(42);
    w.ptx.run("vectors", {1, 1, 1}, {16, 1, 1}, w.buffer);
    QVERIFY(w.last());
    QCOMPARE(w.last()->thread, (Dim3{10, 0, 0}));
    QCOMPARE(w.last()->line, 40);
}

void TestWriteWatch::atomicsAreSeen() {
    Watched w(9);
    w.ptx.run("stores", {1, 1, 1}, {32, 1, 1}, w.buffer);
    w.ptx.run("adds", {2, 1, 1}, {32, 1, 1}, w.buffer);
    QVERIFY(w.last());
    QCOMPARE(w.last()->kernel, std::string("adds"));
    QCOMPARE(w.last()->block, (Dim3{1, 0, 0}));
    QCOMPARE(w.last()->thread, (Dim3{3, 0, 0}));
    QCOMPARE(w.last()->line, 20);
    QCOMPARE(w.ptx.read<std::uint32_t>(w.buffer + 36, 1), std::vector<std::uint32_t>{200});
}

void TestWriteWatch::readsAreNoStores() {
    Watched w(9);
    const std::uint64_t out = w.ptx.uninitialised(256);
    const LaunchResult early = w.ptx.launch("reads", {1, 1, 1}, {32, 1, 1}, w.buffer, out);
    QVERIFY(!w.last());
    QVERIFY(faultOf(early, "uninitialised_read"));
    QVERIFY(!faultOf(early, "out_of_bounds"));
    w.ptx.run("stores", {3, 1, 1}, {32, 1, 1}, w.buffer);
    w.ptx.run("reads", {1, 1, 1}, {32, 1, 1}, w.buffer, out);
    QCOMPARE(w.last()->kernel, std::string("stores"));
    QCOMPARE(w.ptx.read<std::uint32_t>(out + 36, 1), std::vector<std::uint32_t>{5});
}

void TestWriteWatch::hostCopiesAreSeen() {
    int asked = 0;
    Watched w(9, [&] {
        ++asked;
        Writer writer;
        writer.call = "copy " + std::to_string(asked);
        return writer;
    });
    w.ptx.run("stores", {3, 1, 1}, {32, 1, 1}, w.buffer);
    QVERIFY(w.ptx.memory().fill(w.buffer, 36, 0).ok()); // ends just before
    QCOMPARE(w.last()->kernel, std::string("stores"));
    QVERIFY(w.ptx.memory().fill(w.buffer, 40, 0).ok());
    QCOMPARE(w.last()->call, std::string("copy 1"));
    const std::uint64_t source = w.ptx.buffer(std::vector<std::uint32_t>(64, 11));
    QVERIFY(w.ptx.memory().copy(w.buffer + 32, source, 8).ok());
    QCOMPARE(w.last()->call, std::string("copy 2"));
    w.ptx.run("stores", {3, 1, 1}, {32, 1, 1}, w.buffer); // seen after host writes too
    QCOMPARE(w.last()->kernel, std::string("stores"));
}

void TestWriteWatch::faultsInTheRangeAreStillReported() {
    Watched w(9);
    const LaunchResult result = w.ptx.launch("stores", {1, 1, 1}, {8, 1, 1}, w.buffer + 34);
    QVERIFY(faultOf(result, "misaligned"));
    QVERIFY(!w.last());
    QVERIFY(w.ptx.memory().release(w.buffer, 0).ok());
    const LaunchResult freed = w.ptx.launch("stores", {1, 1, 1}, {32, 1, 1}, w.buffer);
    QVERIFY(faultOf(freed, "out_of_bounds"));
    QVERIFY(!w.last());
}

namespace {
KERNELARIUM_TEST(TestWriteWatch);
}

#include "TestWriteWatch.moc"
