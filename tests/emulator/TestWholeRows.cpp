// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accesses of a whole warp, side by side or at one place, take a shorter way than others. What they read, store and
// report is the same: each is made by 32 threads, and by 31, whose lanes are looked at one by one.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <fmt/format.h>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

/// Copies `bytes` a thread from data + tid * step to out + tid * bytes; by way of shared memory where that is asked
/// for.
std::string copying(const std::string& suffix, const std::string& registers, int bytes, bool shared) {
    const std::string through = shared ? fmt::format("mov.u64 %rd6, tile; add.s64 %rd6, %rd6, %rd3;\n"
                                                     "st.shared.{0} [%rd6], {1};\nbar.warp.sync -1;\n"
                                                     "ld.shared.{0} {1}, [%rd6];\n",
                                                     suffix, registers)
                                       : std::string();
    return fmt::format(R"(
.visible .entry copy(.param .u64 data, .param .u64 out, .param .u32 step)
{{
  .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %rd<12>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out]; ld.param.u32 %r5, [step];
  mov.u32 %r6, %tid.x;
  mul.wide.u32 %rd3, %r6, {0};
  mul.wide.u32 %rd4, %r6, %r5;
  add.s64 %rd4, %rd4, %rd1; add.s64 %rd5, %rd3, %rd2;
  ld.global.{1} {2}, [%rd4];
  {3}
  st.global.{1} [%rd5], {2};
  ret;
}})",
                       bytes, suffix, registers, through);
}

std::vector<std::uint8_t> numbered(std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = std::uint8_t(i * 7 + 3);
    return bytes;
}

} // namespace

class TestWholeRows : public QObject {
    Q_OBJECT
private slots:
    void copiesAreThoseOfSingleLanes_data();
    void copiesAreThoseOfSingleLanes();
    void theEndOfAnAllocationIsSeen_data();
    void theEndOfAnAllocationIsSeen();
    void onlyWhatWasStoredIsInitialised();
    void racesAreThoseOfSingleLanes_data();
    void racesAreThoseOfSingleLanes();
};

void TestWholeRows::copiesAreThoseOfSingleLanes_data() {
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QString>("registers");
    QTest::addColumn<int>("bytes");
    QTest::newRow("bytes") << "u8"
                           << "%r1" << 1;
    QTest::newRow("halves") << "u16"
                            << "%h1" << 2;
    QTest::newRow("words") << "u32"
                           << "%r1" << 4;
    QTest::newRow("double words") << "u64"
                                  << "%rd8" << 8;
    QTest::newRow("pairs of words") << "v2.u32"
                                    << "{%r1, %r2}" << 8;
    QTest::newRow("four words") << "v4.u32"
                                << "{%r1, %r2, %r3, %r4}" << 16;
    QTest::newRow("pairs of double words") << "v2.u64"
                                           << "{%rd8, %rd9}" << 16;
    QTest::newRow("four bytes") << "v4.u8"
                                << "{%r1, %r2, %r3, %r4}" << 4;
}

void TestWholeRows::copiesAreThoseOfSingleLanes() {
    QFETCH(QString, suffix);
    QFETCH(QString, registers);
    QFETCH(int, bytes);
    const std::vector<std::uint8_t> source = numbered(1024);
    for (const bool shared : {false, true})
        for (const bool checks : {false, true})
            for (const int step : {0, bytes, 2 * bytes})
                for (const unsigned threads : {31u, 32u}) {
                    PtxProgram p(copying(suffix.toStdString(), registers.toStdString(), bytes, shared));
                    QVERIFY(p.isLoaded());
                    p.options.checks = checks;
                    const auto data = p.buffer(source, "data");
                    const auto out = p.buffer(std::vector<std::uint8_t>(1024, 0xee), "out");
                    p.run("copy", {1, 1, 1}, {threads, 1, 1}, data, out, step);
                    const auto got = p.read<std::uint8_t>(out, 1024);
                    for (std::size_t i = 0; i < got.size(); ++i) {
                        const std::size_t thread = i / std::size_t(bytes), byte = i % std::size_t(bytes);
                        const std::uint8_t expected =
                            thread < threads ? source[thread * std::size_t(step) + byte] : std::uint8_t(0xee);
                        QCOMPARE(got[i], expected);
                    }
                }
}

void TestWholeRows::theEndOfAnAllocationIsSeen_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<int>("past");   // bytes between the first address and the end of what may be read
    QTest::addColumn<int>("faulty"); // lanes
    QTest::newRow("a row that just fits") << 4 << 128 << 0;
    QTest::newRow("a row one word too long") << 4 << 124 << 1;
    QTest::newRow("a row that begins at the end") << 4 << 0 << 32;
    QTest::newRow("the last word for all lanes") << 0 << 4 << 0;
    QTest::newRow("the word behind it for all lanes") << 0 << 0 << 32;
}

void TestWholeRows::theEndOfAnAllocationIsSeen() {
    QFETCH(int, step);
    QFETCH(int, past);
    QFETCH(int, faulty);
    PtxProgram p(copying("u32", "%r1", 4, false));
    const auto data = p.buffer(std::vector<std::uint32_t>(64, 5), "data");
    const auto out = p.uninitialised(128, "out");
    const LaunchResult r =
        p.launch("copy", {1, 1, 1}, {32, 1, 1}, data + 256 - std::uint64_t(past), out, std::uint32_t(step));
    QCOMPARE(r.end, LaunchEnd::finished);
    const Fault* f = faultOf(r, "out_of_bounds");
    QCOMPARE(f != nullptr, faulty > 0);
    if (f) QCOMPARE(f->count, std::uint64_t(faulty));
}

/// A row that is stored makes its own bytes readable, and no other.
void TestWholeRows::onlyWhatWasStoredIsInitialised() {
    PtxProgram p(copying("u32", "%r1", 4, false));
    const auto data = p.buffer(std::vector<std::uint32_t>(64, 5), "data");
    const auto between = p.uninitialised(256, "between"), out = p.uninitialised(256, "out");
    p.run("copy", {1, 1, 1}, {32, 1, 1}, data, between + 64, 4u);
    p.run("copy", {1, 1, 1}, {32, 1, 1}, between + 64, out, 4u);
    const LaunchResult r = p.launch("copy", {1, 1, 1}, {32, 1, 1}, between + 68, out, 4u);
    const Fault* f = faultOf(r, "uninitialised_read");
    QVERIFY2(f, PtxProgram::describe(r).c_str());
    QCOMPARE(f->count, std::uint64_t(1));
}

void TestWholeRows::racesAreThoseOfSingleLanes_data() {
    QTest::addColumn<bool>("stores"); // what the second warp does
    QTest::addColumn<int>("step");
    QTest::newRow("stores over a row that was read") << true << 4;
    QTest::newRow("stores over a word that was read") << true << 0;
    QTest::newRow("reads a row that was stored") << false << 4;
    QTest::newRow("reads a word that was stored") << false << 0;
}

/// Two warps of a block, with nothing between them that orders what they do.
void TestWholeRows::racesAreThoseOfSingleLanes() {
    QFETCH(bool, stores);
    QFETCH(int, step);
    // Threads on each side of %p1 are a warp, or all but one of it.
    const std::string first = "ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd4], %r3;";
    const std::string second = "st.global.u32 [%rd3], %r1;";
    const std::string body = fmt::format(R"(
.visible .entry k(.param .u64 data, .param .u64 out, .param .u32 step, .param .u32 lanes)
{{
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out]; ld.param.u32 %r5, [step]; ld.param.u32 %r6, [lanes];
  mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;
  setp.ge.u32 %p2, %r2, %r6;
  @%p2 ret;
  mul.wide.u32 %rd3, %r2, %r5; add.s64 %rd3, %rd3, %rd1;
  mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd4, %rd2;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra LATER;
  {0}
  ret;
LATER:
  {1}
  ret;
}})",
                                         stores ? first : second, stores ? second : first);
    std::vector<std::string> told;
    for (const std::uint32_t lanes : {31u, 32u}) {
        PtxProgram p(body);
        const auto data = p.buffer(std::vector<std::uint32_t>(64, 5), "data");
        const auto out = p.buffer(std::vector<std::uint32_t>(64, 0), "out");
        const LaunchResult r = p.launch("k", {1, 1, 1}, {64, 1, 1}, data, out, std::uint32_t(step), lanes);
        QCOMPARE(r.end, LaunchEnd::finished);
        const Fault* race = nullptr;
        for (const Fault& f : r.faults)
            if (f.kind == "race" &&
                !(stores && step == 0 && f.effect == kernelarium::verify::RaceEffect::undefined_winner))
                race = &f;
        QVERIFY2(race, PtxProgram::describe(r).c_str());
        told.push_back(race->message);
    }
    // Of the lanes that write one word the last one is told, which is another one of 31.
    if (const std::size_t at = told[0].find("thread (30, 0, 0) wrote"); step == 0 && at != std::string::npos)
        told[0].replace(at, 12, "thread (31, ");
    QVERIFY2(told[0] == told[1], (told[0] + "\n" + told[1]).c_str());
}

KERNELARIUM_TEST(TestWholeRows);
#include "TestWholeRows.moc"
